// calls: main=1
// left_early: _ZL5againi=5
#include <cstdio>
#include <stdexcept>

static int seen;

__attribute__((noinline)) static int bottom(int x)
{
	if (x % 4 == 1)
		throw std::runtime_error("one");
	if (x % 4 == 3)
		throw x;
	return x;
}

/* Catches, counts and rethrows. An int finds no handler here and nothing to clean up: the frame is
 * left in the middle of its call. */
__attribute__((noinline)) static int again(int x)
{
	try {
		return bottom(x);
	} catch (const std::exception &) {
		seen++;
		throw;
	}
}

/* Rethrows from a function below the handler. */
__attribute__((noinline)) static void pass(int)
{
	throw;
}

__attribute__((noinline)) static int relay(int x)
{
	try {
		return again(x);
	} catch (...) {
		seen += 10;
		pass(x);
	}
	return -1;
}

int main()
{
	int sum = 0;
	for (int x = 0; x < 20; x++) {
		try {
			sum += relay(x);
		} catch (const std::runtime_error &) {
			sum += 1000;
		} catch (int) {
			sum += 5000;
		}
	}
	std::printf("%d %d\n", sum, seen);
	return 0;
}
