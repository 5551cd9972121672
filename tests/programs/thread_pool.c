// flags: -pthread
// calls: main=1 worker=4 task=1000
// chance: worker
// Each worker has a first task; who takes the others is left to chance, but not what all do together.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int queue[2];
static pthread_barrier_t all_busy;

__attribute__((noinline)) static int task(int n)
{
	int steps = 0;
	while (n > 1) {
		n = n & 1 ? 3 * n + 1 : n / 2;
		steps++;
	}
	return steps;
}

static void *worker(void *sum)
{
	short n;
	int got = read(queue[0], &n, sizeof(n));
	pthread_barrier_wait(&all_busy);
	for (; got == sizeof(n); got = read(queue[0], &n, sizeof(n)))
		__atomic_fetch_add((long *)sum, task(n), __ATOMIC_RELAXED);
	return NULL;
}

int main(void)
{
	pthread_t thread[4];
	long sum = 0;
	if (pipe(queue) || pthread_barrier_init(&all_busy, NULL, 4))
		return 1;
	for (int i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, worker, &sum);
	for (short n = 1; n <= 1000; n++)
		if (write(queue[1], &n, sizeof(n)) != sizeof(n))
			return 1;
	close(queue[1]);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	printf("%ld\n", sum);
	return 0;
}
