/* Which calls `waymark cc --segments=K[:SITES]` crosses.
 *
 * SITES is a list with commas: `all`, `function:GLOB` (calls of these functions), FILE:LINE (calls
 * there), FILE:LINE=FUNCTION (the call of that function there, through a pointer, too), and
 * @FILE.wms. Such a file has a line for each call: file, line, callee and count, with tabs between
 * them; a first line says what it is. The count may be missing.
 */
#ifndef WM_FORMAT_SEGMENT_SITES_H
#define WM_FORMAT_SEGMENT_SITES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/error.h"

#define WM_SEGMENT_FILE_HEAD "waymark segments 1"

enum { WM_SEGMENT_MAX_DEPTH = 8 };

struct wm_segment_site {
	const char *file;   /* its path, or the end of it behind a slash; NULL: any */
	uint32_t line;	    /* 0: any */
	const char *callee; /* a pattern; NULL: any */
	uint64_t count;	    /* how often it was made; 0: not known */
	bool is_named;	    /* by FILE:LINE: somebody expects it to be there */
};

struct wm_segment_sites {
	unsigned depth; /* how many calls a segment crosses; 0: none */
	size_t count;
	struct wm_segment_site *sites;
};

/* Reads K[:SITES]; without SITES, all calls. WM_ERROR_INPUT if it is none, or a file is not of
 * segments; WM_ERROR_SYSTEM if a file cannot be read. Points into the text. */
int wm_segment_sites_parse(struct wm_arena *arena, const char *text, struct wm_segment_sites *sites,
	struct wm_error *error);

/* Whether the site is this call. */
bool wm_segment_site_fits(
	const struct wm_segment_site *site, const char *file, uint32_t line, const char *callee);

#endif
