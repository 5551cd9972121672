/* Four threads, whose work is added up. */
#include <pthread.h>
#include <stdio.h>

static void *work(void *argument)
{
	long sum = 0;
	for (long i = 0; i < 20000; i++)
		sum += i % 7 == (long)argument ? i : 1;
	return (void *)sum;
}

int main(void)
{
	pthread_t thread[4];
	long sum = 0;
	for (long round = 0; round < 3; round++) {
		for (long i = 0; i < 4; i++)
			pthread_create(&thread[i], NULL, work, (void *)i);
		for (int i = 0; i < 4; i++) {
			void *result;
			pthread_join(thread[i], &result);
			sum += (long)result;
		}
	}
	printf("%ld\n", sum);
	return 3;
}
