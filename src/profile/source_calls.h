/* Calls that were deleted.
 *
 * The optimiser may delete a call of a function that only computes, or make one of several. The
 * text calls it, but no code runs that could be a witness. Such a function is called more often
 * than it is entered, and what is counted in it, and in what it calls, are lower bounds.
 */
#ifndef WM_PROFILE_SOURCE_CALLS_H
#define WM_PROFILE_SOURCE_CALLS_H

#include "profile/source_counts.h"

/* Makes lower bounds of the counts, by record, of text that may have been called more often. */
void wm_source_calls_check(const struct wm_source_records *records, struct wm_source_count *counts);

#endif
