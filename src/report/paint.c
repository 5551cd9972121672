/* ANSI escape sequences of the eight basic colours, which every terminal maps to its own theme. */
#include "report/paint.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum wm_paint_choice chosen;

void wm_paint_choose(enum wm_paint_choice choice)
{
	chosen = choice;
}

bool wm_paint_wanted(FILE *stream)
{
	if (chosen != WM_PAINT_AUTO)
		return chosen == WM_PAINT_ALWAYS;
	const char *forbidden = getenv("NO_COLOR");
	const char *terminal = getenv("TERM");
	return isatty(fileno(stream)) && !(forbidden && *forbidden) &&
	       !(terminal && strcmp(terminal, "dumb") == 0);
}

void wm_paint_title(FILE *out, bool colour, const char *title)
{
	fprintf(out, "\n%s%s%s\n", wm_paint(colour, WM_PAINT_TITLE), title,
		wm_paint(colour, WM_PAINT_PLAIN));
}

const char *wm_paint(bool colour, enum wm_paint paint)
{
	static const char *const sequence[] = {
		[WM_PAINT_PLAIN] = "\033[0m",
		[WM_PAINT_TITLE] = "\033[1m",
		[WM_PAINT_FAINT] = "\033[2m",
		[WM_PAINT_GOOD] = "\033[32m",
		[WM_PAINT_WARM] = "\033[33m",
		[WM_PAINT_HOT] = "\033[1;33m",
		[WM_PAINT_MISSING] = "\033[31m",
	};
	return colour ? sequence[paint] : "";
}
