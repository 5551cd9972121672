// calls: ladder=8 mark=400
// paths: ladder=6
// 80 conditionals in a row: 2^80 ways. Behind the 11th and the 22nd, paths go on in 2^11 and 2^22
// contexts; behind the 33rd there would be 2^33, so they are cut, and behind the 66th again. Each of
// the three pieces runs in two ways, all rungs or none.
#include <stdio.h>

static volatile unsigned long sink;

__attribute__((noinline)) static void mark(int rung)
{
	sink = sink * 3 + rung;
}

#define RUNG(n) \
	if (way[n]) \
		mark(n);
#define RUNGS(n) \
	RUNG(n) RUNG(n + 1) RUNG(n + 2) RUNG(n + 3) RUNG(n + 4) RUNG(n + 5) RUNG(n + 6) RUNG(n + 7)

__attribute__((noinline)) static void ladder(const volatile char *way)
{
	RUNGS(0) RUNGS(8) RUNGS(16) RUNGS(24) RUNGS(32)
	RUNGS(40) RUNGS(48) RUNGS(56) RUNGS(64) RUNGS(72)
}

int main(void)
{
	static const char all[80] = {[0 ... 79] = 1}, none[80];
	for (int i = 0; i < 8; i++)
		ladder(i < 5 ? all : none);
	printf("%lu\n", sink);
	return 0;
}
