// flags: -pthread
// calls: main=1 worker=1 forever=1 tidy=1
// left_early: worker=1 forever=1
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t ready, never;
static int events;

static void tidy(void *amount)
{
	events += *(int *)amount;
}

__attribute__((noinline)) static void forever(void)
{
	for (int i = 0; i < 5; i++)
		events++;
	sem_post(&ready);
	sem_wait(&never);
	events = -1;
}

static void *worker(void *unused)
{
	int amount = 100;
	pthread_cleanup_push(tidy, &amount);
	forever();
	pthread_cleanup_pop(0);
	return unused;
}

int main(void)
{
	pthread_t thread;
	void *result;
	sem_init(&ready, 0, 0);
	sem_init(&never, 0, 0);
	pthread_create(&thread, NULL, worker, NULL);
	sem_wait(&ready);
	pthread_cancel(thread);
	pthread_join(thread, &result);
	printf("%d %d\n", events, result == PTHREAD_CANCELED);
	return 0;
}
