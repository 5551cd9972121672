/* What other placements of counters would have cost on the same runs: the experiment of Ball &
 * Larus 1994, figure 24. */
#ifndef WM_REPORT_COMPARISON_H
#define WM_REPORT_COMPARISON_H

#include <stdint.h>

#include "core/base/error.h"
#include "profile/profile.h"

/* Counters on the edges outside a spanning tree. Weights come from the heuristic of 1994 or from
 * Goldberg's, or are the measured counts; the tree is of maximum weight, the best, or of minimum
 * weight, the worst. And, by the heuristic, counters that determine blocks only: on edges, and on
 * blocks (figure 21). */
enum wm_compared {
	WM_COMPARED_HEURISTIC_MAXIMUM,
	WM_COMPARED_HEURISTIC_MINIMUM,
	WM_COMPARED_EXACT_MAXIMUM,
	WM_COMPARED_EXACT_MINIMUM,
	WM_COMPARED_GOLDBERG_MAXIMUM,
	WM_COMPARED_BLOCKS,
	WM_COMPARED_BLOCKS_VERTEX,
	WM_COMPARED_COUNT
};

struct wm_comparison {
	uint32_t functions; /* that ran and are compared */
	uint32_t left_out;  /* that ran, but on too many of their edges no counter fits */
	uint64_t redundant; /* increments of a counter in every block */
	uint64_t increments[WM_COMPARED_COUNT];
};

/* Sums over all functions that ran. WM_ERROR_INPUT if the profile does not know their edges. */
int wm_comparison_make(
	const struct wm_profile *profile, struct wm_comparison *comparison, struct wm_error *error);

#endif
