// calls: main=1 _ZL3topi=30 _ZL6middlei=63 _ZL6bottomi=90
// left_early: _ZL3topi=24 _ZL6middlei=24
#include <cstdio>

static volatile int sink;

__attribute__((noinline)) static int bottom(int x)
{
	if (x % 5 == 4)
		throw x;
	return x;
}

__attribute__((noinline)) static int middle(int x)
{
	int sum = bottom(x);
	if (x & 1)
		sum += bottom(x + 2);
	sink = sum;
	return sum;
}

__attribute__((noinline)) static int top(int x)
{
	int sum = 0;
	for (int i = 0; i < 3; i++)
		sum += middle(x + i);
	sink = sum;
	return sum;
}

int main()
{
	int caught = 0;
	for (int x = 0; x < 30; x++) {
		try {
			top(x);
		} catch (int) {
			caught++;
		}
	}
	std::printf("%d\n", caught);
	return 0;
}
