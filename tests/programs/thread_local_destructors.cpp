// flags: -pthread
// calls: main=1 _ZL4workl=6 _ZL4stepi=315
// Objects of a thread are destroyed after its function has returned, those of main inside exit.
#include <cstdio>
#include <pthread.h>

static int sum;

__attribute__((noinline)) static int step(int n)
{
	return n & 4 ? n : 1;
}

struct Tally {
	int count = 0;
	~Tally()
	{
		for (int i = 0; i < 3 * count; i++)
			__atomic_fetch_add(&sum, step(i), __ATOMIC_RELAXED);
	}
};

static thread_local Tally tally;

__attribute__((noinline)) static void work(long n)
{
	for (tally.count = 0; tally.count < n; tally.count++)
		__atomic_fetch_add(&sum, 1, __ATOMIC_RELAXED);
}

static void *worker(void *n)
{
	work((long)n);
	return nullptr;
}

int main()
{
	pthread_t thread[5];
	for (long i = 0; i < 5; i++)
		pthread_create(&thread[i], nullptr, worker, (void *)(10 * i));
	for (int i = 0; i < 5; i++)
		pthread_join(thread[i], nullptr);
	work(5);
	std::printf("%d\n", sum);
	return 0;
}
