// flags: -pthread
// calls: main=1
// left_early: _ZL5outeri=1
// pthread_exit unwinds the stack: destructors run, handlers that catch everything pass it on.
#include <cstdio>
#include <pthread.h>

static int released;

struct resource {
	~resource()
	{
		released++;
	}
};

__attribute__((noinline)) static int inner(int n)
{
	if (n == 7)
		pthread_exit(&released);
	return n;
}

__attribute__((noinline)) static int outer(int n)
{
	return inner(n) + 1;
}

static void *worker(void *unused)
{
	resource first;
	for (int n = 0; n < 10; n++) {
		resource second;
		try {
			released += outer(n) & 1;
		} catch (...) {
			released += 100;
			throw;
		}
	}
	return unused;
}

int main()
{
	void *result;
	pthread_t thread;
	pthread_create(&thread, nullptr, worker, nullptr);
	pthread_join(thread, &result);
	std::printf("%d\n", *static_cast<int *>(result));
	return 0;
}
