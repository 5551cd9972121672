// calls: jump=9
#include <setjmp.h>
#include <stdio.h>

static jmp_buf context;

__attribute__((noinline, noreturn)) static void jump(int value)
{
	longjmp(context, value + 1);
}

int main(void)
{
	volatile int tries = 0;
	int last = setjmp(context);
	tries++;
	if (tries < 10)
		jump(tries);
	printf("%d %d\n", tries, last);
	return 0;
}
