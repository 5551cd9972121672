// calls: main=1 handler=30 step=30
// A handler raises the next signal before it goes on: three deep, on top of each other.
#include <signal.h>
#include <stdio.h>

static int sum;

__attribute__((noinline)) static int step(int number)
{
	return number == SIGUSR2 ? 2 : 3;
}

static void handler(int number)
{
	if (number == SIGUSR1)
		raise(SIGUSR2);
	else if (number == SIGUSR2)
		raise(SIGALRM);
	sum = 2 * sum + step(number);
	sum &= 0xffff;
}

int main(void)
{
	signal(SIGUSR1, handler);
	signal(SIGUSR2, handler);
	signal(SIGALRM, handler);
	for (int i = 0; i < 10; i++)
		raise(SIGUSR1);
	printf("%d\n", sum);
	return 0;
}
