// calls: main=1 shares=4
// left_early: main=2 shares=2
// The division is the same in each iteration, and each iteration comes to it: LLVM would do it where
// the loop is entered. But what the iteration does before it must have been counted when it traps.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static sigjmp_buf context;
static unsigned kinds[100];

static void handler(int number)
{
	siglongjmp(context, number);
}

__attribute__((noinline)) static unsigned shares(unsigned total, unsigned parts)
{
	unsigned sum = 0;
	for (int i = 0; i < 100; i++) {
		if (kinds[i] & 1)
			sum += kinds[i] >> 3;
		else
			kinds[i] ^= sum;
		sum += total / parts;
	}
	return sum;
}

int main(void)
{
	unsigned volatile sum = 0;
	signal(SIGFPE, handler);
	for (unsigned i = 0; i < 100; i++)
		kinds[i] = i * i + i / 2;
	sum = shares(1000003, 7);
	kinds[0] = 0;
	if (sigsetjmp(context, 1) == 0)
		sum += shares(1000003, 0);
	kinds[0] = 1;
	if (sigsetjmp(context, 1) == 0)
		sum += shares(1000003, 0);
	sum += shares(1000003, 5);
	printf("%u\n", sum);
	return 0;
}
