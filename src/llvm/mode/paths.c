/* Paths by history (core/paths/path_plan.h): every path of a function, or of those functions that
 * have a wanted one. */
#include "llvm/mode/paths.h"

#include <string.h>

#include "core/cost/prices.h"
#include "llvm/emit/sim_accesses.h"
#include "llvm/mode/terms.h"
#include "llvm/tuning.h"
#include "names/path_name.h"

struct made {
	struct wm_path_plan plan;
	uint32_t counter_count;		     /* those for keys included */
	const struct wm_probe_keys **keys;   /* by probe, or NULL */
	const struct wm_path_meters *meters; /* or NULL */
	struct wm_sim_accesses accesses;     /* none if no cache is simulated */
};

static uint64_t max_counters(const struct wm_capture *capture)
{
	uint64_t instructions = 0;
	for (uint32_t i = 0; i < capture->block_count; i++)
		for (LLVMValueRef at = LLVMGetFirstInstruction(capture->blocks[i]); at;
			at = LLVMGetNextInstruction(at))
			instructions++;
	double wanted = wm_max_counters_per_instruction * (double)instructions;
	return wanted > WM_MIN_COUNTERS ? (uint64_t)wanted : WM_MIN_COUNTERS;
}

struct wm_regions_request wm_paths_cuts(
	const struct wm_subject *subject, const bool *must_start, const bool *no_prehistory)
{
	bool classic = subject->options->classic_paths;
	return (struct wm_regions_request){.at_loop_entries = true,
		.must_start = must_start,
		.no_prehistory = no_prehistory,
		.max_routes = classic ? WM_MAX_ROUTES_CLASSIC : WM_MAX_ROUTES,
		.max_counters = classic ? 0 : max_counters(subject->capture),
		.max_routes_into_loop = WM_MAX_ROUTES_INTO_LOOP,
		.max_prehistories = classic ? wm_max_prehistories : 0};
}

int wm_paths_plan_histories(const struct wm_subject *subject, bool at_ends,
	struct wm_path_plan *plan, struct wm_error *error)
{
	struct wm_terms terms = wm_terms_make(subject);
	struct wm_regions_request cuts =
		wm_paths_cuts(subject, terms.must_start, terms.no_prehistory);
	struct wm_path_request request = {.cuts = cuts,
		.edge_cost = terms.edge_cost,
		.vertex_cost = terms.vertex_cost,
		.plain_cost = terms.plain_cost,
		.plain_vertex_cost = terms.plain_vertex_cost,
		.edge_weight = subject->edge_weight,
		.vertex_weight = subject->vertex_weight,
		.uncountable = terms.uncountable,
		.still = terms.still,
		.uncountable_vertex = terms.uncountable_vertex,
		.at_ends = at_ends,
		.array_limit = (uint32_t)cuts.max_routes};
	return wm_path_plan_make(subject->arena, subject->capture->cfg, &request, plan, error);
}

void wm_paths_describe_cuts(
	struct wm_arena *arena, const bool *cut, const bool *soft, struct wm_function *described)
{
	uint8_t *flags = wm_arena_alloc(arena, described->edge_count, 1);
	for (uint32_t edge = 0; edge < described->edge_count; edge++)
		flags[edge] = described->edge_flags[edge] | (cut[edge] ? WM_EDGE_CUT : 0) |
			      (soft[edge] ? WM_EDGE_SOFT : 0);
	described->edge_flags = flags;
}

/* Gives the paths that matter counters of their own. WM_PLAN_NOTHING if some are wanted, and none
 * is in this function. */
static int take_wanted(const struct wm_subject *subject, struct made *made)
{
	struct wm_function described = subject->described;
	struct wm_path_ranges ranges, *wanted = NULL;
	struct wm_paths paths;
	struct wm_error error;
	wm_paths_describe_cuts(subject->arena, made->plan.cut, made->plan.soft, &described);
	if (subject->knowledge->has_paths) {
		ranges = wm_paths_wanted(subject, &described, &paths);
		wanted = &ranges;
		if (!ranges.paths)
			return subject->options->residual ? WM_PLAN_MADE : WM_PLAN_NOTHING;
	} else if (!subject->prior ||
		   wm_path_numbering(subject->arena, &described, &paths, &error)) {
		return WM_PLAN_MADE;
	}
	made->keys = wm_paths_keys(
		subject, wanted, &made->plan, &paths, &described, &made->counter_count);
	return WM_PLAN_MADE;
}

static int plan(const struct wm_mode *mode, const struct wm_subject *subject, void **result,
	struct wm_error *error)
{
	struct made *made = wm_arena_alloc(subject->arena, 1, sizeof *made);
	bool at_ends = mode->measure.placement == WM_PLACEMENT_COMMIT;
	int status = wm_paths_plan_histories(subject, at_ends, &made->plan, error);
	if (status)
		return subject->knowledge->has_paths && !subject->options->residual
			       ? WM_PLAN_NOTHING
			       : status;
	made->counter_count = (uint32_t)made->plan.counter_count;
	if (subject->options->meters.count)
		made->meters = wm_paths_meters(subject, &made->plan);
	if (wm_meters_have(&subject->options->meters, WM_METER_SIM))
		made->accesses = wm_sim_accesses_find(subject);
	*result = made;
	return made->meters ? WM_PLAN_MADE : take_wanted(subject, made);
}

static uint32_t describe(const struct wm_mode *mode, const struct wm_subject *subject,
	const void *plan, uint32_t first, struct wm_function *described)
{
	const struct made *made = plan;
	struct wm_paths_section *section = wm_arena_alloc(subject->arena, 1, sizeof *section);
	*section = (struct wm_paths_section){.head = {mode->measure, first, made->counter_count},
		.max_array = made->plan.array_limit,
		.probe_count = made->plan.probe_count,
		.probes = made->plan.probes};
	if (made->keys)
		section->keys = wm_paths_list_keys(
			subject->arena, &made->plan, made->keys, &section->key_count);
	wm_paths_describe_cuts(subject->arena, made->plan.cut, made->plan.soft, described);
	described->paths = section;
	if (!made->meters)
		return made->counter_count;
	return made->counter_count + wm_paths_describe_meters(subject, made->meters,
					     first + made->counter_count, described);
}

static void lower(struct wm_lowerer *lowerer, const void *plan)
{
	const struct made *made = plan;
	wm_paths_add_steps(lowerer, &made->plan, made->keys, made->meters);
}

static void finish(struct wm_lowerer *lowerer, const void *plan)
{
	const struct made *made = plan;
	if (made->accesses.count)
		wm_sim_accesses_write(lowerer->subject, &made->accesses);
}

const struct wm_mode_functions wm_paths_mode = {plan, describe, lower, finish};
