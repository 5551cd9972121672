/* Regions: where paths start and end, and how many ways lead from the starts to each vertex.
 *
 * Cutting some edges (all retreating ones and all that enter or leave EXIT, at least) leaves
 * acyclic regions. A path runs from a start (the entry, or the target of a cut edge) to the next
 * cut edge, which is its last. The *history* at a vertex is the number of the way, from a start, by
 * which it was reached: 0 for a start's own, the others in the order of the edges that bring them.
 *
 * More ways can lead to a vertex than one small number should tell apart. Then its in-edges can be
 * *soft*: behind them ways are numbered from 0 again, and what came before is kept apart, as a
 * *context*. Context 0 is none: the path starts here, as nearly all do in a loop that iterates.
 */
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
	uint64_t
		*prefix_count; /* by vertex: ways there in one context; 0 if it cannot be reached */
	uint64_t *context_count; /* by vertex: contexts there besides none */
	bool *always_in_context; /* by vertex: every path comes there with a context */
	uint64_t *offset; /* by edge not cut: added to the way, or, if it is soft, to the context */
	uint32_t context_shift; /* a history is a way plus a context shifted by this */
};

/* By this much if there are contexts. */
enum { WM_CONTEXT_SHIFT = 12 };

struct wm_regions_request {
	bool at_loop_entries;	 /* cut every edge into a loop header, not only those from inside */
	const bool *must_start;	 /* by vertex, or NULL: cut every edge into these */
	const bool *no_context;	 /* by vertex, or NULL: no edge into these is soft */
	uint64_t most_prefixes;	 /* a vertex with more becomes a start, by cutting its in-edges; at
				    most 2^WM_CONTEXT_SHIFT with contexts */
	uint64_t max_counters;	 /* if not 0: where history counters would be more, vertices with
				    fewer prefixes become starts, too */
	uint64_t most_into_loop; /* with contexts: a loop header with no more ways is left alone */
	uint64_t most_contexts;	 /* if not 0: edges are soft instead of cut where that suffices, and
				   no vertex has more contexts */
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
static inline bool wm_regions_have_contexts(const struct wm_regions *regions)
{
	return regions->context_shift == WM_CONTEXT_SHIFT;
}

static inline uint64_t wm_regions_way(const struct wm_regions *regions, uint64_t history)
{
	return history & (((uint64_t)1 << regions->context_shift) - 1);
}

static inline uint64_t wm_regions_context(const struct wm_regions *regions, uint64_t history)
{
	return history >> regions->context_shift;
}

/* Whether the vertex can have this history. */
bool wm_regions_has(const struct wm_regions *regions, uint32_t vertex, uint64_t history);

/* The history behind an edge that is not cut. */
uint64_t wm_regions_after(const struct wm_regions *regions, uint32_t edge, uint64_t history);

/* Whether this history at the edge's target came by this edge, which is not cut; if so, *before is
 * that at its source. */
bool wm_regions_before(
	const struct wm_regions *regions, uint32_t edge, uint64_t history, uint64_t *before);

/* The edges of the way with this history at the vertex, last one first; room for vertex_count of
 * them. Returns how many; *start is where the way starts. */
uint32_t wm_regions_prefix(const struct wm_regions *regions, uint32_t vertex, uint64_t history,
	uint32_t *edges, uint32_t *start);

#endif
