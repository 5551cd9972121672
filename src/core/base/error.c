/* Errors of the libraries: the text is cut, never overrun, and it is one line whatever names it
 * holds. */
#include "core/base/error.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>

int wm_error_set(struct wm_error *error, int code, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(error->text, sizeof error->text, format, arguments);
	va_end(arguments);
	for (char *at = error->text; *at; at++)
		if (iscntrl((unsigned char)*at))
			*at = '?';
	return code;
}
