// calls: main=1 walk=65
// The optimiser gives `first` the address of `second`: a jump to either was then counted as one to both.
#include <stdio.h>

static unsigned cells[2] = {5, 9};

__attribute__((noinline)) static unsigned walk(unsigned state)
{
	static void *const labels[] = {
		&&end, &&second, &&second, &&second, &&second, &&second, &&second, &&second, &&first};
	unsigned *cell = cells, sum = state * 3, last = 0;
	int fuel = 33;
	if (state == 1)
		return state;
	last = state;
	goto *labels[(--fuel > 0) * ((state >> 13 & 7) + 1)];
first:;
second:
	last -= *cell;
	last ^= state >> 7;
	switch (state >> 15 & 3) {
	case 0:
		state = state * 1664525 + last + 1013904223;
		if (state & 128)
			break;
		state = state * 1664525 + state + 1013904223;
		/* fall through */
	case 1:
		last += sum * 3;
		break;
	default:
		break;
	}
	last ^= state >> 7;
	sum -= *cell;
	if ((state | 7) & 71 & -(unsigned)(--fuel > 0))
		goto first;
	if (state & 16384)
		goto third;
	sum += last * 3;
	cell = &cells[0];
	goto end;
third:
	if (state & 65543 & -(unsigned)(--fuel > 0))
		goto second;
	state = state * 1664525 + sum + 1013904223;
end:
	return state + *cell + sum * 3 + last;
}

int main(void)
{
	unsigned sum = 0;
	for (unsigned i = 0; i < 65; i++)
		sum += walk(sum + i * 7919 + 2);
	printf("%u\n", sum);
	return 0;
}
