/* Source text with a count beside each line. */
#ifndef WM_REPORT_ANNOTATE_H
#define WM_REPORT_ANNOTATE_H

#include <stdbool.h>
#include <stdio.h>

#include "profile/lines.h"
#include "report/source.h"

/* Prints COUNT:LINE:TEXT for every line of the source: a dash where nothing can be executed, #####
 * where nothing was. On a terminal (colour) counts have separators, hot lines and unexecuted ones a
 * colour. */
void wm_annotate_print(const struct wm_line_file *counts, const struct wm_source_text *source,
	bool colour, FILE *out);

/* All counts of all the files as one JSON object: files, each with its path and lines (line,
 * count). */
void wm_annotate_json(const struct wm_line_file *const *files, size_t file_count, FILE *out);

#endif
