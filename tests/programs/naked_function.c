#include <stdio.h>

__attribute__((naked, noinline)) static int seven(void)
{
	__asm__("movl $7, %eax\n\tret");
}

int main(void)
{
	int sum = 0;
	for (int i = 0; i < 6; i++)
		sum += seven();
	printf("%d\n", sum);
	return 0;
}
