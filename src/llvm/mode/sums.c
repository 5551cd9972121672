/* Increments by edge of the function, counters for sums, and their description. */
#include "llvm/mode/sums.h"

#include "core/chosen/prefer.h"
#include "core/chosen/select.h"
#include "core/graph/depth_first.h"
#include "llvm/mode/paths.h"
#include "llvm/subject/asm_goto.h"
#include "llvm/tuning.h"

struct made {
	const bool *cut, *soft; /* by edge */
	struct wm_sums sums;
	uint32_t lower_bits;
	uint32_t count; /* of selected or preferred paths */
	const uint64_t *ids;
	const uint64_t *sum; /* likewise: what their paths add up to */
};

static bool has_place_everywhere(const struct wm_capture *capture)
{
	if (wm_asm_goto_is_in(capture->function))
		return false;
	for (uint32_t e = 0; e < capture->cfg->edge_count; e++) {
		enum wm_site_kind kind = capture->sites[e].kind;
		bool returns = capture->cfg->target[e] == capture->cfg->exit;
		if (kind == WM_SITE_COMPARED || (kind == WM_SITE_NOWHERE && !returns))
			return false;
	}
	return true;
}

uint32_t wm_sums_return_behind(const struct wm_capture *capture, uint32_t vertex)
{
	const struct wm_cfg *cfg = capture->cfg;
	for (uint32_t k = cfg->out_start[vertex]; k < cfg->out_start[vertex + 1]; k++)
		if (cfg->out_edge[k] != wm_cfg_closing_edge(cfg) &&
			capture->sites[cfg->out_edge[k]].kind == WM_SITE_NOWHERE)
			return cfg->out_edge[k];
	return WM_NONE;
}

/* The ids in the ranges of paths that end where a probe can stand; none if there are more than
 * `max`, or if sums cannot be counted in this function. */
static uint32_t list_ids(const struct wm_subject *subject, const struct wm_paths *paths,
	const struct wm_path_ranges *ranges, uint64_t max, uint64_t **result)
{
	uint32_t count = 0;
	if (ranges->paths > max || paths->count > wm_max_paths_by_sums ||
		!has_place_everywhere(subject->capture))
		return 0;
	uint64_t *ids = *result = wm_arena_alloc(subject->arena, ranges->paths, sizeof(*ids));
	uint32_t *edges =
		wm_arena_alloc(subject->arena, paths->graph->vertex_count, sizeof(*edges));
	for (size_t i = 0; i < ranges->count; i++) {
		for (uint64_t k = 0; k < ranges->ranges[i].count; k++) {
			uint64_t id = ranges->ranges[i].first + k;
			uint32_t length = wm_paths_decode(paths, id, edges);
			uint32_t last = length ? paths->origin[edges[length - 1]] : WM_NONE;
			if (last != WM_NONE &&
				subject->capture->sites[last].kind != WM_SITE_ABANDONED)
				ids[count++] = id;
		}
	}
	return count;
}

/* The smallest (sign -1) or largest (sign 1) sum of these values over all paths. */
static int64_t extreme_sum(
	struct wm_arena *arena, const struct wm_paths *paths, const int64_t *value, int sign)
{
	const struct wm_cfg *graph = paths->graph;
	struct wm_depth_first order = wm_depth_first_search(arena, graph);
	int64_t *best = wm_arena_alloc(arena, graph->vertex_count, sizeof *best);
	for (uint32_t i = 0; i < graph->vertex_count; i++) {
		uint32_t v = order.postorder[i];
		bool found = false;
		for (uint32_t k = graph->out_start[v];
			v != graph->exit && k < graph->out_start[v + 1]; k++) {
			uint32_t e = graph->out_edge[k];
			int64_t sum = value[e] + best[graph->target[e]];
			if (!found || sign * sum > sign * best[v])
				best[v] = sum;
			found = true;
		}
	}
	return best[graph->entry];
}

/* The increments of the graph of paths, by edge and vertex of the function. `matters`, also by edge
 * of that graph, is NULL for all. */
static void spread(const struct wm_subject *subject, const struct wm_paths *paths,
	const uint64_t *increments, const bool *matters, struct wm_sums *sums)
{
	const struct wm_cfg *cfg = subject->capture->cfg;
	sums->end = wm_arena_alloc(subject->arena, cfg->edge_count, sizeof(uint64_t));
	sums->end_matters = wm_arena_alloc(subject->arena, cfg->edge_count, sizeof(bool));
	sums->inner = wm_arena_alloc(subject->arena, cfg->edge_count, sizeof(uint64_t));
	sums->start = wm_arena_alloc(subject->arena, cfg->vertex_count, sizeof(uint64_t));
	sums->cut = paths->cut;
	for (uint32_t e = 0; e < paths->graph->edge_count; e++) {
		uint32_t origin = paths->origin[e];
		uint64_t increment = increments[e];
		bool ends = paths->graph->target[e] == cfg->exit;
		if (paths->kind[e] == WM_PATH_EDGE_START)
			sums->start[cfg->target[origin]] = increment;
		else if (ends)
			sums->end[origin] = increment;
		else
			sums->inner[origin] = increment;
		if (ends)
			sums->end_matters[origin] = !matters || matters[e];
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

static uint32_t counter_of(const struct wm_sums *sums, uint64_t sum)
{
	if (!sums->keys)
		return (uint32_t)sum;
	return (uint32_t)(sum * sums->keys->multiplier >> (64 - sums->keys->bits));
}

/* False if this cannot be done, or if counting all paths is cheaper. */
static bool select_paths(const struct wm_subject *subject, const struct wm_paths *paths,
	const struct wm_path_ranges *ranges, struct made *made)
{
	struct wm_arena *arena = subject->arena;
	struct wm_sums *sums = &made->sums;
	struct wm_selection selection;
	uint64_t *ids;
	if (ranges->paths > WM_MAX_SELECTED_PATHS && !subject->options->residual)
		wm_knowledge_note_overfull(
			subject->knowledge, subject->described.name, ranges->paths);
	made->count = list_ids(subject, paths, ranges, WM_MAX_SELECTED_PATHS, &ids);
	if (!made->count)
		return false;
	wm_select_plan(arena, paths, subject->edge_weight, ids, made->count, &selection);
	/* More than the sum of any path, selected or not. */
	uint64_t bound =
		(uint64_t)extreme_sum(arena, paths, (const int64_t *)selection.increment, 1) + 1;
	if (bound > WM_MAX_SUM_IN_ARRAY) {
		sums->keys = choose_slots(arena, &selection, made->count);
		if (!sums->keys)
			return false;
		bound = (uint64_t)1 << sums->keys->bits;
	}
	sums->others = (uint32_t)bound;
	spread(subject, paths, selection.increment, selection.interesting, sums);
	made->ids = ids;
	made->sum = selection.sum;
	return true;
}

static uint32_t bits_for(uint64_t count)
{
	uint32_t bits = 1;
	while (count > (uint64_t)1 << bits)
		bits++;
	return bits;
}

/* Both fields in one value for each edge, moved to where they are seldom added. */
static uint64_t *join_fields(const struct wm_subject *subject, const struct wm_paths *paths,
	const int64_t *lower, uint32_t lower_bits)
{
	struct wm_paths joined = *paths;
	size_t edges = (size_t)paths->graph->edge_count + 1;
	joined.value = wm_arena_alloc(subject->arena, edges, sizeof(*joined.value));
	for (uint32_t e = 0; e < paths->graph->edge_count; e++)
		joined.value[e] = (paths->value[e] << lower_bits) + (uint64_t)lower[e];
	return wm_paths_increments(subject->arena, &joined, subject->edge_weight);
}

/* Slots by the last bits of a key: a multiplication that shifts all others out. */
static struct wm_probe_keys *slots_of_preference(struct wm_arena *arena,
	const struct wm_preference *preference, const uint64_t *ids, uint32_t lower_bits)
{
	struct wm_probe_keys *keys = wm_arena_alloc(arena, 1, sizeof(*keys));
	keys->bits = bits_for(preference->range);
	keys->multiplier = (uint64_t)1 << (64 - keys->bits);
	size_t slots = (size_t)1 << keys->bits;
	keys->tag = wm_arena_alloc(arena, slots, sizeof(*keys->tag));
	for (size_t i = 0; i < slots; i++)
		keys->tag[i] = WM_NO_KEY;
	for (uint32_t i = 0; i < preference->count; i++) {
		uint64_t key = (ids[i] << lower_bits) + (uint64_t)preference->sum[i];
		keys->tag[key & (slots - 1)] = key;
	}
	return keys;
}

/* Moves the values so that the smallest sum of all paths is zero: each path has one edge that
 * leaves the entry. Returns how many bits the sums need. */
static uint32_t start_at_zero(
	struct wm_arena *arena, const struct wm_paths *paths, struct wm_preference *preference)
{
	int64_t min = extreme_sum(arena, paths, preference->value, -1);
	int64_t max = extreme_sum(arena, paths, preference->value, 1);
	for (uint32_t e = 0; e < paths->graph->edge_count; e++)
		if (paths->graph->source[e] == paths->graph->entry)
			preference->value[e] -= min;
	for (uint32_t i = 0; i < preference->count; i++)
		preference->sum[i] -= min;
	return bits_for((uint64_t)(max - min) + 1);
}

/* The same for all paths, with those in the ranges preferred. */
static bool prefer_paths(const struct wm_subject *subject, const struct wm_paths *paths,
	const struct wm_path_ranges *ranges, struct made *made)
{
	struct wm_arena *arena = subject->arena;
	struct wm_sums *sums = &made->sums;
	struct wm_preference preference;
	uint64_t *ids;
	made->count = list_ids(subject, paths, ranges, WM_MAX_PREFERRED_PATHS, &ids);
	if (!made->count)
		return false;
	wm_prefer_plan(arena, paths, ids, made->count, WM_PREFER_INTERVALS,
		WM_PREFERRED_ORDERS_TO_TRY, &preference);
	uint32_t lower_bits = start_at_zero(arena, paths, &preference);
	if (preference.range > WM_MAX_PREFERRED_SLOTS || lower_bits > WM_MAX_PREFERRED_LOWER_BITS)
		return false;
	sums->in_table = true;
	sums->keys = slots_of_preference(arena, &preference, ids, lower_bits);
	sums->others = (uint32_t)1 << sums->keys->bits;
	spread(subject, paths, join_fields(subject, paths, preference.value, lower_bits), NULL,
		sums);
	for (uint32_t i = 0; i < made->count; i++)
		preference.sum[i] += (int64_t)(ids[i] << lower_bits);
	made->ids = ids;
	made->sum = (const uint64_t *)preference.sum;
	made->lower_bits = lower_bits;
	return true;
}

/* The paths that no test took. */
static struct wm_path_ranges others_of(
	struct wm_arena *arena, const struct wm_path_ranges *tested, uint64_t all)
{
	struct wm_path_ranges others = {
		.ranges = wm_arena_alloc(arena, tested->count + 1, sizeof *others.ranges)};
	uint64_t next = 0;
	for (size_t i = 0; i <= tested->count; i++) {
		uint64_t end = i < tested->count ? tested->ranges[i].first : all;
		if (end > next)
			others.ranges[others.count++] = (struct wm_path_range){next, end - next};
		others.paths += end - next;
		next = i < tested->count ? end + tested->ranges[i].count : all;
	}
	return others;
}

/* Paths end where those by history do, so that names of paths are the same in both. */
static int plan(const struct wm_mode *mode, const struct wm_subject *subject, void **result,
	struct wm_error *error)
{
	struct made *made = wm_arena_alloc(subject->arena, 1, sizeof *made);
	struct wm_function described = subject->described;
	struct wm_path_plan histories;
	struct wm_paths paths;
	bool at_ends = subject->options->measure.placement == WM_PLACEMENT_COMMIT;
	bool selected = mode->measure.placement == WM_PLACEMENT_SELECTED;
	if (!subject->knowledge->has_paths)
		return wm_error_set(error, WM_ERROR_INPUT, "no paths are wanted");
	if (wm_paths_plan_histories(subject, at_ends, &histories, error))
		return WM_PLAN_NOTHING;
	made->cut = histories.cut;
	made->soft = histories.soft;
	wm_paths_describe_cuts(subject->arena, made->cut, made->soft, &described);
	struct wm_path_ranges ranges = wm_paths_wanted(subject, &described, &paths);
	if (!ranges.paths && !subject->options->residual)
		return WM_PLAN_NOTHING;
	if (!ranges.paths)
		return wm_error_set(error, WM_ERROR_UNSOLVABLE, "no path of it was tested");
	if (subject->options->residual_selects)
		ranges = others_of(subject->arena, &ranges, paths.count);
	*result = made;
	if (!(selected ? select_paths : prefer_paths)(subject, &paths, &ranges, made))
		return wm_error_set(error, WM_ERROR_UNSOLVABLE, "sums cannot tell its paths apart");
	return WM_PLAN_MADE;
}

static uint32_t describe(const struct wm_mode *mode, const struct wm_subject *subject,
	const void *plan, uint32_t first, struct wm_function *described)
{
	const struct made *made = plan;
	uint32_t counters = made->sums.others + 1;
	struct wm_sums_section *section = wm_arena_alloc(subject->arena, 1, sizeof *section);
	*section = (struct wm_sums_section){.head = {mode->measure, first, counters},
		.lower_bits = made->lower_bits,
		.key_count = made->count,
		.keys = wm_arena_alloc(subject->arena, made->count, sizeof *section->keys)};
	for (uint32_t i = 0; i < made->count; i++)
		section->keys[i] = (struct wm_known_key){
			made->sums.others, counter_of(&made->sums, made->sum[i]), made->ids[i]};
	wm_paths_describe_cuts(subject->arena, made->cut, made->soft, described);
	described->sums = section;
	return counters;
}

static void lower(struct wm_lowerer *lowerer, const void *plan)
{
	const struct made *made = plan;
	wm_sums_add_steps(lowerer, &made->sums);
}

const struct wm_mode_functions wm_sums_mode = {plan, describe, lower, NULL};
