// What counts a child from its start on has to live with the stack of the thread that forked.
// flags: -pthread
// calls: main=1 run=1 work=3
// left_early: run=-1
#define _GNU_SOURCE
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static int work(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += i & 1 ? i : 1;
	return sum;
}

__attribute__((noinline)) static void *run(void *status)
{
	pid_t child = fork();
	if (child == 0)
		_exit(work(10) & 127);
	waitpid(child, status, 0);
	return NULL;
}

int main(void)
{
	int status = -1, before = work(5);
	pthread_attr_t attributes;
	pthread_t thread;
	pthread_attr_init(&attributes);
	if (pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN) ||
		pthread_create(&thread, &attributes, run, &status))
		return 1;
	pthread_join(thread, NULL);
	printf("%d %x %d\n", before, status, work(20));
	return 0;
}
