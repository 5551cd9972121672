/* Dominators: a dominates b if every way from the outside to b leads through a. */
#ifndef WM_TESTS_DOMINATORS_H
#define WM_TESTS_DOMINATORS_H

#include "core/graph/depth_first.h"

/* By vertex, in the arena: its immediate dominator, or WM_NONE if only the vertex itself lies on
 * every way to it. Ways start at the entry, at the targets of re-entries and at the other roots of
 * the search, and pass no edge that leaves EXIT. */
uint32_t *wm_dominators_find(
	struct wm_arena *arena, const struct wm_cfg *cfg, const struct wm_depth_first *order);

#endif
