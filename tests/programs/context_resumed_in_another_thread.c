// flags: -pthread
// calls: main=1 resume=7 body=1 hop=6 step=42
// A coroutine that goes on in one thread after another, while those that ran it before have ended.
#include <pthread.h>
#include <stdio.h>
#include <ucontext.h>

static ucontext_t owner, coroutine;
static char stack[64 * 1024];
static int sum;

__attribute__((noinline)) static int step(int n)
{
	return n & 1 ? n : 4;
}

__attribute__((noinline)) static void hop(void)
{
	swapcontext(&coroutine, &owner);
}

static void body(void)
{
	for (int turn = 0; turn < 6; turn++) {
		for (int i = 0; i < 7; i++)
			sum += step(i + turn);
		hop();
	}
}

static void *resume(void *unused)
{
	swapcontext(&owner, &coroutine);
	return unused;
}

int main(void)
{
	getcontext(&coroutine);
	coroutine.uc_stack.ss_sp = stack;
	coroutine.uc_stack.ss_size = sizeof(stack);
	coroutine.uc_link = &owner;
	makecontext(&coroutine, body, 0);
	for (int i = 0; i < 7; i++) {
		pthread_t thread;
		pthread_create(&thread, NULL, resume, NULL);
		pthread_join(thread, NULL);
	}
	printf("%d\n", sum);
	return 0;
}
