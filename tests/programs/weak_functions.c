#include <stdio.h>

__attribute__((weak)) int missing(int);

__attribute__((weak, noinline)) int present(int x)
{
	return x % 3 ? x : -x;
}

int main(void)
{
	int sum = 0;
	for (int i = 0; i < 10; i++)
		sum += missing ? missing(i) : present(i);
	printf("%d\n", sum);
	return 0;
}
