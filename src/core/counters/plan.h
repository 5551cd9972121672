/* Plans: which edges or vertices carry a counter (Ball & Larus 1994, section 3).
 *
 * A plan is a list of probes; probe number k increments counter number k. Plans for paths are made
 * elsewhere (core/paths/path_plan.h).
 */
#ifndef WM_CORE_PLAN_H
#define WM_CORE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/graph/cfg.h"

enum wm_problem {
	WM_PROBLEM_EDGES,	  /* Eprof(Ecnt): every edge from the chords of a maximum tree */
	WM_PROBLEM_BLOCKS,	  /* Vprof(Ecnt): every vertex from edge counters, heuristic */
	WM_PROBLEM_BLOCKS_VERTEX, /* Vprof(Vcnt): every vertex from vertex counters */
	WM_PROBLEM_REDUNDANT,	  /* a counter in every vertex but EXIT: the oracle for vertices */
	WM_PROBLEM_REDUNDANT_EDGES, /* and one on every countable edge: the oracle for edges */
	WM_PROBLEM_COUNT
};

/* By history: a count for each route that leads to the vertex, or to the source of the edge. */
enum wm_probe_kind {
	WM_PROBE_EDGE = 0,
	WM_PROBE_VERTEX = 1,
	WM_PROBE_EDGE_BY_HISTORY = 2,
	WM_PROBE_VERTEX_BY_HISTORY = 3
};

struct wm_probe {
	enum wm_probe_kind kind;
	uint32_t index; /* edge or vertex */
};

static inline bool wm_probe_is_on_edge(const struct wm_probe *probe)
{
	return probe->kind == WM_PROBE_EDGE || probe->kind == WM_PROBE_EDGE_BY_HISTORY;
}

struct wm_plan {
	enum wm_problem problem;
	double cost; /* sum of the weights of what is counted */
	uint32_t probe_count;
	struct wm_probe *probes; /* edges in rising order, then vertices in rising order */
};

struct wm_plan_request {
	enum wm_problem problem;
	const double *weight;	 /* by edge, edge_count entries: how often it is expected to run */
	const bool *uncountable; /* by edge, edge_count entries, or NULL: no probe fits there */
	const double *vertex_weight; /* edges and blocks only, by vertex, or NULL: a counter may
					also stand in a vertex, at this cost, where it is cheaper */
	bool minimum_tree; /* count the chords of a minimum tree instead: the worst placement */
};

/* Fills *plan from the arena. The closing edge is never counted. Fails with WM_ERROR_UNSOLVABLE if
 * the uncountable edges alone hold a cycle, so that no set of the others determines the counts. */
int wm_plan_make(struct wm_arena *arena, const struct wm_cfg *cfg,
	const struct wm_plan_request *request, struct wm_plan *plan, struct wm_error *error);

/* Fills *plan from what is counted: edge_count and vertex_count entries. The caller has
 * chosen the counters itself. */
void wm_plan_fill(struct wm_arena *arena, const struct wm_cfg *cfg,
	const struct wm_plan_request *request, const bool *edge_counted, const bool *vertex_counted,
	struct wm_plan *plan);

/* What a counter in the vertex costs: the weight of its out-edges, or of its in-edges if it has no
 * others. */
double wm_plan_vertex_weight(const struct wm_cfg *cfg, const double *weight, uint32_t vertex);

/* The word used on the command line and in reports. */
const char *wm_problem_name(enum wm_problem problem);

#endif
