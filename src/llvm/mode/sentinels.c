/* Sentinels where the tested paths of a function are left (core/chosen/sentinels.h). A function of
 * which too many routes would have to be told apart, or that has no place for one of them, is
 * counted in full. */
#include "core/chosen/sentinels.h"

#include "core/paths/path_steps.h"
#include "llvm/emit/record.h"
#include "llvm/mode/paths.h"
#include "llvm/mode/terms.h"
#include "llvm/tuning.h"
#include "names/path_name.h"

struct made {
	const bool *cut; /* by edge: paths end there */
	struct wm_sentinels sentinels;
	struct wm_path_plan plan;
	const bool *armed; /* by counter */
};

/* The tested paths as single numbers; false if they are too many. */
static bool list_tested(const struct wm_subject *subject, const struct wm_path_ranges *ranges,
	uint64_t **ids, uint32_t *count)
{
	*count = 0;
	if (ranges->paths > WM_MAX_TESTED_PATHS)
		return false;
	*ids = wm_arena_alloc(subject->arena, ranges->paths, sizeof **ids);
	for (size_t i = 0; i < ranges->count; i++)
		for (uint64_t k = 0; k < ranges->ranges[i].count; k++)
			(*ids)[(*count)++] = ranges->ranges[i].first + k;
	return true;
}

static bool *watched_edges(const struct wm_subject *subject)
{
	const struct wm_capture *capture = subject->capture;
	bool *watched = wm_arena_alloc(subject->arena, capture->cfg->edge_count, sizeof *watched);
	for (uint32_t e = 0; e < capture->cfg->edge_count; e++)
		watched[e] = capture->sites[e].kind != WM_SITE_ABANDONED;
	return watched;
}

static bool fits(const struct wm_subject *subject, const struct wm_path_plan *plan,
	const struct wm_terms *terms)
{
	for (uint32_t k = 0; k < plan->probe_count; k++) {
		const struct wm_probe *probe = &plan->probes[k];
		bool on_edge = wm_probe_is_on_edge(probe);
		if (on_edge ? terms->uncountable[probe->index] ||
					subject->capture->sites[probe->index].kind ==
						WM_SITE_COMPARED
			    : terms->uncountable_vertex[probe->index])
			return false;
		if (!wm_path_plan_probe_has_array(plan, probe))
			return false;
	}
	return true;
}

/* Instructions of the probes that tested paths meet, and of the registers. What no test takes costs
 * nothing; a sentinel that looks at the history is a comparison and a jump. */
static double cost_of(const struct wm_subject *subject, const struct wm_path_plan *plan,
	double by_history, double plain)
{
	double cost = 0;
	for (uint32_t k = 0; k < plan->probe_count; k++) {
		const struct wm_probe *probe = &plan->probes[k];
		bool reads = wm_path_steps_reads_registers(plan, probe);
		cost += (reads ? by_history : plain) *
			(wm_probe_is_on_edge(probe) ? subject->edge_weight[probe->index]
						    : subject->vertex_weight[probe->index]);
	}
	for (uint32_t e = 0; e < plan->function->edge_count; e++)
		if (wm_path_steps_on_edge(plan, e).change != WM_REGISTER_KEPT)
			cost += subject->edge_weight[e];
	for (uint32_t v = 0; v < plan->function->exit; v++)
		if (wm_path_steps_in_block(plan, v).change != WM_REGISTER_KEPT)
			cost += subject->vertex_weight[v];
	return cost;
}

static int place(const struct wm_subject *subject, const struct wm_path_plan *histories,
	struct made *made, struct wm_error *error)
{
	struct wm_terms terms = wm_terms_make(subject);
	struct wm_path_request request = {.edge_weight = subject->edge_weight,
		.vertex_weight = subject->vertex_weight,
		.still = terms.still};
	int status = wm_path_plan_of_probes(subject->arena, subject->capture->cfg,
		made->sentinels.cut, made->sentinels.probes, made->sentinels.probe_count,
		WM_MAX_ROUTES, &made->plan, error);
	if (status)
		return status;
	wm_path_plan_carry(subject->arena, &made->plan, &request);
	if (!fits(subject, &made->plan, &terms))
		return wm_error_set(error, WM_ERROR_UNSOLVABLE, "a sentinel has no place");
	if (cost_of(subject, &made->plan, 1, 0) > cost_of(subject, histories, 1, 1))
		return wm_error_set(error, WM_ERROR_UNSOLVABLE, "counting is cheaper");
	made->armed = wm_sentinels_arm(subject->arena, &made->sentinels, &made->plan);
	return WM_PLAN_MADE;
}

static int plan(const struct wm_mode *mode, const struct wm_subject *subject, void **result,
	struct wm_error *error)
{
	struct made *made = wm_arena_alloc(subject->arena, 1, sizeof *made);
	struct wm_function described = subject->described;
	struct wm_path_plan histories;
	struct wm_paths *paths = wm_arena_alloc(subject->arena, 1, sizeof *paths);
	uint64_t *ids;
	uint32_t count;
	(void)mode;
	*result = made;
	if (!subject->knowledge->has_paths)
		return wm_error_set(error, WM_ERROR_UNSOLVABLE, "no tested paths are known");
	int status = wm_paths_plan_histories(subject, false, &histories, error);
	if (status)
		return status;
	made->cut = histories.cut;
	wm_paths_describe_cuts(subject->arena, histories.cut, histories.soft, &described);
	struct wm_path_ranges ranges = wm_paths_wanted(subject, &described, paths);
	if (!paths->graph || !list_tested(subject, &ranges, &ids, &count))
		return wm_error_set(error, WM_ERROR_UNSOLVABLE, "too many paths were tested");
	wm_sentinels_choose(subject->arena, subject->capture->cfg, paths, ids, count,
		watched_edges(subject), &made->sentinels);
	return place(subject, &histories, made, error);
}

static uint32_t describe(const struct wm_mode *mode, const struct wm_subject *subject,
	const void *plan, uint32_t first, struct wm_function *described)
{
	const struct made *made = plan;
	const struct wm_cfg *cfg = subject->capture->cfg;
	uint32_t counters = (uint32_t)made->plan.counter_count + (made->plan.counter_count == 0);
	const bool *soft =
		wm_arena_alloc(subject->arena, (size_t)cfg->edge_count + 1, sizeof *soft);
	struct wm_sentinels_section *section = wm_arena_alloc(subject->arena, 1, sizeof *section);
	*section = (struct wm_sentinels_section){.head = {mode->measure, first, counters},
		.armed =
			wm_description_hash((const uint8_t *)made->armed, made->plan.counter_count),
		.fresh = wm_arena_alloc(subject->arena, cfg->edge_count, sizeof(uint32_t)),
		.probe_count = made->plan.probe_count,
		.probes = made->plan.probes};
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		if (made->sentinels.cut[e] && !made->cut[e])
			section->fresh[section->fresh_count++] = e;
	wm_paths_describe_cuts(subject->arena, made->cut, soft, described);
	described->sentinels = section;
	return counters;
}

static void lower(struct wm_lowerer *lowerer, const void *plan)
{
	const struct made *made = plan;
	if (!made->plan.probe_count)
		return;
	lowerer->armed = wm_record_armed(lowerer->subject->arena, lowerer->subject->module,
		lowerer->counters, made->armed, (uint32_t)made->plan.counter_count);
	wm_paths_add_sentinel_steps(lowerer, &made->plan);
}

const struct wm_mode_functions wm_sentinels_mode = {plan, describe, lower, NULL};
