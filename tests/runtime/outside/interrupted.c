/* Signals that come while threads are made: to the maker, and to the new thread before its first
 * function runs. Their handlers count while other threads do.
 *
 * usage: interrupted [attributes | c11]: what threads are made with */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <threads.h>

#include "tally.h"

enum { THREADS = 200, STEPS = 50000, STEPS_OF_ALARM = 500, MICROSECONDS = 50 };

static int counts, alarms;
static volatile int sink;

__attribute__((noinline)) static void step(int n)
{
	sink = n;
}

static void count(int number)
{
	__atomic_fetch_add(&counts, 1, __ATOMIC_RELAXED);
	for (int i = 0; i < STEPS; i++)
		step(i + number);
}

static void handle_alarm(int number)
{
	__atomic_fetch_add(&alarms, 1, __ATOMIC_RELAXED);
	for (int i = 0; i < STEPS_OF_ALARM; i++)
		step(i + number);
}

static void *run(void *unused)
{
	count(1);
	return unused;
}

static int run_c11(void *unused)
{
	return run(unused) != NULL;
}

static void make_thread(const char *how)
{
	pthread_attr_t attributes;
	pthread_t thread;
	sigset_t none;
	sigemptyset(&none);
	pthread_attr_init(&attributes);
	pthread_attr_setsigmask_np(&attributes, &none);
	if (strcmp(how, "c11") == 0)
		thrd_create(&thread, run_c11, NULL);
	else
		pthread_create(&thread, *how ? &attributes : NULL, run, NULL);
	pthread_kill(thread, SIGUSR1);
	count(2);
	pthread_join(thread, NULL);
	pthread_attr_destroy(&attributes);
}

int main(int argc, char **argv)
{
	struct itimerval often = {{0, MICROSECONDS}, {0, MICROSECONDS}}, never = {0};
	signal(SIGUSR1, count);
	signal(SIGALRM, handle_alarm);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; i < THREADS; i++)
		make_thread(argc > 1 ? argv[1] : "");
	setitimer(ITIMER_REAL, &never, NULL);
	TALLY(run, THREADS);
	TALLY(count, counts);
	TALLY(handle_alarm, alarms);
	TALLY(step, counts * STEPS + alarms * STEPS_OF_ALARM);
	return 0;
}
