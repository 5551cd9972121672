/* Reading of source files; a file that cannot be read is remembered as one without lines. */
#include "report/source.h"

#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/packed.h"

struct text {
	struct wm_source_text shown;
	const char *recorded; /* the path that the object has */
};

static size_t count_lines(const char *text, size_t bytes)
{
	size_t count = bytes > 0 && text[bytes - 1] != '\n';
	for (size_t i = 0; i < bytes; i++)
		count += text[i] == '\n';
	return count;
}

/* Cuts a copy of the text into lines; zero bytes inside a line end what is shown of it. */
static void split(struct wm_arena *arena, struct wm_source_text *source)
{
	size_t bytes = source->content.count;
	char *text = wm_arena_alloc(arena, bytes + 1, 1);
	if (bytes)
		memcpy(text, source->content.data, bytes);
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

/* The text of a regular file; NULL with errno set. */
static char *slurp(struct wm_arena *arena, const char *path, size_t *bytes, time_t *modified)
{
	struct stat status;
	char *text = NULL;
	FILE *file = fopen(path, "re");
	if (!file)
		return NULL;
	if (fstat(fileno(file), &status) != 0 || !S_ISREG(status.st_mode)) {
		errno = EINVAL;
	} else {
		text = wm_arena_alloc(arena, (size_t)status.st_size + 1, 1);
		*bytes = fread(text, 1, (size_t)status.st_size, file);
		*modified = status.st_mtime;
		if (ferror(file))
			text = NULL;
	}
	int reason = errno;
	fclose(file);
	errno = reason;
	return text;
}

/* Nothing says which of the objects the text belongs to. */
static time_t newest(const struct wm_object *object)
{
	time_t modified = object->modified;
	for (; object; object = object->next)
		modified = object->modified > modified ? object->modified : modified;
	return modified;
}

static enum wm_source_text_state judge(
	struct wm_sources *sources, const char *recorded, const struct wm_md5 *md5, time_t modified)
{
	if (!sources->object)
		return WM_SOURCE_TEXT_FITS;
	if (!sources->knows_checksums)
		wm_checksums_read(&sources->arena, sources->object, &sources->checksums);
	sources->knows_checksums = true;
	switch (wm_checksums_match(&sources->checksums, recorded, md5)) {
	case WM_CHECKSUM_SAME:
		return WM_SOURCE_TEXT_FITS;
	case WM_CHECKSUM_OTHER:
		return WM_SOURCE_TEXT_CHANGED;
	default:
		return modified > newest(sources->object) ? WM_SOURCE_TEXT_NEWER
							  : WM_SOURCE_TEXT_FITS;
	}
}

/* Objects may have been built from several texts of that path; one that fits is preferred. */
static bool read_packed(struct wm_sources *sources, struct text *text)
{
	const struct wm_packed *packed = sources->object ? sources->object->packed : NULL;
	struct wm_packed_text candidate;
	bool found = false;
	for (size_t next = 0;
		packed && wm_packed_next_text(packed, text->recorded, &next, &candidate);) {
		struct wm_md5 md5 = wm_md5(candidate.text.data, candidate.text.count);
		text->shown.state =
			judge(sources, text->recorded, &md5, (time_t)candidate.modified);
		text->shown.modified = (time_t)candidate.modified;
		text->shown.content = candidate.text;
		found = true;
		if (text->shown.state == WM_SOURCE_TEXT_FITS)
			break;
	}
	return found;
}

static void read_file(struct wm_sources *sources, struct text *text)
{
	size_t bytes;
	char *content = slurp(&sources->arena, text->shown.path, &bytes, &text->shown.modified);
	if (!content) {
		text->shown.state = WM_SOURCE_TEXT_MISSING;
		text->shown.reason = errno;
		return;
	}
	struct wm_md5 md5 = wm_md5(content, bytes);
	text->shown.state = judge(sources, text->recorded, &md5, text->shown.modified);
	text->shown.content = (struct wm_bytes){(const uint8_t *)content, bytes};
}

/* What is packed was right when it was packed; what is at its path may be of another machine. A
 * place that the user names comes first. */
static void read_text(struct wm_sources *sources, struct text *text)
{
	bool is_recorded = strcmp(text->shown.path, text->recorded) == 0;
	if (!is_recorded || !read_packed(sources, text))
		read_file(sources, text);
	if (text->shown.state != WM_SOURCE_TEXT_MISSING)
		split(&sources->arena, &text->shown);
}

static int compare_texts(const void *left, const void *right)
{
	const struct text *a = left, *b = right;
	return strcmp(a->recorded, b->recorded);
}

struct wm_sources wm_sources_of(const struct wm_object *object)
{
	return (struct wm_sources){.object = object};
}

const struct wm_source_text *wm_sources_get(
	struct wm_sources *sources, const char *path, const char *place)
{
	struct text key = {.recorded = path};
	struct text **found = tfind(&key, &sources->tree, compare_texts);
	if (found)
		return &(*found)->shown;
	struct text *text = wm_arena_alloc(&sources->arena, 1, sizeof *text);
	text->recorded = wm_arena_copy_text(&sources->arena, path);
	text->shown.path = place ? wm_arena_copy_text(&sources->arena, place) : text->recorded;
	read_text(sources, text);
	tsearch(text, &sources->tree, compare_texts);
	sources->list = wm_arena_grow(&sources->arena, sources->list, sources->count,
		&sources->capacity, sizeof *sources->list);
	sources->list[sources->count++] = &text->shown;
	return &text->shown;
}

const char *wm_sources_line(struct wm_sources *sources, const char *path, uint32_t line)
{
	const struct wm_source_text *text = wm_sources_get(sources, path, NULL);
	return line > 0 && line <= text->line_count ? text->lines[line - 1] : "";
}

void wm_sources_free(struct wm_sources *sources)
{
	while (sources->tree)
		tdelete(*(struct text **)sources->tree, &sources->tree, compare_texts);
	wm_arena_reset(&sources->arena);
	*sources = wm_sources_of(sources->object);
}

bool wm_sources_has(const struct wm_object *object, const char *path)
{
	struct wm_packed_text text;
	size_t next = 0;
	return (object->packed && wm_packed_next_text(object->packed, path, &next, &text)) ||
	       access(path, R_OK) == 0;
}
