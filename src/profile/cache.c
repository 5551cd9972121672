/* A file is written beside its place and then renamed, so that nobody sees half of one and no lock
 * is needed. The time of its last change says when a file was used. */
#include "profile/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct used {
	char *path;
	time_t when;
	long nanoseconds;
	uint64_t bytes;
};

char *wm_cache_path(struct wm_arena *arena, const char *folder, const char *name)
{
	size_t bytes = strlen(folder) + strlen(name) + 2;
	char *path = wm_arena_alloc(arena, bytes, 1);
	snprintf(path, bytes, "%s/%s", folder, name);
	return path;
}

/* What the variable names, if its name is absolute: the plug-in may work in another directory. Its
 * options are lines. */
static const char *setting(const char *variable)
{
	const char *value = getenv(variable);
	return value && value[0] == '/' && !strchr(value, '\n') ? value : NULL;
}

bool wm_cache_is_chosen(void)
{
	const char *chosen = getenv("WAYMARK_CACHE");
	return chosen && chosen[0];
}

static const char *base_folder(struct wm_arena *arena)
{
	const char *cache = setting("XDG_CACHE_HOME"), *home = setting("HOME");
	if (getenv("WAYMARK_CACHE"))
		return setting("WAYMARK_CACHE");
	if (cache)
		return wm_cache_path(arena, cache, "waymark");
	return home ? wm_cache_path(arena, home, ".cache/waymark") : NULL;
}

static int no_base(struct wm_error *error)
{
	if (wm_cache_is_chosen())
		return wm_error_set(error, WM_ERROR_SYSTEM,
			"there is no cache: WAYMARK_CACHE is no absolute name");
	return wm_error_set(error, WM_ERROR_SYSTEM, "%s",
		getenv("WAYMARK_CACHE")
			? "there is no cache: WAYMARK_CACHE is empty"
			: "there is no cache: neither XDG_CACHE_HOME nor HOME names a folder");
}

static bool make_folders(char *path)
{
	enum { ONLY_OURS = 0700 };
	for (char *slash = path; (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		bool made = mkdir(path, ONLY_OURS) == 0 || errno == EEXIST;
		*slash = '/';
		if (!made)
			return false;
	}
	return mkdir(path, ONLY_OURS) == 0 || errno == EEXIST;
}

/* What another user could put there is not to be trusted. */
static const char *find_fault(const struct stat *status)
{
	if (!S_ISDIR(status->st_mode))
		return "it is no folder";
	if (status->st_uid != geteuid())
		return "it belongs to another user";
	return status->st_mode & (S_IWGRP | S_IWOTH) ? "other users may write to it" : NULL;
}

static int cannot(const char *what, const char *folder, struct wm_error *error)
{
	return wm_error_set(
		error, WM_ERROR_SYSTEM, "cannot %s '%s': %s", what, folder, strerror(errno));
}

int wm_cache_find(struct wm_arena *arena, const char *name, char **folder, struct wm_error *error)
{
	struct stat status;
	const char *base = base_folder(arena);
	if (!base)
		return no_base(error);
	*folder = wm_cache_path(arena, base, name);
	if (stat(*folder, &status) != 0 && errno == ENOENT)
		return wm_error_set(error, WM_ERROR_MISMATCH, "there is no '%s'", *folder);
	if (stat(*folder, &status) != 0)
		return cannot("read", *folder, error);
	const char *fault = find_fault(&status);
	return fault ? wm_error_set(error, WM_ERROR_INPUT, "'%s' is not used: %s", *folder, fault)
		     : 0;
}

int wm_cache_make(struct wm_arena *arena, const char *name, char **folder, struct wm_error *error)
{
	int status = wm_cache_find(arena, name, folder, error);
	if (status != WM_ERROR_MISMATCH)
		return status;
	return make_folders(*folder) ? wm_cache_find(arena, name, folder, error)
				     : cannot("make", *folder, error);
}

static int compare_by_use(const void *left, const void *right)
{
	const struct used *a = left, *b = right;
	if (a->when != b->when)
		return a->when < b->when ? 1 : -1;
	return (a->nanoseconds < b->nanoseconds) - (a->nanoseconds > b->nanoseconds);
}

/* The files, those that were used last first. */
static struct used *list_files(
	struct wm_arena *arena, const char *folder, const char *ending, size_t *count)
{
	DIR *directory = opendir(folder);
	struct used *files = NULL;
	size_t capacity = 0;
	*count = 0;
	for (struct dirent *entry; directory && (entry = readdir(directory));) {
		struct stat status;
		char *file = wm_cache_path(arena, folder, entry->d_name);
		if (!(ending ? strstr(entry->d_name, ending) != NULL : entry->d_name[0] != '.') ||
			lstat(file, &status) != 0)
			continue;
		files = wm_arena_grow(arena, files, *count, &capacity, sizeof *files);
		files[(*count)++] = (struct used){file, status.st_mtim.tv_sec,
			status.st_mtim.tv_nsec, (uint64_t)status.st_size};
	}
	if (directory)
		closedir(directory);
	if (*count)
		qsort(files, *count, sizeof *files, compare_by_use);
	return files;
}

uint64_t wm_cache_clean(
	struct wm_arena *arena, const char *folder, const struct wm_cache_limits *limits)
{
	size_t count;
	uint64_t bytes = 0;
	struct used *files = list_files(arena, folder, limits->ending, &count);
	time_t oldest = time(NULL) - limits->age;
	bool full = false;
	for (size_t i = 0; i < count; i++) {
		full |= i >= limits->files || files[i].when < oldest ||
			files[i].bytes > limits->bytes - bytes;
		if (full)
			unlink(files[i].path);
		else
			bytes += files[i].bytes;
	}
	return bytes;
}

static int write_all(int descriptor, const void *bytes, size_t count)
{
	for (size_t done = 0; done < count;) {
		ssize_t written = write(descriptor, (const char *)bytes + done, count - done);
		if (written < 0 && errno != EINTR)
			return -1;
		done += written > 0 ? (size_t)written : 0;
	}
	return 0;
}

/* Returns 0, or -1 with errno set. */
static int write_file(const char *path, const void *bytes, size_t count, int descriptor)
{
	int written = write_all(descriptor, bytes, count);
	int reason = errno;
	if (close(descriptor) == 0 && written == 0)
		return 0;
	errno = written != 0 ? reason : errno;
	reason = errno;
	unlink(path);
	errno = reason;
	return -1;
}

int wm_cache_store(struct wm_arena *arena, const char *path, const void *bytes, size_t count,
	struct wm_error *error)
{
	size_t length = strlen(path);
	char *unfinished = wm_arena_alloc(arena, length + sizeof ".XXXXXX", 1);
	snprintf(unfinished, length + sizeof ".XXXXXX", "%s.XXXXXX", path);
	int descriptor = mkstemp(unfinished);
	if (descriptor >= 0 && write_file(unfinished, bytes, count, descriptor) == 0) {
		if (rename(unfinished, path) == 0)
			return 0;
		int reason = errno;
		unlink(unfinished);
		errno = reason;
	}
	return wm_error_set(error, WM_ERROR_SYSTEM, "cannot write '%s': %s", path, strerror(errno));
}

void wm_cache_keep(const char *path)
{
	utimensat(AT_FDCWD, path, NULL, 0);
}
