/* History counters: exact path frequencies without counting at the ends of paths.
 *
 * Cutting some edges (all retreating ones, at least) leaves acyclic regions. A path runs from a
 * start (the entry, or the target of a cut edge) to the next cut edge; the edge EXIT -> entry is
 * always cut. The *history* at a vertex is the number of the prefix by which it was reached. Edges
 * are counted by the history at their source, and as many of these counters as the flow law allows
 * are left out: per history, what arrives at a vertex leaves it.
 *
 * A spanning forest F of the regions, with all cut edges leading to one sink, says which. From the
 * vertices of R there is a directed way in F to the sink, and each has one edge on it, its default.
 * Counted are all edges into R or to the sink that are no defaults; and where defaults close a
 * cycle of the function, one of them, without histories.
 */
#ifndef WM_CORE_HISTORIES_H
#define WM_CORE_HISTORIES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/cfg.h"
#include "core/error.h"

enum wm_history_probe {
	WM_HISTORY_NONE,
	WM_HISTORY_COUNTED, /* a counter for each history at the source of the edge */
	WM_HISTORY_PLAIN    /* one counter */
};

struct wm_histories {
	const struct wm_cfg *function;
	uint32_t *order; /* vertices: what leads to a vertex inside a region comes before it */
	bool *cut;	 /* by edge, closing edge included */
	bool *is_start;	 /* by vertex */
	uint64_t *prefix_count;	 /* by vertex */
	uint64_t *offset;	 /* by edge not cut: added to the history on the way along it */
	uint32_t *default_edge;	 /* by vertex; WM_NONE outside of R */
	uint8_t *probe;		 /* by edge: enum wm_history_probe */
	uint64_t *first_counter; /* by edge with a probe */
	uint64_t counter_count;
};

/* Chooses the counters. `also_cut` (by edge, or NULL) names edges to cut besides the retreating
 * ones; `cost`, by edge, is what counting it would cost. Every vertex that can be reached must have
 * a successor. WM_ERROR_INPUT if some vertex has more than `most_prefixes`. */
int wm_histories_plan(struct wm_arena *arena, const struct wm_cfg *function, const bool *also_cut,
	const double *cost, uint64_t most_prefixes, struct wm_histories *histories,
	struct wm_error *error);

/* Derives from the counters how often each path ran: count[e][h], for each cut edge e and history h
 * at its source, is that of the path with this prefix that ends with e; NULL for other edges. */
uint64_t **wm_histories_derive(
	struct wm_arena *arena, const struct wm_histories *histories, const uint64_t *counter);

/* The edges of the prefix with this history at the vertex, last one first; room for vertex_count of
 * them. Returns how many; *start is where the prefix starts. */
uint32_t wm_histories_prefix(const struct wm_histories *histories, uint32_t vertex,
	uint64_t history, uint32_t *edges, uint32_t *start);

#endif
