/* The calling context tree, for people and for programs. */
#ifndef WM_REPORT_TREE_VIEW_H
#define WM_REPORT_TREE_VIEW_H

#include <stdio.h>

#include "report/tree.h"

struct wm_tree_request {
	double min;	   /* share of all that a subtree must have to be shown */
	uint32_t depth;	   /* of the deepest rows */
	size_t top;	   /* rows of lists */
	const bool *focus; /* by record: whether it is in the focus; NULL: all are */
	bool colour;
};

/* The focus is on records and those below them. */
void wm_tree_view_print(
	const struct wm_tree *tree, const struct wm_tree_request *request, FILE *out);

/* From functions to their callers. The focus is on the calls of the records alone. */
void wm_tree_inverted_print(
	const struct wm_tree *tree, const struct wm_tree_request *request, FILE *out);

/* The contexts in the focus that spend most themselves, by their names. */
void wm_tree_list_print(
	const struct wm_tree *tree, const struct wm_tree_request *request, FILE *out);

/* Functions, by what was spent in them and in what they called. */
void wm_tree_functions_print(
	const struct wm_tree *tree, const struct wm_tree_request *request, FILE *out);

/* What each caller's calls of a function cost, beside what gprof would say. */
void wm_tree_gprof_print(
	const struct wm_tree *tree, const struct wm_tree_request *request, FILE *out);

void wm_tree_json_write(const struct wm_tree *tree, FILE *out);

#endif
