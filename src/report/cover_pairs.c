/* Pairs of outcomes are bits: those that can follow an edge, by one pass against the flow, and
 * those that did, path by path. */
#include "report/cover_gathering.h"

#include "core/base/none.h"
#include "core/graph/depth_first.h"

enum { MAX_OUTCOMES = 4096, WORD = 64 };

bool wm_cover_chooses(const struct wm_function *function, const uint32_t *branches, uint32_t edge)
{
	return branches[function->edge_source[edge]] > 1 &&
	       !(function->edge_flags[edge] & WM_EDGE_ABANDONED);
}

/* By block: edges that leave it, without those of calls that do not come back. */
uint32_t *wm_cover_count_branches(struct wm_arena *arena, const struct wm_function *function)
{
	uint32_t *branches = wm_arena_alloc(arena, function->block_count, sizeof *branches);
	for (uint32_t e = 0; e < function->edge_count; e++)
		branches[function->edge_source[e]] +=
			!(function->edge_flags[e] & WM_EDGE_ABANDONED);
	return branches;
}

static size_t count_bits(const uint64_t *bits, size_t words)
{
	size_t count = 0;
	for (size_t i = 0; i < words; i++)
		count += (size_t)__builtin_popcountll(bits[i]);
	return count;
}

static void set_bit(uint64_t *bits, uint32_t bit)
{
	bits[bit / WORD] |= (uint64_t)1 << bit % WORD;
}

/* The pairs of outcomes of one function. */
struct pairs {
	struct wm_arena arena;
	const struct wm_path_space *space;
	uint32_t *number; /* by edge of the function: of its outcome, or WM_NONE */
	uint32_t count;
	size_t words; /* of a set of outcomes */
};

static uint32_t number_outcomes(struct pairs *pairs)
{
	const struct wm_function *function = pairs->space->function;
	const uint32_t *branches = wm_cover_count_branches(&pairs->arena, function);
	pairs->number = wm_none_array(&pairs->arena, function->edge_count);
	for (uint32_t e = 0; e < function->edge_count; e++)
		if (wm_cover_chooses(function, branches, e))
			pairs->number[e] = pairs->count++;
	pairs->words = (pairs->count + WORD - 1) / WORD;
	return pairs->count;
}

/* Of each outcome, those that can come behind it on a path. */
static uint64_t possible_pairs(struct pairs *pairs)
{
	const struct wm_paths *paths = &pairs->space->paths;
	const struct wm_cfg *graph = paths->graph;
	struct wm_depth_first order = wm_depth_first_search(&pairs->arena, graph);
	uint64_t *behind = wm_arena_alloc(
		&pairs->arena, (size_t)graph->vertex_count * pairs->words, sizeof *behind);
	uint64_t possible = 0;
	for (uint32_t i = 0; i < graph->vertex_count; i++) {
		uint32_t v = order.postorder[i];
		uint64_t *own = behind + v * pairs->words;
		for (uint32_t k = graph->out_start[v];
			k < graph->out_start[v + 1] && v != graph->exit; k++) {
			uint32_t e = graph->out_edge[k], target = graph->target[e];
			if (e == wm_cfg_closing_edge(graph) || paths->kind[e] == WM_PATH_EDGE_START)
				continue;
			const uint64_t *next = behind + target * pairs->words;
			for (size_t w = 0; w < pairs->words; w++)
				own[w] |= next[w];
			uint32_t number = pairs->number[paths->origin[e]];
			if (number == WM_NONE)
				continue;
			set_bit(own, number);
			if (target != graph->exit)
				possible += count_bits(next, pairs->words);
		}
	}
	return possible;
}

/* Pairs and outcomes of the paths that ran. */
static void ran_pairs(struct pairs *pairs, struct wm_cover_code *code)
{
	const struct wm_path_space *space = pairs->space;
	uint32_t *edges =
		wm_arena_alloc(&pairs->arena, space->paths.graph->vertex_count, sizeof *edges);
	uint64_t *taken = wm_arena_alloc(&pairs->arena, pairs->words, sizeof *taken);
	uint64_t *ran =
		wm_arena_alloc(&pairs->arena, (size_t)pairs->count * pairs->words, sizeof *ran);
	for (size_t i = 0; i < space->ran_count; i++) {
		uint32_t count = wm_paths_decode(&space->paths, space->ran[i], edges), kept = 0;
		for (uint32_t k = 0; k < count; k++)
			if (space->paths.kind[edges[k]] != WM_PATH_EDGE_START &&
				pairs->number[space->paths.origin[edges[k]]] != WM_NONE)
				edges[kept++] = pairs->number[space->paths.origin[edges[k]]];
		for (uint32_t k = 0; k < kept; k++) {
			set_bit(taken, edges[k]);
			for (uint32_t m = k + 1; m < kept; m++)
				set_bit(ran + edges[k] * pairs->words, edges[m]);
		}
	}
	code->outcomes.covered = count_bits(taken, pairs->words);
	code->pairs.covered = count_bits(ran, (size_t)pairs->count * pairs->words);
}

void wm_cover_count_pairs(const struct wm_path_space *space, struct wm_cover_code *code)
{
	struct pairs pairs = {.space = space};
	code->outcomes.of = number_outcomes(&pairs);
	if (pairs.count > MAX_OUTCOMES) {
		code->pairs.unknown = 1;
	} else if (pairs.count > 0) {
		code->pairs.of = possible_pairs(&pairs);
		ran_pairs(&pairs, code);
	}
	wm_arena_reset(&pairs.arena);
}
