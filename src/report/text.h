/* Numbers, shares and names as people read them. */
#ifndef WM_REPORT_TEXT_H
#define WM_REPORT_TEXT_H

#include <stdint.h>
#include <stdio.h>

#include "core/base/arena.h"
#include "names/text_name.h"

struct wm_text {
	char text[32];
};

/* A count with a comma between thousands. */
struct wm_text wm_text_count(uint64_t count);

/* Part of whole in percent with one decimal; of nothing, a dash. */
struct wm_text wm_text_share(uint64_t part, uint64_t whole);

/* "2 minutes", "3 days": in the largest unit of which there is one. */
struct wm_text wm_text_duration(uint64_t seconds);

/* The text or, if it is wider, three dots and as many of its last bytes as fit. */
const char *wm_text_end(struct wm_arena *arena, const char *text, size_t wide);

/* Characters of UTF-8. */
size_t wm_text_width(const char *text);

/* A copy that is safe and short to print: leading blanks dropped, other white space made single
 * blanks, control characters (a file's name or text could steer the terminal with them) made
 * question marks. */
char *wm_text_clean(struct wm_arena *arena, const char *text);

/* Prints paragraphs, each ended by a line feed, on lines of bearable length; all but the first line
 * of a paragraph are indented. */
void wm_text_print_wrapped(const char *text, FILE *out);

/* The same where the first line has so many characters already. */
void wm_text_print_wrapped_behind(const char *text, size_t column, FILE *out);

#endif
