// flags: -pthread
// calls: main=1 alone=10 worker=4 step=400000
#include <pthread.h>
#include <stdio.h>

__attribute__((noinline)) static int alone(int x)
{
	return x & 1 ? 3 * x : x;
}

__attribute__((noinline)) static unsigned step(unsigned x)
{
	return x & 1 ? 3 * x + 1 : x / 2;
}

static void *worker(void *argument)
{
	unsigned *value = argument;
	for (int i = 0; i < 100000; i++)
		*value = step(*value) + i;
	return NULL;
}

int main(void)
{
	unsigned value[4] = {1, 2, 3, 4};
	pthread_t thread[4];
	int sum = 0;
	for (int i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, worker, &value[i]);
	for (int i = 0; i < 10; i++)
		sum += alone(i);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	printf("%d %u %u %u %u\n", sum, value[0], value[1], value[2], value[3]);
	return 0;
}
