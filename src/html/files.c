/* Each file is a block of its own, which the page unpacks when somebody looks at the file. */
#include "html/files.h"

#include <inttypes.h>
#include <search.h>
#include <string.h>

#include "html/block.h"
#include "report/own_sources.h"

enum { MAX_ID = 64 };

static int compare_files(const void *left, const void *right)
{
	const struct wm_html_file *a = left, *b = right;
	return strcmp(a->path, b->path);
}

static struct wm_html_file *find(const struct wm_html_files *files, const char *path)
{
	const struct wm_html_file key = {.path = path};
	struct wm_html_file **found = tfind(&key, &files->tree, compare_files);
	return found ? *found : NULL;
}

static struct wm_html_file *add(struct wm_html_files *files, const char *path)
{
	struct wm_html_file *file = wm_arena_alloc(files->arena, 1, sizeof *file);
	*file = (struct wm_html_file){.path = path, .number = (uint32_t)files->count};
	tsearch(file, &files->tree, compare_files);
	files->list = wm_arena_grow(
		files->arena, files->list, files->count, &files->capacity, sizeof *files->list);
	files->list[files->count++] = file;
	return file;
}

struct wm_html_files wm_html_files_make(
	struct wm_arena *arena, const struct wm_html_side *side, const struct wm_lines *lines)
{
	struct wm_html_files files = {
		.arena = arena, .side = side, .root = wm_own_sources_root(arena, side->profile)};
	for (size_t i = 0; i < lines->file_count; i++)
		add(&files, lines->files[i].path)->counts = &lines->files[i];
	return files;
}

int64_t wm_html_files_number(struct wm_html_files *files, const char *path)
{
	if (!path[0])
		return -1;
	struct wm_html_file *file = find(files, path);
	return file ? file->number : add(files, path)->number;
}

static const char *state_word(const struct wm_source_text *text)
{
	switch (text->state) {
	case WM_SOURCE_TEXT_FITS:
		return "fits";
	case WM_SOURCE_TEXT_CHANGED:
		return "changed";
	case WM_SOURCE_TEXT_NEWER:
		return "newer";
	default:
		return "missing";
	}
}

/* How many lines ran, never ran, and may have run. */
struct tally {
	uint64_t ran, never, unknown;
};

static struct tally tally_lines(const struct wm_line_file *counts)
{
	struct tally tally = {0};
	for (size_t i = 0; counts && i < counts->line_count; i++) {
		const struct wm_line *line = &counts->lines[i];
		tally.ran += line->count > 0;
		tally.never += line->count == 0 && line->state == WM_LINE_EXACT;
		tally.unknown += line->count == 0 && line->state != WM_LINE_EXACT;
	}
	return tally;
}

void wm_html_files_list(const struct wm_html_files *files, struct wm_json *json)
{
	wm_json_begin_array(json, "files");
	for (size_t i = 0; i < files->count; i++) {
		const struct wm_html_file *file = files->list[i];
		const struct tally tally = tally_lines(file->counts);
		wm_json_begin_array(json, NULL);
		wm_json_text(json, NULL, file->path);
		wm_json_number(json, NULL, wm_own_sources_have(files->root, file->path));
		wm_json_text(json, NULL,
			state_word(wm_sources_get(files->side->sources, file->path, NULL)));
		wm_json_number(json, NULL, tally.ran);
		wm_json_number(json, NULL, tally.never);
		wm_json_number(json, NULL, tally.unknown);
		wm_json_end_array(json);
	}
	wm_json_end_array(json);
}

/* Line, count, and how far the count is known. */
static void write_counts(struct wm_json *json, const struct wm_line_file *counts)
{
	wm_json_begin_array(json, "counts");
	for (size_t i = 0; counts && i < counts->line_count; i++) {
		wm_json_number(json, NULL, counts->lines[i].line);
		wm_json_number(json, NULL, counts->lines[i].count);
		wm_json_number(json, NULL, counts->lines[i].state);
	}
	wm_json_end_array(json);
}

static void write_file(const struct wm_html_files *files, const struct wm_html_file *file,
	bool with_text, FILE *to)
{
	struct wm_json json = {.out = to};
	const struct wm_source_text *text = wm_sources_get(files->side->sources, file->path, NULL);
	wm_json_begin_object(&json, NULL);
	write_counts(&json, file->counts);
	if (with_text && text->state != WM_SOURCE_TEXT_MISSING) {
		wm_json_begin_array(&json, "text");
		for (size_t i = 0; i < text->line_count; i++)
			wm_json_text(&json, NULL, text->lines[i]);
		wm_json_end_array(&json);
	}
	wm_json_end_object(&json);
}

void wm_html_files_write(const struct wm_html_files *files, const char *prefix, bool with_text,
	const struct wm_html_files *other, FILE *out)
{
	for (size_t i = 0; i < files->count; i++) {
		const struct wm_html_file *file = files->list[i];
		struct wm_html_block block;
		char id[MAX_ID];
		snprintf(id, sizeof id, "%s%zu", prefix, i);
		wm_html_block_begin(&block);
		bool wanted = with_text && wm_own_sources_have(files->root, file->path);
		write_file(
			files, file, wanted && !(other && find(other, file->path)), block.stream);
		wm_html_block_end(&block, id, out);
	}
}

void wm_html_files_free(struct wm_html_files *files)
{
	while (files->tree)
		tdelete(*(struct wm_html_file **)files->tree, &files->tree, compare_files);
}
