/* Regeneration of one execution (Ball & Larus 1994, figure 15, for one function). */
#include "core/base/none.h"
#include "core/trace/witness_codes.h"

struct regenerating {
	const struct wm_trace_problem *problem;
	const struct wm_witness_codes *codes;
	const uint8_t *sequence;
	size_t length;
	size_t used;
	struct wm_error *error;
};

static int refuse_code(const struct regenerating *walk, uint32_t vertex)
{
	if (walk->used == walk->length)
		return wm_error_set(walk->error, WM_ERROR_INPUT,
			"the sequence ends at %s, before the exit",
			wm_trace_name_of(walk->problem, vertex).text);
	return wm_error_set(walk->error, WM_ERROR_INPUT,
		"code %u, number %zu of the sequence, cannot come next at %s",
		walk->sequence[walk->used], walk->used + 1,
		wm_trace_name_of(walk->problem, vertex).text);
}

static int choose_edge(const struct regenerating *walk, uint32_t vertex, uint32_t *edge)
{
	const struct wm_cfg *cfg = walk->problem->cfg;
	if (walk->problem->predicate[vertex]) {
		uint8_t look =
			walk->used < walk->length ? walk->sequence[walk->used] : WM_WITNESS_END;
		*edge = wm_witness_next(walk->codes, vertex, look);
	} else {
		bool leads_on = cfg->out_start[vertex] < cfg->out_start[vertex + 1];
		*edge = leads_on ? cfg->out_edge[cfg->out_start[vertex]] : WM_NONE;
	}
	return *edge == WM_NONE ? refuse_code(walk, vertex) : 0;
}

static int consume(struct regenerating *walk, uint32_t edge)
{
	uint8_t code = walk->codes->code[edge];
	if (code == 0)
		return 0;
	if (walk->used == walk->length || walk->sequence[walk->used] != code)
		return refuse_code(walk, walk->problem->cfg->source[edge]);
	walk->used++;
	return 0;
}

int wm_witnesses_regenerate(struct wm_arena *arena, const struct wm_trace_problem *problem,
	const struct wm_witness_codes *codes, const uint8_t *sequence, size_t length,
	uint32_t **edges, size_t *edge_count, struct wm_error *error)
{
	const struct wm_cfg *cfg = problem->cfg;
	struct regenerating walk = {problem, codes, sequence, length, 0, error};
	size_t capacity = 0;
	uint32_t edge;
	*edges = NULL;
	*edge_count = 0;
	for (uint32_t v = cfg->entry; v != cfg->exit; v = cfg->target[edge]) {
		int status = choose_edge(&walk, v, &edge);
		if (status == 0)
			status = consume(&walk, edge);
		if (status < 0)
			return status;
		*edges = wm_arena_grow(arena, *edges, *edge_count, &capacity, sizeof **edges);
		(*edges)[(*edge_count)++] = edge;
	}
	if (walk.used < length)
		return wm_error_set(error, WM_ERROR_INPUT,
			"the function has ended, but %zu codes of the sequence are left",
			length - walk.used);
	return 0;
}
