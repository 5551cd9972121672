/* Files of one build become one; then each is joined with its program. */
#include "cli/load.h"

#include <stdbool.h>

#include "cli/fatal.h"
#include "cli/find_profiles.h"
#include "cli/load_traced.h"
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

/* By what a file is known again. */
struct seen {
	const char *path;
	struct wm_build_id build_id;
	uint64_t hash; /* of all counts */
	uint64_t runs;
	uint32_t owner_count;
	const struct wm_file_owner *owners;
	bool is_packed;
};

/* Profiles that are being read: a file per build, and the program of each. */
struct loader {
	struct wm_arena *arena;
	size_t count;
	struct wm_file *files;
	const char **binaries;
	size_t left_out;
	struct wm_error reason; /* why the last one was */
	size_t seen_count;
	struct seen *seen;
};

static void leave_out(struct loader *loader, const struct wm_error *reason)
{
	loader->left_out++;
	loader->reason = *reason;
}

static struct seen look_at(const struct wm_file *file)
{
	uint64_t hash = wm_file_hash_words(WM_HASH_START, file->counter, file->counter_count);
	for (uint64_t i = 0; i < file->entry_count; i++) {
		const uint64_t entry[] = {
			file->entries[i].counter, file->entries[i].key, file->entries[i].count};
		hash = wm_file_hash_words(hash, entry, 3);
	}
	for (uint32_t i = 0; i < file->library_count; i++)
		hash = wm_file_hash_words(
			hash, file->libraries[i].counter, file->libraries[i].counter_count);
	return (struct seen){.path = file->path,
		.build_id = file->build_id,
		.hash = hash,
		.runs = file->runs,
		.owner_count = file->owner_count,
		.owners = file->owners,
		.is_packed = file->packed.count > 0};
}

/* Runs of one program may count the same. The processes tell them apart; a file that was packed has
 * none any more. */
static bool is_copy(const struct seen *one, const struct seen *other)
{
	if (one->hash != other->hash || one->runs != other->runs ||
		!wm_build_id_equal(&one->build_id, &other->build_id))
		return false;
	if (one->is_packed != other->is_packed)
		return true;
	if (one->owner_count == 0 || one->owner_count != other->owner_count)
		return false;
	for (uint32_t i = 0; i < one->owner_count; i++)
		if (!wm_owner_equal(&one->owners[i].owner, &other->owners[i].owner))
			return false;
	return true;
}

/* Of files that nobody named: a copy is not counted twice. */
static bool is_known(struct loader *loader, const struct wm_file *file)
{
	struct seen now = look_at(file);
	for (size_t i = 0; i < loader->seen_count; i++) {
		if (!is_copy(&now, &loader->seen[i]))
			continue;
		wm_warn("%s has the same runs as %s: left out", file->path, loader->seen[i].path);
		return true;
	}
	loader->seen[loader->seen_count++] = now;
	return false;
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
	if (!found->named && is_known(loader, file))
		return;
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
		loader->count = loader->seen_count = 0;
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
	struct wm_profile *traced = wm_load_traced(arena, command, words, *count, binary);
	if (traced) {
		*count = 1;
		return traced;
	}
	wm_find_files(arena, words, *count, &found);
	struct loader loader = {.arena = arena,
		.files = wm_arena_alloc(arena, found.count, sizeof *loader.files),
		.binaries = wm_arena_alloc(arena, found.count, sizeof *loader.binaries),
		.seen = wm_arena_alloc(arena, found.count, sizeof *loader.seen)};
	struct wm_profile *profiles = wm_arena_alloc(arena, found.count, sizeof *profiles);
	*count = found.first_only ? load_first(&loader, &found, binary, profiles)
				  : load_all(&loader, &found, command, binary, profiles);
	tell_left_out(&loader, *count);
	return profiles;
}

bool wm_load_has_sentinels(const struct wm_profile *profile)
{
	for (uint32_t i = 0; i < profile->function_count; i++)
		if (profile->functions[i].function->sentinels)
			return true;
	return false;
}

void wm_load_refuse_sentinels(const char *command, const struct wm_profile *profile)
{
	if (wm_load_has_sentinels(profile))
		wm_fatal("%s: in %s only departures from tested paths were watched: `waymark "
			 "residual` shows them; build with --residual-by=history for counts",
			command, profile->file.path);
}

enum wm_quantity wm_load_counted_instead(const struct wm_profile *profile)
{
	enum wm_quantity quantity = WM_QUANTITY_BLOCKS;
	for (uint32_t i = 0; i < profile->function_count; i++) {
		const struct wm_profile_function *function = &profile->functions[i];
		const struct wm_section *section = wm_function_measured(function->function);
		if (function->block || function->paths)
			return WM_QUANTITY_BLOCKS;
		if (section)
			quantity = section->measure.quantity;
	}
	return quantity;
}

void wm_load_refuse_uncounted(const char *command, const struct wm_profile *profile)
{
	const char *path = profile->file.path;
	wm_load_refuse_sentinels(command, profile);
	if (wm_tally_is_sums(profile))
		wm_fatal("%s: '%s' holds running sums of events only: waymark count shows them",
			command, path);
	switch (wm_load_counted_instead(profile)) {
	case WM_QUANTITY_CONTEXT:
		wm_fatal("%s: only calls by context were counted in %s: `waymark tree` shows them; "
			 "build with --profile=edges+context for both",
			command, path);
	case WM_QUANTITY_TRACE:
		wm_fatal("%s: nothing was counted in %s, because its build recorded the order of "
			 "execution: `waymark trace` shows that; build with --profile=paths for "
			 "counts",
			command, path);
	default:
		break;
	}
}
