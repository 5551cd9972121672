// calls: main=1 walk=300 step=15150
// left_early: main=300 walk=300
// A loop short enough to keep its counters in registers, if only its calls came back.
#include <setjmp.h>
#include <stdio.h>

static jmp_buf out;
static volatile unsigned sink;

__attribute__((noinline)) static void step(unsigned left)
{
	if (!left)
		longjmp(out, 1);
	sink += left;
}

__attribute__((noinline)) static unsigned walk(unsigned turns, unsigned left)
{
	unsigned odd = 0;
	for (unsigned i = 0; i < turns; i++) {
		step(left--);
		if (sink & 1)
			odd++;
	}
	return odd;
}

int main(void)
{
	for (volatile unsigned n = 0; n < 300; n++)
		if (setjmp(out) == 0)
			walk(1000, n % 100);
	printf("%u\n", sink);
	return 0;
}
