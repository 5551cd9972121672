/* Order by weight: a radix sort, byte by byte from the lowest, which keeps equal ones in order.
 *
 * Numbers in IEEE format compare like integers once the sign bit of positive ones and all bits of
 * negative ones are inverted. The upper half of these keys comes first; only where it is the same
 * does the lower half matter. Bytes in which all keys agree are skipped. Few are sorted by
 * insertion. Sorting by comparison was the larger part of planning. */
#include "core/base/order.h"

#include <string.h>

enum { DIGITS = sizeof(uint32_t), DIGIT_VALUES = 256, FEW = 24 };

struct keyed {
	uint32_t key; /* one half of it */
	uint32_t index;
};

struct sorting {
	const double *weight;
	bool rising;
	struct keyed *items;
	struct keyed *other; /* room for as many */
};

static uint64_t key_of(const struct sorting *sorting, uint32_t index)
{
	uint64_t bits, sign = (uint64_t)1 << 63;
	double positive_zero = sorting->weight[index] + 0.0;
	memcpy(&bits, &positive_zero, sizeof bits);
	bits = bits & sign ? ~bits : bits | sign;
	return sorting->rising ? bits : ~bits;
}

static uint32_t digit_of(uint32_t key, int digit)
{
	return key >> (8 * digit) & (DIGIT_VALUES - 1);
}

static void sort_few(struct keyed *items, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		struct keyed item = items[i];
		uint32_t at = i;
		for (; at && items[at - 1].key > item.key; at--)
			items[at] = items[at - 1];
		items[at] = item;
	}
}

/* Moves the items to the other array, by this digit; `count` says how many items have each of its
 * values. */
static void move_by_digit(
	const struct keyed *from, struct keyed *to, uint32_t items, int digit, uint32_t *count)
{
	uint32_t next = 0;
	for (int value = 0; value < DIGIT_VALUES; value++) {
		uint32_t here = count[value];
		count[value] = next;
		next += here;
	}
	for (uint32_t i = 0; i < items; i++)
		to[count[digit_of(from[i].key, digit)]++] = from[i];
}

static void sort_many(struct keyed *items, struct keyed *other, uint32_t count)
{
	struct keyed *from = items;
	uint32_t values[DIGITS][DIGIT_VALUES] = {0};
	for (uint32_t i = 0; i < count; i++)
		for (int digit = 0; digit < DIGITS; digit++)
			values[digit][digit_of(items[i].key, digit)]++;
	for (int digit = 0; digit < DIGITS; digit++) {
		struct keyed *to = from == items ? other : items;
		if (values[digit][digit_of(from[0].key, digit)] == count)
			continue;
		move_by_digit(from, to, count, digit, values[digit]);
		from = to;
	}
	if (from != items)
		memcpy(items, from, count * sizeof *items);
}

static void sort(struct sorting *sorting, uint32_t first, uint32_t count)
{
	if (count <= FEW)
		sort_few(sorting->items + first, count);
	else
		sort_many(sorting->items + first, sorting->other, count);
}

/* Sorts by the lower half the items that agree in the upper. */
static void refine(struct sorting *sorting, uint32_t first, uint32_t count)
{
	for (uint32_t i = first; i < first + count; i++)
		sorting->items[i].key = (uint32_t)key_of(sorting, sorting->items[i].index);
	sort(sorting, first, count);
}

static void sort_all(struct sorting *sorting, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		sorting->items[i] = (struct keyed){key_of(sorting, i) >> 32, i};
	sort(sorting, 0, count);
	for (uint32_t first = 0, end; first < count; first = end) {
		struct keyed item = sorting->items[first];
		bool differ = false;
		for (end = first + 1; end < count && sorting->items[end].key == item.key; end++)
			differ |= sorting->weight[sorting->items[end].index] !=
				  sorting->weight[item.index];
		if (differ)
			refine(sorting, first, end - first);
	}
}

uint32_t *wm_order_by_weight(
	struct wm_arena *arena, const double *weight, uint32_t count, bool rising)
{
	struct wm_arena scratch = {0};
	struct sorting sorting = {.weight = weight,
		.rising = rising,
		.items = wm_arena_alloc_unset(&scratch, count, sizeof(struct keyed)),
		.other = wm_arena_alloc_unset(&scratch, count, sizeof(struct keyed))};
	uint32_t *order = wm_arena_alloc_unset(arena, count, sizeof *order);
	sort_all(&sorting, count);
	for (uint32_t i = 0; i < count; i++)
		order[i] = sorting.items[i].index;
	wm_arena_reset(&scratch);
	return order;
}
