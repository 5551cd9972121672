/* longjmp over frames, and a stack that is too deep for any table. */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;

__attribute__((noinline)) static int deep(int n)
{
	if (n == 0)
		longjmp(back, 1);
	return deep(n - 1) + n;
}

__attribute__((noinline)) static int depth(int n)
{
	return n ? depth(n - 1) + n % 3 : 0;
}

int main(void)
{
	volatile int jumped = 0;
	for (int i = 0; i < 20; i++)
		if (setjmp(back))
			jumped++;
		else
			deep(i);
	printf("%d %d\n", jumped, depth(3000));
	return 0;
}
