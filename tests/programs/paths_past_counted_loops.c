// calls: between=200 at_least_once=200 in_a_row=200 inside=200 left_inside=200
// Loops with one way through them, whose turns are known at the entry: none, one, two or many. Some
// are entered along a branch, some in a row, some inside of each other, and what came before them is
// told apart behind them.
#include <stdio.h>

static unsigned table[64];

__attribute__((noinline)) static unsigned between(unsigned turns, unsigned way)
{
	unsigned sum = way & 1 ? 3 : 5;
	if (way & 2)
		sum *= 7;
	for (unsigned i = 0; i < turns; i++)
		sum += table[i & 63] ^ i;
	if (way & 4)
		sum ^= 0x55;
	return way & 8 ? sum * 3 : sum;
}

__attribute__((noinline)) static unsigned at_least_once(unsigned turns, unsigned way)
{
	unsigned sum = way & 1 ? 2 : 4, i = 0;
	do
		sum = sum * 31 + table[i & 63];
	while (++i < turns);
	return way & 2 ? sum : ~sum;
}

__attribute__((noinline)) static unsigned in_a_row(unsigned first, unsigned second, unsigned way)
{
	unsigned sum = way & 1 ? 1 : 9;
	for (unsigned i = 0; i < first; i++)
		table[i & 63] += sum;
	if (way & 2)
		sum += 11;
	for (unsigned i = 0; i < second; i++)
		table[(i + 7) & 63] ^= sum;
	return way & 4 ? sum + table[3] : sum;
}

__attribute__((noinline)) static unsigned inside(unsigned outer, unsigned inner, unsigned way)
{
	unsigned sum = way & 1 ? 6 : 8;
	for (unsigned i = 0; i < outer; i++) {
		if (table[i & 63] & 1)
			sum += i;
		for (unsigned j = 0; j < inner; j++)
			sum = sum * 17 + table[j & 63];
	}
	return way & 2 ? sum : sum + 1;
}

__attribute__((noinline)) static unsigned left_inside(unsigned turns, unsigned way)
{
	unsigned sum = way & 1 ? 12 : 13;
	for (unsigned i = 0; i < turns; i++) {
		sum = sum * 5 + table[i & 63];
		if (i == 9)
			return sum;
	}
	return way & 2 ? sum : sum ^ 0xff;
}

int main(void)
{
	unsigned sum = 0;
	static const unsigned turns[] = {0, 1, 2, 3, 17, 64};
	for (unsigned i = 0; i < 64; i++)
		table[i] = i * 2654435761u >> 7;
	for (unsigned r = 0; r < 200; r++) {
		unsigned some = turns[r % 6], others = turns[r / 6 % 6], way = r * 7 + r / 36;
		sum = sum * 3 + between(some, way) + at_least_once(others, way >> 1);
		sum ^= in_a_row(some, others, way) + inside(others, some, way >> 2);
		sum += left_inside(some, way);
	}
	printf("%u\n", sum);
	return 0;
}
