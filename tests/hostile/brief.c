/* The program that tests/hostile/stress.py kills at each of its system calls: two threads, one by
 * one. */
#include <pthread.h>
#include <stdio.h>

static int sum;

static void *worker(void *count)
{
	for (long i = 0; i < (long)count; i++)
		sum += i & 1 ? i : 2;
	return NULL;
}

int main(void)
{
	pthread_t thread;
	for (long i = 1; i <= 2; i++) {
		pthread_create(&thread, NULL, worker, (void *)(10 * i));
		pthread_join(thread, NULL);
	}
	printf("%d\n", sum);
	return 0;
}
