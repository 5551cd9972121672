#include <cstdio>

__attribute__((noinline)) static int fail(int x)
{
	if (x == 1000)
		throw x;
	return x;
}

__attribute__((noinline)) static int safe(int x) noexcept
{
	return fail(x) + fail(x + 1);
}

int main()
{
	int sum = 0;
	for (int x = 0; x < 10; x++)
		sum += safe(x);
	std::printf("%d\n", sum);
	return 0;
}
