// calls: main=1 work=2
// left_early: main=-1
// The child goes on counting when its parent is gone and has been waited for.
#include <stdio.h>
#include <unistd.h>

__attribute__((noinline)) static int work(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += i & 2 ? i : 1;
	return sum;
}

int main(void)
{
	int alive[2];
	char nothing;
	if (pipe(alive))
		return 1;
	pid_t child = fork();
	if (child > 0)
		return work(7) & 127;
	close(alive[1]);
	if (read(alive[0], &nothing, 1) == 0)
		printf("alone %d\n", work(1000));
	return 0;
}
