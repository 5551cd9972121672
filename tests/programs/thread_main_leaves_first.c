// flags: -pthread
// calls: main=1 last=1 worker=3 leave=1 step=60
// left_early: main=1
// main ends by pthread_exit; the process lives until its last thread has returned.
#include <pthread.h>
#include <stdio.h>

static pthread_t first;
static int sum;

__attribute__((noinline)) static int step(int n)
{
	return n % 7 ? n : 0;
}

static void *worker(void *count)
{
	for (long i = 0; i < (long)count; i++)
		__atomic_fetch_add(&sum, step(i), __ATOMIC_RELAXED);
	return NULL;
}

static void *last(void *unused)
{
	pthread_t thread[3];
	pthread_join(first, NULL);
	for (long i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, worker, (void *)(10 + 10 * i));
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	printf("%d\n", sum);
	return unused;
}

__attribute__((noinline)) static void leave(void)
{
	pthread_t thread;
	first = pthread_self();
	pthread_create(&thread, NULL, last, NULL);
	pthread_exit(NULL);
}

int main(void)
{
	leave();
	return 9;
}
