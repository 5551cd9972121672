// calls: main=1 climb=24576
// left_early: main=-3
// paths: climb=8192
// Three children, each made when the table is further along, count on beside their parent.
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rungs.h"

__attribute__((noinline)) static void climb(unsigned way)
{
	RUNGS_0_TO_7 RUNG(8) RUNG(9) RUNG(10) RUNG(11) RUNG(12)
}

int main(void)
{
	for (unsigned part = 0; part < 3; part++) {
		for (unsigned i = 0; i < 4096; i++)
			climb(part * 1024 + i);
		pid_t child = fork();
		if (child == 0) {
			for (unsigned i = 0; i < 4096; i++)
				climb(8191 - i - part);
			printf("%lu\n", sink);
			return 0;
		}
		waitpid(child, NULL, 0);
	}
	return 0;
}
