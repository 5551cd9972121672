// calls: main=4 climb=12288 start=3
// left_early: main=3 start=3
// paths: climb=4096 start=3
// The program replaces itself in the middle of a path, with paths in tables, and goes on counting
// other paths in them; before each time the child of a vfork counts in its parent's table.
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rungs.h"

__attribute__((noinline)) static void climb(unsigned way)
{
	RUNG(0) RUNG(1) RUNG(2) RUNG(3) RUNG(4) RUNG(5)
	RUNG(6) RUNG(7) RUNG(8) RUNG(9) RUNG(10) RUNG(11)
}

__attribute__((noinline)) static void start(unsigned way, const char *next)
{
	RUNG(0) RUNG(1)
	execl("./program", "program", next, NULL);
	RUNG(2)
}

int main(int argc, char **argv)
{
	static const char *const numbers[] = {"1", "2", "3"};
	unsigned turn = argc > 1 ? atoi(argv[1]) : 0;
	for (unsigned i = 0; i < 2048; i++)
		climb(turn * 512 + i);
	pid_t child = vfork();
	if (child == 0) {
		for (unsigned i = 0; i < 1024; i++)
			climb(4095 - turn * 150 - i);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	if (turn < 3)
		start(turn, numbers[turn]);
	printf("%lu\n", sink);
	return 0;
}
