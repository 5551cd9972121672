/* The steps of sums of increments: along an edge a path ends and is counted, and the next starts;
 * or the register changes. */
#include "core/base/none.h"
#include "llvm/mode/sums.h"
#include "llvm/probe/lowerer.h"

/* Adds the step that counts the path that ends with this edge, at the place of that one. */
static void count_end(
	struct wm_lowerer *lowerer, const struct wm_sums *sums, uint32_t edge, uint32_t place)
{
	struct wm_step step = {.kind = WM_STEP_COUNT,
		.before = wm_lowerer_edge_position(lowerer, place),
		.counter = sums->others,
		.weight = lowerer->subject->edge_weight[place]};
	if (sums->end_matters[edge] && sums->keys) {
		step.kind = sums->in_table ? WM_STEP_COUNT_IN_TABLE : WM_STEP_COUNT_KNOWN;
		step.known = sums->keys;
		step.table = sums->others;
		step.with_route = true;
		step.potential = sums->end[edge];
	} else if (sums->end_matters[edge]) {
		step.kind = WM_STEP_COUNT_BY_HISTORY;
		step.counter = sums->end[edge];
	}
	wm_lowerer_add(lowerer, step);
}

static void change_sum(
	struct wm_lowerer *lowerer, enum wm_step_kind kind, uint64_t amount, uint32_t edge)
{
	if (kind == WM_STEP_MOVE_HISTORY && !amount)
		return;
	wm_lowerer_add(lowerer, (struct wm_step){.kind = kind,
					.before = wm_lowerer_edge_position(lowerer, edge),
					.counter = amount,
					.weight = lowerer->subject->edge_weight[edge]});
}

/* A path ends, then the next starts, or the path goes on; then it ends in a return that is shared.
 */
static void go_along(
	struct wm_lowerer *lowerer, const struct wm_sums *sums, uint32_t edge, bool counted)
{
	const struct wm_capture *capture = lowerer->subject->capture;
	const struct wm_cfg *cfg = capture->cfg;
	uint32_t target = cfg->target[edge];
	bool ends = sums->cut[edge] || target == cfg->exit;
	if (ends && cfg->source[edge] != cfg->exit && !counted)
		count_end(lowerer, sums, edge, edge);
	if (target == cfg->exit)
		return;
	if (ends)
		change_sum(lowerer, WM_STEP_SET_HISTORY, sums->start[target], edge);
	else
		change_sum(lowerer, WM_STEP_MOVE_HISTORY, sums->inner[edge], edge);
	uint32_t behind = wm_sums_return_behind(capture, target);
	if (behind != WM_NONE)
		count_end(lowerer, sums, behind, edge);
}

/* By edge: true for back edges that are counted where their loops are entered. */
static bool *count_outside_loops(struct wm_lowerer *lowerer, const struct wm_sums *sums)
{
	const struct wm_cfg *cfg = lowerer->subject->capture->cfg;
	bool *counted = wm_arena_alloc(lowerer->subject->arena, cfg->edge_count, sizeof(*counted));
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		counted[e] = sums->cut[e] && !sums->end_matters[e] &&
			     wm_lowerer_ask_iterations(lowerer, e);
	wm_lowerer_compute_iterations(lowerer);
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		if (counted[e])
			wm_lowerer_count_iterations(lowerer, lowerer->iterations[e], sums->others, 1);
	return counted;
}

void wm_sums_add_steps(struct wm_lowerer *lowerer, const struct wm_sums *sums)
{
	const struct wm_capture *capture = lowerer->subject->capture;
	const bool *counted = count_outside_loops(lowerer, sums);
	lowerer->history = wm_lowerer_slot(lowerer, wm_lowerer_history_type(lowerer));
	wm_lowerer_add(lowerer, (struct wm_step){.kind = WM_STEP_SET_HISTORY,
					.before = wm_capture_block_start(capture->blocks[0]),
					.weight = 1});
	/* Where both stand before one instruction, what leads to a block comes before what leaves
	 * it. */
	for (int in_target = 1; in_target >= 0; in_target--) {
		for (uint32_t e = 0; e < capture->cfg->edge_count; e++) {
			enum wm_site_kind kind = capture->sites[e].kind;
			if (kind != WM_SITE_ABANDONED && kind != WM_SITE_NOWHERE &&
				(kind == WM_SITE_TARGET_START) == in_target)
				go_along(lowerer, sums, e, counted[e]);
		}
	}
}
