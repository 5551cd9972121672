/* A thread that is older than the runtime's start, and so has no block: it counts at the static
 * counters, before the program's main function and after. Children come and go meanwhile, one of
 * its own, one of the main thread's; what their parents counted is not theirs to save. */
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tally.h"

enum { CHILDREN = 2, CHILD_STEPS = 3 };

static int steps, go;
static pthread_t thread;

__attribute__((noinline)) static void step(void)
{
	__atomic_fetch_add(&steps, 1, __ATOMIC_RELAXED);
}

static void run_child(void)
{
	pid_t child = fork();
	if (child)
		waitpid(child, NULL, 0);
	for (int i = 0; !child && i < CHILD_STEPS; i++)
		step();
	if (!child)
		_exit(0);
}

static void *run(void *unused)
{
	for (int i = 0; i < 20; i++)
		step();
	while (!__atomic_load_n(&go, __ATOMIC_ACQUIRE))
		usleep(1000);
	for (int i = 0; i < 50; i++)
		step();
	run_child();
	step();
	return unused;
}

static void begin(void)
{
	pthread_create(&thread, NULL, run, NULL);
	while (__atomic_load_n(&steps, __ATOMIC_ACQUIRE) < 20)
		usleep(1000);
}

__attribute__((section(".preinit_array"), used)) static void (*const before_all)(void) = begin;

int main(void)
{
	run_child();
	step();
	__atomic_store_n(&go, 1, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	TALLY(begin, 1);
	TALLY(run, 1);
	TALLY(run_child, CHILDREN);
	TALLY(step, steps + CHILDREN * CHILD_STEPS);
	return 0;
}
