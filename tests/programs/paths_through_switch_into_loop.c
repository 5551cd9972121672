// calls: copy=100 first=100
// A switch that jumps into the middle of a loop, with continue and falling through between its cases;
// and calls in tail position that must stay there, with conditionals before them, through pointers too.
#include <stdio.h>

static volatile unsigned long sink;

__attribute__((noinline)) static void mark(unsigned value)
{
	sink = sink * 3 + value;
}

__attribute__((noinline)) static unsigned copy(unsigned length, unsigned state)
{
	unsigned rounds = (length + 7) / 8;
	if (!length)
		return 0;
	switch (length % 8) {
		do {
		case 0:
			if (state & 1)
				mark(0);
		case 7:
			if (state & 2)
				mark(7);
		case 6:
			mark(6);
		case 5:
			if (state & 4)
				continue;
		case 4:
			mark(4);
		case 3:
		case 2:
			if (state & 8)
				mark(2);
		case 1:
			state = state * 5 + 1;
		} while (--rounds > 0);
	}
	return state;
}

static unsigned second(unsigned state, unsigned left, unsigned sum);

__attribute__((noinline)) static unsigned step(unsigned state, unsigned left, unsigned sum)
{
	if (!left)
		return sum;
	if (state & 1)
		sum += 3;
	if (state & 2)
		mark(1);
	if (state & 4) __attribute__
		((musttail)) return second(state * 5 + 1, left - 1, sum);
	if (state & 8)
		mark(2);
	__attribute__((musttail)) return step(state * 7 + 3, left - 1, sum + 1);
}

__attribute__((noinline)) static unsigned second(unsigned state, unsigned left, unsigned sum)
{
	unsigned (*next)(unsigned, unsigned, unsigned) = state & 32 ? step : second;
	if (!left)
		return sum + 1;
	if (state & 16)
		mark(3);
	__attribute__((musttail)) return next(state / 3, left - 1, sum + 2);
}

__attribute__((noinline)) static unsigned first(unsigned state, unsigned left, unsigned sum)
{
	if (state & 64)
		mark(5);
	__attribute__((musttail)) return step(state, left, sum);
}

int main(void)
{
	unsigned sum = 0;
	for (unsigned i = 0; i < 100; i++)
		sum += copy(i, i * 7919) + first(i * 77777, i, 0);
	printf("%u %lu\n", sum, sink);
	return 0;
}
