/* Coverage in formats of others: what their writers share. */
#ifndef WM_EXPORT_COVERAGE_H
#define WM_EXPORT_COVERAGE_H

#include <stdio.h>

#include "report/cover.h"
#include "report/residual.h"

struct wm_coverage {
	const char *version;	      /* of waymark */
	const char *test;	      /* whose coverage this is; an empty text: of all */
	const struct wm_cover *cover;
	uint64_t time;		      /* when the newest profile was written, in seconds */
};

/* Whether it is known if the line ran. */
static inline bool wm_coverage_line_known(const struct wm_line *line)
{
	return line->count > 0 || line->state == WM_LINE_EXACT;
}

/* Behind the last outcome of the condition that the outcome `at` is the first of. */
size_t wm_coverage_condition_end(const struct wm_cover_file *file, size_t at);

/* How many conditions of the same line come before that of outcome `at`. */
size_t wm_coverage_block(const struct wm_cover_file *file, size_t at);

/* The folder that all files have in common, in the arena; with a slash at its end, or empty. */
const char *wm_coverage_root(struct wm_arena *arena, const struct wm_cover *cover);

void wm_export_lcov(const struct wm_coverage *coverage, FILE *out);
void wm_export_cobertura(const struct wm_coverage *coverage, FILE *out);
void wm_export_llvm_cov(const struct wm_coverage *coverage, FILE *out);
void wm_export_sarif(const struct wm_residual *residual, const char *version, FILE *out);

#endif
