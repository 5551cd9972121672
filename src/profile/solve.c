/* The table of solvers, and the one for edges and blocks. */
#include "profile/solve.h"

#include <string.h>

#include "core/counters/propagate.h"
#include "profile/context_counts.h"
#include "profile/departures.h"
#include "profile/path_counts.h"

const uint64_t *wm_solve_copy(struct wm_arena *arena, const uint64_t *counts, uint32_t count)
{
	uint64_t *copy = wm_arena_alloc(arena, count, sizeof *copy);
	if (count)
		memcpy(copy, counts, count * sizeof *copy);
	return copy;
}

static int solve_counters(struct wm_arena *arena, struct wm_arena *scratch,
	const struct wm_solve_source *source, struct wm_profile_function *result,
	struct wm_error *error)
{
	const struct wm_function *function = source->function;
	const struct wm_counters_section *section = function->counters;
	struct wm_counts counts;
	if (section->head.measure.quantity == WM_QUANTITY_CONTEXT)
		return 0;
	const uint64_t *counter = wm_context_counts_sum(
		scratch, source->file, source->first_counter, section->probe_count);
	int status = wm_propagate(scratch, source->cfg, section->probes, section->probe_count,
		counter, NULL, &counts, error);
	if (status < 0)
		return status;
	result->block = wm_solve_copy(arena, counts.vertex, function->block_count);
	if (counts.edges_known)
		result->edge = wm_solve_copy(arena, counts.edge, function->edge_count);
	for (uint32_t i = 0; i < section->probe_count; i++)
		result->increments += counter[i];
	return 0;
}

/* The words belong to the object: all its functions have the same. */
static int solve_events(struct wm_arena *arena, struct wm_arena *scratch,
	const struct wm_solve_source *source, struct wm_profile_function *result,
	struct wm_error *error)
{
	(void)arena, (void)scratch, (void)error;
	result->events = source->file->counter + source->first_counter;
	return 0;
}

static int solve_inclusive(struct wm_arena *arena, struct wm_arena *scratch,
	const struct wm_solve_source *source, struct wm_profile_function *result,
	struct wm_error *error)
{
	(void)arena, (void)scratch, (void)error;
	result->inclusive = source->file->counter + source->first_counter;
	return 0;
}

static const struct {
	enum wm_section_tag section;
	int (*solve)(struct wm_arena *arena, struct wm_arena *scratch,
		const struct wm_solve_source *source, struct wm_profile_function *result,
		struct wm_error *error);
} solvers[] = {
	{WM_SECTION_COUNTERS, solve_counters},
	{WM_SECTION_PATHS, wm_path_counts_derive},
	{WM_SECTION_SUMS, wm_path_counts_selected},
	{WM_SECTION_ORACLE, wm_path_counts_replay},
	{WM_SECTION_EVENTS, solve_events},
	{WM_SECTION_SENTINELS, wm_departures_solve},
	{WM_SECTION_INCLUSIVE, solve_inclusive},
};

static void read_mark_sums(struct wm_arena *arena, const struct wm_file *file,
	uint64_t first_counter, struct wm_profile_function *result)
{
	const struct wm_function *function = result->function;
	uint64_t *sums = wm_arena_alloc(arena, function->mark_sum_count, sizeof *sums);
	for (uint32_t i = 0; i < function->mark_sum_count; i++)
		sums[i] = *wm_context_counts_sum(
			arena, file, first_counter + function->mark_sums[i].counter, 1);
	result->mark_sums = sums;
}

int wm_solve_function(struct wm_arena *arena, struct wm_arena *scratch, const struct wm_file *file,
	uint64_t first_counter, struct wm_profile_function *result, struct wm_error *error)
{
	const struct wm_function *function = result->function;
	struct wm_solve_source source = {.function = function,
		.cfg = wm_function_graph(scratch, function),
		.cut = wm_function_edges_with(scratch, function, WM_EDGE_CUT, true),
		.soft = wm_function_edges_with(scratch, function, WM_EDGE_SOFT, false),
		.file = file};
	int status = 0;
	for (size_t i = 0; i < sizeof solvers / sizeof *solvers && !status; i++) {
		const struct wm_section *head = wm_function_section(function, solvers[i].section);
		if (!head)
			continue;
		source.first_counter = first_counter + head->first_counter;
		status = solvers[i].solve(arena, scratch, &source, result, error);
	}
	if (!status && function->mark_sum_count)
		read_mark_sums(arena, file, first_counter, result);
	return status;
}
