/* The optimiser leads control around a condition whose answer is known there, from the condition in front of it to one
 * that asks the same again. */
#include <stdio.h>

static volatile int done;

__attribute__((noinline)) static void push(int x)
{
	done += x;
}

__attribute__((noinline)) static int resolve(int x)
{
	done ^= x;
	return (x & 7) > 4;
}

__attribute__((noinline)) static int update(const int *view, int x)
{
	int from = resolve(x), is_view = *view == 2;
	if (is_view && resolve(x))
		return x;
	if (from == 0 && is_view)
		push(x);
	if (from == 0 && resolve(x))
		return x;
	push(1);
	return x;
}

int main(void)
{
	int sum = 0;
	for (int i = 0; i < 64; i++) {
		int view = (i & 1) * 2;
		sum += update(&view, i * 3);
	}
	printf("%d\n", sum);
	return 0;
}
