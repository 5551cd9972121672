// flags: -pthread
// calls: climb=200000 work=400
// paths: climb=899
// file_at_most: 4194304
// Four threads at a time, each with a table: those of the dead go to the living, and the file does not
// grow with the number of threads that there ever were.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#define PER_THREAD _Thread_local
#include "rungs.h"

__attribute__((noinline)) static void climb(unsigned way)
{
	RUNGS_0_TO_7 RUNG(8) RUNG(9) RUNG(10)
}

static void *work(void *argument)
{
	unsigned first = (unsigned)(uintptr_t)argument;
	for (unsigned i = 0; i < 500; i++)
		climb((first + i) * 5);
	return (void *)(uintptr_t)sink;
}

int main(void)
{
	unsigned long sum = 0;
	for (uintptr_t round = 0; round < 100; round++) {
		pthread_t threads[4];
		for (uintptr_t i = 0; i < 4; i++)
			pthread_create(&threads[i], NULL, work, (void *)(round + 100 * i));
		for (int i = 0; i < 4; i++) {
			void *result;
			pthread_join(threads[i], &result);
			sum += (uintptr_t)result;
		}
	}
	printf("%lu\n", sum);
	return 0;
}
