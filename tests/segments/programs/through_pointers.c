/* Calls through pointers that are in a table, come as an argument, and lead back to the caller. */
#include <stdio.h>
#include <stdlib.h>

typedef int operation(int);
static volatile int sink, other;
static operation *chosen;

static int thirds(int n)
{
	if (n % 3 == 0)
		sink++;
	return n;
}

static int fifths(int n)
{
	if (n % 5 == 0)
		other++;
	return 1;
}

static int again(int n)
{
	if (n > 0 && n % 7 == 0)
		return chosen(n - 1) + 1;
	return 2;
}

static operation *const table[] = {thirds, fifths, again};

static int apply(operation *what, int n)
{
	int r = 0;
	if (n & 1)
		sink += 3;
	r += what(n);
	return n > 500 ? r + 1 : r;
}

static int order(const void *left, const void *right)
{
	int a = *(const int *)left, b = *(const int *)right;
	return chosen(a) % 2 + (a > b) - (a < b);
}

int main(void)
{
	long sum = 0;
	int numbers[20];
	for (int i = 0; i < 1200; i++) {
		chosen = table[(i / 3 + 1) % 3];
		sum += apply(table[i < 600 ? 0 : i < 1100 ? 1 : 2], i);
		sum += apply(table[i % 3], i);
	}
	chosen = thirds;
	for (int i = 0; i < 20; i++)
		numbers[i] = i * 7 % 20;
	qsort(numbers, 20, sizeof *numbers, order);
	printf("%ld %d %d\n", sum, sink, other);
	return 0;
}
