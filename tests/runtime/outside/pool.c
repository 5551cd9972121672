/* A library, not counted, whose threads are there before the program's constructors run. */
#include <pthread.h>
#include <unistd.h>

enum { THREADS = 4 };

void (*pool_work)(void);
static pthread_t thread[THREADS];

static void *run(void *unused)
{
	while (!__atomic_load_n(&pool_work, __ATOMIC_ACQUIRE))
		usleep(100);
	pool_work();
	return unused;
}

__attribute__((constructor)) static void begin(void)
{
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, run, NULL);
}

int pool_join(void)
{
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	return THREADS;
}
