/* Reading of source files; a file that cannot be read is remembered as one without lines. */
#include "report/source.h"

#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static size_t count_lines(const char *text, size_t bytes)
{
	size_t count = bytes > 0 && text[bytes - 1] != '\n';
	for (size_t i = 0; i < bytes; i++)
		count += text[i] == '\n';
	return count;
}

/* Cuts the text into lines in place; zero bytes inside a line end what is shown of it. */
static void split(struct wm_arena *arena, char *text, size_t bytes, struct wm_source *source)
{
	source->line_count = count_lines(text, bytes);
	source->lines = wm_arena_alloc(arena, source->line_count, sizeof *source->lines);
	for (size_t i = 0, start = 0; i < source->line_count; i++) {
		char *end = memchr(text + start, '\n', bytes - start);
		source->lines[i] = text + start;
		if (!end)
			break;
		start = (size_t)(end - text) + 1;
		if (end > source->lines[i] && end[-1] == '\r')
			end[-1] = '\0';
		*end = '\0';
	}
}

static int refuse(const char *path, int reason, struct wm_error *error)
{
	return wm_error_set(
		error, WM_ERROR_SYSTEM, "cannot read source file '%s': %s", path, strerror(reason));
}

int wm_source_read(
	struct wm_arena *arena, const char *path, struct wm_source *source, struct wm_error *error)
{
	struct stat status;
	*source = (struct wm_source){.path = wm_arena_copy_text(arena, path)};
	FILE *file = fopen(path, "re");
	if (!file)
		return refuse(path, errno, error);
	if (fstat(fileno(file), &status) != 0 || !S_ISREG(status.st_mode)) {
		fclose(file);
		return refuse(path, EINVAL, error);
	}
	size_t bytes = (size_t)status.st_size;
	char *text = wm_arena_alloc(arena, bytes + 1, 1);
	bytes = fread(text, 1, bytes, file);
	int failed = ferror(file) ? errno : 0;
	fclose(file);
	if (failed)
		return refuse(path, failed, error);
	source->modified = status.st_mtime;
	split(arena, text, bytes, source);
	return 0;
}

static int compare_sources(const void *left, const void *right)
{
	const struct wm_source *a = left, *b = right;
	return strcmp(a->path, b->path);
}

const char *wm_source_set_line(struct wm_source_set *set, const char *path, uint32_t line)
{
	struct wm_source key = {.path = path};
	struct wm_source **found = tfind(&key, &set->tree, compare_sources);
	struct wm_source *source = found ? *found : NULL;
	if (!source) {
		struct wm_error ignored;
		source = wm_arena_alloc(&set->arena, 1, sizeof *source);
		wm_source_read(&set->arena, path, source, &ignored);
		tsearch(source, &set->tree, compare_sources);
	}
	return line > 0 && line <= source->line_count ? source->lines[line - 1] : "";
}

void wm_source_set_free(struct wm_source_set *set)
{
	while (set->tree)
		tdelete(*(struct wm_source **)set->tree, &set->tree, compare_sources);
	wm_arena_reset(&set->arena);
}
