// Constructors run before the runtime's own, destructors after main; all of them count.
// calls: first=1 early=1 usual=1 note=9
#include <stdio.h>

static int order[16], used;

__attribute__((noinline)) static void note(int value)
{
	if (used < 16)
		order[used++] = value;
}

__attribute__((constructor(0))) static void first(void)
{
	note(0);
}

__attribute__((constructor(1))) static void second(void)
{
	note(1);
}

__attribute__((constructor(100))) static void early(void)
{
	for (int i = 0; i < 2; i++)
		note(100);
}

__attribute__((constructor(101))) static void after(void)
{
	note(101);
}

__attribute__((constructor(200))) static void later(void)
{
	note(200);
}

__attribute__((constructor)) static void usual(void)
{
	note(65535);
}

__attribute__((destructor(0))) static void last(void)
{
	for (int i = 0; i < used; i++)
		printf("%d ", order[i]);
	printf("\n");
}

__attribute__((destructor)) static void before_last(void)
{
	note(-1);
}

int main(void)
{
	note(7);
	return 0;
}
