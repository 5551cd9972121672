// left_early: attempt=10
// calls: maybe_jump=27 attempt=20
#include <setjmp.h>
#include <stdio.h>

static jmp_buf context;

__attribute__((noinline)) static int maybe_jump(int x)
{
	if (x % 3 == 0)
		longjmp(context, x + 1);
	return x;
}

__attribute__((noinline)) static int attempt(int x)
{
	volatile int sum = 0;
	int code = setjmp(context);
	if (code)
		return code + sum;
	sum += maybe_jump(x + 1);
	if (x & 1)
		sum += maybe_jump(x + 2);
	return sum;
}

int main(void)
{
	int sum = 0;
	for (int x = 0; x < 20; x++)
		sum = sum * 2 + attempt(x);
	printf("%d\n", sum);
	return 0;
}
