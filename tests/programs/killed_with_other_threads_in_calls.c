// flags: -pthread
// calls: main=1 worker=3 last=1
// left_early: main=1 worker=3 last=1
// SIGKILL from inside; the other threads are blocked in calls.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static sem_t ready, never;
static int sum;

static void *worker(void *count)
{
	for (long i = 0; i < (long)count; i++)
		__atomic_fetch_add(&sum, i & 1 ? i : 3, __ATOMIC_RELAXED);
	sem_post(&ready);
	sem_wait(&never);
	return NULL;
}

__attribute__((noinline)) static void last(int n)
{
	for (int i = 0; i < n; i++)
		sum += i & 2 ? 1 : i;
	printf("%d\n", sum);
	fflush(stdout);
	kill(getpid(), SIGKILL);
	pause();
}

int main(void)
{
	pthread_t thread;
	sem_init(&ready, 0, 0);
	sem_init(&never, 0, 0);
	for (long i = 0; i < 3; i++)
		pthread_create(&thread, NULL, worker, (void *)(100 * i));
	for (int i = 0; i < 3; i++)
		sem_wait(&ready);
	last(50);
	return 0;
}
