#include <stdio.h>

static volatile int zero;

int main(void)
{
	int n = zero, count = 0;
	for (int i = 0; i < n; i++)
		count++;
	while (zero)
		count++;
	printf("%d\n", count);
	return 0;
}
