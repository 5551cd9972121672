// flags: -pthread
// calls: main=1 worker=10000 step=30000
// file_at_most: 131072
// Four at a time: the profile must not grow with the number of threads that there ever were.
#include <pthread.h>
#include <stdio.h>

static int sum;

__attribute__((noinline)) static int step(int n)
{
	return n & 1 ? 3 : n;
}

static void *worker(void *number)
{
	for (long i = 0; i < 3; i++)
		__atomic_fetch_add(&sum, step(i + (long)number), __ATOMIC_RELAXED);
	return NULL;
}

int main(void)
{
	pthread_t thread[4];
	for (long round = 0; round < 2500; round++) {
		for (long i = 0; i < 4; i++)
			pthread_create(&thread[i], NULL, worker, (void *)(round & 15));
		for (int i = 0; i < 4; i++)
			pthread_join(thread[i], NULL);
	}
	printf("%d\n", sum);
	return 0;
}
