#include "library.h"

static int calls;

__attribute__((noinline)) static int helper(int x)
{
	calls++;
	return x % 3 == 0 ? x : x + calls;
}

int library_sum(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += helper(i);
	return sum;
}
