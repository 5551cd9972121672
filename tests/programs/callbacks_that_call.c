// Functions called by the C library call others, in tail position or not: where they are called from does not
// become where they called last.
// calls: main=1 on_signal=2 note=4
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static volatile int signals;

__attribute__((noinline)) static int weigh(int value)
{
	return value * 37 % 101;
}

__attribute__((noinline)) static int compare(int left, int right)
{
	return (left > right) - (left < right);
}

/* Its last call is a jump. */
__attribute__((noinline)) static int by_weight(const void *left, const void *right)
{
	int a = weigh(*(const int *)left), b = weigh(*(const int *)right);
	return compare(a, b);
}

__attribute__((noinline)) static int by_value(const void *left, const void *right)
{
	int order = compare(*(const int *)left, *(const int *)right);
	signals += order == 0;
	return order;
}

__attribute__((noinline)) static void note(int number)
{
	signals += weigh(number) > 0;
}

static void on_signal(int number)
{
	note(number);
	note(number + 1);
}

int main(void)
{
	int values[40];
	for (int i = 0; i < 40; i++)
		values[i] = i * 29 % 40;
	signal(SIGUSR1, on_signal);
	qsort(values, 40, sizeof *values, by_weight);
	raise(SIGUSR1);
	qsort(values, 40, sizeof *values, by_value);
	raise(SIGUSR1);
	int key = 17, *found = bsearch(&key, values, 40, sizeof *values, by_value);
	printf("%d %d %d\n", found ? *found : -1, weigh(values[39]), signals > 0);
	return 0;
}
