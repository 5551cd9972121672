/* Branches that an earlier branch on the same path decides: what counts of paths say, and counts of
 * edges do not.
 *
 * A pair is an outcome of one branch and a later branch of the same path, which then goes one way
 * at least in a given share of cases, although it does not do so overall. Branches are those of the
 * code that runs. A path ends where the mode cuts it, mostly where a loop iterates: no pair crosses
 * that.
 */
#ifndef WM_REPORT_CORRELATED_H
#define WM_REPORT_CORRELATED_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "profile/profile.h"

/* So many earlier branches of a path are looked at for each later one. */
enum { WM_CORRELATED_EARLIER = 256 };

struct wm_correlated_pair {
	const struct wm_profile_function *function;
	uint32_t earlier;	 /* the edge by which the earlier branch was left */
	uint32_t later;		 /* that by which the later one then mostly is */
	uint64_t executions;	 /* of the later branch behind this outcome of the earlier one */
	uint64_t agreed;	 /* how many of these left by the edge `later` */
	uint64_t all_executions; /* of the later branch */
	uint64_t all_agreed;
	uint64_t decided; /* executions that no pair with more of them decides: each execution of a
			     branch is in one pair, so that these can be added up */
};

struct wm_correlated {
	uint64_t branches; /* executed, in functions of which all paths were counted */
	uint64_t decided;  /* by an earlier one: the sum over the pairs */
	uint32_t functions;
	uint32_t left_out; /* functions that ran, but whose paths were not all counted */
	size_t pair_count;
	struct wm_correlated_pair *pairs; /* those that decide something, most first */
};

/* `percent` is the share that makes a branch decided, above 50 and up to 100. */
void wm_correlated_find(struct wm_arena *arena, const struct wm_profile *profile, double percent,
	struct wm_correlated *result);

#endif
