/* The fixed parts of a page: the files of src/html/page, put into the program by embed.cmake. */
#ifndef WM_HTML_ASSETS_H
#define WM_HTML_ASSETS_H

#include <stddef.h>

extern const char wm_html_body[], wm_html_style[], wm_html_script[];
extern const size_t wm_html_body_bytes, wm_html_style_bytes, wm_html_script_bytes;

/* Those of a flame graph, of src/html/flame. */
extern const char wm_flame_style[], wm_flame_script[];
extern const size_t wm_flame_style_bytes, wm_flame_script_bytes;

/* SHA-256 of style and script, by which the page's policy allows them. */
extern const unsigned char wm_html_style_hash[32], wm_html_script_hash[32];

#endif
