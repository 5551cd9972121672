// build: $CC $FLAGS -fPIC -shared $SRC/../plugin/plugin.c -o plugin.so
// build: $PLAIN -O1 -pthread $SRC/main.c -ldl -o program
// levels: -O0 -O2
// calls: plugin_run=400 plugin_comes=1 plugin_step=4000006
// profiles: 1
// Four threads that were there before the plug-in came run it at the same time.
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t loaded;
static int (*run)(int);

static void *worker(void *sum)
{
	pthread_barrier_wait(&loaded);
	for (int i = 0; i < 100; i++)
		*(int *)sum += run(10000);
	return NULL;
}

int main(void)
{
	pthread_t thread[4];
	int sum[4] = {0};
	pthread_barrier_init(&loaded, NULL, 5);
	for (int i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, worker, &sum[i]);
	void *plugin = dlopen("./plugin.so", RTLD_NOW);
	if (!plugin)
		return 1;
	run = (int (*)(int))dlsym(plugin, "plugin_run");
	pthread_barrier_wait(&loaded);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	printf("%d\n", sum[0] + sum[1] + sum[2] + sum[3]);
	return 0;
}
