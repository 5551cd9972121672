/* Errors of the libraries: the text is cut, never overrun. */
#include "core/error.h"

#include <stdarg.h>
#include <stdio.h>

int wm_error_set(struct wm_error *error, int code, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(error->text, sizeof error->text, format, arguments);
	va_end(arguments);
	return code;
}
