/* The counts of an object as bytes. What is read is written again as bytes that mean the same. */
#include <string.h>

#include "format/sparse.h"
#include "fuzz.h"

enum { MAX_LENGTH = 1 << 16 };

static void try_again(struct wm_arena *arena, const struct wm_sparse *first)
{
	struct wm_sparse second;
	size_t bytes;
	uint64_t *counter = wm_arena_alloc(arena, first->length, sizeof *counter);
	for (uint64_t i = 0; i < first->counter_count; i++) {
		WM_FUZZ_REQUIRE(first->counters[i] < first->length);
		WM_FUZZ_REQUIRE(i == 0 || first->counters[i] > first->counters[i - 1]);
		counter[first->counters[i]] = first->values[i];
	}
	const uint8_t *record = wm_sparse_encode(
		arena, first->length, counter, first->entries, first->entry_count, &bytes);
	WM_FUZZ_REQUIRE(!wm_sparse_decode(arena, record, bytes, &second));
	WM_FUZZ_REQUIRE(second.entry_count == first->entry_count);
	for (uint64_t i = 0; i < second.counter_count; i++)
		WM_FUZZ_REQUIRE(second.values[i] == counter[second.counters[i]]);
	for (uint64_t i = 0; i < second.entry_count; i++)
		WM_FUZZ_REQUIRE(!memcmp(
			&first->entries[i], &second.entries[i], sizeof *second.entries));
}

int wm_fuzz_try(const uint8_t *data, size_t bytes)
{
	struct wm_arena arena = {0};
	struct wm_sparse sparse;
	const char *reason = wm_sparse_decode(&arena, data, bytes, &sparse);
	wm_fuzz_require_text(reason ? -1 : 0, reason ? reason : "");
	if (!reason && sparse.length <= MAX_LENGTH)
		try_again(&arena, &sparse);
	wm_arena_reset(&arena);
	return reason ? -1 : 0;
}
