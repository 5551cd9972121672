// calls: weigh=60 main=1
#include <stdio.h>

static volatile int limit = 20;

__attribute__((noinline)) static unsigned weigh(int i, int j)
{
	unsigned total = 0;
	for (int k = 0; k < i; k++)
		for (int l = 0; l < j; l++)
			for (int m = 0; m < limit; m++)
				total += (unsigned)(k ^ l ^ m);
	return total;
}

int main(void)
{
	unsigned total = 0;
	for (int i = 0; i < 6; i++)
		for (int j = 0; j < 10; j++)
			total += weigh(i, j);
	printf("%u\n", total);
	return 0;
}
