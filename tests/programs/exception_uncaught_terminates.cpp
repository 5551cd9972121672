// calls: main=1 _ZL4faili=4 _ZL6finishv=1
// left_early: main=1
#include <cstdio>
#include <cstdlib>
#include <exception>

static void finish()
{
	std::puts("terminated");
	std::exit(9);
}

__attribute__((noinline)) static int fail(int x)
{
	if (x == 3)
		throw x;
	return x;
}

int main()
{
	std::set_terminate(finish);
	int sum = 0;
	for (int x = 0; x < 10; x++)
		sum += fail(x);
	return sum;
}
