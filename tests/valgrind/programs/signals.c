/* Handlers that return, one that is interrupted, one that jumps out, and one on a stack of its own. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile int count;
static sigjmp_buf out;

static void simple(int signal)
{
	count += signal == SIGUSR1 ? 1 : 100;
	if (signal == SIGUSR1)
		raise(SIGUSR2);
}

static void jumps(int signal)
{
	(void)signal;
	siglongjmp(out, 1);
}

int main(void)
{
	static char memory[1 << 16];
	stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
	sigaltstack(&stack, NULL);
	struct sigaction other = {.sa_handler = simple, .sa_flags = SA_ONSTACK};
	signal(SIGUSR1, simple);
	sigaction(SIGUSR2, &other, NULL);
	signal(SIGSEGV, jumps);
	for (int i = 0; i < 50; i++)
		raise(SIGUSR1);
	for (int i = 0; i < 5; i++)
		if (sigsetjmp(out, 1) == 0)
			*(volatile int *)0 = 1;
	printf("%d\n", count);
	return 0;
}
