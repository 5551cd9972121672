// build: $PLAIN -c $SRC/plain/announce.c -o announce.o
// build: $CC $FLAGS $SRC/thread_alive_at_exit_in_nested_calls.c announce.o -o program
// flags: -pthread
// calls: main=1 worker=3 descend=33 finish=1
// left_early: main=1 worker=3 descend=33
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

int announce_and_stay(void);
void hear(int count);

static volatile int depth_reached;

__attribute__((noinline)) static int descend(long depth)
{
	int below;
	if (depth == 0) {
		below = announce_and_stay();
	} else {
		below = descend(depth - 1);
	}
	return below + (depth & 1 ? 1 : 2);
}

static void *worker(void *depth)
{
	depth_reached = descend((long)depth);
	return NULL;
}

__attribute__((noinline)) static void finish(int status)
{
	for (int i = 0; i < status; i++)
		depth_reached = i;
	exit(status + depth_reached);
}

int main(void)
{
	pthread_t thread;
	for (long i = 0; i < 3; i++)
		pthread_create(&thread, NULL, worker, (void *)(5 + 5 * i));
	hear(3);
	puts("leaving");
	finish(4);
	return 0;
}
