// left_alone_early: is_negative bits
// calls: is_negative=9
#include <stdio.h>

__attribute__((noinline)) static int is_negative(long value)
{
	__asm__ goto("test %0, %0\n\tjs %l[negative]" : : "r"(value) : "cc" : negative);
	return 0;
negative:
	return 1;
}

__attribute__((noinline)) static int bits(unsigned value)
{
	int count = 0;
again:
	__asm__ goto("testl $1, %0\n\tjnz %l[one]" : : "r"(value) : "cc" : one);
	goto next;
one:
	count++;
next:
	value >>= 1;
	__asm__ goto("testl %0, %0\n\tjnz %l[again]" : : "r"(value) : "cc" : again);
	return count;
}

int main(void)
{
	int sum = 0;
	for (long value = -4; value < 5; value++)
		sum = sum * 2 + is_negative(value);
	printf("%d %d\n", sum, bits(0xf0f5u));
	return 0;
}
