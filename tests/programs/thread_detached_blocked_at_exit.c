// flags: -pthread
// calls: main=1 worker=3
// left_early: worker=3
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

static sem_t ready;
static int sum;

static void *worker(void *count)
{
	for (long i = 0; i < (long)count; i++)
		__atomic_fetch_add(&sum, i & 1 ? i : 7, __ATOMIC_RELAXED);
	sem_post(&ready);
	pause();
	return NULL;
}

int main(void)
{
	pthread_attr_t detached;
	sem_init(&ready, 0, 0);
	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	for (long i = 0; i < 3; i++) {
		pthread_t thread;
		pthread_create(&thread, &detached, worker, (void *)(10 * i));
	}
	for (int i = 0; i < 3; i++)
		sem_wait(&ready);
	printf("%d\n", sum);
	return 0;
}
