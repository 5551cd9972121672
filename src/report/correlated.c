/* For each function: the branches of its paths are counted by pairs of edges, those pairs that
 * decide are kept, and each execution of a branch is given to the largest pair that decides it. */
#include "report/correlated.h"

#include <stdlib.h>

#include "core/base/none.h"
#include "profile/path_selection.h"
#include "report/key_counts.h"
#include "report/path_form.h"

/* The branches of one path, by the edges that they took. */
struct branches {
	uint64_t count; /* how often the path ran */
	uint32_t branch_count;
	uint32_t *edges;
};

struct search {
	struct wm_arena *arena;
	const struct wm_profile_function *function;
	double percent;
	size_t path_count;
	struct branches *paths;
	uint64_t *taken;	       /* by edge: how often a branch took it */
	uint64_t *executed;	       /* by block: how often it branched */
	uint32_t *most;		       /* by block: the edge that its branch took most often */
	struct wm_key_counts pairs;    /* by earlier and later edge */
	struct wm_key_counts deciding; /* by earlier edge and later block: a pair's index + 1 */
	size_t found_count, capacity;
	struct wm_correlated_pair *found;
};

static uint64_t key_of(uint32_t first, uint32_t second)
{
	return (uint64_t)first << 32 | second;
}

static uint32_t block_of(const struct search *search, uint32_t edge)
{
	return search->function->function->edge_source[edge];
}

/* What is known of all of its paths. */
static bool is_counted(const struct wm_profile_function *function)
{
	return function->paths && !wm_path_selection_is_made(function);
}

static void add_path(
	struct search *search, const struct wm_path_map *map, const struct wm_profile_path *path)
{
	struct wm_arena scratch = {0};
	const struct wm_path_step *steps = wm_path_steps(&scratch, map, path);
	struct branches *branches = &search->paths[search->path_count];
	*branches = (struct branches){.count = path->count,
		.edges = wm_arena_alloc(search->arena, path->block_count, sizeof *branches->edges)};
	for (uint32_t i = 0; i < path->block_count; i++) {
		if (!wm_path_step_chooses(map, &steps[i]))
			continue;
		branches->edges[branches->branch_count++] = steps[i].edge;
		search->taken[steps[i].edge] += path->count;
		search->executed[steps[i].block] += path->count;
	}
	search->path_count += branches->branch_count > 0;
	wm_arena_reset(&scratch);
}

/* A call that came back more often than it was made leaves negative counts, which no branch has. */
static void read_paths(struct search *search, const struct wm_path_map *map)
{
	const struct wm_profile_function *function = search->function;
	search->paths = wm_arena_alloc(search->arena, function->path_count, sizeof *search->paths);
	for (uint32_t i = 0; i < function->path_count; i++)
		if ((int64_t)function->paths[i].count > 0)
			add_path(search, map, &function->paths[i]);
	for (uint32_t e = 0; e < function->function->edge_count; e++) {
		uint32_t block = block_of(search, e), most = search->most[block];
		if (most == WM_NONE || search->taken[e] > search->taken[most])
			search->most[block] = e;
	}
}

/* The first of the earlier branches of a path that are looked at for a later one. A path has each
 * block once. */
static uint32_t first_earlier(uint32_t later)
{
	return later > WM_CORRELATED_EARLIER ? later - WM_CORRELATED_EARLIER : 0;
}

static bool decides(const struct search *search, uint64_t agreed, uint64_t executions)
{
	if (search->percent >= 100)
		return agreed == executions;
	return (double)agreed * 100 >= search->percent * (double)executions;
}

/* Whether it is decided without any earlier branch. */
static bool is_decided_alone(const struct search *search, uint32_t block)
{
	return decides(search, search->taken[search->most[block]], search->executed[block]);
}

static void count_pairs(struct search *search)
{
	for (size_t p = 0; p < search->path_count; p++) {
		const struct branches *path = &search->paths[p];
		for (uint32_t later = 0; later < path->branch_count; later++) {
			uint32_t edge = path->edges[later];
			if (is_decided_alone(search, block_of(search, edge)))
				continue;
			for (uint32_t at = first_earlier(later); at < later; at++)
				*wm_key_counts_at(&search->pairs, key_of(path->edges[at], edge)) +=
					path->count;
		}
	}
}

/* Adds one outcome of the later branch to the pair that it is of. */
static void add_outcome(struct search *search, const struct wm_key_count *outcome)
{
	uint32_t earlier = (uint32_t)(outcome->key >> 32), later = (uint32_t)outcome->key;
	uint32_t block = block_of(search, later);
	uint64_t *index = wm_key_counts_at(&search->deciding, key_of(earlier, block));
	if (*index == 0) {
		search->found = wm_arena_grow(search->arena, search->found, search->found_count,
			&search->capacity, sizeof *search->found);
		search->found[search->found_count++] =
			(struct wm_correlated_pair){.function = search->function,
				.earlier = earlier,
				.later = later,
				.all_executions = search->executed[block]};
		*index = search->found_count;
	}
	struct wm_correlated_pair *pair = &search->found[*index - 1];
	pair->executions += outcome->number;
	if (outcome->number > pair->agreed) {
		pair->agreed = outcome->number;
		pair->later = later;
		pair->all_agreed = search->taken[later];
	}
}

static const struct wm_correlated_pair *largest_pair(
	struct search *search, const struct branches *path, uint32_t later)
{
	const struct wm_correlated_pair *largest = NULL;
	uint32_t block = block_of(search, path->edges[later]);
	for (uint32_t at = later; at-- > first_earlier(later);) {
		const uint64_t *index =
			wm_key_counts_find(&search->deciding, key_of(path->edges[at], block));
		const struct wm_correlated_pair *pair = index ? &search->found[*index - 1] : NULL;
		if (pair && decides(search, pair->agreed, pair->executions) &&
			(!largest || pair->executions > largest->executions))
			largest = pair;
	}
	return largest;
}

/* Gives each execution of a branch to one of the pairs that decide it. */
static void share_out(struct search *search, struct wm_correlated *result)
{
	for (size_t p = 0; p < search->path_count; p++) {
		const struct branches *path = &search->paths[p];
		for (uint32_t later = 0; later < path->branch_count; later++) {
			const struct wm_correlated_pair *pair = largest_pair(search, path, later);
			result->branches += path->count;
			if (!pair)
				continue;
			search->found[pair - search->found].decided += path->count;
			result->decided += path->count;
		}
	}
}

static void keep_pairs(struct wm_arena *arena, const struct search *search,
	struct wm_correlated *result, size_t *capacity)
{
	for (size_t i = 0; i < search->found_count; i++) {
		if (search->found[i].decided == 0)
			continue;
		result->pairs = wm_arena_grow(
			arena, result->pairs, result->pair_count, capacity, sizeof *result->pairs);
		result->pairs[result->pair_count++] = search->found[i];
	}
}

static void search_function(struct wm_arena *arena, const struct wm_profile_function *function,
	double percent, struct wm_correlated *result, size_t *capacity)
{
	struct wm_arena scratch = {0};
	const struct wm_path_map map = wm_path_map_make(&scratch, function, NULL);
	uint32_t blocks = function->function->block_count, edges = function->function->edge_count;
	struct search search = {.arena = &scratch,
		.function = function,
		.percent = percent,
		.taken = wm_arena_alloc(&scratch, edges, sizeof *search.taken),
		.executed = wm_arena_alloc(&scratch, (size_t)blocks + 1, sizeof *search.executed),
		.most = wm_arena_alloc(&scratch, (size_t)blocks + 1, sizeof *search.most),
		.pairs = {.arena = &scratch},
		.deciding = {.arena = &scratch}};
	for (uint32_t b = 0; b <= blocks; b++)
		search.most[b] = WM_NONE;
	read_paths(&search, &map);
	count_pairs(&search);
	for (size_t i = 0; i < search.pairs.cell_count; i++)
		if (search.pairs.cells[i].is_used)
			add_outcome(&search, &search.pairs.cells[i]);
	share_out(&search, result);
	keep_pairs(arena, &search, result, capacity);
	wm_arena_reset(&scratch);
}

static int compare_numbers(uint64_t left, uint64_t right)
{
	return (left > right) - (left < right);
}

/* Most decided first, then in the order of the profile. */
static int compare_pairs(const void *left, const void *right)
{
	const struct wm_correlated_pair *a = left, *b = right;
	int order = compare_numbers(b->decided, a->decided);
	if (order == 0)
		order = (a->function > b->function) - (a->function < b->function);
	if (order == 0)
		order = compare_numbers(a->later, b->later);
	return order ? order : compare_numbers(a->earlier, b->earlier);
}

void wm_correlated_find(struct wm_arena *arena, const struct wm_profile *profile, double percent,
	struct wm_correlated *result)
{
	size_t capacity = 0;
	*result = (struct wm_correlated){.branches = 0};
	for (uint32_t i = 0; i < profile->function_count; i++) {
		const struct wm_profile_function *function = &profile->functions[i];
		if (is_counted(function)) {
			result->functions++;
			search_function(arena, function, percent, result, &capacity);
		} else if (function->calls > 0) {
			result->left_out++;
		}
	}
	if (result->pair_count > 0)
		qsort(result->pairs, result->pair_count, sizeof *result->pairs, compare_pairs);
}
