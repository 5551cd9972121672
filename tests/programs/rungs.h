/* A function with many paths, which several programs have: RUNG(n) branches on bit n of `way`, so N
 * rungs make 2^N paths. To be defined before, where needed:
 *   PER_THREAD  _Thread_local, for a sink per thread
 *   OWN_MARK    for a program with a mark() of its own */
#ifndef RUNGS_H
#define RUNGS_H

#ifndef PER_THREAD
#define PER_THREAD
#endif

#ifndef OWN_MARK
static PER_THREAD volatile unsigned long sink;

__attribute__((noinline)) static void mark(unsigned rung)
{
	sink = sink * 3 + rung;
}
#endif

#define RUNG(n)                                                                                    \
	if (way >> n & 1)                                                                          \
		mark(n);
#define RUNGS_0_TO_7 RUNG(0) RUNG(1) RUNG(2) RUNG(3) RUNG(4) RUNG(5) RUNG(6) RUNG(7)

#endif
