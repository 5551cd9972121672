/* Increments by edge of the function, counters for sums, and their description. */
#include "llvm/sums.h"

#include "core/depth_first.h"
#include "core/prefer.h"
#include "core/select.h"
#include "llvm/asm_goto.h"

/* Sums below this are numbers of counters. */
enum { ARRAY_LIMIT = 256 };

/* Of preferred ones; where they would take more slots, or the sums of all paths more bits than fit
 * below their numbers, intervals are no good. */
enum { MOST_PREFERRED = 1024, MOST_SLOTS = 1 << 14, MOST_LOWER_BITS = 18, ORDERS_TO_TRY = 32 };

/* Sums travel in the register, a multiple of 8 of them, beside an address. */
static const uint64_t most_paths = (uint64_t)1 << 40;

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
 * `most`, or if sums cannot be counted in this function. */
static uint32_t list_ids(const struct wm_lowering *lowering, const struct wm_paths *paths,
	const struct wm_path_ranges *ranges, uint64_t most, uint64_t **result)
{
	uint32_t count = 0;
	if (ranges->paths > most || paths->count > most_paths ||
		!has_place_everywhere(lowering->capture))
		return 0;
	uint64_t *ids = *result = wm_arena_alloc(lowering->arena, ranges->paths, sizeof(*ids));
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

/* The increments of the graph of paths, by edge and vertex of the function; `matters` is by edge of
 * that graph, too, NULL for all. */
static void spread(const struct wm_lowering *lowering, const struct wm_paths *paths,
	const uint64_t *increments, const bool *matters, struct wm_sums *sums)
{
	const struct wm_cfg *cfg = lowering->capture->cfg;
	sums->end = wm_arena_alloc(lowering->arena, cfg->edge_count, sizeof(uint64_t));
	sums->end_matters = wm_arena_alloc(lowering->arena, cfg->edge_count, sizeof(bool));
	sums->inner = wm_arena_alloc(lowering->arena, cfg->edge_count, sizeof(uint64_t));
	sums->start = wm_arena_alloc(lowering->arena, cfg->vertex_count, sizeof(uint64_t));
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

static void describe(struct wm_arena *arena, const struct wm_sums *sums, const uint64_t *sum,
	const uint64_t *ids, uint32_t count, struct wm_function *described)
{
	described->flags |= WM_DESCRIPTION_KEYS;
	described->counter_count = sums->others + 1;
	described->array_limit = described->probe_count = 0;
	described->key_count = count;
	described->keys = wm_arena_alloc(arena, count, sizeof(*described->keys));
	for (uint32_t i = 0; i < count; i++)
		described->keys[i] =
			(struct wm_known_key){sums->others, counter_of(sums, sum[i]), ids[i]};
}

bool wm_sums_select(const struct wm_lowering *lowering, const struct wm_paths *paths,
	const struct wm_path_ranges *ranges, struct wm_function *described, struct wm_sums *sums)
{
	struct wm_arena *arena = lowering->arena;
	struct wm_selection selection;
	uint64_t *ids;
	uint32_t count = list_ids(lowering, paths, ranges, WM_SUMS_MOST_SELECTED, &ids);
	if (!count)
		return false;
	wm_select_plan(arena, paths, lowering->edge_weight, ids, count, &selection);
	*sums = (struct wm_sums){0};
	uint64_t bound = bound_sums(arena, paths, &selection);
	if (bound > ARRAY_LIMIT) {
		sums->keys = choose_slots(arena, &selection, count);
		if (!sums->keys)
			return false;
		bound = (uint64_t)1 << sums->keys->bits;
	}
	sums->others = (uint32_t)bound;
	spread(lowering, paths, selection.increment, selection.interesting, sums);
	describe(arena, sums, selection.sum, ids, count, described);
	described->problem = WM_PROBLEM_SELECTED_PATHS;
	return true;
}

/* The smallest or largest sum of these values over all paths. */
static int64_t extreme_sum(
	struct wm_arena *arena, const struct wm_paths *paths, const int64_t *value, int sign)
{
	const struct wm_cfg *graph = paths->graph;
	struct wm_depth_first order = wm_depth_first_search(arena, graph);
	int64_t *best = wm_arena_alloc(arena, graph->vertex_count, sizeof(*best));
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

static uint32_t bits_for(uint64_t count)
{
	uint32_t bits = 1;
	while (count > (uint64_t)1 << bits)
		bits++;
	return bits;
}

/* Both fields in one value for each edge, moved to where they are seldom added. */
static uint64_t *join_fields(const struct wm_lowering *lowering, const struct wm_paths *paths,
	const int64_t *lower, uint32_t lower_bits)
{
	struct wm_paths joined = *paths;
	size_t edges = (size_t)paths->graph->edge_count + 1;
	joined.value = wm_arena_alloc(lowering->arena, edges, sizeof(*joined.value));
	for (uint32_t e = 0; e < paths->graph->edge_count; e++)
		joined.value[e] = (paths->value[e] << lower_bits) + (uint64_t)lower[e];
	return wm_paths_increments(lowering->arena, &joined, lowering->edge_weight);
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
	int64_t least = extreme_sum(arena, paths, preference->value, -1);
	int64_t most = extreme_sum(arena, paths, preference->value, 1);
	for (uint32_t e = 0; e < paths->graph->edge_count; e++)
		if (paths->graph->source[e] == paths->graph->entry)
			preference->value[e] -= least;
	for (uint32_t i = 0; i < preference->count; i++)
		preference->sum[i] -= least;
	return bits_for((uint64_t)(most - least) + 1);
}

bool wm_sums_prefer(const struct wm_lowering *lowering, const struct wm_paths *paths,
	const struct wm_path_ranges *ranges, struct wm_function *described, struct wm_sums *sums)
{
	struct wm_arena *arena = lowering->arena;
	struct wm_preference preference;
	uint64_t *ids;
	uint32_t count = list_ids(lowering, paths, ranges, MOST_PREFERRED, &ids);
	if (!count)
		return false;
	wm_prefer_plan(arena, paths, ids, count, WM_PREFER_INTERVALS, ORDERS_TO_TRY, &preference);
	uint32_t lower_bits = start_at_zero(arena, paths, &preference);
	if (preference.range > MOST_SLOTS || lower_bits > MOST_LOWER_BITS)
		return false;
	*sums = (struct wm_sums){
		.in_table = true, .keys = slots_of_preference(arena, &preference, ids, lower_bits)};
	sums->others = (uint32_t)1 << sums->keys->bits;
	spread(lowering, paths, join_fields(lowering, paths, preference.value, lower_bits), NULL,
		sums);
	for (uint32_t i = 0; i < count; i++)
		preference.sum[i] += (int64_t)(ids[i] << lower_bits);
	describe(arena, sums, (const uint64_t *)preference.sum, ids, count, described);
	described->problem = WM_PROBLEM_PREFERRED_PATHS;
	described->array_limit = lower_bits;
	return true;
}
