#include "files.h"

__attribute__((noinline)) static int helper(int x)
{
	while (x > 2)
		x /= 2;
	return x;
}

int other(int x)
{
	int sum = 0;
	for (int i = 0; i < 3; i++)
		sum += helper(x * i);
	return sum;
}

int passed_on(int x)
{
	return other(x + 1);
}

int passed_to_uncounted(int x)
{
	return x > 3 ? uncounted(x, from_main) : uncounted_plain(x);
}

int down_other(int n)
{
	return n < 1 ? helper(n) : 1 + down_main(n - 1);
}
