// flags: -pthread
// calls: main=1 worker=4 turn=46 tidy=4
// left_early: worker=4 turn=4
// Each thread asks for its own end while it cannot be had, so that the turn that acts on it is known.
#include <pthread.h>
#include <stdio.h>

static int turns, tidied;

static void tidy(void *amount)
{
	__atomic_fetch_add(&tidied, *(long *)amount, __ATOMIC_RELAXED);
}

__attribute__((noinline)) static void turn(long i, long last)
{
	int before;
	if (i == last)
		pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &before);
	pthread_testcancel();
	__atomic_fetch_add(&turns, i & 1 ? 1 : 10, __ATOMIC_RELAXED);
}

static void *worker(void *last)
{
	int before;
	long amount = (long)last;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	pthread_cancel(pthread_self());
	pthread_cleanup_push(tidy, &amount);
	for (long i = 0;; i++)
		turn(i, amount);
	pthread_cleanup_pop(0);
	return NULL;
}

int main(void)
{
	pthread_t thread[4];
	int cancelled = 0;
	for (long i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, worker, (void *)(3 + 5 * i));
	for (int i = 0; i < 4; i++) {
		void *result;
		pthread_join(thread[i], &result);
		cancelled += result == PTHREAD_CANCELED;
	}
	printf("%d %d %d\n", turns, tidied, cancelled);
	return 0;
}
