// build: $CC $FLAGS -fPIC -shared $SRC/../plugin/plugin.c -o plugin.so
// build: $PLAIN -O1 $SRC/main.c -ldl -o program
// levels: -O0 -O2
// calls: plugin_run=2 plugin_comes=2 plugin_goes=2 plugin_step=42
// profiles: 1
// Two copies of one library in one process, which know nothing of each other.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

static int use(void *plugin, int n)
{
	int (*run)(int) = (int (*)(int))dlsym(plugin, "plugin_run");
	return run(n);
}

int main(void)
{
	void *here = dlopen("./plugin.so", RTLD_NOW);
	void *there = dlmopen(LM_ID_NEWLM, "./plugin.so", RTLD_NOW);
	if (!here || !there)
		return 1;
	printf("%d\n", use(here, 10) + use(there, 20));
	dlclose(there);
	return 0;
}
