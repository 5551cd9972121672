// build: $CC $FLAGS -fPIC -shared -pthread $SRC/maker.c -o plugin.so
// build: $PLAIN -O1 -pthread $SRC/main.c -ldl -o program
// levels: -O0 -O2
// calls: maker_run=50 maker_thread=150 maker_step=1500
// profiles: 1
// file_at_most: 131072
#include <dlfcn.h>
#include <stdio.h>

int main(void)
{
	int sum = 0;
	for (int i = 0; i < 50; i++) {
		void *plugin = dlopen("./plugin.so", RTLD_NOW);
		if (!plugin)
			return 1;
		sum += ((int (*)(void))dlsym(plugin, "maker_run"))();
		dlclose(plugin);
	}
	printf("%d\n", sum);
	return 0;
}
