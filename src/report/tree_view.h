/* The calling context tree, for people and for programs. */
#ifndef WM_REPORT_TREE_VIEW_H
#define WM_REPORT_TREE_VIEW_H

#include <stdio.h>

#include "profile/contexts.h"

struct wm_tree_request {
	double min;	   /* share of all calls that a subtree must have to be shown */
	uint32_t depth;	   /* of the deepest rows */
	const bool *focus; /* by function: whether it is in the focus; NULL: all are */
	bool colour;
};

void wm_tree_view_print(const struct wm_profile *profile,
	const struct wm_profile_contexts *contexts, const struct wm_tree_request *request,
	FILE *out);

/* From functions to their callers. The focus is on the functions that are called. */
void wm_tree_inverted_print(const struct wm_profile *profile,
	const struct wm_profile_contexts *contexts, const struct wm_tree_request *request,
	FILE *out);

void wm_tree_json_write(
	const struct wm_profile *profile, const struct wm_profile_contexts *contexts, FILE *out);

#endif
