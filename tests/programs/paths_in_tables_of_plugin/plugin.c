/* Counts more paths than an array has places for, when it is used and when it goes. */
static volatile unsigned sink;
static unsigned last;

__attribute__((noinline)) static void mark(unsigned rung)
{
	sink = sink * 3 + rung;
}

#define RUNG(n) \
	if (way >> n & 1) \
		mark(n);

__attribute__((noinline)) static void climb(unsigned way)
{
	RUNG(0) RUNG(1) RUNG(2) RUNG(3) RUNG(4) RUNG(5) RUNG(6) RUNG(7) RUNG(8) RUNG(9)
}

unsigned plugin_run(unsigned first)
{
	for (last = first; last < first + 900; last++)
		climb(last);
	return sink;
}

__attribute__((destructor)) static void plugin_goes(void)
{
	for (unsigned i = 0; i < 100; i++)
		climb(last + i);
}
