/* History counters: the choice of probes. Derivation is in history_counts.c. */
#include "core/paths/histories.h"

#include "core/base/disjoint_sets.h"
#include "core/base/none.h"

/* The vertex behind the last: where all cut edges lead. */
static uint32_t region_target(const struct wm_regions *regions, uint32_t edge)
{
	return regions->cut[edge] ? regions->function->vertex_count
				  : regions->function->target[edge];
}

static bool is_uncountable(
	const struct wm_regions *regions, const struct wm_histories_request *request, uint32_t edge)
{
	return edge == wm_cfg_closing_edge(regions->function) || request->uncountable[edge];
}

static bool join(const struct wm_regions *regions, struct wm_disjoint_sets *sets, uint32_t edge)
{
	return wm_disjoint_sets_join(
		sets, regions->function->source[edge], region_target(regions, edge));
}

/* Of a request that allows defaults somewhere. */
static bool may_be_default(
	const struct wm_regions *regions, enum wm_defaults defaults, uint32_t edge)
{
	return defaults == WM_DEFAULTS_ANYWHERE ||
	       !regions->always_has_prehistory[regions->function->source[edge]];
}

/* The forest: what cannot be counted first, then, by falling cost, what may be a default and closes
 * no cycle. */
static int span(struct wm_arena *scratch, const struct wm_regions *regions,
	const struct wm_histories_request *request, bool *in_forest, struct wm_error *error)
{
	const struct wm_cfg *function = regions->function;
	struct wm_disjoint_sets sets = wm_disjoint_sets_make(scratch, function->vertex_count + 1);
	for (uint32_t e = 0; e <= function->edge_count; e++) {
		if (!is_uncountable(regions, request, e))
			continue;
		in_forest[e] = true;
		if (!join(regions, &sets, e))
			return wm_error_set(error, WM_ERROR_UNSOLVABLE,
				"edge %u, from vertex %u to vertex %u, closes a cycle of edges "
				"that cannot carry a counter",
				e, function->source[e], function->target[e]);
	}
	if (request->defaults == WM_DEFAULTS_NOWHERE)
		return 0;
	for (uint32_t i = 0; i < function->edge_count; i++) {
		uint32_t e = request->dearest_first[i];
		if (!in_forest[e] && may_be_default(regions, request->defaults, e))
			in_forest[e] = join(regions, &sets, e);
	}
	return 0;
}

/* Searches R backwards from the sink along the edges that are no chords. Returns false if a vertex
 * has two of them into R: counts would stay open. */
static bool find_defaults(
	struct wm_arena *scratch, struct wm_histories *histories, const bool *in_forest)
{
	const struct wm_cfg *function = histories->regions->function;
	uint32_t *found = wm_arena_alloc_unset(scratch, function->vertex_count, sizeof *found);
	uint32_t count = 0;
	for (uint32_t e = 0; e <= function->edge_count; e++) {
		if (!in_forest[e] || !histories->regions->cut[e])
			continue;
		if (histories->default_edge[function->source[e]] != WM_NONE)
			return false;
		histories->default_edge[function->source[e]] = e;
		found[count++] = function->source[e];
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t v = found[i];
		for (uint32_t k = function->in_start[v]; k < function->in_start[v + 1]; k++) {
			uint32_t e = function->in_edge[k];
			uint32_t source = function->source[e];
			if (!in_forest[e] || histories->regions->cut[e])
				continue;
			if (histories->default_edge[source] != WM_NONE)
				return false;
			histories->default_edge[source] = e;
			found[count++] = source;
		}
	}
	return true;
}

static bool leads_into_r(const struct wm_histories *histories, uint32_t edge)
{
	return histories->regions->cut[edge] ||
	       histories->default_edge[histories->regions->function->target[edge]] != WM_NONE;
}

/* A vertex on every cycle that the defaults close, or WM_NONE; each cycle is found once. A walk
 * that follows defaults from a vertex and meets its own trail has found one. */
struct cycles {
	const struct wm_histories *histories;
	uint32_t *trail; /* by vertex: the start + 1 from which it was reached */
	uint32_t next;	 /* start */
};

static uint32_t next_cycle(struct cycles *cycles)
{
	const struct wm_cfg *function = cycles->histories->regions->function;
	const uint32_t *default_edge = cycles->histories->default_edge;
	while (cycles->next < function->vertex_count) {
		uint32_t v = cycles->next++;
		while (default_edge[v] != WM_NONE && !cycles->trail[v]) {
			cycles->trail[v] = cycles->next;
			v = function->target[default_edge[v]];
		}
		if (default_edge[v] != WM_NONE && cycles->trail[v] == cycles->next)
			return v;
	}
	return WM_NONE;
}

static struct cycles start_cycles(struct wm_arena *scratch, const struct wm_histories *histories)
{
	uint32_t vertices = histories->regions->function->vertex_count;
	return (struct cycles){histories, wm_arena_alloc(scratch, vertices, sizeof(uint32_t)), 0};
}

/* The cheapest default edge of the cycle through the vertex that can be counted, or WM_NONE. */
static uint32_t cheapest_on_cycle(const struct wm_histories *histories,
	const struct wm_histories_request *request, uint32_t vertex)
{
	uint32_t cheapest = WM_NONE, v = vertex;
	do {
		uint32_t e = histories->default_edge[v];
		if (!is_uncountable(histories->regions, request, e) &&
			(cheapest == WM_NONE ||
				request->plain_cost[e] < request->plain_cost[cheapest]))
			cheapest = e;
		v = histories->regions->function->target[e];
	} while (v != vertex);
	return cheapest;
}

static int open_cycles(struct wm_arena *scratch, struct wm_histories *histories,
	const struct wm_histories_request *request, struct wm_error *error)
{
	struct cycles cycles = start_cycles(scratch, histories);
	for (uint32_t v = next_cycle(&cycles); v != WM_NONE; v = next_cycle(&cycles)) {
		uint32_t cheapest = cheapest_on_cycle(histories, request, v);
		if (cheapest == WM_NONE)
			return wm_error_set(error, WM_ERROR_UNSOLVABLE,
				"no edge on a cycle through vertex %u can carry a counter", v);
		histories->probe[cheapest] = WM_HISTORY_PLAIN;
	}
	return 0;
}

static struct wm_histories start_histories(struct wm_arena *arena, const struct wm_regions *regions)
{
	size_t edges = (size_t)regions->function->edge_count + 1;
	return (struct wm_histories){.regions = regions,
		.probe = wm_arena_alloc(arena, edges, sizeof(uint8_t)),
		.default_edge = wm_none_array(arena, regions->function->vertex_count)};
}

static int choose_probes(struct wm_arena *scratch, struct wm_histories *histories,
	const struct wm_histories_request *request, struct wm_error *error)
{
	const struct wm_cfg *function = histories->regions->function;
	bool *in_forest =
		wm_arena_alloc(scratch, (size_t)function->edge_count + 1, sizeof *in_forest);
	int status = span(scratch, histories->regions, request, in_forest, error);
	if (status)
		return status;
	/* Two forest edges of one vertex into R would close a cycle through the sink. */
	(void)find_defaults(scratch, histories, in_forest);
	for (uint32_t e = 0; e <= function->edge_count; e++)
		if (leads_into_r(histories, e) && histories->default_edge[function->source[e]] != e)
			histories->probe[e] = WM_HISTORY_COUNTED;
	return open_cycles(scratch, histories, request, error);
}

int wm_histories_plan(struct wm_arena *arena, const struct wm_regions *regions,
	const struct wm_histories_request *request, struct wm_histories *histories,
	struct wm_error *error)
{
	struct wm_arena scratch = {0};
	*histories = start_histories(arena, regions);
	int status = choose_probes(&scratch, histories, request, error);
	wm_arena_reset(&scratch);
	return status;
}

static bool cycle_is_open(const struct wm_histories *histories, uint32_t vertex)
{
	uint32_t v = vertex;
	do {
		uint32_t e = histories->default_edge[v];
		if (histories->probe[e] == WM_HISTORY_PLAIN)
			return true;
		v = histories->regions->function->target[e];
	} while (v != vertex);
	return false;
}

static int check_probes(
	struct wm_arena *arena, const struct wm_histories *histories, struct wm_error *error)
{
	const struct wm_cfg *function = histories->regions->function;
	struct cycles cycles = start_cycles(arena, histories);
	for (uint32_t e = 0; e <= function->edge_count; e++)
		if (histories->probe[e] == WM_HISTORY_PLAIN &&
			histories->default_edge[function->source[e]] != e)
			return wm_error_set(error, WM_ERROR_INPUT,
				"a probe without histories stands on no default edge");
	for (uint32_t v = next_cycle(&cycles); v != WM_NONE; v = next_cycle(&cycles))
		if (!cycle_is_open(histories, v))
			return wm_error_set(error, WM_ERROR_INPUT,
				"nothing is counted on a cycle through vertex %u", v);
	return 0;
}

int wm_histories_restore(struct wm_arena *arena, const struct wm_regions *regions,
	const uint8_t *probe, struct wm_histories *histories, struct wm_error *error)
{
	uint32_t edges = regions->function->edge_count + 1;
	bool *uncounted = wm_arena_alloc(arena, edges, sizeof *uncounted);
	*histories = start_histories(arena, regions);
	for (uint32_t e = 0; e < edges; e++) {
		histories->probe[e] = probe[e];
		uncounted[e] = probe[e] != WM_HISTORY_COUNTED;
	}
	if (!find_defaults(arena, histories, uncounted))
		return wm_error_set(
			error, WM_ERROR_INPUT, "two edges that leave one block are not counted");
	return check_probes(arena, histories, error);
}
