// calls: main=1 start=3
// The child of vfork runs, and counts, in its parent's memory and on its stack. No call counts as left
// early: the block of execl ends in _exit, and does not go on either way.
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static int start(const char *name)
{
	int status = 0;
	pid_t child = vfork();
	if (child == 0) {
		execl(name, name, NULL);
		_exit(9);
	}
	waitpid(child, &status, 0);
	return WEXITSTATUS(status);
}

int main(void)
{
	const char *name[] = {"/bin/false", "/bin/true", "/no/such/program"};
	for (int i = 0; i < 3; i++)
		printf("%d\n", start(name[i]));
	return 0;
}
