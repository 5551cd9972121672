// build: $CC $FLAGS -fPIC -shared $SRC/../linking/library.c -o libhelp.so
// build: $CC $FLAGS $SRC/main.c -ldl -o program
// levels: -O0 -O2
// calls: library_sum=10 helper=45
#include <dlfcn.h>
#include <stdio.h>

int main(void)
{
	void *library = dlopen("./libhelp.so", RTLD_NOW);
	if (!library)
		return 1;
	int (*library_sum)(int) = (int (*)(int))dlsym(library, "library_sum");
	int sum = 0;
	for (int i = 0; i < 10; i++)
		sum += library_sum(i);
	printf("%d\n", sum);
	return 0;
}
