// calls: main=1 square=10 chosen=10 first=11 down=10 nested=9 steps=10 twice=10
// Before the optimiser these loops count in each iteration; their counts leave them later. Some of
// them run no iteration, one, or end in the middle.
#include <stdio.h>

static unsigned numbers[64];

__attribute__((noinline)) static unsigned square(unsigned n)
{
	unsigned sum = 0;
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < n; k++)
			sum += i ^ numbers[k];
	return sum;
}

/* What some iterations count goes into registers. */
__attribute__((noinline)) static unsigned chosen(unsigned n)
{
	unsigned odd = 0, many = 0;
	for (unsigned i = 0; i < n; i++) {
		if (numbers[i] & 1)
			odd += numbers[i];
		if (numbers[i] > 100)
			many++;
	}
	return odd * 100 + many;
}

/* Left in the middle: the number of iterations is not known where it is entered. */
__attribute__((noinline)) static int first(unsigned wanted)
{
	for (int i = 0; i < 64; i++)
		if (numbers[i] >= wanted)
			return i;
	return -1;
}

__attribute__((noinline)) static unsigned down(unsigned char n)
{
	unsigned sum = 0;
	do
		sum += numbers[n & 63];
	while (n-- > 0);
	return sum;
}

/* The inner loop's length is another one each time. */
__attribute__((noinline)) static unsigned nested(unsigned n)
{
	unsigned sum = 0;
	for (unsigned i = 0; i < n; i++) {
		for (unsigned k = i; k < n; k++)
			if ((numbers[k] ^ i) & 2)
				sum += k;
		for (unsigned k = 0; k < i; k += 3)
			sum ^= numbers[k];
	}
	return sum;
}

/* Two exits, both of which compare with a fixed number. */
__attribute__((noinline)) static unsigned steps(unsigned n, unsigned max)
{
	unsigned sum = 0;
	for (unsigned i = 0; i < n; i++) {
		if (i == max)
			break;
		sum += numbers[i] * 3;
	}
	return sum;
}

/* Unrolled, with the same counter in each copy. */
__attribute__((noinline)) static unsigned twice(unsigned n)
{
	unsigned sum = 0;
	for (unsigned i = 0; i < 8; i++)
		if (numbers[i + n] & 4)
			sum += n;
	return sum;
}

int main(void)
{
	unsigned sum = 0;
	for (unsigned i = 0; i < 64; i++)
		numbers[i] = (i * 37 + 11) % 128;
	for (unsigned n = 0; n < 10; n++) {
		sum = sum * 5 + square(n);
		sum += chosen(n * 7) + (unsigned)first(n * 14) + down((unsigned char)(n * 20));
		sum += steps(n * 3, 10) + twice(n * 5);
		if (n)
			sum += nested(n * 2);
	}
	printf("%u %d\n", sum, first(1000));
	return 0;
}
