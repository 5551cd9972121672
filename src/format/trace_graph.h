/* The graph that a trace follows: the function as control really goes through it.
 *
 * Unlike in the description's graph, a second return of setjmp goes on behind the call, and no edge
 * leaves a block inside a call. A block that ends with a call in tail position leads to EXIT: what
 * stands behind the call, a return at most, is passed before it. */
#ifndef WM_FORMAT_TRACE_GRAPH_H
#define WM_FORMAT_TRACE_GRAPH_H

#include "format/description.h"

struct wm_trace_graph {
	struct wm_cfg *cfg;
	uint32_t *edge;	      /* by edge: that of the description */
	uint32_t *bits;	      /* by vertex: of the code that tells the successors apart; 0: one at
				 most, or a call tells */
	uint32_t *first_call; /* by block: its calls in the description; one entry more */
	uint32_t *passed;     /* by vertex: the block behind a call in tail position; or WM_NONE */
	uint32_t *exit_edge;  /* by vertex: behind such a call, the description's edge to EXIT */
	bool *resumes;	      /* by vertex: an exception goes on to the caller */

	/* Computed jumps: the code is the target's, and written there, whatever led to it. */
	bool *jumps;	       /* by vertex */
	uint32_t *target_code; /* by vertex, or WM_NONE */
	uint32_t *target_of;   /* by code: a vertex, or WM_NONE */
	uint32_t target_bits;
};

/* The classes of the calls are those of function->trace. WM_ERROR_INPUT if the description, which
 * is untrusted, holds what no code can do. */
int wm_trace_graph_make(struct wm_arena *arena, const struct wm_function *function,
	struct wm_trace_graph *graph, struct wm_error *error);

/* Finds the computed jumps by the codes of function->trace. wm_trace_graph_make does so as well.
 * WM_ERROR_INPUT if a target has two codes, or a code two targets. */
int wm_trace_graph_find_jumps(struct wm_arena *arena, const struct wm_function *function,
	struct wm_trace_graph *graph, struct wm_error *error);

/* The class of the block's last call, or silent. */
enum wm_call_class wm_trace_last_class(
	const struct wm_function *function, const struct wm_trace_graph *graph, uint32_t block);

/* Checks the codes of function->trace: those of a predicate are its successors' and no other's.
 * WM_ERROR_INPUT. */
int wm_trace_graph_check_codes(struct wm_arena *arena, const struct wm_function *function,
	const struct wm_trace_graph *graph, struct wm_error *error);

#endif
