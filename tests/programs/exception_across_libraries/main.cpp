// build: $CXX $FLAGS -fPIC -shared $SRC/middle.cpp -o libmiddle.so
// build: $CXX $FLAGS $SRC/main.cpp -L. -lmiddle -o program
// calls: main=1 between=12 thrower=12
// left_early: between=4
// Thrown in the program, through an instrumented library, and thrown in the library itself.
#include <cstdio>

extern "C" int between(int (*callback)(int), int argument);
extern "C" int thrower(int argument);

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
			sum += between(callback, x);
		} catch (int thrown) {
			sum -= thrown;
		}
		try {
			sum += thrower(x);
		} catch (const char *text) {
			sum += text[0];
		}
	}
	std::printf("%d\n", sum);
	return 0;
}
