// calls: weight=256
#include <stdio.h>

static volatile int zero;

__attribute__((noinline)) static int weight(int c)
{
	int w = zero;
	switch (c) {
	case 'a':
	case 'e':
	case 'i':
	case 'o':
	case 'u':
		w += 10;
		/* fall through */
	case 'y':
		w += 5;
		break;
	case '0' ... '9':
		w = 1;
		break;
	case 200:
	case 201:
		return -1;
	default:
		w = 2;
	}
	return w;
}

int main(void)
{
	int sum = 0;
	for (int c = 0; c < 256; c++)
		sum += weight(c);
	printf("%d\n", sum);
	return 0;
}
