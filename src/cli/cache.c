/* A folder of files by name. Each is written beside its place and then renamed, so that nobody sees
 * half of one and no lock is needed. The time of its last change says when a file was used. */
#include "cli/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char folder_name[] = "priors";
static const char ending[] = ".prior"; /* what is half made has a random one behind it */

enum { DAY = 24 * 60 * 60, MAX_AGE = 14 * DAY, MAX_FILES = 64 };

struct used {
	char *path;
	time_t when;
};

static char *join(struct wm_arena *arena, const char *folder, const char *name)
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

static const char *base_folder(struct wm_arena *arena)
{
	const char *cache = setting("XDG_CACHE_HOME"), *home = setting("HOME");
	if (getenv("WAYMARK_CACHE"))
		return setting("WAYMARK_CACHE");
	if (cache)
		return join(arena, cache, "waymark");
	return home ? join(arena, home, ".cache/waymark") : NULL;
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

char *wm_cache_path(struct wm_arena *arena, const char *name)
{
	struct stat status;
	const char *base = base_folder(arena);
	char *folder = base ? join(arena, base, folder_name) : NULL;
	if (!folder || (stat(folder, &status) != 0 && !make_folders(folder)))
		return NULL;
	/* What another user could put there is not to be trusted. */
	if (stat(folder, &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != geteuid())
		return NULL;
	char *path = wm_arena_alloc(arena, strlen(folder) + strlen(name) + sizeof ending + 1, 1);
	sprintf(path, "%s/%s%s", folder, name, ending);
	return path;
}

static int compare_by_use(const void *left, const void *right)
{
	const struct used *a = left, *b = right;
	return (a->when < b->when) - (a->when > b->when);
}

/* Removes the files that were not used for long, and of the others all but the last ones. */
static void clean(struct wm_arena *arena, const char *path)
{
	char *folder = wm_arena_copy_text(arena, path);
	*strrchr(folder, '/') = '\0';
	DIR *directory = opendir(folder);
	struct used *files = NULL;
	size_t count = 0, capacity = 0;
	for (struct dirent *entry; directory && (entry = readdir(directory));) {
		struct stat status;
		char *file = join(arena, folder, entry->d_name);
		if (!strstr(entry->d_name, ending) || lstat(file, &status) != 0)
			continue;
		files = wm_arena_grow(arena, files, count, &capacity, sizeof *files);
		files[count++] = (struct used){file, status.st_mtime};
	}
	if (directory)
		closedir(directory);
	if (count)
		qsort(files, count, sizeof *files, compare_by_use);
	for (size_t i = 0; i < count; i++)
		if (i >= MAX_FILES || files[i].when < time(NULL) - MAX_AGE)
			unlink(files[i].path);
}

static bool write_all(int descriptor, const void *bytes, size_t count)
{
	for (size_t done = 0; done < count;) {
		ssize_t written = write(descriptor, (const char *)bytes + done, count - done);
		if (written < 0 && errno != EINTR)
			return false;
		done += written > 0 ? (size_t)written : 0;
	}
	return true;
}

bool wm_cache_store(struct wm_arena *arena, const char *path, const void *bytes, size_t count)
{
	size_t length = strlen(path);
	char *unfinished = wm_arena_alloc(arena, length + sizeof ".XXXXXX", 1);
	snprintf(unfinished, length + sizeof ".XXXXXX", "%s.XXXXXX", path);
	int descriptor = mkstemp(unfinished);
	if (descriptor < 0)
		return false;
	bool written = write_all(descriptor, bytes, count);
	written &= close(descriptor) == 0;
	if (!written || rename(unfinished, path) != 0) {
		unlink(unfinished);
		return false;
	}
	clean(arena, path);
	return true;
}

void wm_cache_keep(const char *path)
{
	utimensat(AT_FDCWD, path, NULL, 0);
}
