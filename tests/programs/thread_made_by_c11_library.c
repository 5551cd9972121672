// flags: -pthread
// calls: main=1 worker=6 step=150
// The C library makes these threads by itself: nobody calls pthread_create.
#include <stdio.h>
#include <threads.h>

static mtx_t lock;
static int sum;

__attribute__((noinline)) static int step(int n)
{
	return n & 2 ? n : -1;
}

static int worker(void *count)
{
	for (long i = 0; i < (long)count; i++) {
		mtx_lock(&lock);
		sum += step(i);
		mtx_unlock(&lock);
	}
	return (int)(long)count;
}

int main(void)
{
	thrd_t thread[6];
	int result, total = 0;
	mtx_init(&lock, mtx_plain);
	for (long i = 0; i < 6; i++)
		thrd_create(&thread[i], worker, (void *)(10 * i));
	for (int i = 0; i < 6; i++) {
		thrd_join(thread[i], &result);
		total += result;
	}
	printf("%d %d\n", sum, total);
	return 0;
}
