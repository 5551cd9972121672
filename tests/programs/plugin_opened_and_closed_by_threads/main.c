// build: $CC $FLAGS -fPIC -shared $SRC/../plugin/plugin.c -o plugin.so
// build: $CC $FLAGS -pthread $SRC/main.c -ldl -o program
// levels: -O0 -O2
// calls: main=1 worker=5 plugin_run=5 plugin_comes=5 plugin_goes=5 plugin_step=80
// profiles: 1
// Each thread loads the plug-in, uses it and unloads it; the program has counters too.
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static int sum;

static void *worker(void *unused)
{
	void *plugin = dlopen("./plugin.so", RTLD_NOW);
	int (*run)(int) = (int (*)(int))dlsym(plugin, "plugin_run");
	sum += run(10);
	dlclose(plugin);
	return unused;
}

int main(void)
{
	for (int i = 0; i < 5; i++) {
		pthread_t thread;
		pthread_create(&thread, NULL, worker, NULL);
		pthread_join(thread, NULL);
	}
	printf("%d\n", sum);
	return 0;
}
