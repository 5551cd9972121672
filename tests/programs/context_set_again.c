// calls: main=1 back=5
// left_early: main=4 back=4
// getcontext returns once more for every setcontext.
#include <stdio.h>
#include <ucontext.h>

static ucontext_t context;

__attribute__((noinline)) static int back(int round)
{
	if (round < 4)
		setcontext(&context);
	return round;
}

int main(void)
{
	volatile int round = 0, sum = 0;
	getcontext(&context);
	for (int i = 0; i < 3; i++)
		sum += round;
	if (round++ < 100)
		sum += back(round - 1);
	printf("%d %d\n", round, sum);
	return 0;
}
