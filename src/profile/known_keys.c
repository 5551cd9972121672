/* Makes one list of the keys in a table and of those with counters. */
#include "profile/known_keys.h"

#include <string.h>

bool wm_known_keys_fit(const struct wm_paths_section *section, uint64_t probe_counters)
{
	if (!section->key_count)
		return section->head.counter_count == probe_counters;
	for (uint32_t i = 0; i < section->key_count; i++)
		if (section->keys[i].counter < probe_counters)
			return false;
	return true;
}

struct wm_history_list wm_known_keys_add(struct wm_arena *scratch,
	const struct wm_solve_source *source, uint32_t table, struct wm_history_list list)
{
	const struct wm_paths_section *section = source->function->paths;
	const uint64_t *counter = source->file->counter + source->first_counter;
	if (!section->key_count)
		return list;
	struct wm_history_count *items =
		wm_arena_alloc(scratch, (size_t)list.length + section->key_count, sizeof *items);
	uint32_t count = list.length;
	if (count)
		memcpy(items, list.items, count * sizeof *items);
	for (uint32_t i = 0; i < section->key_count; i++)
		if (section->keys[i].table == table)
			items[count++] = (struct wm_history_count){
				section->keys[i].key, counter[section->keys[i].counter]};
	return (struct wm_history_list){wm_history_settle(items, count), items};
}
