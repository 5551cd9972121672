/* Regions: where paths start and end, and how many ways lead from the starts to each vertex.
 *
 * Cutting some edges (all retreating ones and all that enter or leave EXIT, at least) leaves
 * acyclic regions. A path runs from a start (the entry, or the target of a cut edge) to the next
 * cut edge, which is its last. The *history* at a vertex is the number of the way, from a start, by
 * which it was reached: 0 for a start's own, the others in the order of the edges that bring them.
 */
#ifndef WM_CORE_REGIONS_H
#define WM_CORE_REGIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/cfg.h"
#include "core/error.h"

struct wm_regions {
	const struct wm_cfg *function;
	const bool *cut; /* by edge, closing edge included */
	uint32_t *order; /* vertices: what leads to a vertex inside a region comes before it */
	bool *is_start;	 /* by vertex */
	uint64_t *prefix_count; /* by vertex: histories there; 0 if it cannot be reached */
	uint64_t *offset;	/* by edge not cut: added to the history on the way along it */
};

struct wm_regions_request {
	bool at_loop_entries;	/* cut every edge into a loop header, not only those from inside */
	const bool *must_start; /* by vertex, or NULL: cut every edge into these */
	uint64_t most_prefixes; /* a vertex with more becomes a start, by cutting its in-edges */
};

/* Chooses the edges to cut: edge_count + 1 entries. Linear time. */
bool *wm_regions_cut(struct wm_arena *arena, const struct wm_cfg *function,
	const struct wm_regions_request *request);

/* Numbers the histories that these cuts leave. WM_ERROR_INPUT if they leave a cycle, or more than
 * 2^62 histories somewhere. */
int wm_regions_number(struct wm_arena *arena, const struct wm_cfg *function, const bool *cut,
	struct wm_regions *regions, struct wm_error *error);

/* The edges of the way with this history at the vertex, last one first; room for vertex_count of
 * them. Returns how many; *start is where the way starts. */
uint32_t wm_regions_prefix(const struct wm_regions *regions, uint32_t vertex, uint64_t history,
	uint32_t *edges, uint32_t *start);

#endif
