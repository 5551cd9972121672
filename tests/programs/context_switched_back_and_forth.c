// calls: main=1 numbers=1 produce=6
// left_early: numbers=1 produce=1
// Coroutines on stacks of their own; the last activation is never resumed.
#include <stdio.h>
#include <ucontext.h>

static ucontext_t consumer, producer;
static char stack[64 * 1024];
static int value;

__attribute__((noinline)) static void produce(int x)
{
	value = x;
	swapcontext(&producer, &consumer);
}

static void numbers(void)
{
	for (int x = 1;; x++)
		produce(x & 1 ? x : -x);
}

int main(void)
{
	int sum = 0;
	getcontext(&producer);
	producer.uc_stack.ss_sp = stack;
	producer.uc_stack.ss_size = sizeof(stack);
	producer.uc_link = &consumer;
	makecontext(&producer, numbers, 0);
	for (int i = 0; i < 6; i++) {
		swapcontext(&consumer, &producer);
		sum = 3 * sum + value;
	}
	printf("%d\n", sum);
	return 0;
}
