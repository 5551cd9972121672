/* Functions are found by a hash of their names; their lists of paths are merged as they come. */
#include "profile/ran_paths.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/none.h"
#include "format/profile_file.h"
#include "names/path_name.h"

enum { FIRST_SLOTS = 1024 };

struct wm_ran_paths wm_ran_paths_start(struct wm_arena *arena)
{
	return (struct wm_ran_paths){.arena = arena,
		.slot_count = FIRST_SLOTS,
		.slots = wm_none_array(arena, FIRST_SLOTS)};
}

static size_t hash_of(const char *name)
{
	uint64_t hash = 0xcbf29ce484222325u;
	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
	return (size_t)(hash ^ (hash >> 29));
}

static void enter(struct wm_ran_paths *ran, uint32_t number)
{
	size_t slot = hash_of(ran->functions[number].key.name);
	while (ran->slots[slot & (ran->slot_count - 1)] != WM_NONE)
		slot++;
	ran->slots[slot & (ran->slot_count - 1)] = number;
}

static void make_room(struct wm_ran_paths *ran)
{
	if (2 * (ran->function_count + 1) < ran->slot_count)
		return;
	ran->slot_count *= 2;
	ran->slots = wm_none_array(ran->arena, ran->slot_count);
	for (size_t i = 0; i < ran->function_count; i++)
		enter(ran, (uint32_t)i);
}

uint32_t wm_ran_paths_label(struct wm_ran_paths *ran, const char *label)
{
	for (size_t i = ran->label_count; i-- > 0;)
		if (strcmp(ran->labels[i], label) == 0)
			return (uint32_t)i;
	ran->labels = wm_arena_grow(ran->arena, ran->labels, ran->label_count, &ran->label_capacity,
		sizeof *ran->labels);
	ran->labels[ran->label_count] = wm_arena_copy_text(ran->arena, label);
	return (uint32_t)ran->label_count++;
}

void wm_ran_paths_begin(struct wm_ran_paths *ran, const struct wm_ran_sample *sample)
{
	ran->machines += ran->samples == 0 || ran->machine != sample->machine;
	ran->machine = sample->machine;
	ran->samples++;
	ran->runs += sample->runs;
	ran->cut_short += sample->cut_short;
	ran->incomplete |= sample->incomplete;
}

/* Its number, or WM_NONE. */
static uint32_t number_of(const struct wm_ran_paths *ran, const struct wm_saved_function *key)
{
	for (size_t slot = hash_of(key->name);; slot++) {
		uint32_t number = ran->slots[slot & (ran->slot_count - 1)];
		if (number == WM_NONE ||
			wm_saved_function_compare(&ran->functions[number].key, key) == 0)
			return number;
	}
}

const struct wm_ran_function *wm_ran_paths_get(
	const struct wm_ran_paths *ran, const struct wm_saved_function *key)
{
	uint32_t number = number_of(ran, key);
	return number == WM_NONE ? NULL : &ran->functions[number];
}

static struct wm_ran_function *function_of(
	struct wm_ran_paths *ran, const struct wm_saved_function *key)
{
	uint32_t number = number_of(ran, key);
	if (number != WM_NONE)
		return &ran->functions[number];
	make_room(ran);
	ran->functions = wm_arena_grow(ran->arena, ran->functions, ran->function_count,
		&ran->capacity, sizeof *ran->functions);
	struct wm_ran_function *function = &ran->functions[ran->function_count];
	*function =
		(struct wm_ran_function){.key = {.name = wm_arena_copy_text(ran->arena, key->name),
						 .file = wm_arena_copy_text(ran->arena, key->file),
						 .shape = key->shape,
						 .code = key->code}};
	enter(ran, (uint32_t)ran->function_count++);
	return function;
}

static struct wm_ran_path join(const struct wm_ran_path *known, const struct wm_ran_path *path,
	const struct wm_ran_sample *sample)
{
	uint32_t label = sample->label;
	struct wm_ran_path both = known ? *known : (struct wm_ran_path){.id = path->id};
	both.partial = path->partial;
	both.count += path->count;
	both.cut_short += path->cut_short;
	both.machines += both.samples == 0 || both.machine != sample->machine;
	both.machine = sample->machine;
	both.samples++;
	bool noted = false;
	for (uint8_t i = 0; i < both.label_count; i++)
		noted |= both.labels[i] == label;
	if (!noted && both.label_count < WM_RAN_LABELS)
		both.labels[both.label_count++] = label;
	return both;
}

static size_t count_new(
	const struct wm_ran_function *function, const struct wm_ran_path *paths, size_t count)
{
	size_t known = 0, found = 0;
	for (size_t i = 0; i < count; i++) {
		while (known < function->count && function->paths[known].id < paths[i].id)
			known++;
		found += known == function->count || function->paths[known].id != paths[i].id;
	}
	return found;
}

/* From the back, so that a list that grows in place is never overwritten before it is read. */
static void merge(struct wm_ran_function *function, struct wm_ran_path *to,
	const struct wm_ran_path *paths, size_t count, size_t all,
	const struct wm_ran_sample *sample)
{
	size_t known = function->count;
	while (count > 0) {
		const struct wm_ran_path *old = known > 0 ? &function->paths[known - 1] : NULL;
		if (old && old->id > paths[count - 1].id) {
			to[--all] = *old;
			known--;
			continue;
		}
		bool same = old && old->id == paths[count - 1].id;
		struct wm_ran_path both = join(same ? old : NULL, &paths[count - 1], sample);
		known -= same;
		count--;
		to[--all] = both;
	}
	if (to != function->paths && known > 0)
		memcpy(to, function->paths, known * sizeof *to);
}

void wm_ran_paths_add(struct wm_ran_paths *ran, const struct wm_ran_sample *sample,
	const struct wm_saved_function *key, const struct wm_ran_path *paths, size_t count)
{
	struct wm_ran_function *function = function_of(ran, key);
	size_t added = count_new(function, paths, count), all = function->count + added;
	struct wm_ran_path *to = function->paths;
	if (all > function->capacity) {
		function->capacity = function->count ? 2 * all : all;
		to = wm_arena_alloc_unset(ran->arena, function->capacity, sizeof *to);
	}
	merge(function, to, paths, count, all, sample);
	function->paths = to;
	function->count = all;
	for (size_t i = 0; i < all && !function->entered; i++)
		function->entered = !wm_ran_path_is_uncertain(&to[i]);
}

struct wm_saved_function wm_ran_paths_key(const struct wm_function *function)
{
	return (struct wm_saved_function){.name = function->name,
		.file = function->scopes[0].file,
		.shape = wm_path_cfg_hash(function),
		.code = function->code};
}

static size_t gather(
	const struct wm_profile_function *function, uint64_t cut_short, struct wm_ran_path *paths)
{
	size_t count = 0;
	for (uint32_t i = 0; i < function->path_count; i++)
		if ((int64_t)function->paths[i].count > 0)
			paths[count++] = (struct wm_ran_path){.id = function->paths[i].id,
				.count = function->paths[i].count,
				.cut_short = cut_short,
				.partial = function->paths[i].partial};
	return count;
}

bool wm_ran_paths_add_object(struct wm_ran_paths *ran, const struct wm_ran_sample *sample,
	const struct wm_profile *profile)
{
	struct wm_arena scratch = {0};
	bool any = false;
	for (uint32_t i = 0; i < profile->function_count; i++) {
		const struct wm_profile_function *function = &profile->functions[i];
		if (!function->paths && !wm_function_has_paths(function->function))
			continue;
		any = true;
		struct wm_ran_path *paths =
			wm_arena_alloc_unset(&scratch, function->path_count, sizeof *paths);
		size_t count = gather(function, sample->cut_short, paths);
		struct wm_saved_function key = wm_ran_paths_key(function->function);
		wm_ran_paths_add(ran, sample, &key, paths, count);
	}
	wm_arena_reset(&scratch);
	return any;
}

static struct wm_ran_sample sample_of(
	struct wm_ran_paths *ran, const char *label, const struct wm_profile *profile)
{
	return (struct wm_ran_sample){.label = wm_ran_paths_label(ran, label),
		.runs = profile->file.runs,
		.cut_short = profile->file.cut_short,
		.incomplete = profile->file.status & WM_STATUS_COUNTS_LOST};
}

void wm_ran_paths_begin_profile(
	struct wm_ran_paths *ran, const char *label, const struct wm_profile *profile)
{
	const struct wm_ran_sample sample = sample_of(ran, label, profile);
	wm_ran_paths_begin(ran, &sample);
}

bool wm_ran_paths_add_profile(
	struct wm_ran_paths *ran, const char *label, const struct wm_profile *profile)
{
	const struct wm_ran_sample sample = sample_of(ran, label, profile);
	bool any = wm_ran_paths_add_object(ran, &sample, profile);
	if (any)
		wm_ran_paths_begin(ran, &sample);
	return any;
}

void wm_ran_paths_add_saved(
	struct wm_ran_paths *ran, const char *label, const struct wm_saved_paths *saved)
{
	struct wm_arena scratch = {0};
	const struct wm_ran_sample sample = {.label = wm_ran_paths_label(ran, label)};
	wm_ran_paths_begin(ran, &sample);
	ran->from_sets = true;
	for (size_t i = 0; i < saved->count; i++) {
		const struct wm_saved_function *function = &saved->functions[i];
		struct wm_ran_path *paths = NULL;
		size_t count = 0, capacity = 0;
		for (size_t k = 0; k < function->range_count; k++) {
			const struct wm_saved_range *range = &function->ranges[k];
			for (uint64_t id = range->first; id <= range->last; id++) {
				paths = wm_arena_grow(
					&scratch, paths, count, &capacity, sizeof *paths);
				paths[count++] = (struct wm_ran_path){
					.id = id, .count = 1, .partial = range->partial};
			}
		}
		wm_ran_paths_add(ran, &sample, function, paths, count);
		wm_arena_reset(&scratch);
	}
}

static bool is_same(const struct wm_saved_function *left, const struct wm_saved_function *right,
	bool across_shape)
{
	return left->shape == right->shape &&
	       (across_shape || (left->code && left->code == right->code));
}

const struct wm_ran_function *wm_ran_paths_find(const struct wm_ran_paths *ran,
	const struct wm_saved_function *key, bool across_shape, enum wm_ran_fit *fit)
{
	const struct wm_ran_function *best = NULL;
	size_t best_likeness = 0;
	*fit = WM_RAN_NONE;
	for (size_t slot = hash_of(key->name);; slot++) {
		uint32_t number = ran->slots[slot & (ran->slot_count - 1)];
		if (number == WM_NONE)
			return best;
		const struct wm_ran_function *function = &ran->functions[number];
		size_t likeness = strcmp(function->key.name, key->name) == 0
					  ? wm_saved_file_likeness(function->key.file, key->file)
					  : 0;
		enum wm_ran_fit its =
			is_same(&function->key, key, across_shape) ? WM_RAN_SAME : WM_RAN_CHANGED;
		if (likeness == 0 || its < *fit || (its == *fit && likeness <= best_likeness))
			continue;
		best = function;
		best_likeness = likeness;
		*fit = its;
	}
}

const uint64_t *wm_ran_function_ids(
	struct wm_arena *arena, const struct wm_ran_function *function, size_t *count)
{
	uint64_t *ids = wm_arena_alloc(arena, function->count, sizeof *ids);
	*count = 0;
	for (size_t i = 0; i < function->count; i++)
		if (!wm_ran_path_is_uncertain(&function->paths[i]))
			ids[(*count)++] = function->paths[i].id;
	return ids;
}

static void save_function(struct wm_arena *arena, const struct wm_ran_function *function,
	struct wm_saved_function *saved, size_t *left_out)
{
	*saved = function->key;
	saved->ranges = wm_arena_alloc(arena, function->count, sizeof *saved->ranges);
	for (size_t i = 0; i < function->count; i++) {
		const struct wm_ran_path *path = &function->paths[i];
		struct wm_saved_range *last =
			saved->range_count ? &saved->ranges[saved->range_count - 1] : NULL;
		if (wm_ran_path_is_uncertain(path))
			++*left_out;
		else if (last && last->last + 1 == path->id && last->partial == path->partial)
			last->last++;
		else
			saved->ranges[saved->range_count++] =
				(struct wm_saved_range){path->id, path->id, path->partial};
	}
}

static int compare_functions(const void *left, const void *right)
{
	return wm_saved_function_compare(left, right);
}

struct wm_saved_paths wm_ran_paths_save(
	struct wm_arena *arena, const struct wm_ran_paths *ran, size_t *left_out)
{
	struct wm_saved_paths saved = {
		.functions = wm_arena_alloc(arena, ran->function_count, sizeof *saved.functions)};
	*left_out = 0;
	for (size_t i = 0; i < ran->function_count; i++) {
		struct wm_saved_function *function = &saved.functions[saved.count];
		save_function(arena, &ran->functions[i], function, left_out);
		saved.count += function->range_count > 0;
	}
	if (saved.count > 0)
		qsort(saved.functions, saved.count, sizeof *saved.functions, compare_functions);
	return saved;
}
