// calls: main=1 stop=4 handler=1 report=1
// left_early: main=1
// atexit handlers and destructors run, and count, after main's frame was abandoned.
#include <stdio.h>
#include <stdlib.h>

static int events;

static void handler(void)
{
	for (int i = 0; i < 5; i++)
		events++;
}

__attribute__((destructor)) static void report(void)
{
	printf("%d\n", events);
}

__attribute__((noinline)) static void stop(int n)
{
	if (n > 2)
		exit(n);
	events++;
}

int main(void)
{
	atexit(handler);
	for (int n = 0; n < 10; n++)
		stop(n);
	return 0;
}
