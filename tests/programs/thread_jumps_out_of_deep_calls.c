// flags: -pthread
// calls: main=1 worker=4 descend=400
// left_early: worker=40 descend=360
// Every thread jumps on its own stack, at the same time as the others.
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>

static __thread jmp_buf context;

__attribute__((noinline)) static int descend(int depth)
{
	if (depth == 0)
		longjmp(context, 1);
	return descend(depth - 1) + 1;
}

static void *worker(void *result)
{
	for (volatile int i = 0; i < 10; i++)
		if (setjmp(context) == 0)
			descend(9);
		else
			++*(int *)result;
	return NULL;
}

int main(void)
{
	pthread_t thread[4];
	int jumps[4] = {0}, sum = 0;
	for (int i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, worker, &jumps[i]);
	for (int i = 0; i < 4; i++) {
		pthread_join(thread[i], NULL);
		sum += jumps[i];
	}
	printf("%d\n", sum);
	return 0;
}
