/* Writer and reader side by side. A record is checked against its bytes before memory is taken. */
#include "format/sparse.h"

#include <stdbool.h>

const uint8_t *wm_sparse_get(const uint8_t *from, const uint8_t *end, uint64_t *number)
{
	*number = 0;
	for (unsigned shift = 0; from < end && shift < 64; shift += 7) {
		uint8_t byte = *from++;
		if (shift == 63 && byte > 1)
			return NULL;
		*number |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return from;
	}
	return NULL;
}

static uint64_t count_values(uint64_t length, const uint64_t *counter)
{
	uint64_t count = 0;
	for (uint64_t i = 0; i < length; i++)
		count += counter[i] != 0;
	return count;
}

uint8_t *wm_sparse_encode(struct wm_arena *arena, uint64_t length, const uint64_t *counter,
	const struct wm_sparse_entry *entries, uint64_t entry_count, size_t *bytes)
{
	uint64_t count = count_values(length, counter), next = 0;
	uint8_t *record = wm_arena_alloc_unset(
		arena, 3 + 2 * count + 3 * entry_count, WM_SPARSE_NUMBER_BYTES);
	uint8_t *to = wm_sparse_put(wm_sparse_put(record, length), count);
	for (uint64_t i = 0; i < length; i++) {
		if (counter[i] == 0)
			continue;
		to = wm_sparse_put(wm_sparse_put(to, i - next), counter[i]);
		next = i + 1;
	}
	to = wm_sparse_put(to, entry_count);
	for (uint64_t i = 0; i < entry_count; i++) {
		uint64_t before = i ? entries[i - 1].counter : 0;
		to = wm_sparse_put(to, entries[i].counter - before);
		to = wm_sparse_put(wm_sparse_put(to, entries[i].key), entries[i].count);
	}
	*bytes = (size_t)(to - record);
	return record;
}

struct reader {
	const uint8_t *next; /* NULL: something was wrong */
	const uint8_t *end;
};

static uint64_t take(struct reader *reader)
{
	uint64_t number = 0;
	if (reader->next)
		reader->next = wm_sparse_get(reader->next, reader->end, &number);
	return number;
}

/* A count of things of at least that many bytes; 0 if there is no room for them. */
static uint64_t take_count(struct reader *reader, size_t bytes_each)
{
	uint64_t count = take(reader);
	if (reader->next && count > (uint64_t)(reader->end - reader->next) / bytes_each)
		reader->next = NULL;
	return reader->next ? count : 0;
}

static bool take_values(struct wm_arena *arena, struct reader *reader, struct wm_sparse *sparse)
{
	uint64_t place = 0;
	sparse->counter_count = take_count(reader, 2);
	sparse->counters = wm_arena_alloc(arena, sparse->counter_count, sizeof(uint64_t));
	sparse->values = wm_arena_alloc(arena, sparse->counter_count, sizeof(uint64_t));
	for (uint64_t i = 0; i < sparse->counter_count && reader->next; i++) {
		uint64_t gap = take(reader);
		if (place >= sparse->length || gap >= sparse->length - place)
			return false;
		place += gap;
		sparse->counters[i] = place++;
		sparse->values[i] = take(reader);
	}
	return true;
}

static bool take_entries(struct wm_arena *arena, struct reader *reader, struct wm_sparse *sparse)
{
	struct wm_sparse_entry last = {0};
	sparse->entry_count = take_count(reader, 3);
	sparse->entries = wm_arena_alloc(arena, sparse->entry_count, sizeof *sparse->entries);
	for (uint64_t i = 0; i < sparse->entry_count && reader->next; i++) {
		struct wm_sparse_entry *entry = &sparse->entries[i];
		uint64_t gap = take(reader);
		if (last.counter >= sparse->length || gap >= sparse->length - last.counter)
			return false;
		entry->counter = last.counter + gap;
		entry->key = take(reader);
		entry->count = take(reader);
		if (i && gap == 0 && entry->key <= last.key)
			return false;
		last = *entry;
	}
	return true;
}

const char *wm_sparse_decode(
	struct wm_arena *arena, const uint8_t *record, size_t bytes, struct wm_sparse *sparse)
{
	struct reader reader = {record, record + bytes};
	*sparse = (struct wm_sparse){.length = take(&reader)};
	bool in_range =
		take_values(arena, &reader, sparse) && take_entries(arena, &reader, sparse);
	if (!in_range)
		return "it names a counter that the object does not have";
	if (!reader.next)
		return "it ends too early";
	return reader.next == reader.end ? NULL : "it is longer than it says";
}
