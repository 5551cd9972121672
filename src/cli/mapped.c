/* /proc/PID/maps lists mappings; those of a profile are shared and belong to a file that starts
 * with the magic number. A process in a container has a root of its own. A deleted file can still
 * be reached through the mapping itself, with the necessary rights. */
#include "cli/mapped.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/fatal.h"
#include "format/profile_file.h"

enum { MAX_FILES = 4096 };

static const char deleted_mark[] = " (deleted)";

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), end_length = strlen(end);
	return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static bool same_file(const char *left, const char *right)
{
	struct stat a, b;
	return stat(left, &a) == 0 && stat(right, &b) == 0 && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

/* A file that cannot be read here is taken for a profile if its name says so: the error comes
 * later. */
static bool is_profile(const struct wm_mapped *file)
{
	char magic[sizeof WM_FILE_MAGIC - 1];
	int descriptor = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (descriptor < 0)
		return ends_with(file->name, ".wmk");
	ssize_t got = read(descriptor, magic, sizeof magic);
	close(descriptor);
	return got == sizeof magic && memcmp(magic, WM_FILE_MAGIC, sizeof magic) == 0;
}

static char *join(struct wm_arena *arena, pid_t process, const char *kind, const char *rest)
{
	size_t bytes = strlen(kind) + strlen(rest) + 32;
	char *path = wm_arena_alloc(arena, bytes, 1);
	snprintf(path, bytes, "/proc/%d/%s%s", (int)process, kind, rest);
	return path;
}

static struct wm_mapped make_file(
	struct wm_arena *arena, pid_t process, const char *range, char *name)
{
	struct wm_mapped file = {.deleted = ends_with(name, deleted_mark)};
	if (file.deleted)
		name[strlen(name) - strlen(deleted_mark)] = '\0';
	file.name = wm_arena_copy_text(arena, name);
	if (file.deleted) {
		file.path = join(arena, process, "map_files/", range);
		return file;
	}
	const char *inside = join(arena, process, "root", name);
	file.path = same_file(name, inside) ? file.name : inside;
	return file;
}

static bool is_listed(const struct wm_mapped_list *list, const struct wm_mapped *file)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->files[i].name, file->name) == 0 &&
			list->files[i].deleted == file->deleted)
			return true;
	return false;
}

/* RANGE RIGHTS OFFSET DEVICE INODE NAME, where only the name may hold blanks. */
static void add_mapping(
	struct wm_arena *arena, pid_t process, char *line, struct wm_mapped_list *list)
{
	char range[64], rights[8];
	int name = 0;
	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%63s %7s %*s %*s %*s %n", range, rights, &name) != 2 ||
		line[name] != '/' || rights[3] != 's' || list->count == MAX_FILES)
		return;
	struct wm_mapped file = make_file(arena, process, range, line + name);
	if (!is_listed(list, &file) && is_profile(&file))
		list->files[list->count++] = file;
}

struct wm_mapped_list wm_mapped_profiles(struct wm_arena *arena, pid_t process)
{
	struct wm_mapped_list list = {
		.files = wm_arena_alloc(arena, MAX_FILES, sizeof *list.files)};
	char *line = NULL;
	size_t capacity = 0;
	FILE *maps = fopen(join(arena, process, "maps", ""), "re");
	if (!maps)
		wm_fatal("cannot look into process %d: %s", (int)process, strerror(errno));
	while (getline(&line, &capacity, maps) > 0)
		add_mapping(arena, process, line, &list);
	free(line);
	fclose(maps);
	return list;
}
