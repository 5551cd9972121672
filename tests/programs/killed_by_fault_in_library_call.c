// build: $PLAIN -fPIC -shared $SRC/plain/first_byte.c -o libbyte.so
// build: $CC $FLAGS $SRC/killed_by_fault_in_library_call.c -L. -lbyte -o program
// calls: main=1 look=4
// left_early: main=1 look=1
// A library reads where nothing is; the frames of the program are all inside calls.
#include <stdio.h>

int first_byte(const char *text);

static const char *const text[] = {"a", "bcd", "", (const char *)8, "never"};

__attribute__((noinline)) static int look(int i)
{
	return first_byte(text[i]) + (i & 1 ? 10 : 20);
}

int main(void)
{
	int sum = 0;
	for (int i = 0; i < 5; i++)
		sum += look(i);
	printf("%d\n", sum);
	return 0;
}
