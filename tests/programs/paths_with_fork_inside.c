// calls: main=1 split=64
// left_early: main=-64 split=-64
// paths: split=136
// The second half of each path runs in two processes, with another outcome in each. Both paths count,
// and the beginning that they share, eight different ones, as left early minus once.
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rungs.h"

__attribute__((noinline)) static pid_t split(unsigned way)
{
	RUNG(0) RUNG(1) RUNG(2)
	pid_t child = fork();
	if (child == 0)
		way ^= 32;
	RUNG(3) RUNG(4) RUNG(5)
	return child;
}

int main(void)
{
	for (unsigned way = 0; way < 64; way++) {
		pid_t child = split(way);
		if (child == 0) {
			printf("%lu\n", sink);
			return 0;
		}
		waitpid(child, NULL, 0);
	}
	return 0;
}
