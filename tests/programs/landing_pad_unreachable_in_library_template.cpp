// Without optimisation clang leaves landing pads without predecessors in what make_shared calls.
// levels: -O0
// calls: main=1 _ZL4sumsi=4
#include <cstdio>
#include <memory>

__attribute__((noinline)) static int sums(int n)
{
	auto total = std::make_shared<int>(0);
	for (int i = 0; i < n; i++)
		*total += i;
	return *total;
}

int main()
{
	int sum = 0;
	for (int i = 0; i < 4; i++)
		sum += sums(i);
	std::printf("%d\n", sum);
}
