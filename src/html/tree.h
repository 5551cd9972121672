/* Calling contexts of a page. */
#ifndef WM_HTML_TREE_H
#define WM_HTML_TREE_H

#include "html/html.h"
#include "report/json.h"

/* Writes the member `trees`: of each object with contexts its metrics and records. A record is
 * [function, parent, file-less line of the call, times entered by recursion, own cost by metric];
 * record 0 is the outside. Nothing is left out. */
void wm_html_trees_write(const struct wm_profile *profile, struct wm_json *json);

#endif
