/* Paths are acyclic, so a path holds each block once: where it holds the first block of a
 * candidate, it follows the candidate from there for a while, and may meet it again. */
#include "report/superblocks.h"

#include <stdlib.h>

#include "core/base/none.h"
#include "profile/hot_paths.h"
#include "profile/path_selection.h"
#include "report/path_form.h"

struct search {
	struct wm_arena *arena; /* of the function */
	const struct wm_profile_function *function;
	const struct wm_path_map *map;
	double percent;
};

/* Of the blocks of one path, by their index on it. */
struct tally {
	uint32_t *index;   /* by block of the function: its index, or WM_NONE */
	uint64_t *ran;	   /* executions of the block */
	uint64_t *went_on; /* and then of the next one */
	uint64_t *reached; /* without leaving the path since its first block */
};

static void tally_path(struct tally *tally, const struct wm_profile_path *path)
{
	uint32_t together = 0; /* blocks since the first one, if it was not left */
	for (uint32_t i = 0; i < path->block_count; i++) {
		uint32_t at = tally->index[path->blocks[i]];
		uint32_t next =
			i + 1 < path->block_count ? tally->index[path->blocks[i + 1]] : WM_NONE;
		if (at == WM_NONE)
			continue;
		tally->ran[at] += path->count;
		if (next != WM_NONE && next == at + 1)
			tally->went_on[at] += path->count;
		if (at != together)
			continue;
		tally->reached[at] += path->count;
		together = next == at + 1 ? next : WM_NONE;
	}
}

static struct tally tally_of(const struct search *search, const struct wm_profile_path *seed)
{
	const struct wm_profile_function *function = search->function;
	uint32_t blocks = function->function->block_count, count = seed->block_count;
	struct tally tally = {wm_arena_alloc(search->arena, blocks, sizeof *tally.index),
		wm_arena_alloc(search->arena, count, sizeof *tally.ran),
		wm_arena_alloc(search->arena, count, sizeof *tally.went_on),
		wm_arena_alloc(search->arena, count, sizeof *tally.reached)};
	for (uint32_t b = 0; b < blocks; b++)
		tally.index[b] = WM_NONE;
	for (uint32_t i = 0; i < count; i++)
		tally.index[seed->blocks[i]] = i;
	for (uint32_t i = 0; i < function->path_count; i++)
		if ((int64_t)function->paths[i].count > 0)
			tally_path(&tally, &function->paths[i]);
	return tally;
}

/* How many blocks enough executions of the first run. */
static uint32_t blocks_of(
	const struct search *search, const struct tally *tally, uint32_t block_count)
{
	uint32_t count = 1;
	while (count < block_count &&
		(double)tally->reached[count] * 100 >= search->percent * (double)tally->reached[0])
		count++;
	return count;
}

/* With edges alone, all who leave the path anywhere, or none of them, may have run it until there.
 */
static void bound_by_edges(struct wm_superblock_row *row, const struct tally *tally)
{
	uint64_t lost = 0;
	row->edges_most = row->entered;
	for (uint32_t i = 0; i + 1 < row->path.block_count; i++) {
		lost += tally->ran[i] - tally->went_on[i];
		if (tally->went_on[i] < row->edges_most)
			row->edges_most = tally->went_on[i];
	}
	row->edges_least = row->entered > lost ? row->entered - lost : 0;
}

static bool has_branch(const struct search *search, const struct wm_profile_path *path)
{
	const struct wm_path_step *steps = wm_path_steps(search->arena, search->map, path);
	for (uint32_t i = 0; i + 1 < path->block_count; i++)
		if (wm_path_step_chooses(search->map, &steps[i]))
			return true;
	return false;
}

/* The candidate that begins this path; false: none. */
static bool make_row(const struct search *search, const struct wm_profile_path *seed,
	struct wm_superblock_row *row)
{
	const struct wm_function *function = search->function->function;
	const struct tally tally = tally_of(search, seed);
	*row = (struct wm_superblock_row){.function = search->function, .path = *seed};
	row->path.block_count = blocks_of(search, &tally, seed->block_count);
	row->path.end_edge = WM_NONE;
	row->path.partial = false;
	row->entered = tally.ran[0];
	row->completed = tally.reached[row->path.block_count - 1];
	row->loop = row->path.block_count == seed->block_count &&
		    seed->end_edge < function->edge_count &&
		    function->edge_target[seed->end_edge] == seed->blocks[0];
	for (uint32_t i = 0; i < row->path.block_count; i++)
		row->instructions += function->blocks[seed->blocks[i]].instructions;
	bound_by_edges(row, &tally);
	return has_branch(search, &row->path);
}

/* By block: the path from it that does most. */
static const struct wm_profile_path **choose_seeds(const struct search *search)
{
	const struct wm_profile_function *function = search->function;
	const struct wm_profile_path **seeds =
		wm_arena_alloc(search->arena, function->function->block_count, sizeof *seeds);
	for (uint32_t i = 0; i < function->path_count; i++) {
		const struct wm_profile_path *path = &function->paths[i];
		if ((int64_t)path->count <= 0 || path->block_count == 0)
			continue;
		const struct wm_profile_path **seed = &seeds[path->blocks[0]];
		if (!*seed || wm_hot_path_instructions(function, path) >
				      wm_hot_path_instructions(function, *seed))
			*seed = path;
	}
	return seeds;
}

static void search_function(struct wm_arena *arena, const struct wm_profile_function *function,
	double percent, struct wm_superblock_rows *result, size_t *capacity)
{
	struct wm_arena scratch = {0};
	const struct wm_path_map map = wm_path_map_make(&scratch, function, NULL);
	const struct search search = {&scratch, function, &map, percent};
	const struct wm_profile_path **seeds = choose_seeds(&search);
	for (uint32_t b = 0; b < function->function->block_count; b++) {
		struct wm_superblock_row row;
		if (!seeds[b] || !make_row(&search, seeds[b], &row))
			continue;
		result->rows = wm_arena_grow(
			arena, result->rows, result->count, capacity, sizeof *result->rows);
		result->rows[result->count++] = row;
	}
	wm_arena_reset(&scratch);
}

/* Most instructions first, then in the order of the profile and of blocks. */
static int compare_rows(const void *left, const void *right)
{
	const struct wm_superblock_row *a = left, *b = right;
	uint64_t did_a = a->completed * a->instructions, did_b = b->completed * b->instructions;
	if (did_a != did_b)
		return did_a < did_b ? 1 : -1;
	if (a->function != b->function)
		return a->function < b->function ? -1 : 1;
	uint32_t first_a = a->path.blocks[0], first_b = b->path.blocks[0];
	return (first_a > first_b) - (first_a < first_b);
}

void wm_superblock_rows_find(struct wm_arena *arena, const struct wm_profile *profile,
	double percent, struct wm_superblock_rows *result)
{
	size_t capacity = 0;
	*result = (struct wm_superblock_rows){.functions = 0};
	for (uint32_t i = 0; i < profile->function_count; i++) {
		const struct wm_profile_function *function = &profile->functions[i];
		if (function->paths && !wm_path_selection_is_made(function)) {
			result->functions++;
			search_function(arena, function, percent, result, &capacity);
		} else if (function->calls > 0) {
			result->left_out++;
		}
	}
	if (result->count > 0)
		qsort(result->rows, result->count, sizeof *result->rows, compare_rows);
}
