// Ten million jumps through pointers: any probe after one would overflow the stack.
// levels: -O2 -O3 -Os
#include <stdio.h>

struct machine;
typedef unsigned step(struct machine *, unsigned);

struct machine {
	step *volatile even, *volatile odd;
	unsigned sum;
};

static unsigned even(struct machine *machine, unsigned n)
{
	machine->sum += n & 2;
	return n ? machine->odd(machine, n - 1) : machine->sum;
}

static unsigned odd(struct machine *machine, unsigned n)
{
	machine->sum *= 3;
	return n ? machine->even(machine, n - 1) : machine->sum + 1;
}

int main(void)
{
	struct machine machine = {even, odd, 1};
	printf("%u\n", machine.even(&machine, 10000000));
	return 0;
}
