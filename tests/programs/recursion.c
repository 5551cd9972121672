// calls: fibonacci=1973 ackermann=379
#include <stdio.h>

static int fibonacci(int n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static int ackermann(int m, int n)
{
	if (m == 0)
		return n + 1;
	if (n == 0)
		return ackermann(m - 1, 1);
	return ackermann(m - 1, ackermann(m, n - 1));
}

int main(void)
{
	printf("%d %d\n", fibonacci(15), ackermann(2, 12) + ackermann(1, 0));
	return 0;
}
