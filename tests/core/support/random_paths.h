/* Random graphs with all their paths, found by backtracking, which knows nothing of numbers. */
#ifndef WM_TESTS_RANDOM_PATHS_H
#define WM_TESTS_RANDOM_PATHS_H

#include "core/paths/paths.h"
#include "support/random_graph.h"

enum { MAX_PATH_VERTICES = 12, MAX_PATHS = 200 };

struct listed_path {
	uint32_t length;
	uint32_t edges[MAX_PATH_VERTICES];
	uint64_t number; /* Ball-Larus: the sum of its edges' values */
	bool interesting;
};

struct path_list {
	struct wm_paths paths;
	double *weight; /* by edge of the function */
	uint32_t count;
	struct listed_path path[MAX_PATHS];
	uint32_t interesting_count;
	uint64_t numbers[MAX_PATHS]; /* of the interesting ones, in random order */
};

/* Lists the paths of a graph; false if there are more than MAX_PATHS. */
bool list_paths(struct wm_arena *arena, const struct wm_cfg *cfg, struct path_list *list);

/* A random graph, acyclic or not, with at least 2 paths, and 1 to `max` random interesting ones.
 */
void random_paths(
	struct wm_arena *arena, struct random_source *source, uint32_t max, struct path_list *list);

/* Each vertex but the last, which is EXIT, has 1 to 3 edges to vertices at most `reach` behind it.
 */
struct wm_cfg *random_acyclic(
	struct wm_arena *arena, struct random_source *source, uint32_t vertices, uint32_t reach);

/* A chain of conditionals, some of them without an else. The last vertex is EXIT. */
struct wm_cfg *random_chain(
	struct wm_arena *arena, struct random_source *source, uint32_t conditionals);

/* The number of the path that takes the usual way (drawn from `habit`, by vertex) at 85% of the
 * vertices, as programs do. */
uint64_t likely_path(
	struct random_source *source, const struct wm_paths *paths, const uint32_t *habit);

/* So many different likely paths; fewer if no more turn up. Returns how many. */
uint32_t likely_paths(struct wm_arena *arena, struct random_source *source,
	const struct wm_paths *paths, uint32_t count, uint64_t *numbers);

#endif
