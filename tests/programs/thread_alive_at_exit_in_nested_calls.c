// flags: -pthread
// calls: main=1 worker=3 descend=33 finish=1
// left_early: main=1 worker=3 descend=33
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

static sem_t ready, never;
static volatile int depth_reached;

__attribute__((noinline)) static int descend(long depth)
{
	int below;
	if (depth == 0) {
		sem_post(&ready);
		below = sem_wait(&never);
	} else {
		below = descend(depth - 1);
	}
	return below + (depth & 1 ? 1 : 2);
}

static void *worker(void *depth)
{
	depth_reached = descend((long)depth);
	return NULL;
}

__attribute__((noinline)) static void finish(int status)
{
	for (int i = 0; i < status; i++)
		depth_reached = i;
	exit(status + depth_reached);
}

int main(void)
{
	pthread_t thread;
	sem_init(&ready, 0, 0);
	sem_init(&never, 0, 0);
	for (long i = 0; i < 3; i++)
		pthread_create(&thread, NULL, worker, (void *)(5 + 5 * i));
	for (int i = 0; i < 3; i++)
		sem_wait(&ready);
	puts("leaving");
	finish(4);
	return 0;
}
