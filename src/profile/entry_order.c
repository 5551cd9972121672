/* Byte by byte, from the last to the first: entries are dealt to 256 places by one byte, and keep
 * the order that earlier bytes have given them. A byte that is the same in all entries is passed
 * over. */
#include "profile/entry_order.h"

#include <stdbool.h>
#include <string.h>

#include "profile/file.h"

enum { BYTES = 8, VALUES = 256, BITS = 8 };

typedef uint64_t read_word(const struct wm_file_entry *entry);

static uint64_t counter_of(const struct wm_file_entry *entry)
{
	return entry->counter;
}

static uint64_t key_of(const struct wm_file_entry *entry)
{
	return entry->key;
}

/* By byte and value: how many entries have it. */
struct histogram {
	uint64_t of[BYTES][VALUES];
};

static inline unsigned byte_of(uint64_t word, unsigned byte)
{
	return word >> (BITS * byte) & (VALUES - 1);
}

static struct histogram count_bytes(
	const struct wm_file_entry *entries, uint64_t count, read_word *read)
{
	struct histogram histogram = {0};
	for (uint64_t i = 0; i < count; i++) {
		uint64_t word = read(&entries[i]);
		for (unsigned byte = 0; byte < BYTES; byte++)
			histogram.of[byte][byte_of(word, byte)]++;
	}
	return histogram;
}

static inline void deal(const struct wm_file_entry *from, struct wm_file_entry *to, uint64_t count,
	read_word *read, unsigned byte, const uint64_t *numbers)
{
	uint64_t place[VALUES], sum = 0;
	for (unsigned value = 0; value < VALUES; value++) {
		place[value] = sum;
		sum += numbers[value];
	}
	for (uint64_t i = 0; i < count; i++)
		to[place[byte_of(read(&from[i]), byte)]++] = from[i];
}

static inline void order_by(
	struct wm_file_entry *entries, struct wm_file_entry *spare, uint64_t count, read_word *read)
{
	const struct histogram histogram = count_bytes(entries, count, read);
	struct wm_file_entry *from = entries, *to = spare;
	for (unsigned byte = 0; byte < BYTES; byte++) {
		const uint64_t *numbers = histogram.of[byte];
		if (numbers[byte_of(read(&entries[0]), byte)] == count)
			continue;
		deal(from, to, count, read, byte, numbers);
		struct wm_file_entry *other = from;
		from = to;
		to = other;
	}
	if (from != entries)
		memcpy(entries, from, count * sizeof *entries);
}

static void order(struct wm_file_entry *entries, uint64_t count, bool by_counter)
{
	struct wm_arena scratch = {0};
	if (count < 2)
		return;
	struct wm_file_entry *spare = wm_arena_alloc_unset(&scratch, count, sizeof *spare);
	order_by(entries, spare, count, key_of);
	if (by_counter)
		order_by(entries, spare, count, counter_of);
	wm_arena_reset(&scratch);
}

void wm_entries_order(struct wm_file_entry *entries, uint64_t count)
{
	order(entries, count, true);
}

void wm_entries_order_by_key(struct wm_file_entry *entries, uint64_t count)
{
	order(entries, count, false);
}
