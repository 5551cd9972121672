// build: $CC $FLAGS -fPIC -shared $SRC/../plugin/plugin.c -o libplugin.so
// build: $CC $FLAGS $SRC/main.c -L. -lplugin -o program
// flags: -pthread
// calls: main=1 worker=6 step=600 plugin_run=600 plugin_comes=1 plugin_goes=1 plugin_step=2682
// profiles: 1
#include <pthread.h>
#include <stdio.h>

int plugin_run(int n);

__attribute__((noinline)) static int step(int n)
{
	return n & 1 ? plugin_run(n % 8) : 2 + plugin_run(5);
}

static void *worker(void *sum)
{
	for (int i = 0; i < 100; i++)
		__atomic_fetch_add((int *)sum, step(i), __ATOMIC_RELAXED);
	return NULL;
}

int main(void)
{
	pthread_t thread[6];
	int sum = 0;
	for (int i = 0; i < 6; i++)
		pthread_create(&thread[i], NULL, worker, &sum);
	for (int i = 0; i < 6; i++)
		pthread_join(thread[i], NULL);
	printf("%d\n", sum);
	return 0;
}
