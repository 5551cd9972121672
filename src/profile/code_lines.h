/* What stands at an address of code that ran: function, source line, inlined calls; from the symbol
 * tables and the debug information of the objects, which are read when they are first asked for. */
#ifndef WM_PROFILE_CODE_LINES_H
#define WM_PROFILE_CODE_LINES_H

#include "profile/hpp_profile.h"

struct wm_code_lines;

struct wm_code_place {
	const char *object;   /* the file's name, without its folders; NULL: in no object */
	uint64_t in_object;   /* address in the file */
	const char *function; /* or NULL */
	uint64_t offset;      /* in the function */
	const char *file;     /* of the source, without its folders; or NULL */
	unsigned line;
};

struct wm_code_lines *wm_code_lines_open(struct wm_arena *arena, const struct wm_hpp_profile *profile);

struct wm_code_place wm_code_lines_at(struct wm_code_lines *lines, uint64_t address);

/* The names of the functions inlined at the address, the innermost first; returns how many. */
size_t wm_code_lines_inlined(
	struct wm_code_lines *lines, uint64_t address, const char **names, size_t max);

/* One line on objects whose debug information could not be used, or NULL: they are gone, or another
 * build stands in their place. */
const char *wm_code_lines_warning(struct wm_code_lines *lines);

void wm_code_lines_close(struct wm_code_lines *lines);

#endif
