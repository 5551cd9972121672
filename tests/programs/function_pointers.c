// calls: twice=40 negate=30 keep=30
#include <stdio.h>
#include <stdlib.h>

static int twice(int x)
{
	return 2 * x;
}

static int negate(int x)
{
	return -x;
}

static int keep(int x)
{
	return x;
}

static int descending(const void *left, const void *right)
{
	return *(const int *)right - *(const int *)left;
}

int main(void)
{
	static int (*volatile const table[])(int) = {twice, negate, keep};
	int value[100];
	for (int i = 0; i < 100; i++)
		value[i] = table[i < 10 ? 0 : i % 3](i);
	qsort(value, 100, sizeof value[0], descending);
	printf("%d %d %d\n", value[0], value[50], value[99]);
	return 0;
}
