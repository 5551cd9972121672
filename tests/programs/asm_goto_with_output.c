// left_alone: half
#include <stdio.h>

__attribute__((noinline)) static long half(long value)
{
	long result;
	__asm__ goto("mov %1, %0\n\tshr $1, %0\n\tjc %l[odd]"
		: "=&r"(result)
		: "r"(value)
		: "cc"
		: odd);
	return result;
odd:
	return -result;
}

int main(void)
{
	long sum = 0;
	for (long value = 0; value < 11; value++)
		sum = sum * 3 + half(value);
	printf("%ld\n", sum);
	return 0;
}
