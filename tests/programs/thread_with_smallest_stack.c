// flags: -pthread
// calls: main=1 worker=5 step=500
// Nothing of a profile may live on a thread's stack.
#include <limits.h>
#include <pthread.h>
#include <stdio.h>

static int sum;

__attribute__((noinline)) static int step(int n)
{
	return n & 8 ? n : 1;
}

static void *worker(void *unused)
{
	for (int i = 0; i < 100; i++)
		__atomic_fetch_add(&sum, step(i), __ATOMIC_RELAXED);
	return unused;
}

int main(void)
{
	pthread_t thread[5];
	pthread_attr_t small;
	int made = 0;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN);
	for (int i = 0; i < 5; i++)
		made += pthread_create(&thread[i], &small, worker, NULL) == 0;
	for (int i = 0; i < 5; i++)
		pthread_join(thread[i], NULL);
	printf("%d %d\n", made, sum);
	return 0;
}
