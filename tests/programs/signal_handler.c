// calls: handler=10
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t caught;

static void handler(int number)
{
	if (number == SIGUSR1)
		caught++;
}

int main(void)
{
	signal(SIGUSR1, handler);
	for (int i = 0; i < 10; i++)
		raise(SIGUSR1);
	printf("%d\n", (int)caught);
	return 0;
}
