// The call is an invoke with a cleanup and several handlers; nothing in between is abandoned.
// calls: _ZL7attempti=60
#include <cstdio>
#include <stdexcept>

struct Guard {
	int &depth;
	explicit Guard(int &d) : depth(d)
	{
		depth++;
	}
	~Guard()
	{
		depth--;
	}
};

__attribute__((noinline)) static int risky(int x)
{
	if (x % 7 == 0)
		throw std::runtime_error("seven");
	if (x % 4 == 0)
		throw x;
	return x;
}

static int depth;

__attribute__((noinline)) static int attempt(int x)
{
	try {
		Guard guard(depth);
		int first = risky(x);
		Guard second(depth);
		return first + risky(x + 1) + depth;
	} catch (const std::exception &error) {
		return error.what()[0];
	} catch (int value) {
		return -value;
	}
}

int main()
{
	int sum = 0;
	for (int x = 0; x < 60; x++)
		sum += attempt(x);
	std::printf("%d %d\n", sum, depth);
	return 0;
}
