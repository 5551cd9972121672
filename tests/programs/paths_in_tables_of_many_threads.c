// flags: -pthread
// calls: climb=200000 work=400
// paths: climb=899
// file_at_most: 4194304
// Four threads at a time, each with a table: those of the dead go to the living, and the file does not
// grow with the number of threads that there ever were.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static _Thread_local volatile unsigned sink;

__attribute__((noinline)) static void mark(unsigned rung)
{
	sink = sink * 3 + rung;
}

#define RUNG(n) \
	if (way >> n & 1) \
		mark(n);

__attribute__((noinline)) static void climb(unsigned way)
{
	RUNG(0) RUNG(1) RUNG(2) RUNG(3) RUNG(4) RUNG(5) RUNG(6) RUNG(7) RUNG(8) RUNG(9) RUNG(10)
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
