// calls: classify=100 main=1
#include <stdio.h>

__attribute__((noinline)) static const char *classify(int n)
{
	if (n % 15 == 0)
		return "both";
	else if (n % 5 == 0)
		return "five";
	else if (n % 3 == 0)
		return "three";
	return n > 50 && n % 2 ? "high odd" : "other";
}

int main(void)
{
	for (int n = 1; n <= 100; n++)
		puts(classify(n));
	return 0;
}
