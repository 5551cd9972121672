// calls: machine=50 mark=22657
// 300 cases in a loop, and conditionals behind them: what a case did decides which of those are
// taken two steps later, so that paths cross each other.
#include <stdio.h>

static volatile unsigned long sink;

__attribute__((noinline)) static void mark(unsigned value)
{
	sink = sink * 3 + value;
}

#define CASE(n) \
	case n: \
		mark(n); \
		state = state * 5 + n; \
		break;
#define CASES(n) \
	CASE(n) CASE(n + 1) CASE(n + 2) CASE(n + 3) CASE(n + 4) \
	CASE(n + 5) CASE(n + 6) CASE(n + 7) CASE(n + 8) CASE(n + 9)
#define HUNDRED(n) \
	CASES(n) CASES(n + 10) CASES(n + 20) CASES(n + 30) CASES(n + 40) \
	CASES(n + 50) CASES(n + 60) CASES(n + 70) CASES(n + 80) CASES(n + 90)

__attribute__((noinline)) static unsigned machine(unsigned state, int steps)
{
	for (int i = 0; i < steps; i++) {
		switch (state % 310) {
			HUNDRED(0) HUNDRED(100) HUNDRED(200)
		default:
			state++;
		}
		if (state & 4)
			mark(1000);
		if (state & 32) {
			mark(1001);
			if (state & 64)
				continue;
		}
		if (state & 256)
			mark(1002);
		state ^= state >> 3;
	}
	return state;
}

int main(void)
{
	unsigned sum = 0;
	for (unsigned i = 0; i < 50; i++)
		sum += machine(i * 7919, 200);
	printf("%u %lu\n", sum, sink);
	return 0;
}
