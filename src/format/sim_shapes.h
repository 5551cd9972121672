/* The caches that a build simulates: --sim=l1d=BYTES/WAYS/LINE,l2=BYTES/WAYS/LINE, or a name. */
#ifndef WM_FORMAT_SIM_SHAPES_H
#define WM_FORMAT_SIM_SHAPES_H

#include "core/base/arena.h"
#include "core/base/error.h"
#include "hpp/cache.h"

/* In the order of the words of the runtime: what missed the first goes to the second. */
enum wm_sim_level { WM_SIM_L1D, WM_SIM_L2, WM_SIM_LEVELS };

struct wm_sim_shapes {
	struct wm_cache_shape level[WM_SIM_LEVELS];
};

/* NULL for the usual ones. WM_ERROR_INPUT for what is no cache. */
int wm_sim_shapes_parse(struct wm_arena *arena, const char *text, struct wm_sim_shapes *shapes,
	struct wm_error *error);

#endif
