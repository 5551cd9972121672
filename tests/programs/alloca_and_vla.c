// calls: fill=12
#include <stdio.h>
#include <string.h>

__attribute__((noinline)) static int fill(int n)
{
	char fixed[16];
	char variable[n + 1];
	char *dynamic = n & 1 ? __builtin_alloca(n) : fixed;
	memset(variable, 'x', n);
	variable[n] = 0;
	memset(dynamic, n, n & 1 ? n : 16);
	int sum = (int)strlen(variable);
	for (int i = 0; i < n; i++) {
		char *more = __builtin_alloca(i + 1);
		more[i] = dynamic[i % 16 < n ? 0 : 0];
		sum += more[i];
	}
	return sum;
}

int main(void)
{
	int sum = 0;
	for (int n = 1; n < 13; n++)
		sum += fill(n);
	printf("%d\n", sum);
	return 0;
}
