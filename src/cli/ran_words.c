/* Words become samples, one profile at a time: what is kept of each are its paths. */
#include "cli/ran_words.h"

#include <string.h>

#include "cli/fatal.h"
#include "cli/find_profiles.h"
#include "profile/binary.h"

bool wm_ran_words_is_set(const char *word)
{
	size_t length = strlen(word), ending = strlen(WM_PATH_SET_FILE_ENDING);
	return word[0] == '@' ||
	       (length > ending && strcmp(word + length - ending, WM_PATH_SET_FILE_ENDING) == 0);
}

const char *wm_ran_words_label(struct wm_arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *label = wm_arena_copy_text(arena, slash ? slash + 1 : path);
	char *dot = strrchr(label, '.');
	if (dot && dot > label)
		*dot = '\0';
	return label;
}

static void add_set(struct wm_ran_paths *ran, const char *word)
{
	struct wm_arena scratch = {0};
	struct wm_saved_paths saved;
	struct wm_error error;
	const char *path = word + (word[0] == '@');
	if (wm_saved_paths_read(&scratch, path, &saved, &error) < 0)
		wm_fatal("%s", error.text);
	wm_ran_paths_add_saved(ran, wm_ran_words_label(&scratch, path), &saved);
	wm_arena_reset(&scratch);
}

struct reading {
	size_t left_out;
	size_t without_paths;
	struct wm_error reason;
};

static int read_profile(struct wm_arena *scratch, const struct wm_found_file *found,
	const char *binary, struct wm_profile *profile, struct wm_error *error)
{
	struct wm_file file;
	int status = wm_file_read(scratch, found->path, &file, error);
	if (status == 0)
		status = wm_profile_make(
			scratch, &file, binary ? binary : found->binary, profile, error);
	if (status == WM_ERROR_MISMATCH)
		wm_binary_ask(error, "--binary");
	return status;
}

static void add_profile(struct wm_ran_paths *ran, const struct wm_found_file *found,
	const char *binary, struct reading *reading)
{
	struct wm_arena scratch = {0};
	struct wm_profile profile;
	struct wm_error error;
	if (read_profile(&scratch, found, binary, &profile, &error) < 0) {
		if (found->named)
			wm_fatal("%s", error.text);
		reading->left_out++;
		reading->reason = error;
	} else if (!wm_ran_paths_add_profile(
			   ran, wm_ran_words_label(&scratch, found->path), &profile)) {
		if (found->named)
			wm_fatal("%s: no paths were counted; build with --profile=paths",
				found->path);
		reading->without_paths++;
	}
	wm_arena_reset(&scratch);
}

/* Without a word, the first that can be read is meant. */
static void add_found(struct wm_ran_paths *ran, const char *command,
	const struct wm_found_files *found, const char *binary)
{
	struct reading reading = {0};
	size_t before = ran->samples;
	for (size_t i = 0; i < found->count; i++)
		if (!found->first_only || ran->samples == before)
			add_profile(ran, &found->files[i], binary, &reading);
	if (ran->samples == before && reading.left_out > 0)
		wm_fatal("%s", reading.reason.text);
	if (ran->samples == before)
		wm_fatal("%s: no paths were counted; build with --profile=paths", command);
	if (reading.left_out > 0)
		wm_warn("%zu profile%s left out, such as: %s", reading.left_out,
			reading.left_out == 1 ? " is" : "s are", reading.reason.text);
	if (reading.without_paths > 0)
		wm_warn("%zu profile%s left out: no paths were counted", reading.without_paths,
			reading.without_paths == 1 ? " is" : "s are");
}

void wm_ran_words_add(struct wm_ran_paths *ran, const char *command, char **words, size_t count,
	const char *binary)
{
	struct wm_found_files found;
	for (size_t i = 0; i < count; i++) {
		if (wm_ran_words_is_set(words[i])) {
			add_set(ran, words[i]);
			continue;
		}
		wm_find_files(ran->arena, &words[i], 1, &found);
		add_found(ran, command, &found, binary);
	}
	if (count > 0)
		return;
	wm_find_files(ran->arena, words, 0, &found);
	add_found(ran, command, &found, binary);
}
