/* Tracing by witnesses: which edges tell where control went (Ball & Larus 1994, section 4).
 *
 * An edge with a witness writes its code into the trace; all others are free and write nothing. A
 * reader that knows the graph follows single successors by itself and asks the next code wherever
 * control may go on in several directions, at a *predicate*. Witnesses solve the graph if free
 * edges form no directed cycle and no two free routes lead from one vertex to another.
 *
 * Where several functions write into one trace, the next code must be this function's own. So no
 * free route may lead from a predicate to a *stop*: a vertex where others may write, or EXIT.
 */
#ifndef WM_CORE_WITNESSES_H
#define WM_CORE_WITNESSES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/graph/cfg.h"

struct wm_trace_problem {
	const struct wm_cfg *cfg; /* no edge leaves EXIT; the closing edge takes no part */
	const double *weight;	  /* by edge: how often it is expected to run */
	const bool *uncountable;  /* by edge, or NULL for none: no probe fits there */
	const bool *predicate;	  /* by vertex: only the trace tells its successor */
	const bool *stop;	  /* by vertex */
	const char *const *name;  /* by vertex, for messages; NULL: they have numbers */
};

struct wm_trace_name {
	char text[64];
};

/* What a message calls the vertex. */
struct wm_trace_name wm_trace_name_of(const struct wm_trace_problem *problem, uint32_t vertex);

/* Marks the vertices that have several out-edges. */
bool *wm_trace_predicates(struct wm_arena *arena, const struct wm_cfg *cfg);

/* The witnesses that any solution could be asked for at a stop: on each edge from a predicate whose
 * only continuation is a stop. One that is uncountable moves towards the stop. By edge, in the
 * arena; WM_ERROR_UNSOLVABLE if there is no room before the stop. */
int wm_witness_blockers(struct wm_arena *arena, const struct wm_trace_problem *problem,
	bool **blocker, struct wm_error *error);

/* The blockers, and the edges outside a maximum forest of the others. Linear but for sorting. The
 * uncountable edges stay free; wm_witness_codes_make refuses if that leaves no solution. */
int wm_witnesses_place(struct wm_arena *arena, const struct wm_trace_problem *problem,
	bool **witness, struct wm_error *error);

#endif
