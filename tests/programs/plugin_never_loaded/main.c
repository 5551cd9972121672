// build: $CC $FLAGS -fPIC -shared $SRC/../plugin/plugin.c -o plugin.so
// build: $CC $FLAGS $SRC/main.c -ldl -o program
// levels: -O0 -O2
// calls: main=1 plugin_run=0 plugin_step=0
// profiles: 1
// What was never loaded has no profile, not even one of zeros.
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	if (argc > 1)
		return !dlopen(argv[1], RTLD_NOW);
	puts("no plug-in");
	return 0;
}
