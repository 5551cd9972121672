// calls: main=1 sum_of_rests=2
// left_early: main=1 sum_of_rests=1
// The loop has no call, and its iterations are known at its entry; but a division in it may trap.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static sigjmp_buf context;
static unsigned numbers[100];

static void handler(int number)
{
	siglongjmp(context, number);
}

__attribute__((noinline)) static unsigned sum_of_rests(unsigned dividend)
{
	unsigned sum = 0;
	for (int i = 0; i < 100; i++)
		sum += dividend % numbers[i];
	return sum;
}

int main(void)
{
	unsigned volatile sum = 0;
	signal(SIGFPE, handler);
	for (unsigned i = 0; i < 100; i++)
		numbers[i] = 100 - i;
	sum = sum_of_rests(1000003);
	numbers[62] = 0;
	if (sigsetjmp(context, 1) == 0)
		sum += sum_of_rests(1000003);
	printf("%u\n", sum);
	return 0;
}
