/* The program that tests/hostile/stress.py kills: about a tenth of a second of all that a thread
 * does to a profile. Short threads come and go all the time, two long ones count beside them, and
 * no count depends on time, so that a whole run has one result. */
#include <pthread.h>
#include <stdio.h>

__attribute__((noinline)) static unsigned wheel(unsigned x, unsigned i)
{
	switch (x % 5) {
	case 0:
		return x + i;
	case 1:
		return 3 * x + 1;
	case 2:
		return x ^ i;
	default:
		return x / 2;
	}
}

__attribute__((noinline)) static unsigned turn(unsigned x, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		x = wheel(x, i);
	return x;
}

static void *long_thread(void *value)
{
	for (int i = 0; i < 500; i++)
		*(unsigned *)value = turn(*(unsigned *)value, 20000);
	return NULL;
}

static void *short_thread(void *value)
{
	*(unsigned *)value = turn(*(unsigned *)value, 100);
	return NULL;
}

int main(void)
{
	unsigned value[4] = {1, 2, 3, 4};
	pthread_t thread[4];
	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, long_thread, &value[i]);
	for (int round = 0; round < 400; round++) {
		for (int i = 2; i < 4; i++)
			pthread_create(&thread[i], NULL, short_thread, &value[i]);
		for (int i = 2; i < 4; i++)
			pthread_join(thread[i], NULL);
	}
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	printf("%u %u %u %u\n", value[0], value[1], value[2], value[3]);
	return 0;
}
