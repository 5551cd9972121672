/* COLUMNS comes first, because a person can set it where no terminal can be asked. */
#define _DEFAULT_SOURCE
#include "report/terminal.h"

#include <stdlib.h>
#include <sys/ioctl.h>

/* What is narrower cannot hold a table, and what is wider holds any. */
enum { NARROWEST = 40, WIDEST = 1000, WITHOUT_TERMINAL = 100 };

static size_t bounded(size_t width)
{
	return width < NARROWEST ? NARROWEST : width > WIDEST ? WIDEST : width;
}

static size_t width_in_environment(void)
{
	const char *text = getenv("COLUMNS");
	char *end;
	unsigned long width = text ? strtoul(text, &end, 10) : 0;
	return width > 0 && *text >= '0' && *text <= '9' && *end == '\0' ? width : 0;
}

static size_t width_of_window(FILE *stream)
{
	struct winsize size;
	return ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

size_t wm_terminal_width(FILE *stream)
{
	size_t width = width_in_environment();
	if (width == 0)
		width = width_of_window(stream);
	return width == 0 ? WITHOUT_TERMINAL : bounded(width);
}
