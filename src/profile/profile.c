/* From counters to counts, function by function.
 *
 * Graphs and the solver's scratch memory are given back every few thousand edges; only the counts
 * stay.
 */
#include "profile/profile.h"

#include "core/base/none.h"
#include "profile/binary.h"
#include "profile/hot_paths.h"
#include "profile/objects.h"
#include "profile/solve.h"

/* Giving memory back after each of many small functions would cost more than solving them. */
enum { SCRATCH_EDGES = 8192 };

void wm_profile_sum_function(struct wm_profile_function *result)
{
	const struct wm_function *function = result->function;
	for (uint32_t i = 0; !result->block && i < result->path_count; i++)
		result->instructions += wm_hot_path_instructions(result, &result->paths[i]);
	if (!result->block)
		return;
	result->calls = result->block[0];
	for (uint32_t i = 0; i < function->block_count; i++) {
		result->instructions += result->block[i] * function->blocks[i].instructions;
		result->block_entries += result->block[i];
	}
}

static void sum_profile(struct wm_profile *profile, const struct wm_profile_function *result)
{
	profile->executed_functions += result->calls > 0 || result->path_count || result->others;
	profile->instructions += result->instructions;
	profile->counters += result->function->counter_count;
	profile->blocks += result->function->block_count;
	profile->increments += result->increments;
	profile->block_entries += result->block_entries;
}

static const struct wm_source *const *find_sources(struct wm_arena *arena,
	const struct wm_source_records *records, const struct wm_function *function)
{
	if (!function->source || !records->count)
		return NULL;
	uint32_t count = function->source->key_count;
	const struct wm_source **sources = wm_arena_alloc(arena, count, sizeof *sources);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t found = wm_source_records_find(records, function->source->keys[i]);
		sources[i] = found == WM_NONE ? NULL : &records->records[found];
	}
	return sources;
}

static int solve(struct wm_arena *arena, struct wm_profile *profile, struct wm_error *error)
{
	struct wm_arena scratch = {0};
	uint64_t held = 0;
	int status = 0;
	for (uint32_t i = 0; i < profile->function_count && status == 0; i++) {
		const struct wm_object_function *source = &profile->object.functions[i];
		struct wm_profile_function *result = &profile->functions[i];
		struct wm_error reason;
		result->function = &source->function;
		result->sources = find_sources(arena, &profile->object.sources, result->function);
		status = wm_solve_function(
			arena, &scratch, &profile->file, source->first_counter, result, &reason);
		if (status == 0)
			wm_profile_sum_function(result);
		if (status < 0)
			status = wm_error_set(error, WM_ERROR_INPUT,
				"%s: the description of function '%.200s' is damaged: %.400s",
				profile->object.path, source->function.name, reason.text);
		else
			sum_profile(profile, result);
		held += source->function.block_count + source->function.edge_count;
		if (held > SCRATCH_EDGES) {
			wm_arena_reset(&scratch);
			held = 0;
		}
	}
	wm_arena_reset(&scratch);
	return status;
}

void wm_profile_make_of_counts(struct wm_arena *arena, const struct wm_file *file,
	const struct wm_object *object, const struct wm_known_counts *counts,
	struct wm_profile *profile)
{
	*profile = (struct wm_profile){
		.file = *file, .object = *object, .function_count = object->function_count};
	profile->functions =
		wm_arena_alloc(arena, profile->function_count, sizeof *profile->functions);
	for (uint32_t i = 0; i < profile->function_count; i++) {
		struct wm_profile_function *result = &profile->functions[i];
		result->function = &object->functions[i].function;
		result->sources = find_sources(arena, &object->sources, result->function);
		result->block = counts[i].block;
		result->edge = counts[i].edge;
		wm_profile_sum_function(result);
		sum_profile(profile, result);
	}
	wm_profile_add_libraries(arena, profile);
}

int wm_profile_make(struct wm_arena *arena, const struct wm_file *file, const char *binary,
	struct wm_profile *profile, struct wm_error *error)
{
	*profile = (struct wm_profile){.file = *file};
	int status = wm_binary_read(arena, file, binary, &profile->object, error);
	if (status < 0)
		return status;
	profile->function_count = profile->object.function_count;
	profile->functions =
		wm_arena_alloc(arena, profile->function_count, sizeof *profile->functions);
	status = solve(arena, profile, error);
	if (status == 0)
		wm_profile_add_libraries(arena, profile);
	return status;
}
