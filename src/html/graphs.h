/* Where the blocks of functions stand in their pictures: laid out by Graphviz. */
#ifndef WM_HTML_GRAPHS_H
#define WM_HTML_GRAPHS_H

#include "html/html.h"
#include "report/json.h"

/* Writes the member `graphs`: of each of the functions with most work that are small enough
 * [function, width, height, boxes, lines], in points. Boxes are [x, y, width, height] by block, and
 * for the end; x and y are of the middle. Lines are [from, to, x, y, ...], control points of cubic
 * curves. Empty if there is no `dot`. */
void wm_html_graphs_write(const struct wm_html_side *side, struct wm_json *json);

#endif
