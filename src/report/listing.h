/* Listings with aligned columns. Cells are added one by one, row after row. */
#ifndef WM_REPORT_LISTING_H
#define WM_REPORT_LISTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/base/arena.h"

struct wm_column {
	const char *title;
	bool right;    /* numbers stand at the right */
	bool keep_end; /* a cell that is too wide loses its start instead of its end */
	size_t widest; /* characters; longer cells are cut. 0: no limit */
	bool is_name;  /* of a cell that is too wide the last part of a name in C++ is kept */
};

struct wm_listing {
	struct wm_arena *arena;
	const struct wm_column *columns;
	size_t column_count;
	char **cells;
	size_t cell_count;
	size_t capacity;
};

/* Adds the next cell; control characters are taken out of the text. */
void wm_listing_add(struct wm_listing *listing, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Adds the text as the last cell of a row. `wide` is its width where a line has 100 characters; on
 * another terminal it gets what is left there. What is wider continues on further rows whose other
 * cells are empty, broken at blanks but not behind an arrow (->). At most `rows`, or any
 * number if 0: what is left then is cut off. */
void wm_listing_add_wrapped(struct wm_listing *listing, const char *text, size_t wide, size_t rows);

/* Says how many rows were left out, if any. */
void wm_listing_print_rest(FILE *out, bool colour, size_t left_out);

/* Prints titles and rows, indented by two and no wider than the terminal where that is
 * possible; no line ends in blanks. */
void wm_listing_print(const struct wm_listing *listing, FILE *out, bool colour);

#endif
