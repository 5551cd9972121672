/* The shape of a calling context tree, for people and for programs: of the tree as it is, and of
 * the one in which calls of one function from several places of another are not told apart. */
#ifndef WM_REPORT_TREE_SHAPE_H
#define WM_REPORT_TREE_SHAPE_H

#include <stdio.h>

#include "report/json.h"
#include "report/tree.h"

void wm_tree_shape_print(const struct wm_tree *tree, bool colour, FILE *out);

/* Writes the members `statistics` and `statistics_by_function`. */
void wm_tree_shape_write(const struct wm_tree *tree, struct wm_json *json);

#endif
