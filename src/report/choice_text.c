/* The debug information has only the place where a condition starts. Its end is found in the text:
 * where a bracket closes that was open before, or at an operator that joins conditions. */
#include "report/choice_text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report/text.h"

enum { WIDEST_CONDITION = 48, WIDEST_LABEL = 40 };

/* The text of the line, from the column on if the file is as it was when it was compiled. */
static const char *text_at(
	struct wm_sources *sources, struct wm_place place, uint32_t column, const char **line)
{
	if (!sources || !place.line || !column)
		return NULL;
	const struct wm_source_text *text = wm_sources_get(sources, place.file, NULL);
	if (text->state != WM_SOURCE_TEXT_FITS || place.line > text->line_count)
		return NULL;
	*line = text->lines[place.line - 1];
	return column <= strlen(*line) ? *line + column - 1 : NULL;
}

/* Behind a literal that starts here, or NULL if the line ends in it. */
static const char *behind_literal(const char *text)
{
	char quote = *text;
	for (text++; *text && *text != quote; text++)
		if (*text == '\\' && text[1])
			text++;
	return *text ? text + 1 : NULL;
}

static bool is_joint(const char *text)
{
	return strncmp(text, "&&", 2) == 0 || strncmp(text, "||", 2) == 0 || *text == '?' ||
	       *text == ';' || *text == ',';
}

static bool is_comment(const char *text)
{
	return text[0] == '/' && (text[1] == '/' || text[1] == '*');
}

/* Where the condition ends, on its line. */
static const char *end_of_condition(const char *text)
{
	int depth = 0;
	while (*text && !is_comment(text)) {
		if (*text == '"' || *text == '\'') {
			const char *behind = behind_literal(text);
			if (!behind)
				return text + strlen(text);
			text = behind;
			continue;
		}
		bool closes = *text == ')' || *text == ']' || *text == '}';
		if (depth == 0 && (closes || is_joint(text)))
			break;
		depth += *text == '(' || *text == '[' || *text == '{';
		depth -= closes;
		text++;
	}
	return text;
}

/* A switch is known by the place of its first word. */
static const char *end_of_switch(const char *text)
{
	const char *bracket = strchr(text, '(');
	const char *end = bracket ? end_of_condition(bracket + 1) : text + strlen(text);
	return *end == ')' ? end + 1 : end;
}

/* The word that stands before the bracket in front of the condition; NULL if it is none that
 * chooses. */
static const char *word_before(const char *line, const char *condition)
{
	static const char *const words[] = {"if", "while", "switch"};
	const char *at = condition;
	while (at > line && isspace((unsigned char)at[-1]))
		at--;
	if (at == line || *--at != '(')
		return NULL;
	while (at > line && isspace((unsigned char)at[-1]))
		at--;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		size_t length = strlen(words[i]);
		if ((size_t)(at - line) >= length && strncmp(at - length, words[i], length) == 0 &&
			(at - length == line || !isalnum((unsigned char)at[-(int)length - 1])))
			return words[i];
	}
	return NULL;
}

static const char *cut(struct wm_arena *arena, const char *text, size_t length, size_t widest)
{
	while (length > 0 && isspace((unsigned char)text[length - 1]))
		length--;
	bool fits = length <= widest;
	size_t keep = fits ? length : widest - 3;
	while (!fits && keep > 0 && ((unsigned char)text[keep] & 0xc0) == 0x80)
		keep--;
	char *copy = wm_arena_alloc(arena, keep + 4, 1);
	memcpy(copy, text, keep);
	strcpy(copy + keep, fits ? "" : "...");
	return wm_text_clean(arena, copy);
}

const char *wm_choice_condition(
	struct wm_arena *arena, struct wm_sources *sources, const struct wm_path_choice *choice)
{
	const char *line, *text = text_at(sources, choice->condition, choice->column, &line);
	if (!text)
		return "";
	const char *end = end_of_condition(text);
	if (strncmp(text, "switch", strlen("switch")) == 0)
		end = end_of_switch(text);
	const char *shown = cut(arena, text, (size_t)(end - text), WIDEST_CONDITION);
	const char *word = *end == ')' ? word_before(line, text) : NULL;
	if (!word)
		return shown;
	char *whole = wm_arena_alloc(arena, strlen(word) + strlen(shown) + 4, 1);
	sprintf(whole, "%s (%s)", word, shown);
	return whole;
}

/* The label as it was written, without its colon. */
static const char *label_text(
	struct wm_arena *arena, struct wm_sources *sources, const struct wm_path_choice *choice)
{
	const char *line, *text = text_at(sources, choice->to, choice->to_column, &line);
	bool is_label = text && (strncmp(text, "case", 4) == 0 || strncmp(text, "default", 7) == 0);
	if (is_label) {
		const char *end = text;
		while (end && *end && *end != ':')
			end = *end == '"' || *end == '\'' ? behind_literal(end) : end + 1;
		if (end)
			return cut(arena, text, (size_t)(end - text), WIDEST_LABEL);
	}
	char *place = wm_arena_alloc(arena, 32, 1);
	snprintf(place, 32, "case at line %" PRIu32, choice->to.line);
	return place;
}

const char *wm_choice_outcome(
	struct wm_arena *arena, struct wm_sources *sources, const struct wm_path_choice *choice)
{
	switch (choice->outcome) {
	case WM_OUTCOME_YES:
		return "yes";
	case WM_OUTCOME_NO:
		return "no";
	case WM_OUTCOME_CASE:
		return label_text(arena, sources, choice);
	case WM_OUTCOME_NO_CASE:
		return "no case";
	default:
		return "";
	}
}
