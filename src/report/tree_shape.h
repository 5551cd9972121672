/* The shape of a calling context tree, for people and for programs. */
#ifndef WM_REPORT_TREE_SHAPE_H
#define WM_REPORT_TREE_SHAPE_H

#include <stdio.h>

#include "profile/contexts.h"
#include "report/json.h"

void wm_tree_shape_print(
	const struct wm_profile *profile, const struct wm_contexts *tree, bool colour, FILE *out);

/* Writes the member `statistics`. */
void wm_tree_shape_write(
	const struct wm_profile *profile, const struct wm_contexts *tree, struct wm_json *json);

#endif
