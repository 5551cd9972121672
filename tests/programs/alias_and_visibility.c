#include <stdio.h>

__attribute__((noinline)) int original(int x)
{
	return x > 4 ? x - 4 : 4 - x;
}

extern int other_name(int) __attribute__((alias("original")));
__attribute__((visibility("hidden"), noinline, section(".text.special"))) int placed(int x)
{
	return x & 1 ? x : 0;
}

int main(void)
{
	int sum = 0;
	for (int i = 0; i < 10; i++)
		sum += other_name(i) + placed(i);
	printf("%d\n", sum);
	return 0;
}
