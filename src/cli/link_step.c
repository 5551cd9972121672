/* Reading a clang command line just well enough to know whether it links: it has an input, and no
 * option that stops earlier; and whether it compiles: an input may be a source. Options whose value
 * is the next argument must be known, because that value is not an input. */
#define _DEFAULT_SOURCE
#include "cli/link_step.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/arena.h"

static const char *const stops[] = {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "--analyze",
	"--precompile", "-emit-ast", "-extract-api", "-r", "-Wl,-r", "-Wl,--relocatable",
	"-dumpversion", "-dumpmachine", "--version", "--help", "-help", "--preprocess", "--compile",
	"--assemble"};

static const char *const stopping_prefixes[] = {
	"-print-", "--print-", "--help-", "-emit-interface"};

static const char *const with_value[] = {"-o", "--output", "-x", "-I", "-L", "-D", "-U", "-F", "-B",
	"-T", "-e", "-u", "-z", "-h", "-include", "-imacros", "-isystem", "-iquote", "-idirafter",
	"-isysroot", "-iprefix", "-iwithprefix", "-iwithprefixbefore", "-include-pch", "-MF", "-MT",
	"-MQ", "-MJ", "-Xclang", "-Xlinker", "-Xassembler", "-Xpreprocessor", "-Xanalyzer",
	"-mllvm", "-target", "-arch", "-rpath", "-soname", "-serialize-diagnostics", "--param",
	"--sysroot", "-dependency-file", "-A", "-G", "-framework", "-gcc-toolchain",
	"-working-directory"};

static const char *const without_c[] = {"-nostdlib", "-nodefaultlibs", "-nolibc"};
static const char *const without_start[] = {"-nostdlib", "-nostartfiles"};
static const char *const fixed[] = {"-static", "--static", "-static-pie"};

static const char *const sharing[] = {"-shared", "--shared", "-Wl,-shared", "-Wl,--shared"};

enum { DEEPEST_RESPONSE_FILE = 8 };

struct reading {
	bool has_input;
	bool has_source; /* perhaps */
	bool stops;
	bool shared;
	bool must_define;		     /* a library must not leave symbols undefined */
	bool fixed;			     /* a static program */
	bool has_c, has_start;		     /* the C library and what starts it are named */
	const char *leaves_c, *leaves_start; /* the options that leave them out */
	bool value_next;		     /* the next argument belongs to an option */
	bool language_next;		     /* which is -x */
	bool output_next;		     /* which is -o */
	char *output;			     /* NULL: not named */
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

/* Objects, archives and libraries. All else may be a source. */
static bool is_linked_only(const char *path)
{
	static const char *const endings[] = {".o", ".lo", ".a", ".so"};
	const char *dot = strrchr(path, '.');
	return dot && (is_in(dot, LIST(endings)) || strstr(path, ".so."));
}

/* -x c-header and the like: precompiled, not linked. */
static bool is_header_language(const char *language)
{
	const char *end = strstr(language, "-header");
	return end && end[7] == 0;
}

/* By its path, -lc, -l:libc.so.6 or the same for the linker. */
static bool is_c(const char *word, const char *file)
{
	return !strcmp(word, "-lc") || !strcmp(file, "libc.a") || !strncmp(file, "libc.so", 7);
}

/* crt1.o, Scrt1.o, rcrt1.o and the like. */
static bool is_start(const char *file)
{
	size_t length = strlen(file);
	return length >= 6 && !strcmp(file + length - 6, "crt1.o");
}

static void read_file(struct reading *reading, const char *word)
{
	const char *slash = strrchr(word, '/');
	const char *file = slash ? slash + 1 : !strncmp(word, "-l:", 3) ? word + 3 : word;
	reading->has_c |= is_c(word, file);
	reading->has_start |= is_start(file);
}

static bool forbids_undefined(const char *argument)
{
	return !strncmp(argument, "-Wl,", 4) &&
	       (strstr(argument, ",--no-undefined") || strstr(argument, ",defs"));
}

static const char *equal_in(const char *argument, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(argument, list[i]))
			return list[i];
	return NULL;
}

/* What is left out, and what is named all the same. */
static void read_for_lack(struct reading *reading, const char *argument)
{
	char words[4096], *rest = words, *word;
	snprintf(words, sizeof(words), "%s", argument);
	while ((word = strsep(&rest, ",")))
		read_file(reading, word);
	const char *c = equal_in(argument, LIST(without_c));
	const char *start = equal_in(argument, LIST(without_start));
	reading->leaves_c = c ? c : reading->leaves_c;
	reading->leaves_start = start ? start : reading->leaves_start;
	reading->fixed |= is_in(argument, LIST(fixed));
	reading->must_define |= forbids_undefined(argument);
}

/* The argument may stand in a response file, of which only one is at hand. */
static void set_output(struct reading *reading, const char *path)
{
	static struct wm_arena lasting;
	reading->output = wm_arena_copy_text(&lasting, path);
}

static void read_value(struct reading *reading, const char *value)
{
	reading->stops |= reading->language_next && is_header_language(value);
	if (reading->output_next)
		set_output(reading, value);
	reading->value_next = reading->language_next = reading->output_next = false;
}

/* -oFILE and --output=FILE; clang has -object as an option of its own. */
static void read_output(struct reading *reading, const char *argument)
{
	static const char name[] = "--output=";
	if (!strncmp(argument, name, sizeof name - 1))
		set_output(reading, argument + sizeof name - 1);
	else if (!strncmp(argument, "-o", 2) && strncmp(argument, "-ob", 3) != 0)
		set_output(reading, argument + 2);
}

static void read_argument(struct reading *reading, const char *argument)
{
	read_for_lack(reading, argument);
	if (reading->value_next) {
		read_value(reading, argument);
	} else if (argument[0] == '@') {
		read_response_file(reading, argument + 1);
	} else if (argument[0] != '-' || !argument[1]) {
		reading->has_input |= !is_header(argument);
		reading->has_source |= !is_linked_only(argument);
	} else if (is_in(argument, LIST(with_value))) {
		reading->value_next = true;
		reading->language_next = !strcmp(argument, "-x");
		reading->output_next = !strcmp(argument, "-o") || !strcmp(argument, "--output");
		reading->has_source |= reading->language_next;
	} else {
		read_output(reading, argument);
		reading->has_input |= !strncmp(argument, "-l", 2);
		reading->has_source |= !strncmp(argument, "-x", 2);
		reading->shared |= is_in(argument, LIST(sharing));
		reading->stops |= is_in(argument, LIST(stops)) ||
				  (argument[1] == 'x' && is_header_language(argument)) ||
				  has_prefix_in(argument, LIST(stopping_prefixes));
	}
}

static struct reading read_arguments(int argument_count, char **arguments)
{
	struct reading reading = {0};
	for (int i = 0; i < argument_count; i++)
		read_argument(&reading, arguments[i]);
	return reading;
}

const char *wm_link_step_output(int argument_count, char **arguments)
{
	const char *output = read_arguments(argument_count, arguments).output;
	return output ? output : "a.out";
}

bool wm_link_step_has_source(int argument_count, char **arguments)
{
	return read_arguments(argument_count, arguments).has_source;
}

enum wm_link_step wm_link_step_find(int argument_count, char **arguments, struct wm_link_lack *lack)
{
	struct reading reading = read_arguments(argument_count, arguments);
	*lack = (struct wm_link_lack){0};
	if (!reading.has_input || reading.stops)
		return WM_LINK_NOTHING;
	if (!reading.has_c && (!reading.shared || reading.must_define))
		lack->c = reading.leaves_c;
	if (!reading.has_start && !reading.shared && reading.fixed)
		lack->start = reading.leaves_start;
	return reading.shared ? WM_LINK_LIBRARY : WM_LINK_PROGRAM;
}

bool wm_link_step_is_trial(const char *output)
{
	const char *slash = strrchr(output, '/');
	const char *name = slash ? slash + 1 : output;
	return !strncmp(name, "conftest", 8) || !strncmp(name, "cmTC_", 5);
}
