/* All functions are sorted by their short names; neighbours that are equal need their hashes. */
#include "report/short_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names/path_name.h"
#include "names/text_name.h"

struct entry {
	const char *name;
	bool shared; /* by several functions */
};

struct wm_short_names {
	const struct wm_profile *profile;
	bool full;
	struct entry *entries; /* by function */
};

static int compare_names(const void *left, const void *right)
{
	return strcmp((*(struct entry *const *)left)->name, (*(struct entry *const *)right)->name);
}

static void mark_shared(struct entry *entries, size_t count)
{
	struct wm_arena arena = {0};
	struct entry **sorted = wm_arena_alloc(&arena, count, sizeof *sorted);
	for (size_t i = 0; i < count; i++)
		sorted[i] = &entries[i];
	if (count > 0)
		qsort(sorted, count, sizeof *sorted, compare_names);
	for (size_t i = 1; i < count; i++)
		if (strcmp(sorted[i - 1]->name, sorted[i]->name) == 0)
			sorted[i - 1]->shared = sorted[i]->shared = true;
	wm_arena_reset(&arena);
}

const struct wm_short_names *wm_short_names_make(
	struct wm_arena *arena, const struct wm_profile *profile, bool full)
{
	struct wm_short_names *names = wm_arena_alloc(arena, 1, sizeof *names);
	uint32_t count = profile->function_count;
	*names = (struct wm_short_names){.profile = profile,
		.full = full,
		.entries = wm_arena_alloc(arena, count, sizeof *names->entries)};
	for (uint32_t i = 0; i < count; i++) {
		const char *name = profile->functions[i].function->name;
		names->entries[i].name = full ? name : wm_text_short_name(arena, name);
	}
	if (!full)
		mark_shared(names->entries, count);
	return names;
}

static struct wm_path_name name_of(
	const struct wm_short_names *names, const struct wm_profile_function *function)
{
	const struct entry *entry = &names->entries[function - names->profile->functions];
	return (struct wm_path_name){.function = entry->name,
		.hash = wm_path_cfg_hash(function->function),
		.any_shape = !names->full && !entry->shared};
}

const char *wm_short_names_path(struct wm_arena *arena, const struct wm_short_names *names,
	const struct wm_profile_function *function, const uint64_t *ids, size_t id_count)
{
	struct wm_path_name name = name_of(names, function);
	name.ids = wm_arena_alloc(arena, id_count, sizeof *name.ids);
	memcpy(name.ids, ids, id_count * sizeof *ids);
	name.id_count = id_count;
	return wm_path_name_text(arena, &name);
}

const char *wm_short_names_stem(struct wm_arena *arena, const struct wm_short_names *names,
	const struct wm_profile_function *function)
{
	struct wm_path_name name = name_of(names, function);
	char *text = wm_path_name_text(arena, &name);
	strcat(text, name.any_shape ? "#" : ":");
	return text;
}
