/* History counters: exact path frequencies without counting at the ends of paths.
 *
 * Edges are counted by the history at their source (core/paths/regions.h), and as many of these
 * counters as the flow law allows are left out: per history, what arrives at a vertex leaves it.
 *
 * A spanning forest F of the regions, with all cut edges leading to one sink, says which. From the
 * vertices of R a directed chain of edges in F leads to the sink, and each has one edge on it, its
 * default. Counted are all edges into R or to the sink that are no defaults; and where defaults
 * close a cycle of the function, one of them, without histories. Ball and Larus's placement, with a
 * counter at the end of every path, is the same with an empty forest.
 */
#ifndef WM_CORE_HISTORIES_H
#define WM_CORE_HISTORIES_H

#include "core/paths/regions.h"

enum wm_history_probe {
	WM_HISTORY_NONE,
	WM_HISTORY_COUNTED, /* a count for each history at the source of the edge */
	WM_HISTORY_PLAIN    /* one count */
};

struct wm_histories {
	const struct wm_regions *regions;
	uint8_t *probe;		/* by edge: enum wm_history_probe */
	uint32_t *default_edge; /* by vertex; WM_NONE outside of R */
};

/* Which edges may be defaults, besides those that cannot be counted. */
enum wm_defaults {
	WM_DEFAULTS_ANYWHERE,
	WM_DEFAULTS_WITHOUT_PREHISTORY, /* where there always is a prehistory, paths are counted at
					   their ends */
	WM_DEFAULTS_NOWHERE		/* all of them do */
};

struct wm_histories_request {
	const uint32_t *dearest_first; /* all edges, by falling cost of counting them by history;
					  not looked at if defaults are nowhere */
	const double *plain_cost;      /* by edge: of counting it without */
	const bool *uncountable; /* by edge: no probe fits there; never the closing edge's matter */
	enum wm_defaults defaults;
};

/* Chooses the probes; all arrays of the request have edge_count entries. WM_ERROR_UNSOLVABLE if the
 * edges that cannot be counted leave counts open. */
int wm_histories_plan(struct wm_arena *arena, const struct wm_regions *regions,
	const struct wm_histories_request *request, struct wm_histories *histories,
	struct wm_error *error);

/* Finds the defaults again from the probes. WM_ERROR_INPUT if these do not determine the counts. */
int wm_histories_restore(struct wm_arena *arena, const struct wm_regions *regions,
	const uint8_t *probe, struct wm_histories *histories, struct wm_error *error);

struct wm_history_count {
	uint64_t history;
	uint64_t count;
};

/* Rising histories, none twice, no count zero. */
struct wm_history_list {
	uint32_t length;
	const struct wm_history_count *items;
};

/* Sorts the items by history, adds up those of one history and drops sums of zero. Returns how many
 * are left. */
uint32_t wm_history_settle(struct wm_history_count *items, uint32_t count);

/* What the probes counted, by edge. */
struct wm_history_counters {
	const struct wm_history_list *counted; /* WM_HISTORY_COUNTED */
	const uint64_t *plain;		       /* WM_HISTORY_PLAIN */
};

struct wm_history_counts {
	struct wm_history_list *taken; /* by edge, by history at its source; a cut edge's are the
					  counts of the paths that end with it */
	uint64_t *total;	       /* by edge */
};

/* Derives from the counters how often each edge was taken with each history. */
struct wm_history_counts wm_histories_derive(struct wm_arena *arena,
	const struct wm_histories *histories, const struct wm_history_counters *counters);

#endif
