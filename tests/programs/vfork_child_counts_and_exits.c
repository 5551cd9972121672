// calls: main=1 start=5 work=10
// The child of vfork counts where its parent counts, and its _exit ends nothing of the parent's.
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static int work(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += i % 3 ? i : 1;
	return sum;
}

__attribute__((noinline)) static int start(int n)
{
	int status = 0;
	pid_t child = vfork();
	if (child == 0)
		_exit(work(n) & 127);
	waitpid(child, &status, 0);
	return WEXITSTATUS(status) + work(2 * n);
}

int main(void)
{
	for (int n = 0; n < 5; n++)
		printf("%d\n", start(n));
	return 0;
}
