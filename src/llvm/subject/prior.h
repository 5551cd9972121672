/* What a profile of an earlier build knows of the functions that are compiled now.
 *
 * A function is the same if its name and its graph are. The graph is the same if all its edges are,
 * wherever paths are cut: so every kind of profile serves every kind of build. What has changed is
 * planned as if there were no profile.
 */
#ifndef WM_LLVM_PRIOR_H
#define WM_LLVM_PRIOR_H

#include "format/prior.h"

/* The same function there with its counts, in the arena; of several one from the same source file;
 * NULL if there is none. */
const struct wm_prior_function *wm_prior_find(
	struct wm_arena *arena, const struct wm_prior *prior, const struct wm_function *function);

/* Whether the function's loops had first iterations of their own there; `otherwise` if no function
 * there has this name. */
bool wm_prior_was_peeled(const struct wm_prior *prior, const char *name, bool otherwise);

/* Puts measured executions per call in place of expected ones, by edge and by block. What did not
 * run keeps a trace of what was expected of it. Requires counts of blocks. */
void wm_prior_weigh(const struct wm_prior_function *known, const struct wm_function *function,
	double *edge_weight, double *vertex_weight);

#endif
