/* What a run cost: how often each kind of event happened, by function, line and path.
 *
 * A block does the same each time that it runs, so every count is a sum over blocks: how often the
 * block ran, times what one execution of it does (struct wm_work). A block in which control ended
 * early, inside a call, counts as a whole; calls are counted one by one (call_counts.h). */
#ifndef WM_PROFILE_TALLY_H
#define WM_PROFILE_TALLY_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/interval.h"
#include "profile/profile.h"

enum wm_event {
	WM_EVENT_INSTRUCTIONS, /* of the compiler's intermediate form */
	WM_EVENT_BLOCKS,
	WM_EVENT_BRANCHES, /* that choose */
	WM_EVENT_LOADS,
	WM_EVENT_STORES,
	WM_EVENT_CALLS,
	WM_EVENT_MARKS, /* of WAYMARK_EVENT, by name */
	WM_EVENT_SUMMED /* known as a running sum only: steps, region:NAME, weights:FILE */
};

enum { WM_EVENT_COUNT = WM_EVENT_MARKS };

extern const char *const wm_event_names[WM_EVENT_COUNT];

struct wm_event_kind {
	const char *name; /* as it is written: `loads`, `calls:malloc` */
	enum wm_event event;
	const char *callees; /* of calls: only those by a name that this pattern matches; or NULL.
				Of marks: their name */
};

struct wm_event_kinds {
	size_t count;
	struct wm_event_kind *kinds;
};

/* Reads the name of a kind; false if there is none of that name. */
bool wm_event_kind_parse(struct wm_arena *arena, const char *word, struct wm_event_kind *kind);

/* Whether the profile is of a build with --profile=events, which knows totals only; then the kinds
 * that it has. */
bool wm_tally_is_sums(const struct wm_profile *profile);
struct wm_event_kinds wm_tally_kinds_of_sums(
	struct wm_arena *arena, const struct wm_profile *profile);

/* By kind, the running sums of all its objects; those of a kind that none has are not known. */
struct wm_interval *wm_tally_sums(struct wm_arena *arena, const struct wm_profile *profile,
	const struct wm_event_kinds *kinds);

/* By kind, what the function did. Nothing is known of a function whose blocks are not, and of
 * loads, stores and branches nothing in objects of an earlier Waymark. */
struct wm_interval *wm_tally_function(struct wm_arena *arena, const struct wm_profile *profile,
	const struct wm_event_kinds *kinds, const struct wm_profile_function *function);

/* By block and in it by kind, what one execution of the block does; calls are all that it has.
 * NULL if it is not known. */
uint32_t *wm_tally_blocks(struct wm_arena *arena, const struct wm_event_kinds *kinds,
	const struct wm_function *function);

/* A line that code was made from. What has no line stands in line 0 of its function's file. A block
 * belongs to the line of the first of its positions. */
struct wm_tally_line {
	const char *file;
	uint32_t line;
	struct wm_interval *counts; /* by kind */
};

/* The lines of all functions, by file and line, each once. */
struct wm_tally_line *wm_tally_lines(struct wm_arena *arena, const struct wm_profile *profile,
	const struct wm_event_kinds *kinds, size_t *count);

#endif
