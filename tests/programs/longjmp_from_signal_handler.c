// calls: main=1 work=10 handler=5
// left_early: main=5 work=5
// raise() is a call that does not come back.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static sigjmp_buf context;

static void handler(int number)
{
	if (number == SIGUSR1)
		siglongjmp(context, 1);
}

__attribute__((noinline)) static int work(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += i & 1 ? i : 2;
	if (n & 1)
		raise(SIGUSR1);
	return sum;
}

int main(void)
{
	volatile int jumps = 0, sum = 0;
	signal(SIGUSR1, handler);
	for (volatile int n = 0; n < 10; n++) {
		if (sigsetjmp(context, 1) == 0)
			sum += work(n);
		else
			jumps++;
	}
	printf("%d %d\n", jumps, sum);
	return 0;
}
