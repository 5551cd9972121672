/* The list is cut into items; a file's lines become items of their own. */
#include "format/segment_sites.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list {
	struct wm_arena *arena;
	struct wm_segment_sites *sites;
	size_t capacity;
};

static void add(struct list *list, struct wm_segment_site site)
{
	struct wm_segment_sites *sites = list->sites;
	sites->sites = wm_arena_grow(
		list->arena, sites->sites, sites->count, &list->capacity, sizeof *sites->sites);
	sites->sites[sites->count++] = site;
}

/* The number of a line; 0 if the text is none. */
static uint32_t line_number(const char *text)
{
	char *end;
	errno = 0;
	unsigned long line = strtoul(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno && line <= UINT32_MAX
		       ? (uint32_t)line
		       : 0;
}

/* "FILE<tab>LINE<tab>CALLEE[<tab>COUNT]" */
static bool add_row(struct list *list, const char *text)
{
	char *row = wm_arena_copy_text(list->arena, text);
	char *line = strchr(row, '\t'), *callee = line ? strchr(line + 1, '\t') : NULL;
	if (!callee)
		return false;
	*line++ = '\0';
	*callee++ = '\0';
	char *count = callee + strcspn(callee, "\t");
	if (*count)
		*count++ = '\0';
	if (!row[0] || !callee[0] || !line_number(line) || count[strspn(count, "0123456789")])
		return false;
	add(list, (struct wm_segment_site){.file = row,
			  .line = line_number(line),
			  .callee = callee,
			  .count = strtoull(count, NULL, 10)});
	return true;
}

static int add_lines(struct list *list, const char *path, FILE *file, struct wm_error *error)
{
	char *line = NULL;
	size_t bytes = 0, number = 0;
	int status = 0;
	while (status == 0 && getline(&line, &bytes, file) >= 0) {
		line[strcspn(line, "\r\n")] = '\0';
		if (++number == 1 && strcmp(line, WM_SEGMENT_FILE_HEAD) != 0)
			status = wm_error_set(error, WM_ERROR_INPUT,
				"--segments: '%s' is no list of segments of this version: "
				"`waymark segments -o FILE.wms` writes one",
				path);
		else if (number > 1 && line[0] && line[0] != '#' && !add_row(list, line))
			status = wm_error_set(error, WM_ERROR_INPUT,
				"--segments: %s:%zu: expected a file, a line, a function and a "
				"count, with tabs between them",
				path, number);
	}
	free(line);
	if (status == 0 && number == 0)
		status = wm_error_set(error, WM_ERROR_INPUT, "--segments: '%s' is empty", path);
	return status;
}

static int add_file(struct list *list, const char *path, struct wm_error *error)
{
	FILE *file = fopen(path, "re");
	if (!file)
		return wm_error_set(error, WM_ERROR_SYSTEM, "--segments: cannot read '%s': %s",
			path, strerror(errno));
	int status = add_lines(list, path, file, error);
	fclose(file);
	return status;
}

static int add_item(struct list *list, char *item, struct wm_error *error)
{
	static const char function[] = "function:";
	char *colon = strrchr(item, ':'), *callee = colon ? strchr(colon, '=') : NULL;
	if (callee && callee[1] && strncmp(item, function, sizeof function - 1) != 0)
		*callee++ = '\0';
	else
		callee = NULL;
	if (strcmp(item, "all") == 0) {
		add(list, (struct wm_segment_site){.file = NULL});
	} else if (item[0] == '@') {
		return add_file(list, item + 1, error);
	} else if (strncmp(item, function, sizeof function - 1) == 0 && item[sizeof function - 1]) {
		add(list, (struct wm_segment_site){.callee = item + sizeof function - 1});
	} else if (colon && colon > item && line_number(colon + 1)) {
		*colon = '\0';
		add(list, (struct wm_segment_site){.file = item,
				  .line = line_number(colon + 1),
				  .callee = callee,
				  .is_named = true});
	} else {
		return wm_error_set(error, WM_ERROR_INPUT,
			"--segments: '%s' is no call: use all, function:GLOB, FILE:LINE, "
			"FILE:LINE=FUNCTION or @FILE.wms",
			item);
	}
	return 0;
}

int wm_segment_sites_parse(struct wm_arena *arena, const char *text, struct wm_segment_sites *sites,
	struct wm_error *error)
{
	struct list list = {.arena = arena, .sites = sites};
	char *end, *state = NULL, *copy = wm_arena_copy_text(arena, text);
	*sites = (struct wm_segment_sites){.depth = 0};
	unsigned long depth = strtoul(copy, &end, 10);
	if (copy[0] < '1' || copy[0] > '9' || depth > WM_SEGMENT_MAX_DEPTH || (*end && *end != ':'))
		return wm_error_set(error, WM_ERROR_INPUT,
			"--segments='%s': how many calls should a segment cross? use 1 to %d, as "
			"in --segments=1 or --segments=2:function:parse_*",
			text, WM_SEGMENT_MAX_DEPTH);
	sites->depth = (unsigned)depth;
	if (!*end)
		add(&list, (struct wm_segment_site){.file = NULL});
	int status = 0;
	for (char *item = *end ? strtok_r(end + 1, ",", &state) : NULL; item && status == 0;
		item = strtok_r(NULL, ",", &state))
		status = add_item(&list, item, error);
	if (status == 0 && *end && !end[1])
		status = wm_error_set(error, WM_ERROR_INPUT,
			"--segments='%s': no calls are named behind the colon", text);
	return status;
}

/* Whether the word is the path, or its end behind a slash. */
static bool is_end_of(const char *word, const char *path)
{
	size_t bytes = strlen(word), all = strlen(path);
	return bytes <= all && strcmp(path + all - bytes, word) == 0 &&
	       (bytes == all || path[all - bytes - 1] == '/' || word[0] == '/');
}

bool wm_segment_site_fits(
	const struct wm_segment_site *site, const char *file, uint32_t line, const char *callee)
{
	return (!site->file || is_end_of(site->file, file)) &&
	       (!site->line || site->line == line) &&
	       (!site->callee || fnmatch(site->callee, callee, 0) == 0);
}
