// flags: -pthread
// calls: main=1 worker=1 outer=3 inner=9 alone=20
// left_early: worker=1 outer=1
#include <pthread.h>
#include <stdio.h>

static int steps;

__attribute__((noinline)) static int inner(int n)
{
	steps++;
	if (n == 12)
		pthread_exit(&steps);
	return n;
}

__attribute__((noinline)) static int outer(int n)
{
	int sum = 0;
	for (int i = 0; i < 3; i++)
		sum += inner(n + 5 * i);
	return sum;
}

static void *worker(void *unused)
{
	static int sum;
	for (int n = 0; n < 10; n++)
		sum += outer(n);
	return unused;
}

__attribute__((noinline)) static int alone(int x)
{
	return x & 1 ? 3 * x : x;
}

int main(void)
{
	int sum = 0;
	void *result;
	pthread_t thread;
	pthread_create(&thread, NULL, worker, NULL);
	for (int i = 0; i < 20; i++)
		sum += alone(i);
	pthread_join(thread, &result);
	printf("%d %d\n", sum, *(int *)result);
	return 0;
}
