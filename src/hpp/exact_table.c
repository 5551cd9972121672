#include "hpp/exact_table.h"

#include <string.h>

static uint32_t slot_of(const struct wm_exact_table *table, uint64_t start, uint64_t rest)
{
	uint64_t hash =
		start * UINT64_C(0x9E3779B97F4A7C15) ^ (rest + 1) * UINT64_C(0xC2B2AE3D27D4EB4F);
	hash ^= hash >> 32;
	hash *= UINT64_C(0xD6E8FEB86659FD93);
	return (uint32_t)(hash >> 32) & (table->index_size - 1);
}

/* Where the path's number is, or where it would be. */
static uint32_t *place_of(const struct wm_exact_table *table, uint64_t start, uint64_t rest)
{
	uint32_t slot = slot_of(table, start, rest);
	for (;; slot = (slot + 1) & (table->index_size - 1)) {
		uint32_t number = table->index[slot];
		const struct wm_exact_path *path = table->path + number - 1;
		if (!number || (path->start == start && path->rest == rest))
			return &table->index[slot];
	}
}

void wm_exact_table_move(struct wm_exact_table *table, struct wm_exact_path *path,
	uint32_t capacity, uint32_t *index, uint32_t index_size)
{
	table->path = path;
	table->capacity = capacity;
	table->index = index;
	table->index_size = index_size;
	memset(index, 0, index_size * sizeof *index);
	for (uint32_t i = 0; i < table->paths; i++)
		*place_of(table, path[i].start, path[i].rest) = i + 1;
}

struct wm_exact_path *wm_exact_table_find(
	const struct wm_exact_table *table, uint64_t start, uint64_t rest)
{
	uint32_t number = table->index_size ? *place_of(table, start, rest) : 0;
	return number ? &table->path[number - 1] : 0;
}

struct wm_exact_path *wm_exact_table_path(
	struct wm_exact_table *table, uint64_t start, uint64_t rest)
{
	uint32_t *place = place_of(table, start, rest);
	struct wm_exact_path *path;
	if (*place)
		return &table->path[*place - 1];
	if (wm_exact_table_is_full(table))
		return 0;
	path = &table->path[table->paths++];
	*place = table->paths;
	memset(path, 0, sizeof *path);
	path->start = start;
	path->rest = rest;
	return path;
}

static void add_caller(struct wm_path_caller *callers, uint64_t address, uint64_t times)
{
	int least = 0;
	for (int i = 0; i < WM_PATH_CALLERS; i++) {
		if (callers[i].count && callers[i].return_address == address) {
			callers[i].count += times;
			return;
		}
		if (callers[i].count < callers[least].count)
			least = i;
	}
	callers[least].return_address = address;
	callers[least].count += times;
}

void wm_exact_path_add(
	struct wm_exact_path *path, const struct wm_path_entry *entry, enum wm_path_ending ending)
{
	path->count++;
	path->events += entry->events;
	if (entry->flags & WM_ENTRY_COUNTED)
		for (int i = 0; i < WM_HPP_COUNTS; i++)
			path->sum[i] += entry->count[i];
	else
		path->sum[WM_HPP_EVENT_INSTRUCTIONS] += entry->count[WM_HPP_EVENT_INSTRUCTIONS];
	path->ending[ending]++;
	path->flags |= entry->flags & WM_ENTRY_PARTIAL;
	if (entry->flags & WM_ENTRY_HAS_RETURN)
		add_caller(path->caller, entry->frame_return, 1);
}

void wm_exact_path_add_times(struct wm_exact_path *path, const struct wm_path_entry *entry,
	enum wm_path_ending ending, uint64_t times)
{
	path->count += times;
	path->sum[WM_HPP_EVENT_INSTRUCTIONS] += times * entry->count[WM_HPP_EVENT_INSTRUCTIONS];
	path->ending[ending] += times;
	if (entry->flags & WM_ENTRY_HAS_RETURN)
		add_caller(path->caller, entry->frame_return, times);
}
