/* One line on standard error, with what was already printed to standard output in front of it. */
#include "cli/fatal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void print_line(const char *prefix, const char *format, va_list arguments)
{
	fflush(stdout);
	fputs(prefix, stderr);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
}

void wm_fatal(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	print_line("waymark: ", format, arguments);
	va_end(arguments);
	exit(1);
}

void wm_fatal_usage(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	print_line("waymark: ", format, arguments);
	va_end(arguments);
	exit(2);
}

void wm_warn(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	print_line("waymark: warning: ", format, arguments);
	va_end(arguments);
}
