// flags: -pthread
// calls: climb=49152 work=6
// paths: climb=16384
// Six threads in two waves: the tables of the first wave's go to the second's, and grow on.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static _Thread_local volatile unsigned long sink;

__attribute__((noinline)) static void mark(unsigned rung)
{
	sink = sink * 3 + rung;
}

#define RUNG(n) \
	if (way >> n & 1) \
		mark(n);

__attribute__((noinline)) static void climb(unsigned way)
{
	RUNG(0) RUNG(1) RUNG(2) RUNG(3) RUNG(4) RUNG(5) RUNG(6) RUNG(7)
	RUNG(8) RUNG(9) RUNG(10) RUNG(11) RUNG(12) RUNG(13)
}

static void *work(void *argument)
{
	unsigned first = (unsigned)(uintptr_t)argument * 4096;
	for (unsigned i = 0; i < 8192; i++)
		climb((first + i) * 17477 % 16384);
	return (void *)(uintptr_t)sink;
}

int main(void)
{
	unsigned long sum = 0;
	for (int wave = 0; wave < 2; wave++) {
		pthread_t threads[3];
		for (uintptr_t i = 0; i < 3; i++)
			pthread_create(&threads[i], NULL, work, (void *)i);
		for (int i = 0; i < 3; i++) {
			void *result;
			pthread_join(threads[i], &result);
			sum += (uintptr_t)result;
		}
	}
	printf("%lu\n", sum);
	return 0;
}
