// calls: main=1 work=6 handler=6
// left_early: main=6 work=6
// The handler has a stack of its own and leaves it by a jump, as one that survives stack overflow does.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static sigjmp_buf context;
static char stack[65536];

static void handler(int number)
{
	siglongjmp(context, number);
}

__attribute__((noinline)) static int work(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += i & 1 ? i : 2;
	raise(SIGUSR1);
	return sum;
}

int main(void)
{
	volatile int jumps = 0;
	stack_t alternate = {.ss_sp = stack, .ss_size = sizeof(stack)};
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
	sigaltstack(&alternate, NULL);
	sigaction(SIGUSR1, &action, NULL);
	for (volatile int n = 0; n < 6; n++)
		if (sigsetjmp(context, 1) == 0)
			work(n);
		else
			jumps++;
	printf("%d\n", jumps);
	return 0;
}
