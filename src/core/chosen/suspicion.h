/* How much a path is suspected of the failures of runs.
 *
 * After Liblit, Naik, Zheng, Aiken and Jordan, "Scalable Statistical Bug Isolation" (2005), with
 * paths as predicates: a path matters if runs that take it fail more often than runs that only come
 * to its start. Ochiai's coefficient is given for comparison. */
#ifndef WM_CORE_CHOSEN_SUSPICION_H
#define WM_CORE_CHOSEN_SUSPICION_H

#include <stddef.h>

struct wm_suspicion_counts {
	size_t fails;	       /* failing runs that took the path */
	size_t passes;	       /* passing runs that did */
	size_t reached_fails;  /* failing runs that came to its start */
	size_t reached_passes; /* passing runs that did */
	size_t all_fails;      /* failing runs */
};

struct wm_suspicion {
	double increase;   /* of the share of failing runs, from the start to the path */
	double importance; /* 0 to 1: increase and share of the failures explained, in balance */
	double ochiai;	   /* 0 to 1 */
};

struct wm_suspicion wm_suspicion_of(const struct wm_suspicion_counts *counts);

#endif
