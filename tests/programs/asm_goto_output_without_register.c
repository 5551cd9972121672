// left_alone: walk
// calls: stir=28 main=1
// Outputs of asm goto live while other values need the registers: LLVM stores them only behind the
// assembler code, so at the labels they are lost if clang finds no register for them.
#include <stdio.h>

static unsigned fuel = 40;

__attribute__((noinline)) static unsigned stir(unsigned value)
{
	return value ^ 0x5a;
}

__attribute__((noinline)) static unsigned walk(unsigned state)
{
	unsigned a = state, b = state * 3, c = 7, out;
again:
	if (--fuel == 0)
		return state + a + b + c;
	state = state * 5 + 1;
	__asm__ goto("testl $8, %0\n\tjnz %l[middle]" : : "r"(state) : "cc" : middle);
	goto again;
inner:
	if (--fuel == 0)
		return state + a + b + c;
	state += stir(c);
	__asm__ goto("leal 3(%1), %0\n\ttestl $4, %1\n\tjnz %l[mixed]"
		: "=&r"(out)
		: "r"(state)
		: "cc"
		: mixed);
	goto inner;
mixed:
	b ^= out;
middle:
	if (state & 16)
		c ^= 67;
	__asm__ goto("leal 5(%1), %0\n\ttestl $2, %1\n\tjnz %l[other]"
		: "=&r"(out)
		: "r"(state)
		: "cc"
		: other);
	goto again;
other:
	a ^= out;
	goto inner;
}

int main(void)
{
	unsigned sum = 0;
	while (fuel)
		sum += walk(sum + 617);
	printf("%u\n", sum);
	return 0;
}
