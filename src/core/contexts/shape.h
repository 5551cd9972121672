/* The shape of a calling context tree: how large, wide and high it is (Ammons, Ball, Larus 1997,
 * table 3). The outside is no context. */
#ifndef WM_CORE_CONTEXTS_SHAPE_H
#define WM_CORE_CONTEXTS_SHAPE_H

#include "core/contexts/contexts.h"

struct wm_contexts_shape {
	uint32_t contexts;
	uint32_t functions;	 /* that have contexts */
	uint32_t inner;		 /* contexts with contexts below them */
	uint64_t below;		 /* contexts below these: children of inner ones */
	uint64_t heights;	 /* the sum over leaves of the contexts from the outermost to it */
	uint32_t height_max;	 /* of these */
	uint32_t replicated;	 /* the function with most contexts; WM_NONE: there is none */
	uint32_t replicated_max; /* its contexts */
	uint64_t sites_used;	 /* sites of contexts that led to a function that is counted */
};

/* Of functions below that number. */
struct wm_contexts_shape wm_contexts_shape_find(
	const struct wm_contexts *contexts, uint32_t function_count);

#endif
