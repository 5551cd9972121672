/* Sets of paths: reading them, and telling what became of each item. Finding the paths of one
 * function is in path_match.c. */
#include "names/path_set.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COMPLAINTS = 4, MAX_LINES = 64 };

static int refuse(const char *item, const char *reason, struct wm_error *error)
{
	return wm_error_set(error, WM_ERROR_INPUT, "paths: '%.200s' %s", item, reason);
}

static int parse_hot(struct wm_path_item *item, struct wm_error *error)
{
	char *end;
	const char *number = item->text + strlen("hot:");
	item->kind = WM_PATH_ITEM_HOT;
	item->percent = strtod(number, &end);
	/* Nothing else that strtod takes: hexadecimal digits, exponents, words, blanks. */
	if (strspn(number, "0123456789.") != (size_t)(end - number) || strcmp(end, "%") != 0 ||
		item->percent <= 0 || item->percent > 100)
		return refuse(item->text, "is no share such as hot:90%", error);
	return 0;
}

static int parse_function(struct wm_path_item *item, struct wm_error *error)
{
	item->kind = WM_PATH_ITEM_FUNCTION;
	item->glob = item->text + strlen("function:");
	return item->glob[0] ? 0 : refuse(item->text, "names no function", error);
}

/* Reads FILE:LINE in place. */
static bool parse_line(char *text, struct wm_path_line *line)
{
	char *colon = strrchr(text, ':'), *end;
	if (!colon || colon == text || colon[1] < '0' || colon[1] > '9')
		return false;
	errno = 0;
	unsigned long number = strtoul(colon + 1, &end, 10);
	if (*end || errno || number == 0 || number > UINT32_MAX)
		return false;
	*colon = '\0';
	/* Rather a misspelt name of a path than a file. */
	if (strchr(text, ':'))
		return false;
	*line = (struct wm_path_line){.file = text, .line = (uint32_t)number};
	return true;
}

/* A lone word was probably meant to be a function. */
static int refuse_word(const char *word, struct wm_error *error)
{
	return wm_error_set(error, WM_ERROR_INPUT,
		"paths: '%.200s' is no set of paths; did you mean function:%.200s?", word, word);
}

static int parse_lines(struct wm_arena *arena, struct wm_path_item *item, struct wm_error *error)
{
	char *rest = wm_arena_copy_text(arena, item->text);
	if (!strpbrk(item->text, ":&#."))
		return refuse_word(item->text, error);
	item->kind = WM_PATH_ITEM_LINES;
	item->lines = wm_arena_alloc(arena, MAX_LINES, sizeof *item->lines);
	while (rest) {
		char *line = rest;
		rest = strstr(rest, "&&");
		if (rest) {
			*rest = '\0';
			rest += 2;
		}
		if (item->line_count == MAX_LINES)
			return refuse(item->text, "names more than 64 lines", error);
		if (!parse_line(line, &item->lines[item->line_count++]))
			return refuse(item->text,
				"is neither a path's name (FUNCTION#ID, as a report prints it) "
				"nor hot:90%, function:GLOB, FILE:LINE&&FILE:LINE or @FILE.wmp",
				error);
	}
	return 0;
}

static int parse_item(struct wm_arena *arena, struct wm_path_item *item, struct wm_error *error)
{
	struct wm_path_name name;
	if (item->text[0] == '@') {
		item->kind = WM_PATH_ITEM_SAVED;
		return wm_saved_paths_read(arena, item->text + 1, &item->saved, error);
	}
	if (wm_path_name_parse(arena, item->text, &name)) {
		item->kind = WM_PATH_ITEM_NAME;
		item->names = wm_arena_alloc(arena, 1, sizeof name);
		item->names[item->name_count++] = name;
		return 0;
	}
	if (strncmp(item->text, "hot:", strlen("hot:")) == 0)
		return parse_hot(item, error);
	if (strncmp(item->text, "function:", strlen("function:")) == 0)
		return parse_function(item, error);
	return parse_lines(arena, item, error);
}

/* Bytes of the brackets at the text and all in them; 0 if they do not close on its line. */
static size_t bracket_bytes(const char *text)
{
	size_t depth = 0;
	for (size_t i = 0; text[i] && !strchr("\n\r", text[i]); i++) {
		depth += strchr("<(", text[i]) != NULL;
		bool arrow = i > 0 && text[i - 1] == '-';
		if (strchr(">)", text[i]) && !arrow && --depth == 0)
			return i + 1;
	}
	return 0;
}

/* Commas between template arguments or parameters do not end an item. */
static size_t item_bytes(const char *text)
{
	static const char operator[] = "operator";
	size_t bytes = 0;
	while (text[bytes] && !strchr(",\n\r", text[bytes])) {
		size_t more = 0;
		if (strncmp(text + bytes, operator, sizeof operator- 1) == 0)
			more = sizeof operator- 1 +
				strspn(text + bytes + sizeof operator- 1, "<>=-");
		else if (strchr("<(", text[bytes]))
			more = bracket_bytes(text + bytes);
		bytes += more ? more : 1;
	}
	return bytes;
}

/* The next item of the text without blanks around it, or NULL; cuts the text in place. */
static char *next_item(char **rest)
{
	static const char blanks[] = " \t";
	*rest += strspn(*rest, ",\n\r \t");
	if (!**rest)
		return NULL;
	char *item = *rest;
	size_t length = item_bytes(item);
	*rest += length + (item[length] != '\0');
	while (length > 0 && strchr(blanks, item[length - 1]))
		length--;
	item[length] = '\0';
	return item;
}

int wm_path_set_parse(
	struct wm_arena *arena, const char *text, struct wm_path_set *set, struct wm_error *error)
{
	char *rest = wm_arena_copy_text(arena, text);
	*set = (struct wm_path_set){
		.items = wm_arena_alloc(arena, strlen(text) / 2 + 1, sizeof *set->items)};
	for (char *word; (word = next_item(&rest));) {
		struct wm_path_item *item = &set->items[set->item_count++];
		item->text = word;
		int status = parse_item(arena, item, error);
		if (status < 0)
			return status;
		set->needs_profile |= item->kind == WM_PATH_ITEM_HOT;
	}
	if (set->item_count == 0)
		return wm_error_set(error, WM_ERROR_INPUT, "paths: no path is named");
	return 0;
}

/* Items that nobody typed path by path. */
static bool stands_for_many(const struct wm_path_item *item)
{
	return item->kind == WM_PATH_ITEM_HOT || item->kind == WM_PATH_ITEM_SAVED;
}

static const char *complaint(const struct wm_path_item *item)
{
	bool lines = item->kind == WM_PATH_ITEM_LINES, many = stands_for_many(item);
	switch (item->fate) {
	case WM_PATH_FATE_UNSEEN:
		return lines  ? "no code at such a line"
		       : many ? "none of its functions"
			      : "no such function";
	case WM_PATH_FATE_OTHER_SHAPE:
		return item->kind == WM_PATH_ITEM_SAVED
			       ? "of another build: its functions have changed"
			       : "of another build: the function's blocks or edges differ";
	default:
		return lines ? "no path runs through all of these lines" : "no path of this number";
	}
}

/* One file of several may have none of the functions, or, of hot ones, a namesake of its own. */
static bool is_fault(const struct wm_path_item *item, bool whole_program)
{
	bool may_be_elsewhere =
		item->fate == WM_PATH_FATE_UNSEEN ||
		(stands_for_many(item) && item->fate == WM_PATH_FATE_OTHER_SHAPE);
	return item->fate != WM_PATH_FATE_MATCHED && (whole_program || !may_be_elsewhere);
}

int wm_path_set_check(const struct wm_path_set *set, bool whole_program, struct wm_error *error)
{
	size_t matched = 0, faults = 0, bytes = 0;
	char list[sizeof error->text] = "";
	for (size_t i = 0; i < set->item_count; i++) {
		const struct wm_path_item *item = &set->items[i];
		matched += item->fate == WM_PATH_FATE_MATCHED;
		if (!is_fault(item, whole_program) || faults++ >= MAX_COMPLAINTS)
			continue;
		bytes += (size_t)snprintf(list + bytes, sizeof list - bytes, "%s%.100s (%s)",
			faults == 1 ? "" : ", ", item->text, complaint(item));
	}
	if (faults == 0)
		return 0;
	char more[40] = "";
	if (faults > MAX_COMPLAINTS)
		snprintf(more, sizeof more, ", and %zu more", faults - MAX_COMPLAINTS);
	return wm_error_set(error, WM_ERROR_MISMATCH,
		"paths: %zu of %zu matched; not matched: %s%s", matched, set->item_count, list,
		more);
}
