// calls: main=1 deep=96
// left_early: main=12 deep=36
#include <setjmp.h>
#include <stdio.h>

static jmp_buf context;
static volatile int sink;

__attribute__((noinline)) static int deep(int depth, int value)
{
	if (depth == 0) {
		if (value % 4 == 1)
			longjmp(context, value);
		return value;
	}
	int result = 0;
	for (int i = 0; i < 2; i++)
		result += deep(depth - 1, value + i);
	sink += result;
	return result;
}

int main(void)
{
	int jumps = 0;
	for (volatile int value = 0; value < 12; value++) {
		if (setjmp(context) == 0)
			printf("%d\n", deep(3, value));
		else
			jumps++;
	}
	printf("%d jumps\n", jumps);
	return 0;
}
