// calls: main=1 work=8 handler=4
// left_early: main=4
// abort() comes back to life by a jump out of its signal's handler.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static sigjmp_buf context;

static void handler(int number)
{
	signal(number, handler);
	siglongjmp(context, 1);
}

__attribute__((noinline)) static int work(int n)
{
	if (n & 1)
		abort();
	return 2 * n;
}

int main(void)
{
	volatile int survived = 0, sum = 0;
	signal(SIGABRT, handler);
	for (volatile int n = 0; n < 8; n++)
		if (sigsetjmp(context, 1) == 0)
			sum += work(n);
		else
			survived++;
	printf("%d %d\n", survived, sum);
	return 0;
}
