// calls: main=1 child=4 work=8
// A child that shares the memory but not the stack, while its parent waits: what posix_spawn is made of.
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>

static char stack[65536] __attribute__((aligned(16)));

__attribute__((noinline)) static int work(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += i & 1 ? i : 3;
	return sum;
}

static int child(void *n)
{
	return work((int)(long)n) & 127;
}

int main(void)
{
	for (long n = 1; n <= 4; n++) {
		int status = 0;
		int process = clone(
			child, stack + sizeof(stack), CLONE_VM | CLONE_VFORK | SIGCHLD, (void *)n);
		waitpid(process, &status, 0);
		printf("%d %d\n", WEXITSTATUS(status), work(10 * n));
	}
	return 0;
}
