// calls: main=1 search=6
// left_early: search=3
// qsort's own frames, which have no profile, are jumped over.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf context;
static int left;

static int compare(const void *a, const void *b)
{
	if (--left == 0)
		longjmp(context, 1);
	return *(const int *)a - *(const int *)b;
}

__attribute__((noinline)) static int search(int patience)
{
	int value[] = {5, 2, 8, 1, 9, 3};
	left = patience;
	if (setjmp(context))
		return -patience;
	qsort(value, 6, sizeof(value[0]), compare);
	return value[0];
}

int main(void)
{
	const int patience[] = {1, 100, 3, 100, 5, 100};
	int sum = 0;
	for (int i = 0; i < 6; i++)
		sum += search(patience[i]);
	printf("%d\n", sum);
	return 0;
}
