// flags: -pthread
// calls: main=1 run=2 worker=8 step=800
// left_early: main=-1
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static int step(int n)
{
	return n & 1 ? n : 2;
}

static void *worker(void *sum)
{
	for (int i = 0; i < 100; i++)
		__atomic_fetch_add((int *)sum, step(i), __ATOMIC_RELAXED);
	return NULL;
}

__attribute__((noinline)) static int run(void)
{
	pthread_t thread[4];
	int sum = 0;
	for (int i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, worker, &sum);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	return sum;
}

int main(void)
{
	int status;
	pid_t child = fork();
	int sum = run();
	if (child == 0)
		_exit(sum & 127);
	waitpid(child, &status, 0);
	printf("%d %d\n", sum, WEXITSTATUS(status));
	return 0;
}
