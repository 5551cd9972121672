// flags: -pthread
// calls: main=1 worker=1 finish=3 farewell=1
// left_early: main=1 worker=1
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int sum;

static void farewell(void)
{
	printf("farewell %d\n", sum);
}

__attribute__((noinline)) static void finish(int n)
{
	for (int i = 0; i < n; i++)
		sum += i & 1 ? i : 5;
	if (n == 20)
		exit(n);
}

static void *worker(void *unused)
{
	usleep(50000); /* until main waits */
	for (int n = 10; n < 100; n += 5)
		finish(n);
	return unused;
}

int main(void)
{
	pthread_t thread;
	atexit(farewell);
	pthread_create(&thread, NULL, worker, NULL);
	pthread_join(thread, NULL);
	return 1;
}
