// build: $PLAIN -c $SRC/plain/announce.c -o announce.o
// build: $CC $FLAGS $SRC/killed_with_other_threads_in_calls.c announce.o -o program
// flags: -pthread
// calls: main=1 worker=3 last=1
// left_early: main=1 worker=3 last=1
// SIGKILL from inside; the other threads are blocked in calls.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int announce_and_stay(void);
void hear(int count);

static int sum;

static void *worker(void *count)
{
	for (long i = 0; i < (long)count; i++)
		__atomic_fetch_add(&sum, i & 1 ? i : 3, __ATOMIC_RELAXED);
	announce_and_stay();
	return NULL;
}

__attribute__((noinline)) static void last(int n)
{
	for (int i = 0; i < n; i++)
		sum += i & 2 ? 1 : i;
	printf("%d\n", sum);
	fflush(stdout);
	kill(getpid(), SIGKILL);
	pause();
}

int main(void)
{
	pthread_t thread;
	for (long i = 0; i < 3; i++)
		pthread_create(&thread, NULL, worker, (void *)(100 * i));
	hear(3);
	last(50);
	return 0;
}
