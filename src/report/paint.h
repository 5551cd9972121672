/* Colours of the terminal. */
#ifndef WM_REPORT_PAINT_H
#define WM_REPORT_PAINT_H

#include <stdbool.h>
#include <stdio.h>

enum wm_paint {
	WM_PAINT_PLAIN,	 /* back to normal */
	WM_PAINT_TITLE,	 /* headings */
	WM_PAINT_FAINT,	 /* what matters least */
	WM_PAINT_GOOD,	 /* ok */
	WM_PAINT_WARM,	 /* runs often; a warning */
	WM_PAINT_HOT,	 /* runs most */
	WM_PAINT_MISSING /* never ran; failed */
};

enum wm_paint_choice { WM_PAINT_AUTO, WM_PAINT_ALWAYS, WM_PAINT_NEVER };

/* What the user chose, for the whole process; WM_PAINT_AUTO if nothing. */
void wm_paint_choose(enum wm_paint_choice choice);

/* Whether to paint on this stream. If nothing is chosen: it is a terminal that can, and NO_COLOR
 * does not forbid it. */
bool wm_paint_wanted(FILE *stream);

/* A heading with an empty line before it. */
void wm_paint_title(FILE *out, bool colour, const char *title);

/* The escape sequence, or an empty text if colour is false. */
const char *wm_paint(bool colour, enum wm_paint paint);

#endif
