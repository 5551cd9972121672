// calls: main=1 descend=1005 handler=5
// left_early: main=5 descend=1005
// Five jumps over two hundred frames each, out of the handler of a signal raised at the bottom.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static sigjmp_buf context;

static void handler(int number)
{
	siglongjmp(context, number == SIGUSR2 ? 2 : 1);
}

__attribute__((noinline)) static int descend(int depth)
{
	if (depth == 0)
		raise(SIGUSR2);
	else
		depth += descend(depth - 1);
	return depth & 1 ? depth : 1;
}

int main(void)
{
	volatile int jumps = 0;
	signal(SIGUSR2, handler);
	for (volatile int n = 0; n < 5; n++) {
		int jumped = sigsetjmp(context, 1);
		if (jumped == 0)
			jumps += 100 * descend(200);
		else
			jumps += jumped;
	}
	printf("%d\n", jumps);
	return 0;
}
