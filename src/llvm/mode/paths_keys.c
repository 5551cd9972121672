/* Wanted and known paths: from sets of paths and earlier profiles to ids, and from ids to counters.
 */
#include "llvm/complain.h"
#include "llvm/mode/paths.h"
#include "llvm/tuning.h"
#include "names/path_name.h"

struct wm_path_ranges wm_paths_wanted(const struct wm_subject *subject,
	const struct wm_function *described, struct wm_paths *paths)
{
	struct wm_path_ranges ranges = {0};
	struct wm_error error;
	int status = wm_path_numbering(subject->arena, described, paths, &error);
	if (!status)
		status = wm_path_set_match(subject->arena, &subject->knowledge->paths, described,
			paths, &ranges, &error);
	if (!status)
		return ranges;
	wm_complain(subject->module, WM_COMPLAINT_WARNING, "function '%s' is not profiled: %s",
		described->name, error.text);
	return (struct wm_path_ranges){0};
}

static bool matters(const struct wm_path_ranges *ranges, uint64_t id)
{
	return !ranges || wm_path_ranges_have(ranges, id);
}

/* The paths that ran in the earlier build. */
static void take_measured(struct wm_arena *arena, const struct wm_prior_function *known,
	const struct wm_path_ranges *ranges, struct wm_known_paths *result)
{
	result->ids = wm_arena_alloc(arena, known->path_count, sizeof(*result->ids));
	result->weight = wm_arena_alloc(arena, known->path_count, sizeof(*result->weight));
	for (uint32_t i = 0; i < known->path_count; i++) {
		const struct wm_prior_path *path = &known->paths[i];
		if (!matters(ranges, path->id))
			continue;
		result->ids[result->count] = path->id;
		result->weight[result->count++] = (double)path->count;
	}
}

static void take_named(
	struct wm_arena *arena, const struct wm_path_ranges *ranges, struct wm_known_paths *result)
{
	if (!ranges || ranges->paths > WM_MAX_NAMED_PATHS)
		return;
	result->ids = wm_arena_alloc(arena, ranges->paths, sizeof(*result->ids));
	result->weight = wm_arena_alloc(arena, ranges->paths, sizeof(*result->weight));
	for (size_t i = 0; i < ranges->count; i++)
		for (uint64_t k = 0; k < ranges->ranges[i].count; k++) {
			result->ids[result->count] = ranges->ranges[i].first + k;
			result->weight[result->count++] = 1;
		}
}

/* An id means the same path only between the same cuts. */
static bool has_same_paths(
	const struct wm_prior_function *known, const struct wm_function *described)
{
	return known && known->paths && known->cfg_hash == wm_path_cfg_hash(described);
}

struct wm_known_key *wm_paths_list_keys(struct wm_arena *arena, const struct wm_path_plan *plan,
	const struct wm_probe_keys *const *by_probe, uint32_t *count)
{
	struct wm_known_key *list = NULL;
	size_t capacity = 0;
	*count = 0;
	for (uint32_t k = 0; k < plan->probe_count; k++) {
		const struct wm_probe_keys *keys = by_probe[k];
		for (uint32_t slot = 0; keys && slot < (uint32_t)1 << keys->bits; slot++) {
			if (keys->tag[slot] == WM_NO_KEY)
				continue;
			list = wm_arena_grow(arena, list, *count, &capacity, sizeof *list);
			list[(*count)++] = (struct wm_known_key){(uint32_t)plan->first_counter[k],
				(uint32_t)keys->first_counter + slot, keys->tag[slot]};
		}
	}
	return list;
}

const struct wm_probe_keys **wm_paths_keys(const struct wm_subject *subject,
	const struct wm_path_ranges *ranges, const struct wm_path_plan *plan,
	const struct wm_paths *paths, const struct wm_function *described, uint32_t *counter_count)
{
	struct wm_known_paths known = {0};
	if (has_same_paths(subject->prior, described))
		take_measured(subject->arena, subject->prior, ranges, &known);
	else
		take_named(subject->arena, ranges, &known);
	return wm_probe_keys_choose(subject->arena, plan, paths, &known, counter_count);
}
