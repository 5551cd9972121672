/* Regions: where paths start and end, and how many routes lead from the starts to each vertex.
 *
 * Cutting some edges (all retreating ones and all that enter or leave EXIT, at least) leaves
 * acyclic regions. A path runs from a start (the entry, or the target of a cut edge) to the next
 * cut edge, which is its last. The *history* at a vertex is the number of the route by which it was
 * reached from a start: 0 for a start's own, the others in the order of the edges that bring them.
 *
 * More routes can lead to a vertex than one small number should tell apart. Then its in-edges can
 * be *soft*: behind them routes are numbered from 0 again, and what came before is kept apart, as a
 * *prehistory*. Prehistory 0 is none: the path starts here, as nearly all paths do in a loop that
 * iterates. */
#ifndef WM_CORE_REGIONS_H
#define WM_CORE_REGIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/graph/cfg.h"
#include "core/graph/depth_first.h"

struct wm_regions {
	const struct wm_cfg *function;
	const bool *cut;  /* by edge, closing edge included */
	const bool *soft; /* by edge, likewise; never both */
	uint32_t *order;  /* vertices: what leads to a vertex inside a region comes before it */
	bool *is_start;	  /* by vertex */
	uint64_t *route_count; /* by vertex: routes there with one prehistory; 0 if it cannot be
				  reached */
	uint64_t *prehistory_count;  /* by vertex: prehistories there besides none */
	bool *always_has_prehistory; /* by vertex: every path comes there with a prehistory */
	uint64_t *offset;	   /* by edge not cut: added to the route, or, if it is soft, to the
				      prehistory */
	uint32_t prehistory_shift; /* a history is a route plus a prehistory shifted by this */
};

/* By this much if there are prehistories. */
enum { WM_PREHISTORY_SHIFT = 12 };

struct wm_regions_request {
	bool at_loop_entries;	/* cut every edge into a loop header, not only those from inside */
	const bool *must_start; /* by vertex, or NULL: cut every edge into these */
	const bool *no_prehistory; /* by vertex, or NULL: no edge into these is soft */
	/* A vertex with more routes becomes a start: its in-edges are cut. With prehistories at
	 * most 2^WM_PREHISTORY_SHIFT. */
	uint64_t max_routes;
	/* If not 0: where there would be more history counters, vertices with fewer routes also
	 * become starts. */
	uint64_t max_counters;
	/* With prehistories: a loop header with no more routes is left alone. */
	uint64_t max_routes_into_loop;
	/* If not 0: edges are soft instead of cut where that suffices, and no vertex has more
	 * prehistories. */
	uint64_t max_prehistories;
};

struct wm_cuts {
	bool *cut;  /* by edge, closing edge included */
	bool *soft; /* likewise */
};

/* Chooses the edges to cut. Linear time. */
struct wm_cuts wm_regions_cut(struct wm_arena *arena, const struct wm_cfg *function,
	const struct wm_regions_request *request);

/* The same with the function's order at hand. */
struct wm_cuts wm_regions_cut_along(struct wm_arena *arena, const struct wm_cfg *function,
	struct wm_flow_order order, const struct wm_regions_request *request);

/* Numbers the histories that these cuts leave. WM_ERROR_INPUT if they leave a cycle, or more than
 * 2^62 histories somewhere, or if not all edges into a vertex are soft or cut where one is soft. */
int wm_regions_number(struct wm_arena *arena, const struct wm_cfg *function, const bool *cut,
	const bool *soft, struct wm_regions *regions, struct wm_error *error);

/* The same with the function's order at hand. */
int wm_regions_number_along(struct wm_arena *arena, const struct wm_cfg *function,
	struct wm_flow_order order, const bool *cut, const bool *soft, struct wm_regions *regions,
	struct wm_error *error);

/* Whether any edge is soft. */
static inline bool wm_regions_have_prehistories(const struct wm_regions *regions)
{
	return regions->prehistory_shift == WM_PREHISTORY_SHIFT;
}

static inline uint64_t wm_regions_route(const struct wm_regions *regions, uint64_t history)
{
	return history & (((uint64_t)1 << regions->prehistory_shift) - 1);
}

static inline uint64_t wm_regions_prehistory(const struct wm_regions *regions, uint64_t history)
{
	return history >> regions->prehistory_shift;
}

/* Whether the vertex can have this history. */
bool wm_regions_has(const struct wm_regions *regions, uint32_t vertex, uint64_t history);

/* The history behind an edge that is not cut. */
uint64_t wm_regions_after(const struct wm_regions *regions, uint32_t edge, uint64_t history);

/* Whether this history at the edge's target came by this edge, which is not cut; if so, *before is
 * that at its source. */
bool wm_regions_before(
	const struct wm_regions *regions, uint32_t edge, uint64_t history, uint64_t *before);

/* The edges of the route with this history at the vertex, last one first; room for vertex_count of
 * them. Returns how many; *start is where the route starts. */
uint32_t wm_regions_route_edges(const struct wm_regions *regions, uint32_t vertex, uint64_t history,
	uint32_t *edges, uint32_t *start);

#endif
