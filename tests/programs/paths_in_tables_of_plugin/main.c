// build: $CC $FLAGS -fPIC -shared $SRC/plugin.c -o plugin.so
// build: $CC $FLAGS $SRC/main.c -ldl -o program
// calls: climb=20000 plugin_goes=20
// paths: climb=1024
// profiles: 1
// file_at_most: 1048576
// A library with tables of its own comes and goes twenty times, and counts new paths each time, the
// last while it goes.
#include <dlfcn.h>
#include <stdio.h>

int main(void)
{
	for (unsigned i = 0; i < 20; i++) {
		void *plugin = dlopen("./plugin.so", RTLD_NOW);
		if (!plugin)
			return 1;
		unsigned (*run)(unsigned) = (unsigned (*)(unsigned))dlsym(plugin, "plugin_run");
		printf("%u\n", run(i * 50));
		dlclose(plugin);
	}
	return 0;
}
