/* Propagation by the flow law (Ball & Larus 1994, figures 6 and 8, without the recursion).
 *
 * In the flow network (core/graph/flow.h) the uncounted edges get a spanning forest, CFG edges
 * first. A CFG edge left over lies on a pipeless cycle: any value does for the vertices, so it gets
 * zero and the edges are not known. A vertex edge left over lies on a cycle through itself: it is
 * undetermined. Then a node with one unknown edge determines it, until the forest is used up. */
#include "core/counters/propagate.h"

#include "core/graph/flow.h"

enum edge_state { UNCOUNTED = 0, KNOWN, IN_FOREST };

struct solver {
	const struct wm_cfg *cfg;
	uint8_t *state;	  /* by network edge: enum edge_state */
	uint64_t *flow;	  /* by network edge */
	uint64_t *excess; /* by node: what is known to arrive minus what is known to leave */
	uint32_t *degree; /* by node: its forest edges that are not known */
	uint32_t *
		mixed; /* by node: exclusive or of their numbers, so that the last one is at hand */
};

static int read_counters(struct solver *solver, const struct wm_probe *probes, uint32_t probe_count,
	const uint64_t *counter, struct wm_error *error)
{
	const struct wm_cfg *cfg = solver->cfg;
	for (uint32_t k = 0; k < probe_count; k++) {
		bool on_edge = probes[k].kind == WM_PROBE_EDGE;
		uint32_t limit = on_edge ? cfg->edge_count : cfg->vertex_count;
		if (probes[k].index >= limit)
			return wm_error_set(error, WM_ERROR_INPUT,
				"probe %u names %s %u, and there are only %u", k,
				on_edge ? "edge" : "vertex", probes[k].index, limit);
		uint32_t edge =
			on_edge ? probes[k].index : wm_flow_vertex_edge(cfg, probes[k].index);
		solver->state[edge] = KNOWN;
		solver->flow[edge] = counter[k];
	}
	return 0;
}

static bool grow_forest(struct solver *solver, struct wm_disjoint_sets *sets, uint32_t edge)
{
	if (solver->state[edge] != UNCOUNTED)
		return true;
	bool grown = wm_flow_join(solver->cfg, sets, edge);
	solver->state[edge] = grown ? IN_FOREST : KNOWN;
	return grown;
}

/* EXIT goes before the other vertices. If it closes a cycle, all other edges of that cycle are CFG
 * edges, and the zero that EXIT gets disturbs no other vertex. */
static int make_forest(struct wm_arena *scratch, struct solver *solver, struct wm_counts *counts,
	struct wm_error *error)
{
	const struct wm_cfg *cfg = solver->cfg;
	struct wm_disjoint_sets sets = wm_disjoint_sets_make(scratch, wm_flow_node_count(cfg));
	counts->edges_known = true;
	for (uint32_t e = 0; e <= cfg->edge_count; e++)
		counts->edges_known &= grow_forest(solver, &sets, e);
	counts->exit_known = grow_forest(solver, &sets, wm_flow_vertex_edge(cfg, cfg->exit));
	counts->edges_known &= counts->exit_known;
	for (uint32_t v = 0; v < cfg->vertex_count; v++)
		if (!grow_forest(solver, &sets, wm_flow_vertex_edge(cfg, v)))
			return wm_error_set(error, WM_ERROR_UNSOLVABLE,
				"the counters do not determine how often vertex %u was entered", v);
	return 0;
}

static void move_flow(struct solver *solver, uint32_t tail, uint32_t head, uint64_t flow)
{
	solver->excess[tail] -= flow;
	solver->excess[head] += flow;
}

static void sum_what_is_known(struct solver *solver, const uint64_t *left_early)
{
	const struct wm_cfg *cfg = solver->cfg;
	for (uint32_t v = 0; left_early && v < cfg->vertex_count; v++)
		move_flow(solver, wm_flow_departure(v), wm_flow_arrival(cfg->exit), left_early[v]);
	for (uint32_t e = 0; e < wm_flow_edge_count(cfg); e++) {
		uint32_t tail = wm_flow_tail(cfg, e);
		uint32_t head = wm_flow_head(cfg, e);
		if (solver->state[e] == KNOWN) {
			move_flow(solver, tail, head, solver->flow[e]);
			continue;
		}
		solver->degree[tail]++;
		solver->degree[head]++;
		solver->mixed[tail] ^= e;
		solver->mixed[head] ^= e;
	}
}

/* Solves the only unknown edge of the node and returns the node at its other end. */
static uint32_t solve_leaf(struct solver *solver, uint32_t node)
{
	uint32_t edge = solver->mixed[node];
	uint32_t tail = wm_flow_tail(solver->cfg, edge);
	uint32_t head = wm_flow_head(solver->cfg, edge);
	uint32_t other = node == tail ? head : tail;
	solver->flow[edge] = node == tail ? solver->excess[node] : -solver->excess[node];
	move_flow(solver, tail, head, solver->flow[edge]);
	solver->degree[node]--;
	solver->degree[other]--;
	solver->mixed[other] ^= edge;
	return other;
}

static void eat_forest(struct solver *solver)
{
	for (uint32_t start = 0; start < wm_flow_node_count(solver->cfg); start++)
		for (uint32_t node = start; solver->degree[node] == 1;)
			node = solve_leaf(solver, node);
}

static void hand_over(struct wm_arena *arena, const struct solver *solver, struct wm_counts *counts)
{
	const struct wm_cfg *cfg = solver->cfg;
	counts->edge = wm_arena_alloc(arena, (size_t)cfg->edge_count + 1, sizeof *counts->edge);
	counts->vertex = wm_arena_alloc(arena, cfg->vertex_count, sizeof *counts->vertex);
	for (uint32_t e = 0; e <= cfg->edge_count; e++)
		counts->edge[e] = solver->flow[e];
	for (uint32_t v = 0; v < cfg->vertex_count; v++)
		counts->vertex[v] = solver->flow[wm_flow_vertex_edge(cfg, v)];
}

int wm_propagate(struct wm_arena *arena, const struct wm_cfg *cfg, const struct wm_probe *probes,
	uint32_t probe_count, const uint64_t *counter, const uint64_t *left_early,
	struct wm_counts *counts, struct wm_error *error)
{
	struct wm_arena scratch = {0};
	size_t edges = wm_flow_edge_count(cfg);
	size_t nodes = wm_flow_node_count(cfg);
	struct solver solver = {
		.cfg = cfg,
		.state = wm_arena_alloc(&scratch, edges, sizeof *solver.state),
		.flow = wm_arena_alloc(&scratch, edges, sizeof *solver.flow),
		.excess = wm_arena_alloc(&scratch, nodes, sizeof *solver.excess),
		.degree = wm_arena_alloc(&scratch, nodes, sizeof *solver.degree),
		.mixed = wm_arena_alloc(&scratch, nodes, sizeof *solver.mixed),
	};
	int status = read_counters(&solver, probes, probe_count, counter, error);
	if (status == 0)
		status = make_forest(&scratch, &solver, counts, error);
	if (status == 0) {
		sum_what_is_known(&solver, left_early);
		eat_forest(&solver);
		hand_over(arena, &solver, counts);
	}
	wm_arena_reset(&scratch);
	return status;
}
