/* Profiles twice: added up by program, for lines; and one by one, for paths and labels. */
#include "cli/cover_runs.h"

#include <stdio.h>
#include <string.h>

#include "cli/fatal.h"
#include "cli/find_profiles.h"
#include "cli/load.h"
#include "cli/ran_words.h"
#include "cli/stored_runs.h"
#include "profile/objects.h"
#include "report/path_view.h"

static void refuse_sets(const char *command, char **words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (wm_ran_words_is_set(words[i]))
			wm_fatal_usage("%s: '%s' is a set of paths, which tells nothing of lines; "
				       "name profiles, or their folder",
				command, words[i]);
}

void wm_cover_runs_read(struct wm_arena *arena, const char *command, char **words, size_t count,
	const char *binary, struct wm_cover_runs *runs)
{
	bool paths = true;
	refuse_sets(command, words, count);
	*runs = (struct wm_cover_runs){.profile_count = count};
	runs->profiles =
		wm_ran_words_profiles(arena, command, words, &runs->profile_count, binary, "test");
	for (size_t i = 0; i < runs->profile_count; i++) {
		runs->runs += runs->profiles[i].file.runs;
		runs->cut_short += runs->profiles[i].file.cut_short;
		paths &= wm_path_view_has_paths(&runs->profiles[i]);
	}
	if (!paths)
		return;
	runs->paths = wm_arena_alloc(arena, 1, sizeof *runs->paths);
	*runs->paths = wm_ran_paths_start(arena);
	wm_ran_words_add(runs->paths, command, words, count, binary, "test");
}

struct taking {
	const char *command;
	void (*take)(void *context, const char *label, const struct wm_profile *profiles,
		size_t profile_count);
	void *context;
};

static void take_stored(void *context, const struct wm_stored_runs *runs)
{
	const struct taking *taking = context;
	taking->take(taking->context, runs->label, runs->profiles, runs->count);
}

static void take_files(char **words, size_t count, const char *binary, const struct taking *taking)
{
	struct wm_arena arena = {0};
	struct wm_found_files found;
	wm_find_files(&arena, words, count, &found);
	for (size_t i = 0; i < found.count; i++) {
		struct wm_arena scratch = {0};
		struct wm_error error;
		struct wm_file file;
		struct wm_profile profile;
		const char *path = found.files[i].path;
		const char *program = binary ? binary : found.files[i].binary;
		bool read = wm_file_read(&scratch, path, &file, &error) == 0 &&
			    wm_profile_make(&scratch, &file, program, &profile, &error) == 0;
		if (read)
			wm_load_refuse_uncounted(taking->command, &profile);
		if (read)
			taking->take(
				taking->context, wm_ran_words_label(&scratch, path), &profile, 1);
		else if (found.files[i].named)
			wm_fatal("%s", error.text);
		wm_arena_reset(&scratch);
		if (read && found.first_only)
			break;
	}
	wm_arena_reset(&arena);
}

void wm_cover_runs_each(const char *command, char **words, size_t count, const char *binary,
	void (*take)(void *context, const char *label, const struct wm_profile *profiles,
		size_t profile_count),
	void *context)
{
	struct taking taking = {command, take, context};
	refuse_sets(command, words, count);
	for (size_t i = 0; i < count; i++) {
		if (wm_stored_runs_is_store(words[i]))
			wm_stored_runs_each(command, words[i], "test", true, take_stored, &taking);
		else
			take_files(&words[i], 1, binary, &taking);
	}
	if (count == 0)
		take_files(words, 0, binary, &taking);
}

const char *wm_cover_runs_programs(struct wm_arena *arena, const struct wm_cover_runs *runs)
{
	const char *first = wm_profile_object_name(runs->profiles[0].object.path);
	size_t bytes = strlen(first) + 40;
	char *text = wm_arena_alloc(arena, bytes, 1);
	if (runs->profile_count == 1)
		return first;
	snprintf(text, bytes, "%s and %zu other program%s", first, runs->profile_count - 1,
		runs->profile_count == 2 ? "" : "s");
	return text;
}
