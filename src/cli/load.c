/* Files of one build become one; then each is joined with its program. */
#include "cli/load.h"

#include <stdbool.h>

#include "cli/fatal.h"
#include "cli/find_profiles.h"
#include "profile/binary.h"
#include "profile/objects.h"
#include "profile/tally.h"

void wm_load_file(struct wm_arena *arena, const char *path, struct wm_file *file)
{
	struct wm_error error;
	if (wm_file_read(arena, path, file, &error) < 0)
		wm_fatal("%s", error.text);
}

/* A warning for each library of which nothing is known. */
static void warn_of_lost(const struct wm_profile *profile)
{
	for (uint32_t i = 0; i < profile->lost_count; i++)
		wm_warn("%s", profile->lost[i]);
}

static int make(struct wm_arena *arena, const struct wm_file *file, const char *binary,
	const char *option, struct wm_profile *profile, struct wm_error *error)
{
	int status = wm_profile_make(arena, file, binary, profile, error);
	if (status == WM_ERROR_MISMATCH)
		wm_binary_ask(error, option);
	return status;
}

void wm_load_profile_of(struct wm_arena *arena, const struct wm_file *file, const char *binary,
	const char *option, struct wm_profile *profile)
{
	struct wm_error error;
	if (make(arena, file, binary, option, profile, &error) < 0)
		wm_fatal("%s", error.text);
	warn_of_lost(profile);
}

void wm_load_choose_object(struct wm_arena *arena, const char *command, struct wm_profile *profile,
	const char *pattern)
{
	struct wm_error error;
	if (pattern && wm_profile_choose(arena, profile, pattern, &error) < 0)
		wm_fatal("%s: %s", command, error.text);
}

/* Profiles that are being read: a file per build, and the program of each. */
struct loader {
	struct wm_arena *arena;
	size_t count;
	struct wm_file *files;
	const char **binaries;
	size_t left_out;
	struct wm_error reason; /* why the last one was */
};

static void leave_out(struct loader *loader, const struct wm_error *reason)
{
	loader->left_out++;
	loader->reason = *reason;
}

static void read_one(struct loader *loader, const struct wm_found_file *found, const char *binary)
{
	struct wm_error error;
	struct wm_file *file = &loader->files[loader->count];
	if (found->named)
		wm_load_file(loader->arena, found->path, file);
	else if (wm_file_read(loader->arena, found->path, file, &error) < 0) {
		leave_out(loader, &error);
		return;
	}
	size_t same = 0;
	while (same < loader->count &&
		!wm_build_id_equal(&loader->files[same].build_id, &file->build_id))
		same++;
	if (same < loader->count && wm_file_add(&loader->files[same], file, &error) < 0)
		wm_fatal("%s", error.text);
	loader->binaries[same] = binary			 ? binary
				 : same == loader->count ? found->binary
							 : loader->binaries[same];
	loader->count += same == loader->count;
}

/* A program may be gone; then its files are left out, if there are others. */
static bool join_one(struct loader *loader, size_t index, struct wm_profile *profile)
{
	struct wm_error error;
	if (make(loader->arena, &loader->files[index], loader->binaries[index], "--binary", profile,
		    &error) == 0) {
		warn_of_lost(profile);
		return true;
	}
	leave_out(loader, &error);
	return false;
}

static void tell_left_out(const struct loader *loader, size_t kept)
{
	if (kept == 0)
		wm_fatal("%s", loader->reason.text);
	if (loader->left_out == 1)
		wm_warn("left out: %s", loader->reason.text);
	if (loader->left_out > 1)
		wm_warn("%zu profiles are left out, such as: %s", loader->left_out,
			loader->reason.text);
}

/* One after another, until one can be read. */
static size_t load_first(struct loader *loader, const struct wm_found_files *found,
	const char *binary, struct wm_profile *profile)
{
	for (size_t i = 0; i < found->count; i++) {
		loader->count = 0;
		read_one(loader, &found->files[i], binary);
		if (loader->count == 1 && join_one(loader, 0, profile))
			return 1;
	}
	return 0;
}

static size_t load_all(struct loader *loader, const struct wm_found_files *found,
	const char *command, const char *binary, struct wm_profile *profiles)
{
	size_t kept = 0;
	for (size_t i = 0; i < found->count; i++)
		read_one(loader, &found->files[i], binary);
	if (binary && loader->count > 1)
		wm_fatal_usage("%s: --binary names one program, but the files are of %zu", command,
			loader->count);
	for (size_t i = 0; i < loader->count; i++)
		kept += join_one(loader, i, &profiles[kept]);
	return kept;
}

struct wm_profile *wm_load_profiles(struct wm_arena *arena, const char *command, char **words,
	const char *binary, size_t *count)
{
	struct wm_found_files found;
	wm_find_files(arena, words, *count, &found);
	struct loader loader = {.arena = arena,
		.files = wm_arena_alloc(arena, found.count, sizeof *loader.files),
		.binaries = wm_arena_alloc(arena, found.count, sizeof *loader.binaries)};
	struct wm_profile *profiles = wm_arena_alloc(arena, found.count, sizeof *profiles);
	*count = found.first_only ? load_first(&loader, &found, binary, profiles)
				  : load_all(&loader, &found, command, binary, profiles);
	tell_left_out(&loader, *count);
	return profiles;
}

void wm_load_refuse_sums(const char *command, const struct wm_profile *profile)
{
	if (wm_tally_is_sums(profile))
		wm_fatal("%s: '%s' holds running sums of events only: waymark count shows them",
			command, profile->file.path);
}
