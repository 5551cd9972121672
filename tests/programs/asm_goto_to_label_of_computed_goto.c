// left_alone_early: interpret
// calls: interpret=1 main=1
// A label that an asm goto and a computed goto lead to: LLVM loses the value of a phi there.
#include <stdio.h>

__attribute__((noinline)) static int interpret(const unsigned char *code)
{
	static void *labels[] = {&&increment, &&skip, &&stop, &&triple};
	int sum = 0;
	goto *labels[*code++];
increment:
	sum++;
	goto *labels[*code++];
triple:
	sum *= 3;
	__asm__ goto("testl $1, %0\n\tjnz %l[increment]" : : "r"(sum) : "cc" : increment);
	goto *labels[*code++];
skip:
	__asm__ goto("jmp %l[increment]" : : : : increment);
	goto *labels[*code++];
stop:
	return sum;
}

int main(void)
{
	printf("%d\n", interpret((const unsigned char *)"\1\1\0\3\3\1\0\3\2"));
	return 0;
}
