// calls: main=1 _ZL4faili=4 _ZL6finishv=1 _ZL6middlei=4
// left_early: main=1 _ZL6middlei=1
// No frame is unwound: the handler of an uncaught exception ends the process without exit handlers.
#include <cstdlib>
#include <exception>
#include <unistd.h>

static void finish()
{
	_exit(7);
}

__attribute__((noinline)) static int fail(int x)
{
	if (x == 3)
		throw x;
	return x;
}

__attribute__((noinline)) static int middle(int x)
{
	int sum = 0;
	for (int i = 0; i < x; i++)
		sum += i;
	return fail(x) + sum;
}

int main()
{
	std::set_terminate(finish);
	int sum = 0;
	for (int x = 0; x < 10; x++)
		sum += middle(x);
	return sum;
}
