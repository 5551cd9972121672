/* The comparison of two profiles, for a page. */
#ifndef WM_HTML_COMPARE_H
#define WM_HTML_COMPARE_H

#include "html/html.h"
#include "report/json.h"

/* Writes one object: how far both agree, and by function which paths appeared, vanished or moved.
 * Functions are those of the sides, by number; paths are told by id. */
void wm_html_compare_write(
	const struct wm_html_side *before, const struct wm_html_side *after, struct wm_json *json);

#endif
