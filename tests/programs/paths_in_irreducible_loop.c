// calls: wander=300
// A loop with two entries, conditionals in each of its halves, and ways to cross from one half to
// the other: which edges are cut is up to the search, but not what runs.
#include <stdio.h>

static volatile unsigned long sink;

__attribute__((noinline)) static void mark(unsigned value)
{
	sink = sink * 3 + value;
}

__attribute__((noinline)) static unsigned wander(unsigned state)
{
	unsigned steps = state % 40;
	if (state & 1)
		goto second;
first:
	state = state * 5 + 3;
	if (state & 8)
		mark(1);
	if (state & 16)
		mark(2);
	if (!steps--)
		return state;
	if (state & 32)
		goto inner;
second:
	state = state * 3 + 1;
	if (state & 4)
		mark(3);
inner:
	if (state & 64)
		mark(4);
	else if (state & 128)
		mark(5);
	state ^= state >> 5;
	if (steps && state & 2) {
		steps--;
		goto second;
	}
	goto first;
}

int main(void)
{
	unsigned sum = 0;
	for (unsigned i = 0; i < 300; i++)
		sum += wander(i * 7919);
	printf("%u %lu\n", sum, sink);
	return 0;
}
