/* A file for each build, named by its build-id. Links run side by side: files are renamed into
 * place, and a file `.total` beside them, which is locked, has the bytes that were written since
 * the folder was last looked through. So most links look at no file but their own. What others have
 * removed meanwhile counts until then. */
#define _GNU_SOURCE /* locks of open files */
#include "profile/builds.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "profile/cache.h"
#include "profile/kept.h"

static const char folder_name[] = "kept";
static const uint64_t default_size = (uint64_t)1 << 30;

enum { LOCK_ATTEMPTS = 500, PAUSE_NANOSECONDS = 1000000 };

/* WAYMARK_CACHE_SIZE: a number, perhaps with K, M or G. */
static int find_size(uint64_t *size, struct wm_error *error)
{
	static const char units[] = "KMG";
	const char *value = getenv("WAYMARK_CACHE_SIZE");
	char *end;
	*size = default_size;
	if (!value || !value[0])
		return 0;
	errno = 0;
	*size = strtoull(value, &end, 10);
	const char *unit = *end ? strchr(units, *end) : NULL;
	unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
	if (value[0] < '0' || value[0] > '9' || errno || (*end && (!unit || end[1])) ||
		*size > UINT64_MAX >> shift)
		return wm_error_set(error, WM_ERROR_INPUT,
			"WAYMARK_CACHE_SIZE='%s' is no size such as 500M", value);
	*size <<= shift;
	return 0;
}

/* Waits for half a second: a stopped process must not hold up a build. */
static bool lock(int descriptor)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	const struct timespec pause = {0, PAUSE_NANOSECONDS};
	for (int attempt = 0; attempt < LOCK_ATTEMPTS; attempt++) {
		if (fcntl(descriptor, F_OFD_SETLK, &whole) == 0)
			return true;
		if (errno != EAGAIN && errno != EACCES && errno != EINTR)
			return false;
		nanosleep(&pause, NULL);
	}
	return false;
}

/* What is looked through has some room afterwards, so that it is not at the next link. */
static uint64_t clean(struct wm_arena *arena, const char *folder, uint64_t size)
{
	const struct wm_cache_limits limits = {
		.files = UINT64_MAX, .bytes = size / 8 * 7, .age = INT32_MAX};
	return wm_cache_clean(arena, folder, &limits);
}

static void make_room(struct wm_arena *arena, const char *folder, uint64_t added, uint64_t size)
{
	uint64_t total = 0;
	int descriptor =
		open(wm_cache_path(arena, folder, ".total"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (descriptor < 0)
		return;
	if (lock(descriptor)) {
		if (pread(descriptor, &total, sizeof total, 0) != sizeof total)
			total = size; /* nobody knows: look */
		total = total > size - added ? clean(arena, folder, size) : total + added;
		(void)!pwrite(descriptor, &total, sizeof total, 0);
	}
	close(descriptor);
}

static char *file_of(struct wm_arena *arena, const char *folder, const struct wm_build_id *build_id)
{
	return wm_cache_path(arena, folder, wm_build_id_text(build_id).text);
}

static int keep(struct wm_arena *arena, const struct wm_build_id *build_id,
	const struct wm_bytes *record, struct wm_error *error)
{
	char *folder;
	uint64_t size;
	int status = find_size(&size, error);
	if (status < 0)
		return status;
	if (record->count > size)
		return 0;
	status = wm_cache_make(arena, folder_name, &folder, error);
	if (status < 0) /* a folder that nobody has asked for may be missing */
		return status == WM_ERROR_INPUT || wm_cache_is_chosen() ? status : 0;
	make_room(arena, folder, record->count, size);
	return wm_cache_store(
		arena, file_of(arena, folder, build_id), record->data, record->count, error);
}

int wm_builds_keep(const char *path, struct wm_error *error)
{
	struct wm_arena arena = {0};
	struct wm_build_id build_id;
	struct wm_bytes record;
	struct wm_error not_counted;
	int status = 0;
	if (wm_kept_make(&arena, path, &build_id, &record, &not_counted) == 0)
		status = keep(&arena, &build_id, &record, error);
	wm_arena_reset(&arena);
	return status;
}

/* The whole file, in the arena. Returns 0, or -1 with errno set. */
static int slurp(struct wm_arena *arena, const char *path, struct wm_bytes *bytes)
{
	struct stat status;
	int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (descriptor < 0)
		return -1;
	size_t done = 0;
	if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) {
		uint8_t *data = wm_arena_alloc_unset(arena, (size_t)status.st_size + 1, 1);
		for (ssize_t got = 1; got > 0; done += got > 0 ? (size_t)got : 0)
			got = read(descriptor, data + done, (size_t)status.st_size - done);
		*bytes = (struct wm_bytes){data, done};
	}
	close(descriptor);
	return 0;
}

static int read_file(struct wm_arena *arena, const char *file, const char *path,
	struct wm_object *object, struct wm_error *error)
{
	struct wm_bytes record = {.data = NULL};
	struct wm_error reason;
	if (slurp(arena, file, &record) != 0)
		return wm_error_set(error, errno == ENOENT ? WM_ERROR_MISMATCH : WM_ERROR_SYSTEM,
			"cannot read '%s': %s", file, strerror(errno));
	int status = wm_kept_read(arena, &record, path, object, &reason);
	if (status < 0)
		return wm_error_set(error, status, "'%s' is not used: %.400s", file, reason.text);
	wm_cache_keep(file);
	return 0;
}

int wm_builds_read(struct wm_arena *arena, const struct wm_build_id *build_id, const char *path,
	struct wm_object *object, struct wm_error *error)
{
	char *folder;
	int status = wm_cache_find(arena, folder_name, &folder, error);
	if (status == 0)
		status = read_file(arena, file_of(arena, folder, build_id), path, object, error);
	if (status == WM_ERROR_MISMATCH)
		return wm_error_set(error, status, "nothing is kept of that build in '%s'", folder);
	return status;
}
