/* A mode: what a build counts, and how it is planned, described and lowered.
 *
 * To add one, write a file beside this one that defines its functions, and give it a row in mode.c;
 * CONTRIBUTING.md has the list of all places.
 */
#ifndef WM_LLVM_MODE_MODE_H
#define WM_LLVM_MODE_MODE_H

#include "llvm/probe/lowerer.h"
#include "llvm/subject/subject.h"

/* What planning may answer besides an error. */
enum { WM_PLAN_MADE = 0, WM_PLAN_NOTHING = 1 };

struct wm_mode;

struct wm_mode_functions {
	/* Chooses probes for the subject; the plan lives in its arena. WM_PLAN_NOTHING: the
	 * function stays as it is. WM_ERROR_UNSOLVABLE or _INPUT: the mode cannot plan this
	 * function. */
	int (*plan)(const struct wm_mode *mode, const struct wm_subject *subject, void **plan,
		struct wm_error *error);

	/* Adds the mode's section to the description, and what the plan says of edges. Called once,
	 * after planning. The section's counters start at `first`; returns how many it has. */
	uint32_t (*describe)(const struct wm_mode *mode, const struct wm_subject *subject,
		const void *plan, uint32_t first, struct wm_function *described);

	/* Adds the steps of the plan. Those of all modes of a build are written together. */
	void (*lower)(struct wm_lowerer *lowerer, const void *plan);

	/* The steps are code; or NULL. */
	void (*finish)(struct wm_lowerer *lowerer, const void *plan);
};

struct wm_mode {
	struct wm_measure measure; /* the words that select it */
	const struct wm_mode_functions *functions;
	bool is_oracle;			 /* counts where it says: no counter leaves a loop */
	const struct wm_mode *otherwise; /* tried where this one cannot plan a function; or NULL */
};

/* The mode that the options ask for. */
const struct wm_mode *wm_mode_of(const struct wm_plugin_options *options);

extern const struct wm_mode_functions wm_calls_mode;	 /* calls by context alone */
extern const struct wm_mode_functions wm_counters_mode;	 /* edges and blocks */
extern const struct wm_mode_functions wm_paths_mode;	 /* paths by history */
extern const struct wm_mode_functions wm_sums_mode;	 /* selected and preferred paths */
extern const struct wm_mode_functions wm_sentinels_mode; /* departures from tested paths */
extern const struct wm_mode_functions wm_trace_mode;	 /* the order of execution */
extern const struct wm_mode_functions wm_oracle_mode;	 /* every sequence of blocks */
extern const struct wm_mode_functions wm_events_mode;	 /* running sums of events */

#endif
