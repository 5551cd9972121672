/* Byte histogram: a loop of one block, whose stores compete with those of a counter. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { BYTES = 1 << 18 };

static unsigned char text[BYTES];
static uint64_t histogram[256];

static void fill(void)
{
	uint32_t state = 1;
	for (int i = 0; i < BYTES; i++) {
		state = state * 1664525 + 1013904223;
		text[i] = (unsigned char)((state >> 24) & (state >> 16));
	}
}

static void count(void)
{
	for (int i = 0; i < BYTES; i++)
		histogram[text[i]]++;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	uint64_t sum = 0;
	fill();
	for (int round = 0; round < rounds; round++)
		count();
	for (int i = 0; i < 256; i++)
		sum += histogram[i] * (uint64_t)i;
	printf("%llu\n", (unsigned long long)sum);
	return 0;
}
