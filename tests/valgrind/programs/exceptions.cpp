// Exceptions through frames with destructors.
#include <cstdio>
struct Guard {
	int &count;
	~Guard() { count++; }
};
static int destroyed;
__attribute__((noinline)) static void thrower(int n)
{
	Guard guard{destroyed};
	if (n == 0)
		throw 42;
	thrower(n - 1);
}
int main()
{
	int sum = 0;
	for (int i = 0; i < 20; i++)
		try {
			thrower(i);
		} catch (int value) {
			sum += value;
		}
	std::printf("%d %d\n", sum, destroyed);
	return 0;
}
