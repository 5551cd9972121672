/* Loops, recursion, a switch and calls through pointers; each call returns to its caller. */
#include <stdio.h>

static int twice(int value)
{
	return 2 * value;
}

static int half(int value)
{
	return value / 2;
}

static int (*const changes[])(int) = {twice, half};

static __attribute__((noinline)) int choose(int value)
{
	switch (value % 7) {
	case 0:
		return 3;
	case 1:
		return value + 8;
	case 2:
		return 1;
	case 3:
		return value ^ 5;
	case 4:
		return -value;
	case 5:
		return 9;
	default:
		return value;
	}
}

static __attribute__((noinline)) int depth(int value)
{
	return value < 2 ? 1 : 1 + depth(value % 3 ? value - 1 : value / 3);
}

int main(void)
{
	long sum = 0;
	for (int i = 0; i < 400; i++) {
		for (int j = i % 5; j > 0; j--)
			sum += j & 1 ? i : -j;
		sum += choose(i) + depth(i % 40) + changes[i % 3 == 0](i);
	}
	return printf("%ld\n", sum) < 0;
}
