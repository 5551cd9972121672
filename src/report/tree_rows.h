/* What the views of a calling context tree share. */
#ifndef WM_REPORT_TREE_ROWS_H
#define WM_REPORT_TREE_ROWS_H

#include "report/tree_view.h"

struct wm_tree_rows {
	struct wm_arena arena;
	const struct wm_tree *tree;
	const struct wm_tree_request *request;
	FILE *out;
	size_t width;  /* characters of a line */
	uint64_t all;  /* of which rows have a share */
	bool by_calls; /* what is spent are calls: one column says both */
};

struct wm_tree_rows wm_tree_rows_make(
	const struct wm_tree *tree, const struct wm_tree_request *request, FILE *out);

/* The titles of the columns before that of functions, and what that one holds. */
void wm_tree_head_print(const struct wm_tree_rows *rows, const char *functions);

/* Whether a row with so much below it is shown by itself. */
bool wm_tree_row_is_shown(const struct wm_tree_rows *rows, uint64_t cost, uint32_t depth);

/* The name and the place are those of the row, either may be empty. */
struct wm_tree_row {
	uint64_t cost; /* its share of all */
	bool is_lower_bound;
	uint64_t own;	  /* the part that is in no row below */
	uint64_t entries; /* the number shown */
	uint64_t recursion;
	uint32_t depth;
	const char *name, *place;
};

/* What is too deep for the line has its depth in front; what is too long loses its start. */
void wm_tree_row_print(struct wm_tree_rows *rows, const struct wm_tree_row *row);

/* One row for those that are not shown by themselves, if there are any. */
void wm_tree_rest_print(
	struct wm_tree_rows *rows, const struct wm_tree_row *sum, uint64_t left_out);

/* The last line: how many contexts, and what all is. */
void wm_tree_sum_print(const struct wm_tree_rows *rows, uint64_t contexts);

/* The name of a function, by its number in the profile. */
const char *wm_tree_name(struct wm_tree_rows *rows, uint32_t function);

/* The place of a call in the function; of WM_NONE, the outside, what the site says in words. Empty
 * if sites are not told apart. */
const char *wm_tree_place(struct wm_tree_rows *rows, uint32_t function, uint32_t site);

/* What a site of the outside says in words. */
const char *wm_tree_outside(uint32_t site);

#endif
