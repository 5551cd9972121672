// calls: main=1 square=3
#include <stdio.h>

__attribute__((noinline)) static int square(int x)
{
	return x * x;
}

int main(void)
{
	int sum = square(3);
	sum += square(4);
	sum += square(5);
	printf("%d\n", sum);
	return sum & 7;
}
