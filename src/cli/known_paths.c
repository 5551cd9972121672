/* Values that travel to the plug-in: its working directory may be another, and its options are
 * lines. */
#include "cli/known_paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/fatal.h"
#include "names/path_set.h"

static const char *absolute(struct wm_arena *arena, const char *path)
{
	if (path[0] == '/' || path[0] == '\0')
		return path;
	char *directory = getcwd(NULL, 0);
	if (!directory)
		wm_fatal("cannot find the working directory; give '%s' as an absolute path", path);
	size_t bytes = strlen(directory) + strlen(path) + 2;
	char *result = wm_arena_alloc(arena, bytes, 1);
	snprintf(result, bytes, "%s/%s", directory, path);
	free(directory);
	return result;
}

/* Saved sets with absolute names, and items in one line. */
static const char *with_absolute_sets(struct wm_arena *arena, const char *paths)
{
	char *text, *next;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	char *first = strtok_r(wm_arena_copy_text(arena, paths), "\n,", &next);
	for (char *item = first; item; item = strtok_r(NULL, "\n,", &next)) {
		const char *word = item + strspn(item, " \t");
		bool saved = word[0] == '@';
		fprintf(out, "%s%s%s", item == first ? "" : ",", saved ? "@" : "",
			saved ? absolute(arena, word + 1) : item);
	}
	fclose(out);
	const char *copy = wm_arena_copy_text(arena, text);
	free(text);
	return copy;
}

static const char *in_one_line(struct wm_arena *arena, const char *paths)
{
	char *result = wm_arena_copy_text(arena, paths);
	for (char *end = result; (end = strchr(end, '\n'));)
		*end = ',';
	return result;
}

const char *wm_known_paths_value(struct wm_arena *arena, const char *option, const char *value)
{
	bool paths = !strcmp(option, "prefer") || !strcmp(option, "select") ||
		     !strcmp(option, "residual");
	if (!strcmp(option, "use") || !strcmp(option, "optimize") || !strcmp(option, "binary") ||
		(paths && wm_plugin_options_is_file(value)))
		return absolute(arena, value);
	if (paths && strchr(value, '@'))
		return with_absolute_sets(arena, value);
	return paths ? in_one_line(arena, value) : value;
}

static bool ends_with_one_of(const char *text, const char *const *endings, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(text) > strlen(endings[i]) &&
			!strcmp(text + strlen(text) - strlen(endings[i]), endings[i]))
			return true;
	return false;
}

#define LIST(list) list, sizeof list / sizeof *list

bool wm_known_paths_is_whole_program(int argument_count, char **arguments)
{
	static const char *const sources[] = {
		".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".i", ".ii", ".ll", ".bc"};
	static const char *const parts[] = {".o", ".a", ".so", ".lo"};
	int count = 0;
	for (int i = 0; i < argument_count; i++) {
		if (arguments[i][0] == '@' || ends_with_one_of(arguments[i], LIST(parts)))
			return false;
		count += arguments[i][0] != '-' && ends_with_one_of(arguments[i], LIST(sources));
	}
	return count == 1;
}

void wm_known_paths_check(const struct wm_plugin_options *options)
{
	struct wm_arena arena = {0};
	struct wm_path_set set;
	struct wm_error error;
	const char *name = options->prefer ? "prefer" : options->select ? "select" : "residual";
	const char *list = options->prefer   ? options->prefer
			   : options->select ? options->select
					     : options->residual;
	if (!list)
		return;
	if (wm_path_set_parse(&arena, list, &set, &error))
		wm_fatal_usage("--%s: %s", name, error.text);
	if (set.needs_profile && !options->use)
		wm_fatal_usage("--%s=%s asks for hot paths: name the profile that knows them with "
			       "--use=FILE.wmk",
			name, list);
	wm_arena_reset(&arena);
}
