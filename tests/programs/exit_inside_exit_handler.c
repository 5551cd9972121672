// calls: main=1 first=1 second=1 leave=1
// left_early: second=1
// The handlers that are left still run, and the status is the last one.
#include <stdio.h>
#include <stdlib.h>

static void first(void)
{
	puts("first");
}

__attribute__((noinline)) static void leave(int status)
{
	if (status > 3)
		exit(status);
	puts("not reached");
}

static void second(void)
{
	for (int i = 0; i < 3; i++)
		putchar('a' + i);
	leave(7);
	puts("not reached");
}

int main(void)
{
	atexit(first);
	atexit(second);
	return 1;
}
