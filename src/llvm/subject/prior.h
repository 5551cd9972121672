/* What a profile of an earlier build knows of the functions that are compiled now.
 *
 * A function is the same if its name and its graph are. The graph is compared edge by edge, but not
 * where paths are cut: so every kind of profile serves every kind of build. What has changed is
 * planned as if there were no profile.
 */
#ifndef WM_LLVM_PRIOR_H
#define WM_LLVM_PRIOR_H

#include "profile/profile.h"

struct wm_prior {
	struct wm_profile profile;
	const struct wm_profile_function **by_name; /* sorted */
};

/* Reads the file and its program, at `binary` or, if NULL, where the file says. Errors as of
 * wm_file_read and wm_profile_make. */
int wm_prior_load(struct wm_arena *arena, const char *file, const char *binary,
	struct wm_prior *prior, struct wm_error *error);

/* The same function there, of several one from the same source file; NULL if there is none. */
const struct wm_profile_function *wm_prior_find(
	const struct wm_prior *prior, const struct wm_function *function);

/* Whether the function's loops had first iterations of their own there; `otherwise` if no function
 * there has this name. */
bool wm_prior_was_peeled(const struct wm_prior *prior, const char *name, bool otherwise);

/* Puts measured executions per call in place of expected ones, by edge and by block. What did not
 * run keeps a trace of what was expected of it. */
void wm_prior_weigh(
	const struct wm_profile_function *known, double *edge_weight, double *vertex_weight);

#endif
