/* Ball-Larus path numbering: every acyclic path of a function gets a number of its own.
 *
 * Back edges are cut: a cut edge u -> w becomes an end u -> EXIT and a start entry -> w, so that
 * what is left is acyclic and each iteration of a loop is a path of its own. Numbered in reverse
 * topological order, the sum of edge values along a path from the entry to EXIT is its number: a
 * bijection onto 0 .. count-1 (Ball and Larus 1996; Ammons, Ball and Larus 1997, figure 1). */
#ifndef WM_CORE_PATHS_H
#define WM_CORE_PATHS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/graph/cfg.h"

enum wm_path_edge_kind {
	WM_PATH_EDGE_INNER, /* an edge of the function */
	WM_PATH_EDGE_START, /* entry -> target of cut edges, or of one that leaves EXIT */
	WM_PATH_EDGE_END    /* source of a cut edge -> EXIT */
};

struct wm_paths {
	struct wm_cfg *graph; /* acyclic but for its closing edge; the function's vertices */
	uint8_t *kind;	      /* by edge of this graph: enum wm_path_edge_kind */
	uint32_t *origin;     /* by edge of this graph: the function's edge that it stands for */
	bool *cut;	      /* by edge of the function */
	uint64_t *value;      /* by edge of this graph; the closing edge's is 0 */
	uint64_t *from;	      /* by vertex: paths from there to EXIT */
	uint64_t count;
};

/* Numbers the paths of a function. No vertex has more than `limit` paths to EXIT, if need be by
 * cutting edges with the smallest weight; the weights, by edge of the function, decide nothing else
 * and may be NULL. WM_ERROR_INPUT if even so there are more than 2^63 paths. Linear time without
 * such cuts. A vertex without successors ends its paths. */
int wm_paths_number(struct wm_arena *arena, const struct wm_cfg *function, const double *weight,
	uint64_t limit, struct wm_paths *paths, struct wm_error *error);

/* Numbers the paths between these cuts (core/paths/regions.h), by edge; those into EXIT end a path
 * as they do anyway. WM_ERROR_INPUT if there are more than 2^63. */
int wm_paths_number_regions(struct wm_arena *arena, const struct wm_cfg *function, const bool *cut,
	struct wm_paths *paths, struct wm_error *error);

/* Moves the values onto the chords of a maximum spanning tree: increments, by edge of the paths'
 * graph, whose sum along each path is still its number. Weights as above, not NULL. */
uint64_t *wm_paths_increments(
	struct wm_arena *arena, const struct wm_paths *paths, const double *weight);

/* The edges of the path with this number, in order; room for vertex_count of them. Returns how many
 * there are. Requires number < count. */
uint32_t wm_paths_decode(const struct wm_paths *paths, uint64_t number, uint32_t *edges);

#endif
