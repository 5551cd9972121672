/* Sets of runs. Runs of one path often follow each other, so ranges are few. */
#include <string.h>

#include "store/parts.h"

bool wm_run_ranges_decode(
	struct wm_arena *arena, const void *bytes, size_t size, struct wm_run_ranges *ranges)
{
	const uint8_t *next = bytes, *end = next + size;
	int64_t last = 0;
	*ranges = (struct wm_run_ranges){0};
	while (next < end) {
		uint64_t gap, length;
		next = wm_sparse_get(next, end, &gap);
		next = next ? wm_sparse_get(next, end, &length) : NULL;
		if (!next || gap == 0 || gap > (uint64_t)(INT64_MAX - last) ||
			length > (uint64_t)(INT64_MAX - last) - gap)
			return false;
		ranges->ranges = wm_arena_grow(arena, ranges->ranges, ranges->count,
			&ranges->capacity, sizeof *ranges->ranges);
		int64_t first = last + (int64_t)gap;
		last = first + (int64_t)length;
		ranges->ranges[ranges->count++] = (struct wm_run_range){first, last};
	}
	return true;
}

void wm_run_ranges_append(struct wm_arena *arena, struct wm_run_ranges *ranges, int64_t id)
{
	struct wm_run_range *last = ranges->count ? &ranges->ranges[ranges->count - 1] : NULL;
	if (last && id <= last->last)
		return;
	if (last && id == last->last + 1) {
		last->last = id;
		return;
	}
	ranges->ranges = wm_arena_grow(
		arena, ranges->ranges, ranges->count, &ranges->capacity, sizeof *ranges->ranges);
	ranges->ranges[ranges->count++] = (struct wm_run_range){id, id};
}

/* Databases of servers may show a run before one with a smaller id. */
void wm_run_ranges_add(struct wm_arena *arena, struct wm_run_ranges *ranges, int64_t id)
{
	const struct wm_run_ranges old = *ranges;
	if (!old.count || id >= old.ranges[old.count - 1].first) {
		wm_run_ranges_append(arena, ranges, id);
		return;
	}
	bool placed = false;
	*ranges = (struct wm_run_ranges){0};
	for (size_t i = 0; i < old.count; i++) {
		struct wm_run_range range = old.ranges[i];
		if (!placed && id < range.first) {
			wm_run_ranges_append(arena, ranges, id);
			placed = true;
		}
		wm_run_ranges_append(arena, ranges, range.first);
		if (range.last > ranges->ranges[ranges->count - 1].last)
			ranges->ranges[ranges->count - 1].last = range.last;
		placed |= id <= range.last;
	}
}

struct wm_bytes wm_run_ranges_encode(struct wm_arena *arena, const struct wm_run_ranges *ranges)
{
	uint8_t *bytes = wm_arena_alloc_unset(arena, 2 * ranges->count + 1, WM_SPARSE_NUMBER_BYTES);
	uint8_t *to = bytes;
	int64_t last = 0;
	for (size_t i = 0; i < ranges->count; i++) {
		const struct wm_run_range *range = &ranges->ranges[i];
		to = wm_sparse_put(to, (uint64_t)(range->first - last));
		to = wm_sparse_put(to, (uint64_t)(range->last - range->first));
		last = range->last;
	}
	return (struct wm_bytes){bytes, (size_t)(to - bytes)};
}
