/* The source files of a page, by number. */
#ifndef WM_HTML_FILES_H
#define WM_HTML_FILES_H

#include <stdint.h>

#include "html/html.h"
#include "profile/lines.h"
#include "report/json.h"

struct wm_html_file {
	const char *path;
	const struct wm_line_file *counts; /* NULL: no line of it is known */
	uint32_t number;
};

struct wm_html_files {
	struct wm_arena *arena;
	const struct wm_html_side *side;
	const char *root; /* of the program's own sources */
	void *tree;	  /* by path */
	size_t count;
	size_t capacity;
	struct wm_html_file **list;
};

/* Starts with the files of which lines are known. */
struct wm_html_files wm_html_files_make(
	struct wm_arena *arena, const struct wm_html_side *side, const struct wm_lines *lines);

/* The number of the file; -1 for an empty path. */
int64_t wm_html_files_number(struct wm_html_files *files, const char *path);

/* Writes the member `files`: of each [path, whether it is the program's own, state of its text,
 * lines that ran, lines that never ran, lines of which that is not known]. */
void wm_html_files_list(const struct wm_html_files *files, struct wm_json *json);

/* Writes a block for each file, PREFIX and its number: counts of lines, and its text if it is
 * wanted and one of the program's own. Texts that `other` has are left out. */
void wm_html_files_write(const struct wm_html_files *files, const char *prefix, bool with_text,
	const struct wm_html_files *other, FILE *out);

void wm_html_files_free(struct wm_html_files *files);

#endif
