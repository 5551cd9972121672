// debug: no
// calls: twice=10
#include <stdio.h>

__attribute__((noinline)) static int twice(int x)
{
	return x > 5 ? 2 * x : x + x + 1;
}

int main(void)
{
	int sum = 0;
	for (int i = 0; i < 10; i++)
		sum += twice(i);
	printf("%d\n", sum);
	return 0;
}
