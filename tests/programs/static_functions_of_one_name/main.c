// build: $CC $FLAGS $SRC/main.c $SRC/other.c -o program
// levels: -O0 -O2
// calls: helper=17
#include <stdio.h>

int other(int);

__attribute__((noinline)) static int helper(int x)
{
	return x & 1 ? x : -x;
}

int main(void)
{
	int sum = other(4);
	for (int i = 0; i < 10; i++)
		sum += helper(i);
	printf("%d\n", sum);
	return 0;
}
