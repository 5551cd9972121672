/* Counting events: where a running sum is increased so that it is exact at every anchor.
 *
 * Every edge of the anchored graph has a value for each kind of event. The increments of a kind
 * stand on the chords of one tree for all kinds, so that probes share places; where all increments
 * are zero there is no probe. At a vertex the true sum is the running one plus the vertex's
 * potential, which is zero at anchors (Ball 1994).
 */
#ifndef WM_CORE_EVENTS_H
#define WM_CORE_EVENTS_H

#include "core/base/error.h"
#include "core/counters/anchored_graph.h"

enum { WM_MAX_EVENT_KINDS = 8 };

/* In a program the sums are this many words. Behind those of the kinds stand numbers, by kind, that
 * belong to the sums: where code looks for a limit, a sum is kept below zero by its distance. */
enum { WM_EVENT_COUNTERS = 2 * WM_MAX_EVENT_KINDS };

struct wm_events_request {
	const struct wm_anchored_graph *anchored;
	uint32_t kind_count;	      /* at most WM_MAX_EVENT_KINDS */
	const uint64_t *const *value; /* by kind, by edge of the graph */
	const double *weight;	      /* by edge of the graph */
	const bool *uncountable;      /* likewise, or NULL: no probe fits there */
	bool redundant;		      /* an increment for each value, where it arises: the oracle */
};

struct wm_events_plan {
	double cost; /* sum of the weights of the edges with a probe */
	uint32_t probe_count;
	uint64_t *increment[WM_MAX_EVENT_KINDS]; /* by edge of the graph, modulo 2^64 */
	uint64_t *potential[WM_MAX_EVENT_KINDS]; /* by vertex of the graph, likewise */
};

/* Fills *plan from the arena. WM_ERROR_UNSOLVABLE if the uncountable edges hold a cycle, or, where
 * the placement is redundant, if one of them has a value. */
int wm_events_plan_make(struct wm_arena *arena, const struct wm_events_request *request,
	struct wm_events_plan *plan, struct wm_error *error);

/* Whether the edge has a probe. */
bool wm_events_is_counted(
	const struct wm_events_request *request, const struct wm_events_plan *plan, uint32_t edge);

/* By how much the running sum of a kind may differ from the true one anywhere in the function. */
uint64_t wm_events_bound(
	const struct wm_events_request *request, const struct wm_events_plan *plan, uint32_t kind);

/* What the probes cost if no increment is zero by chance: the cost of the plan for edges of the
 * same function, in which every vertex with an anchor may also be left by an edge that cannot be
 * counted, and one increment for each further anchor of a vertex. */
int wm_events_cost_by_edges(const struct wm_cfg *function, const uint32_t *anchor_count,
	const double *edge_weight, const double *vertex_weight, double calls, double *cost,
	struct wm_error *error);

#endif
