// flags: -pthread
// calls: main=1 worker=7 destroy=28
// A destructor that sets its key again is called four times; it ends after the thread's function.
#include <limits.h>
#include <pthread.h>
#include <stdio.h>

static pthread_key_t key;
static int rounds, large;

static void destroy(void *value)
{
	if ((long)value > 3)
		__atomic_fetch_add(&large, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&rounds, 1, __ATOMIC_RELAXED);
	pthread_setspecific(key, value);
}

static void *worker(void *value)
{
	pthread_setspecific(key, value);
	return NULL;
}

int main(void)
{
	pthread_t thread[7];
	pthread_key_create(&key, destroy);
	for (long i = 0; i < 7; i++)
		pthread_create(&thread[i], NULL, worker, (void *)(i + 1));
	for (int i = 0; i < 7; i++)
		pthread_join(thread[i], NULL);
	printf("%d %d\n", rounds == 7 * PTHREAD_DESTRUCTOR_ITERATIONS, large);
	return 0;
}
