#include "library.h"

#include <stdio.h>

__attribute__((noinline)) static int helper(int x)
{
	return x & 1 ? x : 0;
}

int main(void)
{
	int sum = 0;
	for (int i = 0; i < 10; i++)
		sum += helper(i) + library_sum(i);
	printf("%d\n", sum);
	return 0;
}
