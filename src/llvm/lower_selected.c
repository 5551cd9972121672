/* Selected paths: increments by edge of the function, and the steps that they become. */
#include "llvm/lower_selected.h"

#include "core/depth_first.h"
#include "llvm/lowerer.h"

/* Sums below this are numbers of counters; so many paths may be selected. */
enum { ARRAY_LIMIT = 256, MOST_SELECTED = 256 };

/* Sums travel in the register, a multiple of 8 of them, beside an address. */
static const uint64_t most_paths = (uint64_t)1 << 40;

static bool has_place_everywhere(const struct wm_capture *capture)
{
	for (uint32_t e = 0; e < capture->cfg->edge_count; e++) {
		enum wm_site_kind kind = capture->sites[e].kind;
		bool returns = capture->cfg->target[e] == capture->cfg->exit;
		if (kind == WM_SITE_COMPARED || (kind == WM_SITE_NOWHERE && !returns))
			return false;
	}
	return true;
}

/* The edge to EXIT of a return that cannot hold a probe, shared by tail calls; or WM_NONE. Who goes
 * to such a block has ended his path. */
static uint32_t return_behind(const struct wm_capture *capture, uint32_t vertex)
{
	const struct wm_cfg *cfg = capture->cfg;
	for (uint32_t k = cfg->out_start[vertex]; k < cfg->out_start[vertex + 1]; k++)
		if (cfg->out_edge[k] != wm_cfg_closing_edge(cfg) &&
			capture->sites[cfg->out_edge[k]].kind == WM_SITE_NOWHERE)
			return cfg->out_edge[k];
	return WM_NONE;
}

/* The ids in the ranges of paths that end where a probe can stand. */
static uint32_t list_ids(const struct wm_lowering *lowering, const struct wm_paths *paths,
	const struct wm_path_ranges *ranges, uint64_t *ids)
{
	uint32_t count = 0;
	uint32_t *edges =
		wm_arena_alloc(lowering->arena, paths->graph->vertex_count, sizeof(*edges));
	for (size_t i = 0; i < ranges->count; i++) {
		for (uint64_t k = 0; k < ranges->ranges[i].count; k++) {
			uint64_t id = ranges->ranges[i].first + k;
			uint32_t length = wm_paths_decode(paths, id, edges);
			uint32_t last = length ? paths->origin[edges[length - 1]] : WM_NONE;
			if (last != WM_NONE &&
				lowering->capture->sites[last].kind != WM_SITE_ABANDONED)
				ids[count++] = id;
		}
	}
	return count;
}

/* More than the sum of any path of the graph, selected or not. */
static uint64_t bound_sums(
	struct wm_arena *arena, const struct wm_paths *paths, const struct wm_selection *selection)
{
	const struct wm_cfg *graph = paths->graph;
	struct wm_depth_first order = wm_depth_first_search(arena, graph);
	uint64_t *most = wm_arena_alloc(arena, graph->vertex_count, sizeof(*most));
	for (uint32_t i = 0; i < graph->vertex_count; i++) {
		uint32_t v = order.postorder[i];
		for (uint32_t k = graph->out_start[v];
			v != graph->exit && k < graph->out_start[v + 1]; k++) {
			uint32_t e = graph->out_edge[k];
			uint64_t sum = selection->increment[e] + most[graph->target[e]];
			if (sum > most[v])
				most[v] = sum;
		}
	}
	return most[graph->entry] + 1;
}

/* The increments of the graph of paths, by edge and vertex of the function. */
static void spread(const struct wm_lowering *lowering, const struct wm_paths *paths,
	const struct wm_selection *selection, struct wm_selected *selected)
{
	const struct wm_cfg *cfg = lowering->capture->cfg;
	selected->end = wm_arena_alloc(lowering->arena, cfg->edge_count, sizeof(uint64_t));
	selected->end_matters = wm_arena_alloc(lowering->arena, cfg->edge_count, sizeof(bool));
	selected->inner = wm_arena_alloc(lowering->arena, cfg->edge_count, sizeof(uint64_t));
	selected->start = wm_arena_alloc(lowering->arena, cfg->vertex_count, sizeof(uint64_t));
	selected->cut = paths->cut;
	for (uint32_t e = 0; e < paths->graph->edge_count; e++) {
		uint32_t origin = paths->origin[e];
		uint64_t increment = selection->increment[e];
		bool ends = paths->graph->target[e] == cfg->exit;
		if (paths->kind[e] == WM_PATH_EDGE_START)
			selected->start[cfg->target[origin]] = increment;
		else if (ends)
			selected->end[origin] = increment;
		else
			selected->inner[origin] = increment;
		if (ends)
			selected->end_matters[origin] = selection->interesting[e];
	}
}

/* A slot for each sum; NULL if some would meet. */
static struct wm_probe_keys *choose_slots(
	struct wm_arena *arena, const struct wm_selection *selection, uint32_t count)
{
	struct wm_scaled_hash hash;
	wm_scaled_hash_choose(arena, selection->sum, NULL, count, &hash);
	if (hash.extra)
		return NULL;
	size_t slots = (size_t)1 << hash.bits;
	struct wm_probe_keys *keys = wm_arena_alloc(arena, 1, sizeof(*keys));
	*keys = (struct wm_probe_keys){
		hash.multiplier, hash.bits, wm_arena_alloc(arena, slots, sizeof(uint64_t)), 0};
	for (size_t i = 0; i < slots; i++)
		keys->tag[i] = WM_NO_KEY;
	for (uint32_t i = 0; i < count; i++)
		keys->tag[hash.slot[i]] = selection->sum[i];
	return keys;
}

static uint32_t counter_of(const struct wm_selected *selected, uint64_t sum)
{
	if (!selected->keys)
		return (uint32_t)sum;
	return (uint32_t)(sum * selected->keys->multiplier >> (64 - selected->keys->bits));
}

static void describe(struct wm_arena *arena, const struct wm_selected *selected,
	const struct wm_selection *selection, const uint64_t *ids, uint32_t count,
	struct wm_function *described)
{
	described->problem = WM_PROBLEM_SELECTED_PATHS;
	described->flags |= WM_DESCRIPTION_KEYS;
	described->counter_count = selected->others + 1;
	described->array_limit = described->probe_count = 0;
	described->key_count = count;
	described->keys = wm_arena_alloc(arena, count, sizeof(*described->keys));
	for (uint32_t i = 0; i < count; i++)
		described->keys[i] = (struct wm_known_key){
			selected->others, counter_of(selected, selection->sum[i]), ids[i]};
}

bool wm_selected_plan(const struct wm_lowering *lowering, const struct wm_paths *paths,
	const struct wm_path_ranges *ranges, struct wm_function *described,
	struct wm_selected *selected)
{
	struct wm_arena *arena = lowering->arena;
	struct wm_selection selection;
	if (ranges->paths > MOST_SELECTED || paths->count > most_paths ||
		!has_place_everywhere(lowering->capture))
		return false;
	uint64_t *ids = wm_arena_alloc(arena, ranges->paths, sizeof(*ids));
	uint32_t count = list_ids(lowering, paths, ranges, ids);
	if (!count)
		return false;
	wm_select_plan(arena, paths, lowering->edge_weight, ids, count, &selection);
	*selected = (struct wm_selected){0};
	uint64_t bound = bound_sums(arena, paths, &selection);
	if (bound > ARRAY_LIMIT) {
		selected->keys = choose_slots(arena, &selection, count);
		if (!selected->keys)
			return false;
		bound = (uint64_t)1 << selected->keys->bits;
	}
	selected->others = (uint32_t)bound;
	spread(lowering, paths, &selection, selected);
	describe(arena, selected, &selection, ids, count, described);
	return true;
}

/* Adds the step that counts the path that ends with this edge, at the place of that one. */
static void count_end(struct wm_lowerer *lowerer, const struct wm_selected *selected, uint32_t edge,
	uint32_t place)
{
	struct wm_step step = {.kind = WM_STEP_COUNT,
		.before = wm_lowerer_edge_position(lowerer, place),
		.counter = selected->others,
		.weight = lowerer->job->edge_weight[place]};
	if (selected->end_matters[edge] && selected->keys) {
		step.kind = WM_STEP_COUNT_KNOWN;
		step.known = selected->keys;
		step.potential = selected->end[edge];
	} else if (selected->end_matters[edge]) {
		step.kind = WM_STEP_COUNT_BY_HISTORY;
		step.counter = selected->end[edge];
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
					.weight = lowerer->job->edge_weight[edge]});
}

/* A path ends, then the next starts, or the path goes on; then it ends in a return that is shared.
 */
static void go_along(
	struct wm_lowerer *lowerer, const struct wm_selected *selected, uint32_t edge, bool counted)
{
	const struct wm_capture *capture = lowerer->job->capture;
	const struct wm_cfg *cfg = capture->cfg;
	uint32_t target = cfg->target[edge];
	bool ends = selected->cut[edge] || target == cfg->exit;
	if (ends && cfg->source[edge] != cfg->exit && !counted)
		count_end(lowerer, selected, edge, edge);
	if (target == cfg->exit)
		return;
	if (ends)
		change_sum(lowerer, WM_STEP_SET_HISTORY, selected->start[target], edge);
	else
		change_sum(lowerer, WM_STEP_MOVE_HISTORY, selected->inner[edge], edge);
	uint32_t behind = return_behind(capture, target);
	if (behind != WM_NONE)
		count_end(lowerer, selected, behind, edge);
}

/* Trip counts go first: they ask questions about loops that must not have been changed yet. */
static bool *count_outside_loops(struct wm_lowerer *lowerer, const struct wm_selected *selected)
{
	const struct wm_cfg *cfg = lowerer->job->capture->cfg;
	bool *counted = wm_arena_alloc(lowerer->job->arena, cfg->edge_count, sizeof(*counted));
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		counted[e] = selected->cut[e] && !selected->end_matters[e] &&
			     wm_lowerer_count_outside_loop(lowerer, e, selected->others);
	return counted;
}

void wm_lower_selected_steps(struct wm_lowerer *lowerer, const struct wm_selected *selected)
{
	const struct wm_capture *capture = lowerer->job->capture;
	const bool *counted = count_outside_loops(lowerer, selected);
	lowerer->history = wm_lowerer_slot(lowerer);
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
				go_along(lowerer, selected, e, counted[e]);
		}
	}
}
