/* Requests for plans of paths. */
#ifndef WM_TESTS_PATH_REQUEST_H
#define WM_TESTS_PATH_REQUEST_H

#include "core/paths/path_plan.h"
#include "support/random_graph.h"

/* Random prices; a probe fits everywhere, and paths are cut where they must be, or where more than
 * 1000 routes meet. The caller sets what it wants otherwise, the limit of arrays at least. */
struct wm_path_request random_path_request(
	struct wm_arena *arena, struct random_source *source, const struct wm_cfg *cfg);

#endif
