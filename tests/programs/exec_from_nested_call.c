// calls: main=1 outer=2
// left_early: main=1 outer=1
#include <stdio.h>
#include <unistd.h>

__attribute__((noinline)) static int outer(int n)
{
	int sum = 0;
	for (int i = 0; i < 4; i++)
		sum += i ^ n;
	if (n == 1)
		execl("/bin/echo", "echo", "another program", NULL);
	return sum;
}

int main(void)
{
	int sum = 0;
	for (int n = 0; n < 10; n++)
		sum += outer(n);
	printf("%d\n", sum);
	return 0;
}
