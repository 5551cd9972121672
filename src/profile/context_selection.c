/* Counters by context have their chains for keys, and counts add up. So a file that has only the
 * entries of some chains is the profile of these, and is derived as any other. */
#include "profile/context_selection.h"

#include "core/base/none.h"
#include "profile/context_counts.h"

const bool *wm_contexts_with_below(
	struct wm_arena *arena, const struct wm_contexts *contexts, const bool *chosen)
{
	bool *all = wm_arena_alloc(arena, contexts->record_count, sizeof *all);
	for (uint32_t i = 1; i < contexts->record_count; i++)
		all[i] = chosen[i] || all[contexts->records[i].parent];
	return all;
}

/* By counter: whether it is one by context. */
static const bool *find_counters(struct wm_arena *arena, const struct wm_profile *profile)
{
	bool *found = wm_arena_alloc(arena, profile->file.counter_count, sizeof *found);
	for (uint32_t i = 0; i < profile->function_count; i++) {
		const struct wm_object_function *source = &profile->object.functions[i];
		if (!wm_profile_contexts_count(&source->function))
			continue;
		const struct wm_counters_section *section = source->function.counters;
		for (uint32_t k = 0; k < section->probe_count; k++)
			found[source->first_counter + section->head.first_counter + k] = true;
	}
	return found;
}

static void keep_entries(struct wm_arena *arena, const struct wm_profile *profile,
	const struct wm_profile_contexts *contexts, const bool *chosen, struct wm_file *file)
{
	struct wm_arena scratch = {0};
	const bool *is_by_context = find_counters(&scratch, profile);
	const struct wm_context_chains chains =
		wm_context_chains_make(&scratch, contexts->chain, contexts->tree.record_count);
	file->entries = wm_arena_alloc(arena, file->entry_count, sizeof *file->entries);
	file->entry_capacity = file->entry_count;
	file->entry_count = 0;
	for (uint64_t i = 0; i < profile->file.entry_count; i++) {
		const struct wm_file_entry *entry = &profile->file.entries[i];
		if (!is_by_context[entry->counter])
			continue;
		uint32_t record = wm_context_chains_find(&chains, entry->key);
		if (record != WM_NONE && chosen[record])
			file->entries[file->entry_count++] = *entry;
	}
	wm_arena_reset(&scratch);
}

int wm_profile_of_contexts(struct wm_arena *arena, const struct wm_profile *profile,
	const struct wm_profile_contexts *contexts, const bool *chosen, struct wm_profile *result,
	struct wm_error *error)
{
	struct wm_file file = profile->file;
	file.counter = wm_arena_alloc(arena, file.counter_count, sizeof *file.counter);
	file.library_count = 0;
	file.libraries = NULL;
	file.owner_count = 0;
	keep_entries(arena, profile, contexts, chosen, &file);
	return wm_profile_make(arena, &file, profile->object.path, result, error);
}
