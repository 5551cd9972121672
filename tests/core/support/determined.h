/* Do these counters determine the counts? Answered by linear algebra, independent of any graph
 * theory: the rank of what is known does not grow when what is wanted is added to it. */
#ifndef WM_TESTS_DETERMINED_H
#define WM_TESTS_DETERMINED_H

#include <stdbool.h>
#include <stdint.h>

#include "core/graph/cfg.h"

enum wanted { WANT_EDGES, WANT_VERTICES, WANT_VERTICES_BUT_EXIT };

/* Counted edges and vertices as bits. Graphs of at most 24 vertices and 45 edges. */
bool determined(const struct wm_cfg *cfg, uint64_t edges, uint64_t vertices, enum wanted wanted);

#endif
