// build: $CC $FLAGS -fexceptions -c $SRC/middle.c -o middle.o
// build: $CXX $FLAGS $SRC/main.cpp middle.o -o program
// calls: main=1 with_cleanup=12 without_cleanup=12 tidy=12
// left_early: without_cleanup=4
// A C++ exception passes C frames, one of which has something to tidy up.
#include <cstdio>

extern "C" {
int with_cleanup(int (*callback)(int), int argument);
extern int tidied;
}

static int callback(int x)
{
	if (x % 3 == 2)
		throw x;
	return 2 * x;
}

int main()
{
	int sum = 0;
	for (int x = 0; x < 12; x++) {
		try {
			sum += with_cleanup(callback, x);
		} catch (int thrown) {
			sum -= thrown;
		}
	}
	std::printf("%d %d\n", sum, tidied);
	return 0;
}
