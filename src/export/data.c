/* A metric is exported if every part of the profile has it: a sum over some parts would look like
 * one over all. */
#include "export/data.h"

#include <string.h>

const struct wm_metric_text wm_metric_texts[WM_METRIC_COUNT] = {
	[WM_METRIC_CALLS] = {"calls", "entries of functions"},
	[WM_METRIC_INSTRUCTIONS] = {"instructions",
		"executed instructions of the compiler's intermediate form"},
};

static const char *name_of_file(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static bool has_counts(const struct wm_profile *profile)
{
	for (uint32_t i = 0; i < profile->function_count; i++)
		if (!profile->functions[i].block)
			return false;
	return true;
}

static void find_own_of_functions(struct wm_arena *arena, struct wm_export_part *part)
{
	const struct wm_profile *profile = part->profile;
	uint64_t *calls = wm_arena_alloc(arena, profile->function_count, sizeof *calls);
	uint64_t *instructions =
		wm_arena_alloc(arena, profile->function_count, sizeof *instructions);
	for (uint32_t i = 0; i < profile->function_count; i++) {
		calls[i] = profile->functions[i].calls;
		instructions[i] = profile->functions[i].instructions;
	}
	part->own[WM_METRIC_CALLS] = calls;
	part->own[WM_METRIC_INSTRUCTIONS] = instructions;
}

/* NULL unless contexts have all that the functions have. */
static const uint64_t *find_instructions(struct wm_arena *arena, const struct wm_export_part *part)
{
	struct wm_event_kind kind;
	wm_event_kind_parse(arena, "instructions", &kind);
	const uint64_t *own = wm_profile_contexts_own(arena, part->profile, &part->contexts, &kind);
	uint64_t sum = 0;
	for (uint32_t i = 0; own && i < part->contexts.tree.record_count; i++)
		sum += own[i];
	return sum == part->profile->instructions ? own : NULL;
}

static void find_own(struct wm_arena *arena, struct wm_export_part *part)
{
	part->contexts = wm_profile_contexts_find(arena, part->profile);
	if (part->contexts.counted) {
		part->own[WM_METRIC_CALLS] = wm_contexts_entries(arena, &part->contexts.tree);
		part->own[WM_METRIC_INSTRUCTIONS] = find_instructions(arena, part);
	} else if (has_counts(part->profile)) {
		find_own_of_functions(arena, part);
	}
}

static void add_part(struct wm_export_data *data, const struct wm_export_part *part)
{
	uint32_t places = part->contexts.counted ? part->contexts.tree.record_count
						 : part->profile->function_count;
	data->has_contexts |= part->contexts.counted;
	data->functions_known &= has_counts(part->profile);
	for (uint32_t metric = 0; metric < WM_METRIC_COUNT; metric++) {
		data->known[metric] &= part->own[metric] != NULL;
		for (uint32_t i = 0; part->own[metric] && i < places; i++)
			data->total[metric] += part->own[metric][i];
	}
}

struct wm_export_data wm_export_data_make(struct wm_arena *arena, const struct wm_profile *profile)
{
	struct wm_export_data data = {.arena = arena,
		.profile = profile,
		.part_count = profile->part_count,
		.functions_known = true,
		.parts = wm_arena_alloc(arena, profile->part_count, sizeof *data.parts)};
	for (uint32_t metric = 0; metric < WM_METRIC_COUNT; metric++)
		data.known[metric] = true;
	for (uint32_t i = 0; i < data.part_count; i++) {
		struct wm_export_part *part = &data.parts[i];
		part->profile = &profile->parts[i];
		part->name = name_of_file(part->profile->object.path);
		find_own(arena, part);
		add_part(&data, part);
	}
	return data;
}
