/* Counts before the runtime's start: while the program is relocated, before all constructors, and
 * in the earliest of them. It says itself how often each function ran. */
#include <stdio.h>

#include "tally.h"

int last_step(int n);
void mark_room(void);
int marks_left(void);
extern int last_steps;

static int helped, steps, prepared;

__attribute__((noinline)) static int first_step(int n)
{
	steps++;
	return n > 3 ? n + 1 : 2 * n;
}

static int twice(int n)
{
	return 2 * n;
}

typedef int operation(int);

__attribute__((noinline)) static int helper(void)
{
	return ++helped;
}

/* Not counted itself. */
__attribute__((used)) static operation *resolve(void)
{
	return helper() ? twice : NULL;
}

int chosen(int n) __attribute__((ifunc("resolve")));

static void prepare(void)
{
	prepared++;
	mark_room();
	for (int i = 0; i < 9; i++)
		first_step(last_step(i));
}

__attribute__((section(".preinit_array"), used)) static void (*const before_all)(void) = prepare;

__attribute__((constructor(0))) static void begin(void)
{
	for (int i = 0; i < 5; i++)
		last_step(first_step(i));
}

int main(void)
{
	first_step(chosen(1));
	TALLY(helper, helped);
	TALLY(twice, 1);
	TALLY(prepare, prepared);
	TALLY(begin, 1);
	TALLY(first_step, steps);
	TALLY(last_step, last_steps);
	TALLY(mark_room, 1);
	return marks_left() != 0;
}
