#include <cstdio>

__attribute__((noinline)) static int inner(int x)
{
	try {
		if (x & 1)
			throw x;
	} catch (int value) {
		if (value & 2)
			throw;
		try {
			if (value & 4)
				throw 'c';
		} catch (char) {
			return 50;
		}
		return 100;
	}
	return x;
}

int main()
{
	int sum = 0;
	for (int x = 0; x < 32; x++) {
		try {
			sum += inner(x);
		} catch (int value) {
			sum -= value;
		}
	}
	std::printf("%d\n", sum);
	return 0;
}
