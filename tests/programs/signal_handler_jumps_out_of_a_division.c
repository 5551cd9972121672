// calls: main=1 divide_all=3 handler=3 count=12
// left_early: divide_all=3 divide=3
// An integer division may trap; its block, and the calls that lead there, can be left.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static sigjmp_buf context;

static void handler(int number)
{
	siglongjmp(context, number);
}

__attribute__((noinline)) static int count(int x)
{
	return x & 1 ? x : 2 * x;
}

__attribute__((noinline)) static int divide(int by, int x)
{
	int sum = x;
	if (x & 1)
		sum += 840 / by;
	return sum;
}

__attribute__((noinline)) static int divide_all(int last)
{
	volatile int sum = 0;
	if (sigsetjmp(context, 1))
		return -sum;
	for (int x = 0; x < 10; x++)
		sum += count(x) + divide(last - x, x);
	return sum;
}

int main(void)
{
	signal(SIGFPE, handler);
	for (int i = 0; i < 3; i++)
		printf("%d\n", divide_all(3));
	return 0;
}
