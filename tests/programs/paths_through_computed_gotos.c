// calls: interpret=100
// Two dispatchers jump to the same labels, with conditionals on the way: no probe can stand on their
// edges.
#include <stdio.h>

static volatile unsigned long sink;

__attribute__((noinline)) static void mark(unsigned value)
{
	sink = sink * 3 + value;
}

__attribute__((noinline)) static unsigned interpret(unsigned state)
{
	static const void *const calm[] = {&&add, &&shift, &&test, &&swap, &&stop};
	static const void *const wild[] = {&&swap, &&test, &&shift, &&add, &&stop};
	unsigned left = state % 50;
	goto *calm[state % 4];
add:
	state = state * 7 + 1;
	if (state & 8)
		mark(1);
	if (state & 16)
		mark(2);
	goto *calm[left-- ? state >> 3 & 3 : 4];
shift:
	state ^= state >> 4;
	if (state & 32)
		mark(3);
	goto *wild[left-- ? state >> 5 & 3 : 4];
test:
	state += 11;
	if (state & 64) {
		mark(4);
		goto *calm[left-- ? state >> 7 & 3 : 4];
	}
	goto *wild[left-- ? state >> 2 & 3 : 4];
swap:
	state = state << 5 | state >> 27;
	if (state & 128)
		goto shift;
	goto *wild[left-- ? state & 3 : 4];
stop:
	if (state & 1)
		mark(5);
	return state;
}

int main(void)
{
	unsigned sum = 0;
	for (unsigned i = 0; i < 100; i++)
		sum += interpret(i * 7919);
	printf("%u %lu\n", sum, sink);
	return 0;
}
