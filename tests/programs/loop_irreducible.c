// calls: twist=30
#include <stdio.h>

__attribute__((noinline)) static int twist(int n)
{
	int a = 0, b = 0;
	if (n & 1)
		goto middle;
top:
	a++;
	if (a + b > n)
		goto done;
middle:
	b += 2;
	if (b % 3 == 0)
		goto middle;
	if (a + b <= n)
		goto top;
done:
	return a * 100 + b;
}

int main(void)
{
	int sum = 0;
	for (int n = 0; n < 30; n++)
		sum += twist(n);
	printf("%d\n", sum);
	return 0;
}
