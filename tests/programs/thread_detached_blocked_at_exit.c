// build: $PLAIN -c $SRC/plain/announce.c -o announce.o
// build: $CC $FLAGS $SRC/thread_detached_blocked_at_exit.c announce.o -o program
// flags: -pthread
// calls: main=1 worker=3
// left_early: worker=3
#include <pthread.h>
#include <stdio.h>

int announce_and_stay(void);
void hear(int count);

static int sum;

static void *worker(void *count)
{
	for (long i = 0; i < (long)count; i++)
		__atomic_fetch_add(&sum, i & 1 ? i : 7, __ATOMIC_RELAXED);
	announce_and_stay();
	return NULL;
}

int main(void)
{
	pthread_attr_t detached;
	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	for (long i = 0; i < 3; i++) {
		pthread_t thread;
		pthread_create(&thread, &detached, worker, (void *)(10 * i));
	}
	hear(3);
	printf("%d\n", sum);
	return 0;
}
