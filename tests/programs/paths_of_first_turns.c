// calls: find=90 several_ways_in=90 around=60 goes_on=164 leaves=90
// left_early: main=14 leaves=14
// Loops whose first turn may be code of its own: left in it, before it or behind it, at several
// places; entered by several ways; with several ways back to the start, and other loops in them;
// with calls in them that do not come back.
#include <setjmp.h>
#include <stdio.h>

static unsigned char bytes[256];
static jmp_buf out;

/* Left at three places; a way to the start from the middle. */
__attribute__((noinline)) static int find(int from, int count, int wanted)
{
	int seen = 0;
	for (int i = from; i < count; i++) {
		if (bytes[i & 255] == wanted)
			return i;
		if (bytes[i & 255] < 64)
			continue;
		if (seen++ > 5)
			break;
		if (bytes[i & 255] & 1)
			seen ^= 2;
	}
	return -seen;
}

__attribute__((noinline)) static unsigned several_ways_in(unsigned turns, unsigned way)
{
	unsigned sum = way;
	if (way & 1)
		sum += 11;
	if (way & 2)
		sum *= 3;
	if (way & 4)
		sum ^= 0x55;
	do {
		if (sum & 1)
			sum = 3 * sum + 1;
		else
			sum /= 2;
		if (sum % 7 == 0)
			sum += way;
	} while (turns-- > 0 && sum != 1);
	return sum;
}

/* Small enough to be copied with the loop inside. */
__attribute__((noinline)) static unsigned around(unsigned outer, unsigned inner)
{
	unsigned sum = 0;
	for (unsigned i = 0; i < outer; i++) {
		unsigned at = i;
		while (at < inner && bytes[at] > 40)
			at += 3;
		sum = sum * 2 + at;
	}
	return sum;
}

__attribute__((noinline)) static void goes_on(int value)
{
	if (value == 77)
		longjmp(out, 1);
	bytes[0] ^= (unsigned char)value;
}

/* The call may leave it in the first turn, or in a later one. */
__attribute__((noinline)) static int leaves(int value, int turns)
{
	int sum = 0;
	while (turns-- > 0) {
		if (value & 1)
			sum += 2;
		goes_on(value);
		value += 7;
	}
	return sum;
}

int main(void)
{
	unsigned sum = 0;
	for (int i = 0; i < 256; i++)
		bytes[i] = (unsigned char)(i * 37 + (i >> 3));
	for (int i = 0; i < 90; i++) {
		sum = sum * 31 + (unsigned)find(i, i + i % 9, bytes[(i * i) & 255]);
		sum = sum * 31 + several_ways_in((unsigned)i % 13, (unsigned)i);
	}
	for (unsigned i = 0; i < 60; i++)
		sum = sum * 31 + around(i % 5, 100 + i);
	for (volatile int i = 0; i < 90; i++)
		if (!setjmp(out))
			sum = sum * 31 + (unsigned)leaves(77 - 7 * (i % 12), i % 5);
	printf("%u\n", sum);
	return 0;
}
