/* Functions that call each other and themselves, and leave several frames at once. */
#include <setjmp.h>
#include <stdio.h>

static volatile int sink;
static jmp_buf out;

static int even(int n);

static int odd(int n)
{
	if (n % 11 == 10)
		longjmp(out, n);
	if (n == 0)
		return 0;
	return n % 4 == 3 ? even(n - 1) + 1 : even(n - 1);
}

static int even(int n)
{
	if (n == 0)
		return 1;
	sink++;
	return n % 3 == 0 ? odd(n - 1) : odd(n - 1) + even(n / 3);
}

static int tree(int n, int depth)
{
	if (depth > 4 || n < 2)
		return 1;
	int left = tree(n / 2, depth + 1);
	return n % 2 ? left + tree(n - 1, depth + 2) : left;
}

static int attempt(int n)
{
	volatile int tried = 0;
	int came = setjmp(out);
	if (came)
		return came + tried;
	tried = 1;
	return even(n) + tree(n, 0);
}

int main(void)
{
	long sum = 0;
	for (int n = 0; n < 60; n++)
		sum += attempt(n);
	printf("%ld %d\n", sum, sink);
	return 0;
}
