// calls: main=1 generation=1 work=20
// left_early: main=1 generation=-19
// Each process makes the next one and waits for it: twenty in a row.
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

__attribute__((noinline)) static void generation(void)
{
	for (int n = 1; n <= 20; n++) {
		printf("%d\n", work(n));
		fflush(stdout);
		if (n == 20)
			_exit(0);
		pid_t child = fork();
		if (child > 0) {
			waitpid(child, NULL, 0);
			_exit(n);
		}
	}
}

int main(void)
{
	generation();
	return 0;
}
