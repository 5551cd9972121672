// calls: main=1 attempt=300 risk=600
// left_early: attempt=150
// A frame is entered again at setjmp, with the way that led there gone: the conditionals before it
// belong to another path than those behind it.
#include <setjmp.h>
#include <stdio.h>

static jmp_buf context;
static volatile unsigned long sink;

__attribute__((noinline)) static void mark(unsigned value)
{
	sink = sink * 3 + value;
}

__attribute__((noinline)) static void risk(unsigned value)
{
	if (value % 4 == 3)
		longjmp(context, 1);
	mark(value);
}

__attribute__((noinline)) static void attempt(unsigned value)
{
	for (volatile unsigned i = 0; i < 2; i++) {
		if (value & 1)
			mark(1);
		if (value & 4)
			mark(2);
		int again = setjmp(context);
		if (value & 8)
			mark(3);
		if (again) {
			mark(4);
		} else {
			if (value & 16)
				mark(5);
			risk(value + i);
		}
		if (value & 32)
			mark(6);
	}
}

int main(void)
{
	for (unsigned value = 0; value < 300; value++)
		attempt(value);
	printf("%lu\n", sink);
	return 0;
}
