// calls: main=1 body=5 pause_in=15
// left_early: body=3 pause_in=3
// Five coroutines with three stops each; two run to their end, three are forgotten at a stop.
#include <stdio.h>
#include <ucontext.h>

static ucontext_t scheduler, task[5];
static char stack[5][64 * 1024];
static int trace;

__attribute__((noinline)) static void pause_in(int number, int stop)
{
	trace = 3 * trace + (stop & 1 ? number : 1);
	trace &= 0xfffff;
	swapcontext(&task[number], &scheduler);
}

static void body(int number)
{
	for (int stop = 0; stop < 3; stop++)
		pause_in(number, stop);
}

static void make(int number)
{
	getcontext(&task[number]);
	task[number].uc_stack.ss_sp = stack[number];
	task[number].uc_stack.ss_size = sizeof(stack[number]);
	task[number].uc_link = &scheduler;
	makecontext(&task[number], (void (*)(void))body, 1, number);
}

int main(void)
{
	for (int i = 0; i < 5; i++)
		make(i);
	for (int round = 0; round < 4; round++)
		for (int i = 0; i < (round < 3 ? 5 : 2); i++)
			swapcontext(&scheduler, &task[i]);
	printf("%d\n", trace);
	return 0;
}
