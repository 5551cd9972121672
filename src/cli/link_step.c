/* Reading a clang command line just well enough to know whether it links: is there an input, and no
 * option that stops earlier? Options whose value is the next argument must be known, because that
 * value is not an input. */
#include "cli/link_step.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const stops[] = {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "--analyze",
	"--precompile", "-emit-ast", "-extract-api", "-r", "-Wl,-r", "-dumpversion", "-dumpmachine",
	"--version", "--help", "-help", "--preprocess", "--compile", "--assemble"};

static const char *const stopping_prefixes[] = {
	"-print-", "--print-", "--help-", "-emit-interface"};

static const char *const with_value[] = {"-o", "-x", "-I", "-L", "-D", "-U", "-F", "-B", "-T", "-e",
	"-u", "-z", "-h", "-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-isysroot",
	"-iprefix", "-iwithprefix", "-iwithprefixbefore", "-include-pch", "-MF", "-MT", "-MQ",
	"-MJ", "-Xclang", "-Xlinker", "-Xassembler", "-Xpreprocessor", "-Xanalyzer", "-mllvm",
	"-target", "-arch", "-rpath", "-soname", "-serialize-diagnostics", "--param", "--sysroot",
	"-dependency-file", "-A", "-G", "-framework", "-gcc-toolchain", "-working-directory"};

static const char *const sharing[] = {"-shared", "--shared", "-Wl,-shared", "-Wl,--shared"};

enum { DEEPEST_RESPONSE_FILE = 8 };

struct reading {
	bool has_input;
	bool stops;
	bool shared;
	bool value_next;    /* the next argument belongs to an option */
	bool language_next; /* which is -x */
	int depth;
};

static bool is_in(const char *argument, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(argument, list[i]))
			return true;
	return false;
}

static bool has_prefix_in(const char *argument, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strncmp(argument, list[i], strlen(list[i])))
			return true;
	return false;
}

#define LIST(list) list, sizeof list / sizeof *list

/* A header on its own is precompiled, not linked. */
static bool is_header(const char *path)
{
	static const char *const endings[] = {".h", ".hh", ".hpp", ".hxx", ".H"};
	const char *dot = strrchr(path, '.');
	return dot && is_in(dot, LIST(endings));
}

static void read_argument(struct reading *reading, const char *argument);

/* The next argument of a response file, with quotes and backslashes resolved; NULL at its end. */
static char *next_token(FILE *file, char *token, size_t bytes)
{
	size_t used = 0;
	int c = getc(file), quote = 0;
	while (c != EOF && isspace(c))
		c = getc(file);
	if (c == EOF)
		return NULL;
	for (; c != EOF && (quote || !isspace(c)); c = getc(file)) {
		if (c == '\\' && quote != '\'') {
			c = getc(file);
		} else if (quote ? c == quote : c == '"' || c == '\'') {
			quote = quote ? 0 : c;
			continue;
		}
		if (c != EOF && used + 1 < bytes)
			token[used++] = (char)c;
	}
	token[used] = 0;
	return token;
}

static void read_response_file(struct reading *reading, const char *path)
{
	char token[4096];
	FILE *file = reading->depth < DEEPEST_RESPONSE_FILE ? fopen(path, "r") : NULL;
	if (!file)
		return; /* clang will say so */
	reading->depth++;
	while (next_token(file, token, sizeof(token)))
		read_argument(reading, token);
	reading->depth--;
	fclose(file);
}

/* -x c-header and the like: precompiled, not linked. */
static bool is_header_language(const char *language)
{
	const char *end = strstr(language, "-header");
	return end && end[7] == 0;
}

static void read_argument(struct reading *reading, const char *argument)
{
	if (reading->value_next) {
		reading->stops |= reading->language_next && is_header_language(argument);
		reading->value_next = reading->language_next = false;
	} else if (argument[0] == '@') {
		read_response_file(reading, argument + 1);
	} else if (argument[0] != '-' || !argument[1]) {
		reading->has_input |= !is_header(argument);
	} else if (is_in(argument, LIST(with_value))) {
		reading->value_next = true;
		reading->language_next = !strcmp(argument, "-x");
	} else {
		reading->has_input |= !strncmp(argument, "-l", 2);
		reading->shared |= is_in(argument, LIST(sharing));
		reading->stops |= is_in(argument, LIST(stops)) ||
				  (argument[1] == 'x' && is_header_language(argument)) ||
				  has_prefix_in(argument, LIST(stopping_prefixes));
	}
}

enum wm_link_step wm_link_step_find(int argument_count, char **arguments)
{
	struct reading reading = {0};
	for (int i = 0; i < argument_count; i++)
		read_argument(&reading, arguments[i]);
	if (!reading.has_input || reading.stops)
		return WM_LINK_NOTHING;
	return reading.shared ? WM_LINK_LIBRARY : WM_LINK_PROGRAM;
}
