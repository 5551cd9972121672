/* Order by weight: a radix sort, byte by byte from the lowest, which keeps equal ones in order.
 *
 * Numbers in IEEE format compare like integers once the sign is turned around, and all bits of
 * those below zero. Bytes in which all keys agree, as most do where few weights differ, are
 * skipped. Sorting by comparison was the larger part of planning.
 */
#include "core/order.h"

#include <string.h>

enum { DIGITS = sizeof(uint64_t), DIGIT_VALUES = 256 };

struct keyed {
	uint64_t key;
	uint32_t index;
};

static uint64_t key_of(double weight, bool rising)
{
	uint64_t bits, sign = (uint64_t)1 << 63;
	double positive_zero = weight + 0.0;
	memcpy(&bits, &positive_zero, sizeof bits);
	bits = bits & sign ? ~bits : bits | sign;
	return rising ? bits : ~bits;
}

static uint32_t digit_of(uint64_t key, int digit)
{
	return key >> (8 * digit) & (DIGIT_VALUES - 1);
}

/* Moves the items to the other array, by this digit; `count` says how many have each value of it.
 */
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

static struct keyed *sort(struct keyed *items, struct keyed *other, uint32_t count)
{
	uint32_t values[DIGITS][DIGIT_VALUES] = {0};
	for (uint32_t i = 0; i < count; i++)
		for (int digit = 0; digit < DIGITS; digit++)
			values[digit][digit_of(items[i].key, digit)]++;
	for (int digit = 0; digit < DIGITS && count; digit++) {
		struct keyed *sorted = other;
		if (values[digit][digit_of(items[0].key, digit)] == count)
			continue;
		move_by_digit(items, sorted, count, digit, values[digit]);
		other = items;
		items = sorted;
	}
	return items;
}

uint32_t *wm_order_by_weight(
	struct wm_arena *arena, const double *weight, uint32_t count, bool rising)
{
	struct wm_arena scratch = {0};
	struct keyed *items = wm_arena_alloc(&scratch, count, sizeof *items);
	struct keyed *other = wm_arena_alloc(&scratch, count, sizeof *other);
	uint32_t *order = wm_arena_alloc(arena, count, sizeof *order);
	for (uint32_t i = 0; i < count; i++)
		items[i] = (struct keyed){key_of(weight[i], rising), i};
	items = sort(items, other, count);
	for (uint32_t i = 0; i < count; i++)
		order[i] = items[i].index;
	wm_arena_reset(&scratch);
	return order;
}
