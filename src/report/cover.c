/* First the lines, which say what is the program's own; then the lists of what is in all programs
 * (cover_texts.c), joined by place (cover_files.c); then paths of the code (cover_paths.c). */
#include "report/cover_gathering.h"

#include <stdlib.h>
#include <string.h>

#include "profile/lines_sum.h"
#include "report/own_sources.h"

const char *const wm_cover_words[WM_COVER_QUANTITIES] = {
	"functions", "lines", "outcomes", "pairs", "paths"};

const char *wm_cover_tidy(struct wm_cover_gathering *gathering, const char *path)
{
	if (!strstr(path, "/.") && !strstr(path, "//"))
		return path;
	char *result = wm_arena_alloc(gathering->arena, strlen(path) + 2, 1), *end = result;
	for (const char *part = path; *part;) {
		size_t length = strcspn(part, "/");
		bool up = length == 2 && strncmp(part, "..", 2) == 0;
		char *before = end > result ? strrchr(result, '/') : NULL;
		if (up && before && strcmp(before, "/..") != 0) {
			*(end = before) = '\0';
		} else if (length > 0 && !(length == 1 && *part == '.')) {
			if (end > result || path[0] == '/')
				*end++ = '/';
			memcpy(end, part, length);
			*(end += length) = '\0';
		}
		part += length + (part[length] == '/');
	}
	return result;
}

static int compare_paths(const void *key, const void *element)
{
	return strcmp(key, ((const struct wm_line_file *)element)->path);
}

/* Places of conditions have tidy paths, whatever the line beside them has. */
static bool is_own(struct wm_cover_gathering *gathering, const char *file)
{
	for (size_t i = 0; i < gathering->request->profile_count; i++)
		if (wm_own_sources_have(gathering->roots[i], file))
			return true;
	const struct wm_lines *lines = &gathering->lines;
	return lines->file_count > 0 &&
	       bsearch(wm_cover_tidy(gathering, file), lines->files, lines->file_count,
		       sizeof *lines->files, compare_paths);
}

bool wm_cover_keeps(struct wm_cover_gathering *gathering, const char *file, uint32_t line)
{
	const struct wm_cover_request *request = gathering->request;
	bool own = is_own(gathering, file);
	return own && file[0] && line &&
	       (!request->keeps ||
		       request->keeps(request->context, wm_cover_tidy(gathering, file), line));
}

static struct wm_line_file keep_lines(
	struct wm_cover_gathering *gathering, const struct wm_line_file *all)
{
	struct wm_line *kept = wm_arena_alloc(gathering->arena, all->line_count, sizeof *kept);
	struct wm_line_file file = {.path = wm_cover_tidy(gathering, all->path), .lines = kept};
	for (size_t i = 0; i < all->line_count; i++)
		if (wm_cover_keeps(gathering, all->path, all->lines[i].line))
			kept[file.line_count++] = all->lines[i];
	return file;
}

static int compare_files(const void *left, const void *right)
{
	return strcmp(((const struct wm_line_file *)left)->path,
		((const struct wm_line_file *)right)->path);
}

/* Files of one path become one. */
static struct wm_lines join_files(
	struct wm_cover_gathering *gathering, struct wm_line_file *files, size_t count)
{
	struct wm_lines *parts = wm_arena_alloc(gathering->arena, count, sizeof *parts);
	struct wm_lines joined = {.files = files};
	if (count > 0)
		qsort(files, count, sizeof *files, compare_files);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i; end < count && strcmp(files[end].path, files[i].path) == 0; end++)
			parts[end - i] = (struct wm_lines){1, &files[end]};
		struct wm_line_file sum = wm_lines_sum(gathering->arena, parts, end - i).files[0];
		joined.files[joined.file_count++] = sum;
	}
	return joined;
}

static int count_lines(struct wm_cover_gathering *gathering)
{
	const struct wm_cover_request *request = gathering->request;
	struct wm_line_file *files = NULL;
	size_t count = 0, capacity = 0;
	for (size_t i = 0; i < request->profile_count; i++) {
		struct wm_lines all;
		int status = wm_lines_count(
			gathering->arena, &request->profiles[i], &all, gathering->error);
		if (status < 0)
			return status;
		for (size_t k = 0; k < all.file_count; k++) {
			files = wm_arena_grow(
				gathering->arena, files, count, &capacity, sizeof *files);
			files[count] = keep_lines(gathering, &all.files[k]);
			count += files[count].line_count > 0;
		}
	}
	gathering->lines = join_files(gathering, files, count);
	return 0;
}

int wm_cover_make(struct wm_arena *arena, const struct wm_cover_request *request,
	struct wm_cover *cover, struct wm_error *error)
{
	struct wm_cover_gathering gathering = {
		.arena = arena, .request = request, .cover = cover, .error = error};
	*cover = (struct wm_cover){.chance = -1};
	gathering.roots = wm_arena_alloc(arena, request->profile_count, sizeof *gathering.roots);
	for (size_t i = 0; i < request->profile_count; i++)
		gathering.roots[i] = wm_own_sources_root(arena, &request->profiles[i]);
	int status = count_lines(&gathering);
	for (size_t i = 0; i < request->profile_count && status == 0; i++) {
		const struct wm_profile *profile = &request->profiles[i];
		if (profile->part_count <= 1)
			status = wm_cover_add_object(&gathering, profile);
		for (uint32_t k = 0; profile->part_count > 1 && k < profile->part_count && !status;
			k++)
			status = wm_cover_add_object(&gathering, &profile->parts[k]);
	}
	if (status < 0)
		return status;
	wm_cover_join_functions(&gathering);
	wm_cover_join_outcomes(&gathering);
	wm_cover_make_files(&gathering);
	return request->ran ? wm_cover_add_paths(&gathering) : 0;
}
