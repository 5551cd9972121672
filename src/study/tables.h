/* Many hot path tables beside each other on one sequence of paths, and how much each of them has in
 * common with all paths: over the whole run (complete overlap) and window by window (dynamic). */
#ifndef WM_STUDY_TABLES_H
#define WM_STUDY_TABLES_H

#include "hpp/profiler.h"

/* A metric is a count of wm_hpp_event; WM_HPP_EVENT_FREQUENCY counts executions. */
struct wm_study_table {
	struct wm_hot_table table;
	unsigned metric;
	bool windowed; /* cleared at each window */
	double window_sum;
	double complete; /* after wm_study_finish */
};

struct wm_study {
	struct wm_study_table *table;
	size_t tables, capacity;
	bool metric_used[WM_HPP_COUNTS];
	uint64_t *exact[WM_HPP_COUNTS];	    /* by number of path */
	uint64_t *in_window[WM_HPP_COUNTS]; /* the same, of this window */
	uint64_t *start, *rest;
	uint32_t paths, path_capacity;
	uint32_t *touched; /* paths of this window */
	uint32_t touched_count, touched_capacity;
	uint64_t window, instructions, next_window; /* instructions; 0: no windows */
	uint32_t windows;
};

/* A table of this shape; `windowed` asks for its dynamic overlap. Returns its number. */
size_t wm_study_add(
	struct wm_study *study, const struct wm_hot_shape *shape, unsigned metric, bool windowed);

/* A consumer of wm_profiler: gives each path to all tables. */
void wm_study_take(
	void *context, uint32_t number, const struct wm_path_entry *path, uint32_t weight);

void wm_study_finish(struct wm_study *study);
void wm_study_free(struct wm_study *study);

/* The mean over all windows, or over the run if it was shorter than one. */
double wm_study_dynamic(const struct wm_study *study, const struct wm_study_table *table);

/* What two metrics of all paths have in common. */
double wm_study_metrics_overlap(const struct wm_study *study, unsigned left, unsigned right);

/* The share of a metric in the heaviest `top` paths. */
double wm_study_top(const struct wm_study *study, unsigned metric, size_t top);

/* The share of a metric along paths of at most `length` branches. */
double wm_study_by_length(const struct wm_study *study, unsigned metric, unsigned length);

/* Kendall's tau of the order of two metrics among the heaviest `top` paths of the first. */
double wm_study_rank_correlation(
	const struct wm_study *study, unsigned left, unsigned right, size_t top);

#endif
