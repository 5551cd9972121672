// calls: guarded=20
#include <setjmp.h>
#include <stdio.h>

static jmp_buf context;

__attribute__((noinline)) static int guarded(int x)
{
	if (setjmp(context))
		return -1;
	return x & 1 ? x : 2 * x;
}

int main(void)
{
	int sum = 0;
	for (int x = 0; x < 20; x++)
		sum += guarded(x);
	printf("%d\n", sum);
	return 0;
}
