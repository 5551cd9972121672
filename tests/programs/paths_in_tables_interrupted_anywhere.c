// flags: -pthread
// calls: climb=65536 work=2 respond=400
// inexact: handle main
// paths: climb=32768 respond=400
// A timer strikes while two threads count new paths all the time, in the middle of whatever they do:
// finding a place in a table, or making a larger one. The handler needs new places itself.
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

#include "rungs.h"

static unsigned arrived;

__attribute__((noinline)) static void respond(unsigned way)
{
	RUNGS_0_TO_7 RUNG(8) RUNG(9)
}

static void handle(int signal_number)
{
	(void)signal_number;
	unsigned number = __atomic_fetch_add(&arrived, 1, __ATOMIC_RELAXED);
	if (number < 400)
		respond(number * 241);
}

__attribute__((noinline)) static void climb(unsigned way)
{
	RUNGS_0_TO_7 RUNG(8) RUNG(9) RUNG(10) RUNG(11) RUNG(12) RUNG(13) RUNG(14)
}

static void *work(void *argument)
{
	for (unsigned i = 0; i < 32768; i++)
		climb(i * 17477 + (unsigned)(uintptr_t)argument);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	struct itimerval every = {{0, 50}, {0, 50}}, never = {{0, 0}, {0, 0}};
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
	for (uintptr_t i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, (void *)(i * 5));
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	while (__atomic_load_n(&arrived, __ATOMIC_RELAXED) < 400)
		usleep(100);
	setitimer(ITIMER_REAL, &never, NULL);
	puts("done");
	return 0;
}
