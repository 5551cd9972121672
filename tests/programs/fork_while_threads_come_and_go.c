// flags: -pthread
// calls: main=1 maker=1 short_thread=800 child=200 step=2000
// left_early: main=0
// A child is made at any moment of another thread's life, and makes a thread itself. In main, fork comes
// back once more for each call of child() that does not.
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static int step(int n)
{
	return n & 1 ? n : 2;
}

static void *short_thread(void *value)
{
	*(int *)value += step(*(int *)value) + step(1);
	return NULL;
}

static int run_thread(int value)
{
	pthread_t thread;
	pthread_create(&thread, NULL, short_thread, &value);
	pthread_join(thread, NULL);
	return value;
}

static void *maker(void *sum)
{
	for (int i = 0; i < 600; i++)
		*(int *)sum += run_thread(i);
	return NULL;
}

static void child(int i)
{
	_exit((step(i) + step(i + 1) + run_thread(i)) & 127);
}

int main(void)
{
	pthread_t thread;
	int status, made = 0, sum = 0;
	pthread_create(&thread, NULL, maker, &made);
	for (int i = 0; i < 200; i++) {
		pid_t process = fork();
		if (process == 0)
			child(i);
		waitpid(process, &status, 0);
		sum += WEXITSTATUS(status);
	}
	pthread_join(thread, NULL);
	printf("%d %d\n", made, sum);
	return 0;
}
