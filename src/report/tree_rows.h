/* What the views of a calling context tree share. */
#ifndef WM_REPORT_TREE_ROWS_H
#define WM_REPORT_TREE_ROWS_H

#include "report/tree_view.h"

struct wm_tree_rows {
	struct wm_arena arena;
	const struct wm_profile *profile;
	const struct wm_contexts *tree;
	const struct wm_tree_request *request;
	FILE *out;
	const uint64_t *entries;   /* by record */
	const uint64_t *recursion; /* by record: entries by recursion */
	uint64_t all;		   /* of which rows have a share */
};

struct wm_tree_rows wm_tree_rows_make(const struct wm_profile *profile,
	const struct wm_contexts *tree, const struct wm_tree_request *request, FILE *out);

/* Whether a row with so much below it is shown by itself. */
bool wm_tree_row_is_shown(const struct wm_tree_rows *rows, uint64_t calls, uint32_t depth);

/* The name and the place are those of the row, either may be empty. */
struct wm_tree_row {
	uint64_t calls;	  /* its share of all */
	uint64_t entries; /* the number shown */
	uint64_t recursion;
	uint32_t depth;
	const char *name, *place;
};

void wm_tree_row_print(struct wm_tree_rows *rows, const struct wm_tree_row *row);

/* One row for those that are not shown by themselves, if there are any. */
void wm_tree_rest_print(
	const struct wm_tree_rows *rows, uint64_t calls, uint64_t left_out, uint32_t depth);

/* The name of a function, by its number in the profile. */
const char *wm_tree_name(struct wm_tree_rows *rows, uint32_t function);

/* The place of a call in the function; of WM_NONE, the outside, what the site says in words. */
const char *wm_tree_place(struct wm_tree_rows *rows, uint32_t function, uint32_t site);

/* What a site of the outside says in words. */
const char *wm_tree_outside(uint32_t site);

#endif
