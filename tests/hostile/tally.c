/* Eight threads share 10^8 calls of one function: half of them odd, a quarter divisible by four. */
#include <pthread.h>
#include <stdio.h>

#define THREADS 8
#define CALLS 12500000

__attribute__((noinline)) static int tally(int n)
{
	if (n & 1)
		return 3;
	return n & 2 ? n : 1;
}

static void *count(void *sum)
{
	for (int i = 0; i < CALLS; i++)
		*(unsigned *)sum += tally(i);
	return NULL;
}

int main(void)
{
	pthread_t thread[THREADS];
	unsigned sum[THREADS] = {0}, total = 0;
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, count, &sum[i]);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(thread[i], NULL);
		total += sum[i];
	}
	printf("%u\n", total);
	return 0;
}
