// The trip count is computable on entry, also when it is zero or the bound is unsigned.
// calls: fill=50 sum_down=50 strided=50
#include <stdio.h>

static unsigned data[1000];

__attribute__((noinline)) static void fill(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		data[i] = data[i] * 5 + i;
}

__attribute__((noinline)) static unsigned sum_down(int n)
{
	unsigned sum = 0;
	for (int i = n - 1; i >= 0; i--)
		sum = sum * 31 + data[i];
	return sum;
}

__attribute__((noinline)) static unsigned strided(long from, long to)
{
	unsigned sum = 0;
	for (long i = from; i < to; i += 3)
		sum += data[i] ^ sum >> 3;
	return sum;
}

int main(void)
{
	unsigned sum = 0;
	for (int n = 0; n < 50; n++) {
		fill((unsigned)n * 20);
		sum += sum_down(n * 7) + strided(n, 100 - n);
	}
	printf("%u\n", sum);
	return 0;
}
