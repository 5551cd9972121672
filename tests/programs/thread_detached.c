// build: $PLAIN -c $SRC/plain/wait_until_threads.c -o wait.o
// build: $CC $FLAGS $SRC/thread_detached.c wait.o -o program
// flags: -pthread
// calls: main=1 worker=20 step=190
#include <pthread.h>
#include <stdio.h>

void wait_until_threads(int wanted);

static int sum;

__attribute__((noinline)) static int step(int n)
{
	return n % 3 ? n : 1;
}

static void *worker(void *count)
{
	for (long i = 0; i < (long)count; i++)
		__atomic_fetch_add(&sum, step(i), __ATOMIC_RELAXED);
	return NULL;
}

int main(void)
{
	for (long i = 0; i < 20; i++) {
		pthread_t thread;
		pthread_create(&thread, NULL, worker, (void *)i);
		pthread_detach(thread);
	}
	wait_until_threads(1);
	printf("%d\n", sum);
	return 0;
}
