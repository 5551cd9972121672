/* Blockers first, then the forest: a forest that is grown without knowing the blockers keeps edges
 * that only they make superfluous. */
#include "core/trace/witnesses.h"

#include <stdio.h>

#include "core/base/disjoint_sets.h"
#include "core/base/none.h"
#include "core/base/order.h"

bool *wm_trace_predicates(struct wm_arena *arena, const struct wm_cfg *cfg)
{
	bool *predicate = wm_arena_alloc(arena, cfg->vertex_count, sizeof *predicate);
	for (uint32_t v = 0; v < cfg->vertex_count; v++)
		predicate[v] = v != cfg->exit && cfg->out_start[v + 1] - cfg->out_start[v] > 1;
	return predicate;
}

struct wm_trace_name wm_trace_name_of(const struct wm_trace_problem *problem, uint32_t vertex)
{
	struct wm_trace_name name;
	if (problem->name)
		snprintf(name.text, sizeof name.text, "%s", problem->name[vertex]);
	else
		snprintf(name.text, sizeof name.text, "vertex %u", vertex);
	return name;
}

static bool is_uncountable(const struct wm_trace_problem *problem, uint32_t edge)
{
	return problem->uncountable && problem->uncountable[edge];
}

/* A vertex is exposed if it is a stop, or if nothing but exposed vertices follows and the trace is
 * not asked for a way there. Marks them all, backwards from the stops. */
static bool *find_exposed(struct wm_arena *arena, const struct wm_trace_problem *problem)
{
	const struct wm_cfg *cfg = problem->cfg;
	bool *exposed = wm_arena_alloc(arena, cfg->vertex_count, sizeof *exposed);
	uint32_t *pending = wm_arena_alloc_unset(arena, cfg->vertex_count, sizeof *pending);
	uint32_t count = 0;
	for (uint32_t v = 0; v < cfg->vertex_count; v++)
		if ((exposed[v] = problem->stop[v]))
			pending[count++] = v;
	while (count) {
		uint32_t v = pending[--count];
		for (uint32_t i = cfg->in_start[v]; i < cfg->in_start[v + 1]; i++) {
			uint32_t u = cfg->source[cfg->in_edge[i]];
			if (exposed[u] || u == cfg->exit || problem->predicate[u])
				continue;
			exposed[u] = true;
			pending[count++] = u;
		}
	}
	return exposed;
}

/* The countable edge nearest to the predicate on the route from this edge to the stop; WM_NONE if
 * the stop comes first. */
static uint32_t nearest_countable(const struct wm_trace_problem *problem, uint32_t edge)
{
	const struct wm_cfg *cfg = problem->cfg;
	for (uint32_t steps = 0; is_uncountable(problem, edge); steps++) {
		uint32_t v = cfg->target[edge];
		uint32_t out = cfg->out_start[v + 1] - cfg->out_start[v];
		if (problem->stop[v] || out != 1 || steps > cfg->vertex_count)
			return WM_NONE;
		edge = cfg->out_edge[cfg->out_start[v]];
	}
	return edge;
}

int wm_witness_blockers(struct wm_arena *arena, const struct wm_trace_problem *problem,
	bool **blocker, struct wm_error *error)
{
	const struct wm_cfg *cfg = problem->cfg;
	struct wm_arena scratch = {0};
	bool *exposed = find_exposed(&scratch, problem);
	int status = 0;
	*blocker = wm_arena_alloc(arena, cfg->edge_count, sizeof **blocker);
	for (uint32_t e = 0; status == 0 && e < cfg->edge_count; e++) {
		if (!problem->predicate[cfg->source[e]] || !exposed[cfg->target[e]])
			continue;
		uint32_t place = nearest_countable(problem, e);
		if (place == WM_NONE)
			status = wm_error_set(error, WM_ERROR_UNSOLVABLE,
				"no witness fits between %s and the call or end behind %s",
				wm_trace_name_of(problem, cfg->source[e]).text,
				wm_trace_name_of(problem, cfg->target[e]).text);
		else
			(*blocker)[place] = true;
	}
	wm_arena_reset(&scratch);
	return status;
}

static void grow_forest(struct wm_arena *scratch, const struct wm_trace_problem *problem,
	const bool *blocker, bool *witness)
{
	const struct wm_cfg *cfg = problem->cfg;
	struct wm_disjoint_sets sets = wm_disjoint_sets_make(scratch, cfg->vertex_count);
	const uint32_t *order =
		wm_order_by_weight(scratch, problem->weight, cfg->edge_count, false);
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		if (is_uncountable(problem, e))
			wm_disjoint_sets_join(&sets, cfg->source[e], cfg->target[e]);
	for (uint32_t i = 0; i < cfg->edge_count; i++) {
		uint32_t e = order[i];
		if (!is_uncountable(problem, e))
			witness[e] = blocker[e] ||
				     !wm_disjoint_sets_join(&sets, cfg->source[e], cfg->target[e]);
	}
}

int wm_witnesses_place(struct wm_arena *arena, const struct wm_trace_problem *problem,
	bool **witness, struct wm_error *error)
{
	struct wm_arena scratch = {0};
	bool *blocker;
	*witness = wm_arena_alloc(arena, problem->cfg->edge_count, sizeof **witness);
	int status = wm_witness_blockers(&scratch, problem, &blocker, error);
	if (status == 0)
		grow_forest(&scratch, problem, blocker, *witness);
	wm_arena_reset(&scratch);
	return status;
}
