/* What a build counts and how: the words of --profile and --placement, and what they stand for.
 *
 * Quantity and placement are independent notions; which pairs exist is a table. Code asks for the
 * quantity or the placement that it means. Neither is ordered.
 */
#ifndef WM_FORMAT_MEASURE_H
#define WM_FORMAT_MEASURE_H

#include <stdbool.h>

#include "core/base/error.h"

/* What the counts determine at best. Paths give edges, and edges give blocks. A trace is no count:
 * it gives the order of all. */
enum wm_quantity {
	WM_QUANTITY_BLOCKS = 1,
	WM_QUANTITY_EDGES = 2,
	WM_QUANTITY_PATHS = 3,
	WM_QUANTITY_EVENTS = 4,	 /* running sums, by thread: no counts of blocks */
	WM_QUANTITY_CONTEXT = 5, /* calls by context alone: no counts of blocks */
	WM_QUANTITY_TRACE = 6
};

enum wm_placement {
	WM_PLACEMENT_OPTIMAL = 1,   /* the fewest counters, on the coldest edges */
	WM_PLACEMENT_VERTEX = 2,    /* the same, in blocks only */
	WM_PLACEMENT_COMMIT = 3,    /* paths: a count where each path ends */
	WM_PLACEMENT_REDUNDANT = 4, /* everything is counted: the oracle */
	WM_PLACEMENT_SELECTED = 5,  /* a few paths by sums, others together: core/chosen/select.h */
	WM_PLACEMENT_PREFERRED = 6, /* all paths by sums, some of them fast: core/chosen/prefer.h */
	WM_PLACEMENT_SENTINEL = 7   /* only where tested paths are left: core/chosen/sentinels.h */
};

struct wm_measure {
	enum wm_quantity quantity;
	enum wm_placement placement;
};

static inline bool wm_measure_is(
	struct wm_measure measure, enum wm_quantity quantity, enum wm_placement placement)
{
	return measure.quantity == quantity && measure.placement == placement;
}

/* True of numbers read from a file that are a pair which a plug-in could have chosen. */
bool wm_measure_exists(struct wm_measure measure);

/* The words of the command line and of reports. */
const char *wm_quantity_word(enum wm_quantity quantity);
const char *wm_placement_word(enum wm_placement placement);

/* The pair that the two words of the command line name. WM_ERROR_INPUT for an unknown word and for
 * words that do not go together; the text lists what there is. */
int wm_measure_choose(const char *quantity, const char *placement, struct wm_measure *measure,
	struct wm_error *error);

#endif
