#include <pthread.h>

static int sum;

__attribute__((noinline)) static int maker_step(int n)
{
	return n % 3 ? n : 2;
}

static void *maker_thread(void *unused)
{
	for (int i = 0; i < 10; i++)
		__atomic_fetch_add(&sum, maker_step(i), __ATOMIC_RELAXED);
	return unused;
}

int maker_run(void)
{
	pthread_t thread[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], 0, maker_thread, 0);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], 0);
	return sum;
}
