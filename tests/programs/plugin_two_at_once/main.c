// build: $CC $FLAGS -fPIC -shared $SRC/../plugin/plugin.c -o first.so
// build: $CC $FLAGS -fPIC -shared $SRC/second.c -o second.so
// build: $PLAIN -O1 $SRC/main.c -ldl -o program
// levels: -O0 -O2
// calls: plugin_run=20 plugin_comes=1 plugin_goes=1 plugin_step=196 second_run=20
// profiles: 2
#include <dlfcn.h>
#include <stdio.h>

int main(void)
{
	void *first = dlopen("./first.so", RTLD_NOW), *second = dlopen("./second.so", RTLD_NOW);
	if (!first || !second)
		return 1;
	int (*run_first)(int) = (int (*)(int))dlsym(first, "plugin_run");
	int (*run_second)(int) = (int (*)(int))dlsym(second, "second_run");
	int sum = 0;
	for (int i = 0; i < 20; i++)
		sum += run_first(i) - run_second(i);
	dlclose(first);
	printf("%d\n", sum);
	return 0;
}
