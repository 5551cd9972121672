/* Code that no test ran comes first, then branches that never went that way, then copies. */
#include "report/residual_kind.h"

#include <string.h>

#include "core/base/none.h"
#include "names/block_lines.h"

/* Copies are looked for among so many tested paths of a function. */
enum { MAX_COPIES = 4096 };

/* A copy's block stands for its original; an edge for all between the same originals. */
static uint32_t original_of(const struct wm_function *function, uint32_t block)
{
	return function->original && block < function->block_count ? function->original[block]
								   : block;
}

static bool is_tested_in_copy(const struct wm_residual_function *entry, uint32_t edge)
{
	const struct wm_function *function = entry->function->function;
	uint32_t source = original_of(function, function->edge_source[edge]);
	uint32_t target = original_of(function, function->edge_target[edge]);
	for (uint32_t e = 0; e < function->edge_count && function->original; e++)
		if (entry->tested_edge[e] &&
			original_of(function, function->edge_source[e]) == source &&
			original_of(function, function->edge_target[e]) == target)
			return true;
	return false;
}

static bool has_untested_line(
	const struct wm_tested_code *tested, const struct wm_function *function, uint32_t block)
{
	struct wm_arena scratch = {0};
	size_t count;
	const struct wm_block_line *lines = wm_block_lines(&scratch, function, block, &count);
	bool untested = false;
	for (size_t i = 0; i < count; i++)
		untested |=
			!lines[i].call && !wm_key_set_has(&tested->lines,
						  wm_tested_line_key(lines[i].file, lines[i].line));
	wm_arena_reset(&scratch);
	return untested;
}

static uint64_t key_of_block(const struct wm_function *function, uint32_t block)
{
	const struct wm_block *code = &function->blocks[block];
	uint64_t key = 0;
	for (uint32_t k = 0; k < code->position_count; k++) {
		const struct wm_position *position = &function->positions[code->first_position + k];
		if (position->line)
			key = wm_key_mix(
				wm_key_mix_text(key, function->scopes[position->scope].file),
				position->line);
	}
	return key;
}

/* Decisions in the block before the edge, unless a call there did not come back, and on it. */
static uint64_t key_of_edge(
	const struct wm_function *function, const struct wm_choices *choices, uint32_t edge)
{
	const uint32_t places[] = {function->edge_source[edge], function->block_count + edge};
	uint64_t key = 0;
	for (size_t p = wm_tested_is_abandoned(function, edge); p < 2; p++)
		for (uint32_t k = choices->first[places[p]]; k < choices->first[places[p] + 1]; k++)
			key = wm_key_mix(key, wm_tested_decision_key(&choices->choices[k]));
	return key;
}

static void judge_edges(const struct wm_tested_code *tested, struct wm_judged *judged,
	const struct wm_choices *choices)
{
	const struct wm_function *function = judged->entry->function->function;
	uint32_t *branches =
		wm_arena_alloc(&judged->arena, function->block_count, sizeof *branches);
	for (uint32_t e = 0; e < function->edge_count; e++)
		branches[function->edge_source[e]] += !wm_tested_is_abandoned(function, e);
	for (uint32_t e = 0; e < function->edge_count; e++) {
		uint32_t place = function->block_count + e;
		judged->untested_edge[e] = !judged->entry->tested_edge[e] &&
					   !wm_tested_is_abandoned(function, e) &&
					   !wm_tested_has_decisions(tested, choices, place) &&
					   !is_tested_in_copy(judged->entry, e);
		judged->secret[e] = branches[function->edge_source[e]] > 1 &&
				    !wm_tested_is_abandoned(function, e) &&
				    choices->first[place] == choices->first[place + 1];
		judged->edge_key[e] = key_of_edge(function, choices, e);
	}
}

struct wm_judged wm_judge(
	const struct wm_tested_code *tested, const struct wm_residual_function *entry)
{
	const struct wm_function *function = entry->function->function;
	struct wm_judged judged = {.entry = entry};
	struct wm_arena *arena = &judged.arena;
	const struct wm_choices choices = wm_choices_make(arena, entry->function);
	judged.untested_block = wm_arena_alloc(arena, function->block_count, sizeof(bool));
	judged.untested_edge = wm_arena_alloc(arena, function->edge_count, sizeof(bool));
	judged.secret = wm_arena_alloc(arena, function->edge_count, sizeof(bool));
	judged.block_key = wm_arena_alloc(arena, function->block_count, sizeof(uint64_t));
	judged.edge_key = wm_arena_alloc(arena, function->edge_count, sizeof(uint64_t));
	judged.has_copies = (function->original || function->scope_count > 1) && entry->tests &&
			    entry->tests->count <= MAX_COPIES;
	for (uint32_t b = 0; b < function->block_count; b++) {
		judged.untested_block[b] = has_untested_line(tested, function, b);
		judged.block_key[b] = key_of_block(function, b);
	}
	judge_edges(tested, &judged, &choices);
	return judged;
}

/* What a path does in terms of the source, block by block: lines, and the decisions behind. Blocks
 * without any leave no trace. */
static uint64_t *trace_of(struct wm_arena *arena, const struct wm_judged *judged,
	const uint32_t *edges, uint32_t count, size_t *length)
{
	const struct wm_function *function = judged->entry->function->function;
	uint64_t *trace = wm_arena_alloc(arena, count, sizeof *trace);
	*length = 0;
	for (uint32_t i = 0; i < count; i++) {
		uint64_t block = judged->block_key[function->edge_source[edges[i]]];
		uint64_t edge = judged->edge_key[edges[i]];
		if (block || edge)
			trace[(*length)++] = wm_key_mix(block, edge);
	}
	return trace;
}

static void trace_tests(struct wm_judged *judged)
{
	const struct wm_residual_function *entry = judged->entry;
	struct wm_arena *arena = &judged->arena;
	judged->has_traces = true;
	judged->trace_count = entry->tests->count;
	judged->traces = wm_arena_alloc(arena, judged->trace_count, sizeof *judged->traces);
	judged->lengths = wm_arena_alloc(arena, judged->trace_count, sizeof *judged->lengths);
	for (size_t i = 0; i < judged->trace_count; i++) {
		struct wm_arena scratch = {0};
		uint32_t *edges;
		uint32_t count = wm_tested_edges_of(
			&scratch, &entry->space.paths, entry->tests->paths[i].id, &edges);
		judged->traces[i] = trace_of(arena, judged, edges, count, &judged->lengths[i]);
		wm_arena_reset(&scratch);
	}
}

static bool holds(const uint64_t *all, size_t count, const uint64_t *part, size_t length)
{
	for (size_t i = 0; i + length <= count; i++)
		if (all[i] == part[0] && memcmp(all + i, part, length * sizeof *part) == 0)
			return true;
	return false;
}

/* Whether some tested path does the same in another copy of the code. Where a decision is not told
 * by the source, copies cannot be told apart from other code. */
static bool is_copy(struct wm_judged *judged, const uint32_t *edges, uint32_t count)
{
	struct wm_arena scratch = {0};
	size_t length;
	bool told = judged->has_copies, found = false;
	for (uint32_t i = 0; i < count; i++)
		told &= !judged->secret[edges[i]];
	if (!told)
		return false;
	if (!judged->has_traces)
		trace_tests(judged);
	const uint64_t *trace = trace_of(&scratch, judged, edges, count, &length);
	for (size_t i = 0; i < judged->trace_count && length > 0 && !found; i++)
		found = holds(judged->traces[i], judged->lengths[i], trace, length);
	wm_arena_reset(&scratch);
	return found;
}

enum wm_residual_kind wm_judged_kind(struct wm_judged *judged, struct wm_residual_row *row)
{
	struct wm_arena scratch = {0};
	const struct wm_residual_function *entry = judged->entry;
	uint32_t *edges;
	uint32_t count = wm_tested_edges_of(&scratch, &entry->space.paths, row->ran->id, &edges);
	bool untested_line = false, untested_edge = false;
	enum wm_residual_kind kind = WM_RESIDUAL_COMBINATION;
	row->on_tested_edges = entry->tests != NULL;
	for (uint32_t i = 0; i < row->path.block_count; i++)
		untested_line |= judged->untested_block[row->path.blocks[i]];
	for (uint32_t i = 0; i < count; i++) {
		untested_edge |= judged->untested_edge[edges[i]];
		row->on_tested_edges &= entry->tested_edge[edges[i]] ||
					wm_tested_is_abandoned(entry->function->function, edges[i]);
	}
	if (wm_ran_path_is_uncertain(row->ran))
		kind = WM_RESIDUAL_UNCERTAIN;
	else if (entry->fit != WM_RAN_SAME)
		kind = entry->fit == WM_RAN_CHANGED ? WM_RESIDUAL_CHANGED : WM_RESIDUAL_FUNCTION;
	else if (untested_line)
		kind = WM_RESIDUAL_CODE;
	else if (untested_edge)
		kind = WM_RESIDUAL_OUTCOME;
	else if (is_copy(judged, edges, count))
		kind = WM_RESIDUAL_COPY;
	else if (row->ran->partial)
		kind = WM_RESIDUAL_EARLY;
	wm_arena_reset(&scratch);
	return kind;
}

enum wm_residual_kind wm_judged_departure(
	const struct wm_judged *judged, const struct wm_profile_path *path)
{
	const struct wm_residual_function *entry = judged->entry;
	const struct wm_function *function = entry->function->function;
	uint32_t edge = path->end_edge;
	uint32_t to = edge == WM_NONE ? path->blocks[0] : function->edge_target[edge];
	if (entry->fit != WM_RAN_SAME)
		return entry->fit == WM_RAN_CHANGED ? WM_RESIDUAL_CHANGED : WM_RESIDUAL_FUNCTION;
	if (to < function->block_count && judged->untested_block[to])
		return WM_RESIDUAL_CODE;
	if (edge != WM_NONE && judged->untested_edge[edge])
		return WM_RESIDUAL_OUTCOME;
	return WM_RESIDUAL_COMBINATION;
}
