#include <cstdio>
#include <thread>
#include <vector>

__attribute__((noinline)) static int step(int n)
{
	return n % 3 ? n : -n;
}

static void work(int *total)
{
	int sum = 0;
	for (int i = 0; i < 200000; i++)
		sum += step(i) & 7;
	*total = sum;
}

int main()
{
	std::vector<std::thread> threads;
	int total[4];
	for (int &one : total)
		threads.emplace_back(work, &one);
	for (std::thread &thread : threads)
		thread.join();
	std::printf("%d\n", total[0] + total[1] + total[2] + total[3]);
	return 0;
}
