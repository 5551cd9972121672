// build: $CC $FLAGS -fPIC -shared $SRC/../plugin/plugin.c -o plugin.so
// build: $PLAIN -O1 $SRC/main.c -ldl -o program
// levels: -O0 -O2
// calls: plugin_run=300 plugin_comes=300 plugin_goes=300 plugin_step=4650
// profiles: 1
// file_at_most: 131072
// The program itself has no counters. Each time, plugin_goes runs before the plug-in is gone.
#include <dlfcn.h>
#include <stdio.h>

int main(void)
{
	int sum = 0;
	for (int i = 0; i < 300; i++) {
		void *plugin = dlopen("./plugin.so", RTLD_NOW);
		if (!plugin)
			return 1;
		int (*run)(int) = (int (*)(int))dlsym(plugin, "plugin_run");
		sum += run(i % 20);
		dlclose(plugin);
	}
	printf("%d\n", sum);
	return 0;
}
