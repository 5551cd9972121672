// Every case and the default go to the same block, in a loop.
#include <stdio.h>

static volatile int n;

int main(void)
{
	int sum = 0;
	for (n = 0; n < 12; n++) {
		switch (n) {
		case 1:
		case 3:
		case 9:
		default:
			sum++;
		}
		switch (n & 3) {
		case 0:
			continue;
		case 1:
		case 2:
			break;
		}
		sum += 2;
	}
	printf("%d\n", sum);
	return 0;
}
