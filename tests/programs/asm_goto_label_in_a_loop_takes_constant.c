// left_alone: search
// left_alone_early: search
// levels: -O1 -Os
// A label inside a loop whose phi takes a constant on the way back: LLVM may take it too early.
#include <stdio.h>

__attribute__((noinline)) static int search(const unsigned char *text, int wanted)
{
	int sum = 0, step = wanted;
	__asm__ goto("testl $1, %0\n\tjnz %l[next]" : : "r"(wanted) : "cc" : next);
	step = 5;
next:
	sum += step * *text;
	step = 2;
	if (*text++)
		goto next;
	return sum;
}

int main(void)
{
	printf("%d %d\n", search((const unsigned char *)"asm goto", 3),
		search((const unsigned char *)"goto", 8));
	return 0;
}
