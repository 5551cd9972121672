// calls: main=1 _ZL4faili=18 _ZL7attempti=12
// While one exception passes, a destructor throws and catches another.
#include <cstdio>

static int inner_caught;

__attribute__((noinline)) static int fail(int x)
{
	if (x % 2 == 0)
		throw x;
	return x;
}

struct Guard {
	int value;
	~Guard()
	{
		try {
			if (value % 4 < 2)
				fail(2 * value);
		} catch (int) {
			inner_caught++;
		}
	}
};

__attribute__((noinline)) static int attempt(int x)
{
	Guard guard{x};
	return fail(x) + guard.value;
}

int main()
{
	int sum = 0, caught = 0;
	for (int x = 0; x < 12; x++) {
		try {
			sum += attempt(x);
		} catch (int) {
			caught++;
		}
	}
	std::printf("%d %d %d\n", sum, caught, inner_caught);
	return 0;
}
