/* Random graphs and random walks on them, the same for the same seed everywhere. */
#ifndef WM_TESTS_RANDOM_GRAPH_H
#define WM_TESTS_RANDOM_GRAPH_H

#include <stdbool.h>

#include "core/graph/cfg.h"

struct random_source {
	uint64_t state;
};

struct random_source random_from_seed(uint64_t seed);

/* Evenly from 0 .. limit-1. */
uint32_t random_below(struct random_source *source, uint32_t limit);

/* 2 to max_vertices vertices; vertex 0 is the entry and the last one EXIT. Over many graphs there
 * are parallel edges, self loops, several exits, irreducible loops, vertices that do not reach
 * EXIT, vertices without any edge, and edges that leave EXIT. */
struct wm_cfg *random_graph(
	struct wm_arena *arena, struct random_source *source, uint32_t max_vertices);

/* What really happened on a walk that starts in EXIT and ends there. */
struct walk_counts {
	uint64_t *edge;
	uint64_t *vertex;
	uint64_t *left_early;
};

/* Leaves a vertex early now and then, and always where there is no edge to take. */
struct walk_counts random_walk(
	struct wm_arena *arena, struct random_source *source, const struct wm_cfg *cfg);

#endif
