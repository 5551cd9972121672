/* The program that tests/hostile/losses.py runs where no profile can be written: loser WAY.
 * It ends in the way that is asked for. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void *count(void *unused)
{
	return unused;
}

static void run_threads(void)
{
	pthread_t thread[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, count, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
}

static void run_children(int last)
{
	for (int i = 0; i < 3; i++) {
		if (fork() == 0)
			exit(0);
		wait(NULL);
	}
	if (last && fork() == 0) /* outlives its parent */
		usleep(100000);
}

static void fail_to_execute(void)
{
	execl("/nonexistent", "nonexistent", (char *)NULL);
	if (vfork() == 0) {
		execl("/nonexistent", "nonexistent", (char *)NULL);
		_exit(3);
	}
	wait(NULL);
}

/* The file gets the number of standard error. */
static void use_number(const char *name)
{
	close(2);
	if (open(name, O_RDWR | O_CREAT, 0666) != 2)
		abort();
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "return";
	if (strcmp(way, "exit") == 0)
		exit(5);
	if (strcmp(way, "_exit") == 0)
		_exit(5);
	if (strcmp(way, "kill") == 0)
		raise(SIGKILL);
	if (strcmp(way, "execute") == 0)
		execl("/bin/sh", "sh", "-c", "exit 5", (char *)NULL);
	if (strcmp(way, "fail to execute") == 0)
		fail_to_execute();
	if (strcmp(way, "children") == 0)
		run_children(0);
	if (strcmp(way, "daemon") == 0)
		run_children(1);
	if (strcmp(way, "threads") == 0)
		run_threads();
	if (strcmp(way, "reuse") == 0)
		use_number(argv[2]);
	return 5;
}
