/* The program that tests/hostile/hosts.py runs on hosts that get in the way: guest [COMMAND].
 * It counts, runs the command, counts on in threads and in a child, and ends with status 5. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static unsigned work(unsigned n)
{
	unsigned x = n;
	for (unsigned i = 0; i < 1000; i++)
		x = x & 1 ? 3 * x + i : x / 2;
	return x;
}

static void *worker(void *result)
{
	*(unsigned *)result = work(*(unsigned *)result);
	return NULL;
}

static unsigned run_threads(void)
{
	pthread_t thread[8];
	unsigned result[8], sum = 0;
	for (unsigned i = 0; i < 8; i++) {
		result[i] = i;
		pthread_create(&thread[i], NULL, worker, &result[i]);
	}
	for (int i = 0; i < 8; i++) {
		pthread_join(thread[i], NULL);
		sum += result[i];
	}
	return sum;
}

static int run_child(void)
{
	int status = 0;
	pid_t child = fork();
	if (child == 0)
		_exit(work(99) & 127);
	waitpid(child, &status, 0);
	return WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
	int error_at_start = errno;
	unsigned before = work(7);
	if (argc > 1 && system(argv[1]))
		return 1;
	unsigned in_threads = run_threads();
	printf("%d %u %u %d\n", error_at_start, before, in_threads, run_child());
	return 5;
}
