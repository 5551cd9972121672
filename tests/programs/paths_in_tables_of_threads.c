// flags: -pthread
// calls: climb=49152 work=6
// paths: climb=16384
// Six threads in two waves: the tables of the first wave's go to the second's, and grow on.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#define PER_THREAD _Thread_local
#include "rungs.h"

__attribute__((noinline)) static void climb(unsigned way)
{
	RUNGS_0_TO_7 RUNG(8) RUNG(9) RUNG(10) RUNG(11) RUNG(12) RUNG(13)
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
