/* A profile, or the comparison of two, as one HTML file that needs nothing else.
 *
 * The file holds a style sheet, a script, and data: blocks of JSON, packed with gzip, which the
 * browser itself unpacks. No text of the profile is ever part of the markup, and a Content Security
 * Policy allows no other script and no other style than these two.
 */
#ifndef WM_HTML_HTML_H
#define WM_HTML_HTML_H

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include "core/base/error.h"
#include "profile/profile.h"
#include "report/short_names.h"
#include "report/source.h"

/* A profile with what belongs to it. */
struct wm_html_side {
	const struct wm_profile *profile;
	struct wm_sources *sources;
	const struct wm_short_names *names;
};

struct wm_html_request {
	const char *version; /* of Waymark */
	time_t now;
	bool with_sources; /* their text goes into the file */
	bool with_graphs;  /* functions are drawn, if Graphviz's `dot` is there */
	size_t side_count; /* 1; or 2: the first is compared with the second */
	struct wm_html_side sides[2];
};

/* WM_ERROR_INPUT if the lines of a profile cannot be counted; then nothing was written. */
int wm_html_write(const struct wm_html_request *request, FILE *out, struct wm_error *error);

#endif
