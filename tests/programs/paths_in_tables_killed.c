// calls: main=1 climb=5001 mark=29808
// left_early: main=1 climb=1 mark=1
// paths: climb=5001
// SIGKILL in the middle of a path, while its function's table is growing: the path so far is one
// that was left early, and all others are in the file.
#include <signal.h>
#include <unistd.h>

static volatile unsigned long sink;

__attribute__((noinline)) static void mark(unsigned rung)
{
	if (rung == 99)
		kill(getpid(), SIGKILL);
	sink = sink * 3 + rung;
}

#define RUNG(n) \
	if (way >> n & 1) \
		mark(way == 5000 ? 90 + n : n);

__attribute__((noinline)) static void climb(unsigned way)
{
	RUNG(0) RUNG(1) RUNG(2) RUNG(3) RUNG(4) RUNG(5) RUNG(6) RUNG(7)
	RUNG(8) RUNG(9) RUNG(10) RUNG(11) RUNG(12)
}

int main(void)
{
	for (unsigned way = 0; way < 8192; way++)
		climb(way);
	return 0;
}
