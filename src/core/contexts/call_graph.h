/* The call graph of a calling context tree: who calls whom, whatever the context. */
#ifndef WM_CORE_CONTEXTS_CALL_GRAPH_H
#define WM_CORE_CONTEXTS_CALL_GRAPH_H

#include "core/contexts/contexts.h"

/* All calls of one function by another. */
struct wm_context_arc {
	uint32_t caller; /* a function; WM_NONE: outside */
	uint32_t callee;
	uint64_t calls;
	uint64_t cost; /* of the contexts of the callee below one of the caller, with all that is
			  below them. Of an arc within a cycle it is not known which calls had it */
};

struct wm_call_graph {
	uint32_t arc_count;
	struct wm_context_arc *arcs; /* by caller, then by callee; the outside comes last */
	uint32_t *cycle; /* by function, and last the outside: functions that call each other have
			    one number. That of a callee is not greater than that of its caller */
	uint32_t cycle_count;
};

/* `own` is by record. */
struct wm_call_graph wm_call_graph_make(struct wm_arena *arena, const struct wm_contexts *contexts,
	const uint64_t *own, uint32_t function_count);

#endif
