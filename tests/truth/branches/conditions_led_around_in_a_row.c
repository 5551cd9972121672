/* Where both pointers are known to be null, the optimiser leads control around the two conditions that ask for them, to
 * where the condition in front of them leads, too. */
#include <stdio.h>

static volatile int done;

__attribute__((noinline)) static int push(int x)
{
	done += x;
	return x;
}

__attribute__((noinline)) static int resolve(int x)
{
	done ^= x;
	return (x & 7) > 4;
}

__attribute__((noinline)) static int update(const int *quick, const int *order, const int *limit, int x)
{
	int sum = 0, other = 0, is_quick = quick[0];
	if (resolve(x))
		push(x);
	if (resolve(x)) {
		push(x + !order);
		order = 0;
		limit = 0;
	} else {
		other += push(2);
	}
	if (is_quick && is_quick)
		goto cleanup;
	if (order)
		sum += *order;
	if (limit)
		other += *limit;
cleanup:
	return sum + other;
}

int main(int argc, char **argv)
{
	int sum = 0, one = argc;
	(void)argv;
	for (int i = 0; i < 64; i++) {
		int quick[2] = {i & 1, i & 1};
		sum += update(quick, i & 8 ? &one : 0, i & 16 ? &one : 0, i * 3);
	}
	printf("%d\n", sum);
	return 0;
}
