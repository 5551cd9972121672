// build: sh $SRC/generate.sh > generated.c
// build: $CC $FLAGS -fdebug-prefix-map=$PWD=. generated.c $SRC/main.c -o program
// levels: -O0
// calls: long_way=10 mark=33876
// A generated function of 20,000 blocks, which is cut again and again for all its ways.
#include <stdio.h>

unsigned long long_way(unsigned seed);
void mark(unsigned value);
void note(unsigned value);

static volatile unsigned long sink;

__attribute__((noinline)) void mark(unsigned value)
{
	sink = sink * 3 + value;
}

__attribute__((noinline)) void note(unsigned value)
{
	sink = sink * 5 + value;
}

int main(void)
{
	unsigned long sum = 0;
	for (unsigned i = 0; i < 10; i++)
		sum += long_way(i / 3);
	printf("%lu %lu\n", sum, sink);
	return 0;
}
