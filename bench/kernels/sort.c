/* Heap sort: short loops, whose branches depend on the data and are seldom predicted. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void fill(uint32_t *values, size_t count)
{
	uint32_t state = 1;
	for (size_t i = 0; i < count; i++) {
		state = state * 1664525 + 1013904223;
		values[i] = state ^ state >> 15;
	}
}

static void sift(uint32_t *values, size_t root, size_t count)
{
	uint32_t moving = values[root];
	size_t child;
	while ((child = 2 * root + 1) < count) {
		if (child + 1 < count && values[child + 1] > values[child])
			child++;
		if (values[child] <= moving)
			break;
		values[root] = values[child];
		root = child;
	}
	values[root] = moving;
}

static void sort(uint32_t *values, size_t count)
{
	for (size_t root = count / 2; root-- > 0;)
		sift(values, root, count);
	for (size_t last = count; last-- > 1;) {
		uint32_t largest = values[0];
		values[0] = values[last];
		values[last] = largest;
		sift(values, 0, last);
	}
}

int main(int argc, char **argv)
{
	size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
	uint32_t *values = calloc(count + 1, sizeof(*values));
	uint32_t sum = 0;
	if (!values)
		return 1;
	fill(values, count);
	sort(values, count);
	for (size_t i = 0; i < count; i++)
		sum = sum * 31 + values[i];
	printf("%u\n", sum);
	free(values);
	return 0;
}
