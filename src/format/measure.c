/* One table of words and pairs. */
#include "format/measure.h"

#include <stddef.h>
#include <string.h>

static const char *const quantity_words[] = {[WM_QUANTITY_BLOCKS] = "blocks",
	[WM_QUANTITY_EDGES] = "edges",
	[WM_QUANTITY_PATHS] = "paths",
	[WM_QUANTITY_EVENTS] = "events",
	[WM_QUANTITY_CONTEXT] = "context",
	[WM_QUANTITY_TRACE] = "trace"};

static const char *const placement_words[] = {[WM_PLACEMENT_OPTIMAL] = "optimal",
	[WM_PLACEMENT_VERTEX] = "vertex",
	[WM_PLACEMENT_COMMIT] = "commit",
	[WM_PLACEMENT_REDUNDANT] = "redundant",
	[WM_PLACEMENT_SELECTED] = "selected",
	[WM_PLACEMENT_PREFERRED] = "preferred",
	[WM_PLACEMENT_SENTINEL] = "sentinel"};

/* The pairs that exist. The user asks for the last three by naming paths (--select, --prefer,
 * --residual), not by a word. */
static const struct pair {
	struct wm_measure measure;
	bool has_words;
} pairs[] = {
	{{WM_QUANTITY_EDGES, WM_PLACEMENT_OPTIMAL}, true},
	{{WM_QUANTITY_EDGES, WM_PLACEMENT_REDUNDANT}, true},
	{{WM_QUANTITY_BLOCKS, WM_PLACEMENT_OPTIMAL}, true},
	{{WM_QUANTITY_BLOCKS, WM_PLACEMENT_VERTEX}, true},
	{{WM_QUANTITY_BLOCKS, WM_PLACEMENT_REDUNDANT}, true},
	{{WM_QUANTITY_PATHS, WM_PLACEMENT_OPTIMAL}, true},
	{{WM_QUANTITY_PATHS, WM_PLACEMENT_COMMIT}, true},
	{{WM_QUANTITY_PATHS, WM_PLACEMENT_REDUNDANT}, true},
	{{WM_QUANTITY_EVENTS, WM_PLACEMENT_OPTIMAL}, true},
	{{WM_QUANTITY_EVENTS, WM_PLACEMENT_REDUNDANT}, true},
	{{WM_QUANTITY_CONTEXT, WM_PLACEMENT_OPTIMAL}, true},
	{{WM_QUANTITY_TRACE, WM_PLACEMENT_OPTIMAL}, true},
	{{WM_QUANTITY_TRACE, WM_PLACEMENT_REDUNDANT}, true},
	{{WM_QUANTITY_PATHS, WM_PLACEMENT_SELECTED}, false},
	{{WM_QUANTITY_PATHS, WM_PLACEMENT_PREFERRED}, false},
	{{WM_QUANTITY_PATHS, WM_PLACEMENT_SENTINEL}, false},
};

enum { PAIR_COUNT = sizeof pairs / sizeof *pairs };

const char *wm_quantity_word(enum wm_quantity quantity)
{
	return quantity_words[quantity];
}

const char *wm_placement_word(enum wm_placement placement)
{
	return placement_words[placement];
}

bool wm_measure_exists(struct wm_measure measure)
{
	for (size_t i = 0; i < PAIR_COUNT; i++)
		if (wm_measure_is(pairs[i].measure, measure.quantity, measure.placement))
			return true;
	return false;
}

/* A word that no pair has is a misspelling, whatever the other word is. */
static int check_words(const char *quantity, const char *placement, struct wm_error *error)
{
	bool has_quantity = false, has_placement = false;
	for (size_t i = 0; i < PAIR_COUNT; i++) {
		if (!pairs[i].has_words)
			continue;
		has_quantity |= !strcmp(wm_quantity_word(pairs[i].measure.quantity), quantity);
		has_placement |= !strcmp(wm_placement_word(pairs[i].measure.placement), placement);
	}
	if (!has_quantity)
		return wm_error_set(error, WM_ERROR_INPUT,
			"--profile='%s' is unknown: use paths, edges, blocks, events, context or trace",
			quantity);
	if (!has_placement)
		return wm_error_set(error, WM_ERROR_INPUT,
			"--placement='%s' is unknown: use optimal, commit, vertex or redundant",
			placement);
	return 0;
}

int wm_measure_choose(const char *quantity, const char *placement, struct wm_measure *measure,
	struct wm_error *error)
{
	int status = check_words(quantity, placement, error);
	if (status < 0)
		return status;
	for (size_t i = 0; i < PAIR_COUNT; i++) {
		*measure = pairs[i].measure;
		if (pairs[i].has_words && !strcmp(wm_quantity_word(measure->quantity), quantity) &&
			!strcmp(wm_placement_word(measure->placement), placement))
			return 0;
	}
	return wm_error_set(error, WM_ERROR_INPUT,
		"--profile=%s does not go with --placement=%s: use edges with optimal or "
		"redundant; blocks with optimal, vertex or redundant; paths with optimal, commit "
		"or redundant; events with optimal or redundant; context with optimal; trace with "
		"optimal or redundant",
		quantity, placement);
}
