/* Whether a run kept its budgets and, if not, what of it moved. */
#ifndef WM_CLI_BUDGET_CHECK_H
#define WM_CLI_BUDGET_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/budget_file.h"
#include "report/place.h"
#include "report/snapshot.h"

/* What `waymark count --save` kept of an earlier run. */
struct wm_budget_base {
	const char *name; /* as the budgets name it */
	const char *path;
	bool there;
	struct wm_snapshot snapshot;
};

/* The run at hand, and what it is compared with. */
struct wm_budget_run {
	struct wm_arena *arena;
	const struct wm_profile *profile;
	struct wm_snapshot *snapshot;
	struct wm_sources *sources;
	size_t base_count;
	struct wm_budget_base *bases;
	const struct wm_budget_base *otherwise; /* for budgets that name none; or NULL */
	size_t top;				/* functions, and paths of each, to print */
};

struct wm_budget_verdict {
	const struct wm_budget *budget;
	bool kept;
	bool counted;		  /* there is a number that a limit can become */
	struct wm_interval count; /* if so */
	uint64_t calls;		  /* of a function */
	const char *message;	  /* what was counted, and what was allowed: one line */
	const char *details;	  /* if it is broken: what moved, lines that end with a line feed */
	bool same_code;		  /* it is broken, and all that moved has the code of the base */
	struct wm_place place;	  /* in the source, if one is known */
};

struct wm_budget_verdict wm_budget_check(struct wm_budget_run *run, const struct wm_budget *budget);

#endif
