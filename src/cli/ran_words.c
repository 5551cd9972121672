/* Words become samples, one profile at a time: what is kept of each are its paths. */
#include "cli/ran_words.h"

#include <string.h>

#include "cli/fatal.h"
#include "cli/find_profiles.h"
#include "cli/load.h"
#include "cli/stored_runs.h"
#include "profile/binary.h"
#include "profile/path_selection.h"

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
	const char *command;
	bool of_field; /* where sentinels are as good as counts */
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

/* Whether the profile has paths, or departures if these are asked for. */
static bool adds_paths(struct wm_ran_paths *ran, const char *label,
	const struct wm_profile *profile, const struct reading *reading)
{
	if (!reading->of_field)
		wm_load_refuse_sentinels(reading->command, profile);
	if (!reading->of_field && wm_path_selection_of(profile).selected > 0)
		wm_fatal("%s: only selected paths were counted in %s, so others would seem not to "
			 "have run; build with --profile=paths",
			reading->command, profile->file.path);
	if (wm_ran_paths_add_profile(ran, label, profile))
		return true;
	if (!wm_load_has_sentinels(profile))
		return false;
	wm_ran_paths_begin_profile(ran, label, profile);
	return true;
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
	} else if (!adds_paths(ran, wm_ran_words_label(&scratch, found->path), &profile, reading)) {
		if (found->named)
			wm_fatal("%s: no paths were counted; build with --profile=paths",
				found->path);
		reading->without_paths++;
	}
	wm_arena_reset(&scratch);
}

/* Without a word, the first that can be read is meant. */
static void add_found(struct wm_ran_paths *ran, const char *command,
	const struct wm_found_files *found, const char *binary, const char *kind)
{
	struct reading reading = {.command = command, .of_field = strcmp(kind, "field") == 0};
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

/* Runs of a store, and where they go. */
struct stored {
	struct wm_ran_paths *ran;
	const char *command;
	bool of_field;
};

/* One run of a store. */
static void add_stored(void *context, const struct wm_stored_runs *runs)
{
	const struct stored *stored = context;
	struct wm_ran_paths *ran = stored->ran;
	const struct wm_ran_sample sample = {.label = wm_ran_paths_label(ran, runs->label),
		.machine = runs->machine,
		.runs = runs->runs,
		.cut_short = runs->cut_short,
		.incomplete = runs->incomplete};
	bool any = false;
	for (size_t i = 0; i < runs->count; i++) {
		if (!stored->of_field)
			wm_load_refuse_sentinels(stored->command, &runs->profiles[i]);
		any |= wm_ran_paths_add_object(ran, &sample, &runs->profiles[i]) ||
		       wm_load_has_sentinels(&runs->profiles[i]);
	}
	if (any)
		wm_ran_paths_begin(ran, &sample);
}

static void add_store(
	struct wm_ran_paths *ran, const char *command, const char *place, const char *kind)
{
	size_t before = ran->samples;
	struct stored stored = {ran, command, strcmp(kind, "field") == 0};
	wm_stored_runs_each(command, place, kind, false, add_stored, &stored);
	if (ran->samples == before)
		wm_fatal("%s: %s: no paths were counted; build with --profile=paths", command,
			place);
}

/* Stores go to the end, so that the other words stand together; returns how many these are. */
static size_t part_words(struct wm_arena *arena, char **words, size_t count, char ***parted)
{
	size_t others = 0, stores = 0;
	*parted = wm_arena_alloc(arena, count + 1, sizeof **parted);
	for (size_t i = 0; i < count; i++)
		if (!wm_stored_runs_is_store(words[i]))
			(*parted)[others++] = words[i];
	for (size_t i = 0; i < count; i++)
		if (wm_stored_runs_is_store(words[i]))
			(*parted)[others + stores++] = words[i];
	return others;
}

struct wm_profile *wm_ran_words_profiles(struct wm_arena *arena, const char *command, char **words,
	size_t *count, const char *binary, const char *kind)
{
	char **parted;
	size_t others = part_words(arena, words, *count, &parted), loaded = others;
	struct wm_profile *profiles = NULL;
	if (others > 0 || *count == 0)
		profiles = wm_load_profiles(arena, command, parted, binary, &loaded);
	for (size_t i = 0; i < loaded && (others > 0 || *count == 0); i++)
		if (strcmp(kind, "field") != 0 || !wm_load_has_sentinels(&profiles[i]))
			wm_load_refuse_uncounted(command, &profiles[i]);
	for (size_t i = others; i < *count; i++) {
		struct wm_stored_runs all;
		wm_stored_runs_all(arena, command, parted[i], kind, &all);
		struct wm_profile *both = wm_arena_alloc(arena, loaded + all.count, sizeof *both);
		for (size_t k = 0; k < loaded; k++)
			both[k] = profiles[k];
		for (size_t k = 0; k < all.count; k++)
			both[loaded++] = all.profiles[k];
		profiles = both;
	}
	*count = loaded;
	return profiles;
}

void wm_ran_words_add(struct wm_ran_paths *ran, const char *command, char **words, size_t count,
	const char *binary, const char *kind)
{
	struct wm_found_files found;
	for (size_t i = 0; i < count; i++) {
		if (wm_ran_words_is_set(words[i])) {
			add_set(ran, words[i]);
			continue;
		}
		if (wm_stored_runs_is_store(words[i])) {
			add_store(ran, command, words[i], kind);
			continue;
		}
		wm_find_files(ran->arena, &words[i], 1, &found);
		add_found(ran, command, &found, binary, kind);
	}
	if (count > 0)
		return;
	wm_find_files(ran->arena, words, 0, &found);
	add_found(ran, command, &found, binary, kind);
}
