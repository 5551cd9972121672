/* Runs a command on one core and writes what it cost: launch CORE REPORT COMMAND [ARGUMENT...].
 *
 * REPORT gets one line: exit status (or 128 + signal), microseconds of user and of system time, and
 * the peak of resident memory in KiB. A process's peak begins with that of whoever started it,
 * so this starter is small; the benchmark's own interpreter would hide small programs. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static long microseconds(struct timeval time)
{
	return time.tv_sec * 1000000L + time.tv_usec;
}

static void run(int core, char **command)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(core, &set);
	if (sched_setaffinity(0, sizeof(set), &set) == 0)
		execv(command[0], command);
	perror(command[0]);
	_exit(127);
}

int main(int argc, char **argv)
{
	struct rusage usage;
	int status;
	if (argc < 4)
		return 2;
	pid_t child = fork();
	if (child == 0)
		run(atoi(argv[1]), argv + 3);
	if (child < 0 || wait4(child, &status, 0, &usage) != child)
		return 1;
	FILE *report = fopen(argv[2], "w");
	if (!report)
		return 1;
	fprintf(report, "%d %ld %ld %ld\n",
		WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
		microseconds(usage.ru_utime), microseconds(usage.ru_stime), usage.ru_maxrss);
	return fclose(report) ? 1 : 0;
}
