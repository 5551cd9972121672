/* All functions are sorted by their short names. Neighbours that are equal need more: template
 * arguments if these tell them apart, else their hashes or, if these are equal too, their
 * parameters. */
#include "report/short_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names/path_name.h"
#include "names/text_name.h"

/* A hash is read rather than a longer name. */
enum { READABLE = 60 };

/* Of a name that several functions share. */
enum form { WITH_TEMPLATES, WITH_PARAMETERS, FORMS };

struct entry {
	const char *linker_name;
	const char *brief;
	const char *forms[FORMS]; /* NULL: the same as brief, or too long */
	const char *name;	  /* what listings show */
	uint32_t hash;
	bool needs_hash;
};

struct wm_short_names {
	const struct wm_profile *profile;
	struct entry *entries; /* by function */
};

static int compare_names(const void *left, const void *right)
{
	return strcmp(
		(*(struct entry *const *)left)->brief, (*(struct entry *const *)right)->brief);
}

static const char *readable(const struct entry *entry, const char *name)
{
	return strcmp(name, entry->brief) != 0 && strlen(name) <= READABLE ? name : NULL;
}

static void set_forms(struct wm_arena *arena, struct entry *entry)
{
	entry->forms[WITH_TEMPLATES] =
		readable(entry, wm_text_instance_name(arena, entry->linker_name));
	entry->forms[WITH_PARAMETERS] = readable(entry, wm_text_name(arena, entry->linker_name));
}

/* The form of its name, if it is that of no other of the group; otherwise NULL. */
static const char *form_alone(
	struct entry *const *group, size_t count, const struct entry *entry, enum form form)
{
	const char *name = entry->forms[form];
	for (size_t i = 0; name && i < count; i++)
		if (group[i] != entry && group[i]->forms[form] &&
			strcmp(group[i]->forms[form], name) == 0)
			return NULL;
	return name;
}

/* Whether the hash leads to functions of this linker's name only. */
static bool hash_tells(struct entry *const *group, size_t count, const struct entry *entry)
{
	for (size_t i = 0; i < count; i++)
		if (group[i]->hash == entry->hash &&
			strcmp(group[i]->linker_name, entry->linker_name) != 0)
			return false;
	return true;
}

static void set_name(struct entry *const *group, size_t count, struct entry *entry)
{
	const char *name = form_alone(group, count, entry, WITH_TEMPLATES);
	if (!name && !hash_tells(group, count, entry))
		name = form_alone(group, count, entry, WITH_PARAMETERS);
	entry->needs_hash = !name;
	entry->name = name ? name : entry->brief;
}

static void tell_apart(struct wm_arena *arena, struct entry *const *group, size_t count)
{
	for (size_t i = 0; i < count; i++)
		set_forms(arena, group[i]);
	for (size_t i = 0; i < count; i++)
		set_name(group, count, group[i]);
}

static void tell_all_apart(struct wm_arena *arena, struct entry *entries, size_t count)
{
	struct entry **sorted = wm_arena_alloc(arena, count, sizeof *sorted);
	for (size_t i = 0; i < count; i++)
		sorted[i] = &entries[i];
	if (count > 0)
		qsort(sorted, count, sizeof *sorted, compare_names);
	for (size_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count && compare_names(&sorted[i], &sorted[next]) == 0;)
			next++;
		if (next > i + 1)
			tell_apart(arena, sorted + i, next - i);
	}
}

const struct wm_short_names *wm_short_names_make(
	struct wm_arena *arena, const struct wm_profile *profile, bool full)
{
	struct wm_short_names *names = wm_arena_alloc(arena, 1, sizeof *names);
	uint32_t count = profile->function_count;
	*names = (struct wm_short_names){.profile = profile,
		.entries = wm_arena_alloc(arena, count, sizeof *names->entries)};
	for (uint32_t i = 0; i < count; i++) {
		const struct wm_function *function = profile->functions[i].function;
		const char *brief =
			full ? function->name : wm_text_short_name(arena, function->name);
		names->entries[i] = (struct entry){.linker_name = function->name,
			.brief = brief,
			.name = brief,
			.hash = wm_path_cfg_hash(function),
			.needs_hash = full};
	}
	if (!full)
		tell_all_apart(arena, names->entries, count);
	return names;
}

static struct wm_path_name name_of(
	const struct wm_short_names *names, const struct wm_profile_function *function)
{
	const struct entry *entry = &names->entries[function - names->profile->functions];
	return (struct wm_path_name){
		.function = entry->name, .hash = entry->hash, .any_shape = !entry->needs_hash};
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
