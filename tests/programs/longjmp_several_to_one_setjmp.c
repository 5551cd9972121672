// calls: main=1 attempt=8 step=40
// left_early: attempt=32
// One setjmp in a loop returns again and again, by jumps from several calls.
#include <setjmp.h>
#include <stdio.h>

static jmp_buf context;

__attribute__((noinline)) static int step(int x)
{
	if (x < 4)
		longjmp(context, x + 1);
	return x;
}

__attribute__((noinline)) static int attempt(int x)
{
	volatile int sum = 0;
	int code = setjmp(context);
	sum += code;
	if (code & 1)
		sum += step(code);
	else if (code == 2)
		sum += step(2);
	else
		sum += step(code);
	return sum + x;
}

int main(void)
{
	int sum = 0;
	for (int x = 0; x < 8; x++)
		sum += attempt(x);
	printf("%d\n", sum);
	return 0;
}
