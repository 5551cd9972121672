/* Strongly connected components of a directed graph: its vertices, divided such that two are in one
 * component if each can be reached from the other (Tarjan 1972, without recursion). */
#ifndef WM_CORE_COMPONENTS_H
#define WM_CORE_COMPONENTS_H

#include <stdint.h>

#include "core/base/arena.h"

/* By vertex, the number of its component; an edge never leads to a larger one. *count is their
 * number. */
uint32_t *wm_components_find(struct wm_arena *arena, uint32_t vertex_count, uint32_t edge_count,
	const uint32_t *source, const uint32_t *target, uint32_t *count);

#endif
