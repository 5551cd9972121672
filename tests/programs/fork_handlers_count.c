// flags: -pthread
// calls: main=1 prepare=6 in_parent=6 in_child=6 step=54
// left_early: main=-6
// What pthread_atfork() was told runs while the process is being split.
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int sum;

__attribute__((noinline)) static int step(int n)
{
	return n & 1 ? n : 2;
}

static void repeat(int count)
{
	for (int i = 0; i < count; i++)
		sum += step(i);
}

static void prepare(void)
{
	repeat(2);
}

static void in_parent(void)
{
	repeat(3);
}

static void in_child(void)
{
	repeat(4);
}

int main(void)
{
	int status, statuses = 0;
	pthread_atfork(prepare, in_parent, in_child);
	for (int i = 0; i < 6; i++) {
		pid_t process = fork();
		if (process == 0)
			_exit(sum & 127);
		waitpid(process, &status, 0);
		statuses += WEXITSTATUS(status);
	}
	printf("%d %d\n", sum, statuses);
	return 0;
}
