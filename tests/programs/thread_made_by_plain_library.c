// build: $PLAIN -fPIC -shared -pthread $SRC/plain/thread_maker.c -o libmaker.so
// build: $CC $FLAGS $SRC/thread_made_by_plain_library.c -L. -lmaker -o program
// flags: -pthread
// calls: main=1 callback=8 step=8000
#include <stdio.h>

void run_in_threads(int count, void *(*callback)(void *), void **argument);

__attribute__((noinline)) static unsigned step(unsigned x, unsigned i)
{
	return i % 5 ? x + i : 3 * x;
}

static void *callback(void *argument)
{
	unsigned *value = argument;
	for (unsigned i = 0; i < 1000; i++)
		*value = step(*value, i);
	return NULL;
}

int main(void)
{
	unsigned value[8], sum = 0;
	void *argument[8];
	for (int i = 0; i < 8; i++) {
		value[i] = i;
		argument[i] = &value[i];
	}
	run_in_threads(8, callback, argument);
	for (int i = 0; i < 8; i++)
		sum ^= value[i];
	printf("%u\n", sum);
	return 0;
}
