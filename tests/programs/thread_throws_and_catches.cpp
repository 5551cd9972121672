// flags: -pthread
// calls: main=1 _ZL7descendii=220
// left_early: _ZL7descendii=180
#include <cstdio>
#include <pthread.h>

__attribute__((noinline)) static int descend(int depth, int value)
{
	if (depth == 0)
		throw value;
	return descend(depth - 1, value) + 1;
}

static void *worker(void *result)
{
	for (int i = 0; i < 10; i++) {
		try {
			descend(i, i);
		} catch (int value) {
			*static_cast<int *>(result) += value;
		}
	}
	return nullptr;
}

int main()
{
	pthread_t thread[4];
	int result[4] = {0}, sum = 0;
	for (int i = 0; i < 4; i++)
		pthread_create(&thread[i], nullptr, worker, &result[i]);
	for (int i = 0; i < 4; i++) {
		pthread_join(thread[i], nullptr);
		sum += result[i];
	}
	std::printf("%d\n", sum);
	return 0;
}
