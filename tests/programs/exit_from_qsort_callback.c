// calls: main=1 compare=12
// left_early: main=1
// The abandoned frames stand on both sides of a library function without profile.
#include <stdio.h>
#include <stdlib.h>

static int comparisons;

static int compare(const void *left, const void *right)
{
	int a = *(const int *)left, b = *(const int *)right;
	if (++comparisons == 12) {
		puts("enough");
		exit(0);
	}
	return a < b ? -1 : a > b;
}

int main(void)
{
	int value[] = {9, 3, 7, 1, 8, 2, 6, 4, 5, 0};
	qsort(value, 10, sizeof value[0], compare);
	puts("not reached");
	return 1;
}
