// calls: search=80 weigh=80 nested=80 by_two_ways=80 sum_until=80 find=80
// Loops that keep counters in registers, and loops that nearly would: with a step and one exit that
// matters, short and long, entered along a branch or from several places, left at several places,
// with other loops in them. Each turns never, once, a few times or often.
#include <stdio.h>

static unsigned char bytes[4096];
static unsigned short chain[4096];

/* Left by its step or by what it finds, both in one condition. */
__attribute__((noinline)) static unsigned search(unsigned from, unsigned turns, unsigned wanted)
{
	unsigned best = 0, at = from;
	do {
		if (bytes[at] != wanted)
			continue;
		unsigned length = 0;
		while (length < 16 && bytes[(at + length) & 4095] == wanted)
			length++;
		if (length > best)
			best = length;
		if (best > 14)
			break;
	} while ((at = chain[at & 4095]) > 3 && --turns != 0);
	return best * 8 + turns;
}

/* Branches in every turn; entered only if there is something to do. */
__attribute__((noinline)) static unsigned weigh(const unsigned char *from, int count, int way)
{
	unsigned sum = 1;
	if (way & 1)
		sum = 77;
	for (int i = 0; i < count; i++) {
		int value = from[i];
		if (value > 127)
			value = 255 - value;
		value >>= way & 7;
		if (value == 0)
			continue;
		sum = sum * 33 + value;
		if (value == 1)
			sum ^= (unsigned)i;
	}
	return sum;
}

__attribute__((noinline)) static unsigned nested(int outer, int inner)
{
	unsigned sum = 0;
	for (int i = 0; i < outer; i++) {
		if (bytes[i & 4095] & 1)
			sum += 3;
		for (int j = inner; j > 0; j--)
			if (bytes[(i * j) & 4095] & 2)
				sum ^= (unsigned)j;
		sum = sum * 5 + 1;
	}
	return sum;
}

/* Two ways lead to the loop's first block. */
__attribute__((noinline)) static unsigned by_two_ways(unsigned turns, unsigned way)
{
	unsigned sum = 0, i = 0;
	if (way % 3 == 1) {
		sum = bytes[way & 4095];
		goto loop;
	}
	if (way % 3 == 2) {
		sum = bytes[(way * 7) & 4095] * 2u;
	loop:
		do {
			sum += bytes[(i * 3) & 4095];
			if (sum & 64)
				sum -= bytes[i & 4095] >> 1;
		} while (++i < turns);
	}
	return sum;
}

__attribute__((noinline)) static unsigned sum_until(int count, unsigned stop)
{
	unsigned sum = 0;
	for (int i = 0; i < count; i += 3) {
		unsigned value = bytes[i & 4095];
		if (value == stop)
			return sum;
		if (value & 16)
			sum += value;
		else
			sum ^= value;
		if (sum > 1u << 30)
			return sum + 1;
	}
	return sum + 2;
}

/* So short that two exits may matter. */
__attribute__((noinline)) static unsigned find(
	const unsigned char *from, const unsigned char *end, unsigned char wanted)
{
	const unsigned char *at = from;
	while (*at != wanted)
		if (++at == end)
			return 0;
	return (unsigned)(at - from) + 1;
}

int main(void)
{
	static const int turns[] = {0, 1, 2, 3, 9, 40, 333, 2500};
	unsigned state = 9, sum = 0;
	for (unsigned i = 0; i < 4096; i++) {
		state = state * 1103515245 + 12345;
		bytes[i] = (unsigned char)(state >> 16);
		chain[i] = (unsigned short)((state >> 8) & 4095);
	}
	for (unsigned way = 0; way < 80; way++) {
		int often = turns[way & 7];
		sum = sum * 31 + search(way * 13, (unsigned)often + 1, bytes[way]);
		sum = sum * 31 + weigh(bytes + way, often, (int)way);
		sum = sum * 31 + nested(often / 8, often % 50);
		sum = sum * 31 + by_two_ways((unsigned)often, way);
		sum = sum * 31 + sum_until(often, way & 8 ? 256 : way);
		sum = sum * 31 + find(bytes + way, bytes + way + often + 1, (unsigned char)way);
	}
	printf("%u\n", sum);
	return 0;
}
