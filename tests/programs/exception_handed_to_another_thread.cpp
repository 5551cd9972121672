// flags: -pthread
// calls: main=1 _ZL4faili=10 worker=10
// Caught in one thread, kept, and thrown again in another.
#include <cstdio>
#include <exception>
#include <pthread.h>

static std::exception_ptr kept;

__attribute__((noinline)) static int fail(int x)
{
	if (x % 3 == 0)
		throw x;
	return x;
}

extern "C" __attribute__((noinline)) void *worker(void *x)
{
	try {
		fail((int)(long)x);
	} catch (...) {
		kept = std::current_exception();
	}
	return nullptr;
}

int main()
{
	int sum = 0;
	for (long x = 0; x < 10; x++) {
		pthread_t thread;
		pthread_create(&thread, nullptr, worker, (void *)x);
		pthread_join(thread, nullptr);
		try {
			if (kept)
				std::rethrow_exception(kept);
			sum += 100;
		} catch (int value) {
			sum += value;
		}
		kept = nullptr;
	}
	std::printf("%d\n", sum);
	return 0;
}
