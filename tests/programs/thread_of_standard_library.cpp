// build: $PLAIN -c $SRC/plain/wait_until_threads.c -o wait.o
// build: $CXX $FLAGS $SRC/thread_of_standard_library.cpp wait.o -o program
// flags: -pthread
// calls: main=1 _ZL4stepi=220
// Results are asked for when all are there: how often a waiting thread looks is a matter of time.
#include <cstdio>
#include <future>
#include <thread>
#include <vector>

extern "C" void wait_until_threads(int wanted);

__attribute__((noinline)) static int step(int n)
{
	return n % 3 ? n : -n;
}

static int sum(int count)
{
	int total = 0;
	for (int i = 0; i < count; i++)
		total += step(i);
	return total;
}

int main()
{
	std::vector<std::thread> threads;
	std::vector<std::future<int>> futures;
	int result[5], total = 0;
	for (int i = 0; i < 5; i++)
		threads.emplace_back([&result, i] { result[i] = sum(10 + i); });
	for (int i = 0; i < 5; i++)
		futures.push_back(std::async(std::launch::async, sum, 30 + i));
	wait_until_threads(1);
	for (int i = 0; i < 5; i++) {
		threads[i].join();
		total += result[i] + futures[i].get();
	}
	std::printf("%d\n", total);
	return 0;
}
