/* Formatting of numbers and texts. */
#include "report/text.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/terminal.h"

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

struct wm_text wm_text_duration(uint64_t seconds)
{
	static const struct {
		uint64_t seconds;
		const char *name;
	} units[] = {{24 * 60 * 60, "day"}, {60 * 60, "hour"}, {60, "minute"}, {1, "second"}};
	size_t unit = 0;
	while (unit < 3 && seconds < units[unit].seconds)
		unit++;
	uint64_t count = seconds / units[unit].seconds;
	struct wm_text text;
	snprintf(text.text, sizeof text.text, "%" PRIu64 " %s%s", count, units[unit].name,
		count == 1 ? "" : "s");
	return text;
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

size_t wm_text_width(const char *text)
{
	size_t characters = 0;
	for (; *text; text++)
		characters += ((unsigned char)*text & 0xc0) != 0x80;
	return characters;
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
	wm_text_print_wrapped_behind(text, 0, out);
}

void wm_text_print_wrapped_behind(const char *text, size_t column, FILE *out)
{
	bool starts = true;
	size_t line = wm_terminal_width(out);
	while (*text) {
		size_t word = strcspn(text, " \n");
		bool wraps = column > 0 && column + 1 + word > line;
		const char *gap = wraps ? "\n  " : column > 0 && !starts ? " " : "";
		starts = false;
		fprintf(out, "%s%.*s%s", gap, (int)word, text, text[word] == '\n' ? "\n" : "");
		column = (wraps ? 1 : column) + (column > 0) + word;
		if (text[word] == '\n')
			column = 0;
		text += word + (text[word] != '\0');
	}
}
