// flags: -pthread
// calls: main=1 worker=500 step=5000
// All have counted before the first one ends.
#include <limits.h>
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t all_there;
static int sum;

__attribute__((noinline)) static int step(int n)
{
	return n & 1 ? n : 2;
}

static void *worker(void *unused)
{
	for (int i = 0; i < 5; i++)
		__atomic_fetch_add(&sum, step(i), __ATOMIC_RELAXED);
	pthread_barrier_wait(&all_there);
	for (int i = 0; i < 5; i++)
		__atomic_fetch_add(&sum, step(i), __ATOMIC_RELAXED);
	return unused;
}

int main(void)
{
	static pthread_t thread[500];
	pthread_attr_t small;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 4 * PTHREAD_STACK_MIN);
	pthread_barrier_init(&all_there, NULL, 500);
	for (int i = 0; i < 500; i++)
		if (pthread_create(&thread[i], &small, worker, NULL))
			return 1;
	for (int i = 0; i < 500; i++)
		pthread_join(thread[i], NULL);
	printf("%d\n", sum);
	return 0;
}
