// build: $CC $FLAGS -fPIC -shared $SRC/../plugin/plugin.c -o plugin.so
// build: $PLAIN -O1 -pthread $SRC/main.c -ldl -o program
// levels: -O0 -O2
// calls: plugin_run=40 plugin_comes=10 plugin_goes=10 plugin_step=460
// profiles: 1
// Threads that used the plug-in live on, and end, when its code and its data are gone.
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t used, closed;
static int (*run)(int);
static int sum;

static void *worker(void *unused)
{
	__atomic_fetch_add(&sum, run(10), __ATOMIC_RELAXED);
	pthread_barrier_wait(&used);
	pthread_barrier_wait(&closed);
	return unused;
}

static int round_of_threads(void)
{
	pthread_t thread[4];
	void *plugin = dlopen("./plugin.so", RTLD_NOW);
	if (!plugin)
		return 1;
	run = (int (*)(int))dlsym(plugin, "plugin_run");
	for (int i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, worker, NULL);
	pthread_barrier_wait(&used);
	dlclose(plugin);
	pthread_barrier_wait(&closed);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	return 0;
}

int main(void)
{
	pthread_barrier_init(&used, NULL, 5);
	pthread_barrier_init(&closed, NULL, 5);
	for (int i = 0; i < 10; i++)
		if (round_of_threads())
			return 1;
	printf("%d\n", sum);
	return 0;
}
