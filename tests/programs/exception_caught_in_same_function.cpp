// calls: _ZL7attempti=20
#include <cstdio>

__attribute__((noinline)) static int attempt(int x)
{
	try {
		if (x % 3 == 0)
			throw x;
		if (x % 5 == 0)
			throw "five";
		return x;
	} catch (int value) {
		return -value;
	} catch (...) {
		return 1000;
	}
}

int main()
{
	int sum = 0;
	for (int x = 0; x < 20; x++)
		sum += attempt(x);
	std::printf("%d\n", sum);
	return 0;
}
