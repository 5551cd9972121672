/* Formatting of numbers and names. */
#include "report/text.h"

#include <inttypes.h>
#include <libiberty/demangle.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_WIDE = 98 };

struct wm_text wm_text_count(uint64_t count)
{
	struct wm_text digits, result;
	int length = snprintf(digits.text, sizeof digits.text, "%" PRIu64, count);
	char *next = result.text;
	for (int i = 0; i < length; i++) {
		if (i > 0 && (length - i) % 3 == 0)
			*next++ = ',';
		*next++ = digits.text[i];
	}
	*next = '\0';
	return result;
}

struct wm_text wm_text_share(uint64_t part, uint64_t whole)
{
	struct wm_text result = {"-"};
	if (whole > 0)
		snprintf(result.text, sizeof result.text, "%.1f%%",
			100.0 * (double)part / (double)whole);
	return result;
}

const char *wm_text_name(struct wm_arena *arena, const char *name)
{
	char *demangled = cplus_demangle(name, DMGL_AUTO | DMGL_ANSI | DMGL_PARAMS | DMGL_RET_DROP);
	if (!demangled)
		return name;
	const char *copy = wm_arena_copy_text(arena, demangled);
	free(demangled);
	return copy;
}

/* Bytes at the text whose brackets are part of a name, or 0. */
static size_t bracketed_name(const char *text)
{
	static const char anonymous[] = "(anonymous namespace)", word[] = "operator";
	if (strncmp(text, anonymous, sizeof anonymous - 1) == 0)
		return sizeof anonymous - 1;
	if (strncmp(text, word, sizeof word - 1) != 0)
		return 0;
	const char *symbol = text + sizeof word - 1;
	size_t bytes = strncmp(symbol, "()", 2) == 0 ? 2 : strspn(symbol, "<>=-!+*/%&|^~[],");
	return sizeof word - 1 + bytes;
}

const char *wm_text_short_name(struct wm_arena *arena, const char *name)
{
	const char *shown = wm_text_name(arena, name);
	char *copy = wm_arena_copy_text(arena, shown), *next = copy;
	for (int depth = 0; *shown;) {
		size_t whole = depth == 0 ? bracketed_name(shown) : 0;
		memcpy(next, shown, whole);
		next += whole;
		shown += whole;
		depth -= (*shown == '>' || *shown == ')') && depth > 0;
		if (depth == 0 && *shown != '(' && *shown != ')')
			*next++ = *shown;
		depth += *shown == '<' || *shown == '(';
		shown += *shown != '\0';
	}
	*next = '\0';
	return copy;
}

const char *wm_text_end(struct wm_arena *arena, const char *text, size_t wide)
{
	size_t length = strlen(text);
	if (length <= wide)
		return text;
	char *copy = wm_arena_copy_text(arena, text + length - wide);
	memcpy(copy, "...", 3);
	return copy;
}

static bool is_blank(char character)
{
	return character != '\0' && strchr(" \t\r\n\v\f", character) != NULL;
}

char *wm_text_clean(struct wm_arena *arena, const char *text)
{
	char *copy = wm_arena_copy_text(arena, text), *next = copy;
	bool blank = true;
	for (const char *from = text; *from; from++) {
		if (is_blank(*from)) {
			if (!blank)
				*next++ = ' ';
			blank = true;
			continue;
		}
		blank = false;
		*next++ = (unsigned char)*from < 0x20 || *from == 0x7f ? '?' : *from;
	}
	*next = '\0';
	return copy;
}

void wm_text_print_wrapped(const char *text, FILE *out)
{
	size_t column = 0;
	while (*text) {
		size_t word = strcspn(text, " \n");
		bool wraps = column > 0 && column + 1 + word > LINE_WIDE;
		const char *gap = wraps ? "\n  " : column > 0 ? " " : "";
		fprintf(out, "%s%.*s%s", gap, (int)word, text, text[word] == '\n' ? "\n" : "");
		column = (wraps ? 1 : column) + (column > 0) + word;
		if (text[word] == '\n')
			column = 0;
		text += word + (text[word] != '\0');
	}
}
