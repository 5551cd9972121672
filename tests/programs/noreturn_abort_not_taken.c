// calls: checked=50
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static int checked(int x)
{
	if (x < 0)
		abort();
	if (x > 1000)
		__builtin_trap();
	if (x == 999)
		__builtin_unreachable();
	return x * 2;
}

int main(void)
{
	int sum = 0;
	for (int i = 0; i < 50; i++)
		sum += checked(i);
	printf("%d\n", sum);
	return 0;
}
