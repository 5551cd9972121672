/* Profiles by name or by age. */
#include "cli/load.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "cli/fatal.h"

static bool is_newer(const struct timespec *left, const struct timespec *right)
{
	return left->tv_sec != right->tv_sec ? left->tv_sec > right->tv_sec
					     : left->tv_nsec > right->tv_nsec;
}

int wm_load_is_profile(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);
	return length > 4 && strcmp(entry->d_name + length - 4, ".wmk") == 0;
}

char *wm_load_find_newest(struct wm_arena *arena)
{
	DIR *folder = opendir(".");
	if (!folder)
		wm_fatal("cannot read the working directory: %s", strerror(errno));
	char *newest = NULL;
	struct timespec newest_time = {0};
	for (struct dirent *entry; (entry = readdir(folder));) {
		struct stat status;
		if (!wm_load_is_profile(entry) || stat(entry->d_name, &status) != 0 ||
			!S_ISREG(status.st_mode))
			continue;
		if (!newest || is_newer(&status.st_mtim, &newest_time)) {
			newest = wm_arena_copy_text(arena, entry->d_name);
			newest_time = status.st_mtim;
		}
	}
	closedir(folder);
	return newest;
}

char *wm_load_newest(struct wm_arena *arena)
{
	char *newest = wm_load_find_newest(arena);
	if (!newest)
		wm_fatal("no .wmk file in the working directory; run a program built with "
			 "waymark cc here, or name its file");
	return newest;
}

void wm_load_file(struct wm_arena *arena, const char *path, struct wm_file *file)
{
	struct wm_error error;
	if (wm_file_read(arena, path, file, &error) < 0)
		wm_fatal("%s", error.text);
}

void wm_load_profile(struct wm_arena *arena, const struct wm_file *file, const char *binary,
	struct wm_profile *profile)
{
	struct wm_error error;
	if (wm_profile_make(arena, file, binary, profile, &error) < 0)
		wm_fatal("%s", error.text);
}

/* Reads the files; those of one build become one. Returns how many are left. */
static size_t read_files(
	struct wm_arena *arena, char **paths, size_t path_count, struct wm_file *files)
{
	size_t count = 0;
	for (size_t i = 0; i < path_count; i++) {
		struct wm_error error;
		struct wm_file *file = &files[count];
		wm_load_file(arena, paths[i], file);
		size_t same = 0;
		while (same < count && !wm_build_id_equal(&files[same].build_id, &file->build_id))
			same++;
		if (same == count)
			count++;
		else if (wm_file_add(&files[same], file, &error) < 0)
			wm_fatal("%s", error.text);
	}
	return count;
}

struct wm_profile *wm_load_profiles(struct wm_arena *arena, const char *command, char **paths,
	const char *binary, size_t *count)
{
	char *newest;
	if (*count == 0) {
		newest = wm_load_newest(arena);
		paths = &newest;
		*count = 1;
	}
	struct wm_file *files = wm_arena_alloc(arena, *count, sizeof *files);
	*count = read_files(arena, paths, *count, files);
	if (binary && *count > 1)
		wm_fatal_usage("%s: --binary names one program, but the files are of %zu", command,
			*count);
	struct wm_profile *profiles = wm_arena_alloc(arena, *count, sizeof *profiles);
	for (size_t i = 0; i < *count; i++)
		wm_load_profile(arena, &files[i], binary, &profiles[i]);
	return profiles;
}
