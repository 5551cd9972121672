// calls: main=1 read_all=3 handler=3 count=12
// left_early: read_all=3 probe=3
// A volatile access may fault on purpose; its block, and the calls that lead there, can be left.
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

__attribute__((noinline)) static int probe(const volatile int *address, int x)
{
	int sum = x;
	if (x & 1)
		sum += *address;
	return sum;
}

__attribute__((noinline)) static int read_all(int const volatile *address)
{
	volatile int sum = 0;
	if (sigsetjmp(context, 1))
		return -sum;
	for (int x = 0; x < 10; x++)
		sum += count(x) + probe(x < 3 ? &sum : address, x);
	return sum;
}

int main(void)
{
	signal(SIGSEGV, handler);
	for (int i = 0; i < 3; i++)
		printf("%d\n", read_all(NULL));
	return 0;
}
