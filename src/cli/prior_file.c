/* Resolving a profile once for all compilations of a build.
 *
 * The name of the file in the cache is a hash of all that it is made from: the profile's head,
 * which changes with each run, and the identities of profile and program. So a file that is there
 * is right, whoever made it, and a later run or another program means another file. What may yet
 * change without a trace is not kept: the counts of a program that runs, and what the system
 * refused. */
#define _GNU_SOURCE /* memfd_create */
#include "cli/prior_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/fatal.h"
#include "profile/binary.h"
#include "profile/cache.h"
#include "profile/prior.h"

static const char folder_name[] = "priors";
static const char ending[] = ".prior"; /* what is half made has a random one behind it */

enum { DAY = 24 * 60 * 60, MAX_AGE = 14 * DAY, MAX_FILES = 64 };

/* What the file is made from. */
struct origin {
	struct wm_path_set set; /* of hot paths */
	uint64_t key;
	bool known; /* the key stands for all of it */
};

static uint64_t add_bytes(uint64_t hash, const void *bytes, size_t count)
{
	const uint64_t words[] = {wm_description_hash(bytes, count), count};
	return wm_file_hash_words(hash, words, 2);
}

static uint64_t add_text(uint64_t hash, const char *text)
{
	return add_bytes(hash, text ? text : "", text ? strlen(text) : 0);
}

/* What changes when a file is written, replaced or renamed. */
static uint64_t add_identity(uint64_t hash, const struct stat *status)
{
	const uint64_t words[] = {status->st_dev, status->st_ino, (uint64_t)status->st_size,
		(uint64_t)status->st_mtim.tv_sec, (uint64_t)status->st_mtim.tv_nsec,
		(uint64_t)status->st_ctim.tv_sec, (uint64_t)status->st_ctim.tv_nsec};
	return wm_file_hash_words(hash, words, sizeof words / sizeof *words);
}

/* Reads the head of the profile and its identity; false if it is no profile. */
static bool read_head(const char *path, struct wm_file_header *head, struct stat *status)
{
	int descriptor = open(path, O_RDONLY | O_CLOEXEC);
	if (descriptor < 0)
		return false;
	bool read = fstat(descriptor, status) == 0 && S_ISREG(status->st_mode) &&
		    pread(descriptor, head, sizeof *head, 0) == sizeof *head;
	close(descriptor);
	return read && head->identity_checksum == wm_file_identity_checksum(head) &&
	       memchr(head->object_path, '\0', sizeof head->object_path);
}

/* Paths are part of the key because errors name them. */
static void find_key(const struct wm_plugin_options *options, struct origin *origin)
{
	struct wm_file_header head;
	struct stat profile, program;
	uint64_t hash = add_text(WM_HASH_START, WM_PRIOR_MAGIC);
	if (!read_head(options->use, &head, &profile))
		return;
	if (stat(options->binary ? options->binary : head.object_path, &program) != 0)
		memset(&program, 0, sizeof program); /* what was kept of it is the same for ever */
	hash = add_text(hash, options->use);
	hash = add_text(hash, options->binary);
	hash = add_bytes(hash, &head, sizeof head);
	hash = add_identity(add_identity(hash, &profile), &program);
	for (size_t i = 0; i < origin->set.item_count; i++)
		if (origin->set.items[i].kind == WM_PATH_ITEM_HOT)
			hash = add_bytes(hash, &origin->set.items[i].percent, sizeof(double));
	origin->key = hash;
	origin->known = true;
}

static void find_origin(
	struct wm_arena *arena, const struct wm_plugin_options *options, struct origin *origin)
{
	struct wm_error error;
	const char *list = options->prefer ? options->prefer : options->select;
	*origin = (struct origin){0};
	if (list && wm_path_set_parse(arena, list, &origin->set, &error))
		wm_fatal_usage("%s", error.text);
	find_key(options, origin);
}

/* Whether the cache has it. */
static bool is_made(const char *path, uint64_t key)
{
	struct wm_arena scratch = {0};
	struct wm_prior prior;
	struct wm_error error;
	bool made = wm_prior_load(&scratch, path, &prior, &error) == 0 && prior.key == key;
	wm_arena_reset(&scratch);
	return made;
}

/* Solves the profile. False if what it tells may change. */
static bool resolve(struct wm_arena *arena, const struct wm_plugin_options *options,
	struct wm_path_set *set, struct wm_prior_content *content)
{
	struct wm_file counts;
	struct wm_profile profile;
	struct wm_error error;
	int status = wm_file_read(arena, options->use, &counts, &error);
	bool settled = status == 0 && counts.running == 0;
	if (status == 0)
		status = wm_profile_make(arena, &counts, options->binary, &profile, &error);
	if (status == WM_ERROR_MISMATCH)
		wm_binary_ask(&error, "--binary");
	if (status == 0)
		wm_profile_tell(arena, &profile, set, content);
	else
		*content =
			(struct wm_prior_content){.failure = wm_arena_copy_text(arena, error.text)};
	return settled && status != WM_ERROR_SYSTEM && status != WM_ERROR_MISMATCH &&
	       (status < 0 || profile.lost_count == 0);
}

/* A file without a name, which the programs that this process becomes find among its open ones. */
static const char *put_in_memory(struct wm_arena *arena, const uint8_t *bytes, size_t count)
{
	enum { PATH_BYTES = 32 };
	char *path = wm_arena_alloc(arena, PATH_BYTES, 1);
	int descriptor = memfd_create("waymark-prior", 0);
	for (size_t done = 0; descriptor >= 0 && done < count;) {
		ssize_t written = write(descriptor, bytes + done, count - done);
		if (written < 0 && errno != EINTR)
			descriptor = -1;
		done += written > 0 ? (size_t)written : 0;
	}
	if (descriptor < 0)
		wm_fatal("no file in memory can be made: %s; let WAYMARK_CACHE name a folder for "
			 "what is known of profiles",
			strerror(errno));
	snprintf(path, PATH_BYTES, "/proc/self/fd/%d", descriptor);
	return path;
}

/* Where the cache has it, or is to have it; NULL if there is no cache. */
static const char *find_place(struct wm_arena *arena, uint64_t key)
{
	enum { KEY_DIGITS = 16 };
	char *folder, name[KEY_DIGITS + sizeof ending];
	struct wm_error ignored;
	if (wm_cache_make(arena, folder_name, &folder, &ignored) < 0)
		return NULL;
	snprintf(name, sizeof name, "%016" PRIx64 "%s", key, ending);
	return wm_cache_path(arena, folder, name);
}

static bool store(struct wm_arena *scratch, const char *path, const uint8_t *bytes, size_t count)
{
	static const struct wm_cache_limits limits = {
		.ending = ending, .files = MAX_FILES, .bytes = UINT64_MAX, .age = MAX_AGE};
	struct wm_error ignored;
	if (wm_cache_store(scratch, path, bytes, count, &ignored) < 0)
		return false;
	char *folder = wm_arena_copy_text(scratch, path);
	*strrchr(folder, '/') = '\0';
	wm_cache_clean(scratch, folder, &limits);
	return true;
}

const char *wm_prior_file(struct wm_arena *arena, const struct wm_plugin_options *options)
{
	struct wm_arena scratch = {0};
	struct wm_prior_content content;
	struct origin origin;
	const char *path = NULL;
	size_t count;
	find_origin(&scratch, options, &origin);
	if (origin.known)
		path = find_place(arena, origin.key);
	if (path && is_made(path, origin.key)) {
		wm_cache_keep(path);
	} else {
		bool settled = resolve(&scratch, options, &origin.set, &content);
		const uint8_t *bytes = wm_prior_encode(&scratch, origin.key, &content, &count);
		if (!path || !settled || !store(&scratch, path, bytes, count))
			path = put_in_memory(arena, bytes, count);
	}
	wm_arena_reset(&scratch);
	return path;
}
