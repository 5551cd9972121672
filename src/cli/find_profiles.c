/* Words become files. Profiles of a folder are listed with their times; a program's are those of
 * its build-id. */
#include "cli/find_profiles.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "cli/fatal.h"
#include "profile/file.h"
#include "profile/object.h"

struct dated {
	const char *path;
	struct timespec time;
};

struct folder {
	size_t count;
	size_t capacity;
	struct dated *files;
};

static bool ends_as_trace(const char *name)
{
	size_t length = strlen(name);
	return length > 4 && strcmp(name + length - 4, ".wmt") == 0;
}

static bool ends_as_profile(const char *name)
{
	size_t length = strlen(name);
	return length > 4 && strcmp(name + length - 4, ".wmk") == 0;
}

int wm_find_is_profile(const struct dirent *entry)
{
	return ends_as_profile(entry->d_name);
}

static const char *join(struct wm_arena *arena, const char *folder, const char *name)
{
	if (strcmp(folder, ".") == 0)
		return wm_arena_copy_text(arena, name);
	size_t bytes = strlen(folder) + strlen(name) + 2;
	char *path = wm_arena_alloc(arena, bytes, 1);
	bool slash = folder[0] && folder[strlen(folder) - 1] == '/';
	snprintf(path, bytes, "%s%s%s", folder, slash ? "" : "/", name);
	return path;
}

/* Adds the profiles of the folder; false if it cannot be read. */
static bool list_folder(struct wm_arena *arena, const char *path, struct folder *list)
{
	DIR *folder = opendir(path);
	if (!folder)
		return false;
	for (struct dirent *entry; (entry = readdir(folder));) {
		struct stat status;
		const char *file = join(arena, path, entry->d_name);
		if (!wm_find_is_profile(entry) || stat(file, &status) != 0 ||
			!S_ISREG(status.st_mode))
			continue;
		list->files = wm_arena_grow(
			arena, list->files, list->count, &list->capacity, sizeof *list->files);
		list->files[list->count++] = (struct dated){file, status.st_mtim};
	}
	closedir(folder);
	return true;
}

/* A file may be listed twice, in the working directory and beside the program: the shorter name is
 * the first. */
static int newest_first(const void *left, const void *right)
{
	const struct dated *a = left, *b = right;
	size_t a_length = strlen(a->path), b_length = strlen(b->path);
	if (a->time.tv_sec != b->time.tv_sec)
		return a->time.tv_sec > b->time.tv_sec ? -1 : 1;
	if (a->time.tv_nsec != b->time.tv_nsec)
		return a->time.tv_nsec > b->time.tv_nsec ? -1 : 1;
	if (a_length != b_length)
		return a_length < b_length ? -1 : 1;
	return strcmp(a->path, b->path);
}

static int by_name(const void *left, const void *right)
{
	return strcmp(((const struct dated *)left)->path, ((const struct dated *)right)->path);
}

static void sort(struct folder *list, int (*compare)(const void *, const void *))
{
	if (list->count > 0)
		qsort(list->files, list->count, sizeof *list->files, compare);
}

static struct folder list_here(struct wm_arena *arena)
{
	struct folder here = {0};
	if (!list_folder(arena, ".", &here))
		wm_fatal("cannot read the working directory: %s", strerror(errno));
	sort(&here, newest_first);
	return here;
}

const char *wm_find_newest(struct wm_arena *arena)
{
	struct folder here = list_here(arena);
	return here.count > 0 ? here.files[0].path : NULL;
}

static bool is_program(const char *path)
{
	char magic[4];
	struct stat status;
	if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
		return false;
	FILE *file = fopen(path, "re");
	bool is = file && fread(magic, sizeof magic, 1, file) == 1 &&
		  memcmp(magic, "\177ELF", sizeof magic) == 0;
	if (file)
		fclose(file);
	return is;
}

bool wm_find_is_profile_word(const char *word)
{
	return ends_as_profile(word) || ends_as_trace(word) || is_program(word);
}

static bool is_of_build(const char *path, const struct wm_build_id *id)
{
	struct wm_arena arena = {0};
	struct wm_error error;
	struct wm_file file;
	bool is = wm_file_identify(&arena, path, &file, &error) == 0 &&
		  wm_build_id_equal(&file.build_id, id);
	wm_arena_reset(&arena);
	return is;
}

/* The newest profile of the program, in the working directory or beside it. */
static const char *find_of_program(struct wm_arena *arena, const char *program)
{
	struct wm_object object;
	struct wm_error error;
	struct folder list = list_here(arena);
	const char *slash = strrchr(program, '/');
	if (wm_object_read(arena, program, &object, &error) < 0)
		wm_fatal("%s", error.text);
	char *folder = wm_arena_copy_text(arena, slash ? program : "");
	if (slash) {
		folder[slash == program ? 1 : slash - program] = '\0';
		list_folder(arena, folder, &list);
		sort(&list, newest_first);
	}
	for (size_t i = 0; i < list.count; i++)
		if (is_of_build(list.files[i].path, &object.build_id))
			return list.files[i].path;
	wm_fatal("%s: no profile of this build in the working directory%s; run it, or name the "
		 "profile",
		program, slash ? " or beside it" : "");
}

static void add(struct wm_arena *arena, struct wm_found_files *found, size_t *capacity,
	struct wm_found_file file)
{
	found->files =
		wm_arena_grow(arena, found->files, found->count, capacity, sizeof *found->files);
	found->files[found->count++] = file;
}

static void add_word(
	struct wm_arena *arena, const char *word, struct wm_found_files *found, size_t *capacity)
{
	struct stat status;
	struct folder list = {0};
	if (stat(word, &status) != 0 || !S_ISDIR(status.st_mode)) {
		const char *binary = is_program(word) ? word : NULL;
		add(arena, found, capacity,
			(struct wm_found_file){
				binary ? find_of_program(arena, word) : word, binary, true});
		return;
	}
	if (!list_folder(arena, word, &list))
		wm_fatal("cannot read '%s': %s", word, strerror(errno));
	if (list.count == 0)
		wm_fatal("%s: no .wmk file in this directory; run a program built with waymark cc "
			 "there",
			word);
	sort(&list, by_name);
	for (size_t i = 0; i < list.count; i++)
		add(arena, found, capacity,
			(struct wm_found_file){list.files[i].path, NULL, false});
}

void wm_find_files(struct wm_arena *arena, char **words, size_t count, struct wm_found_files *found)
{
	size_t capacity = 0;
	*found = (struct wm_found_files){.first_only = count == 0};
	for (size_t i = 0; i < count; i++)
		add_word(arena, words[i], found, &capacity);
	if (count > 0)
		return;
	struct folder here = list_here(arena);
	for (size_t i = 0; i < here.count; i++)
		add(arena, found, &capacity,
			(struct wm_found_file){here.files[i].path, NULL, false});
	if (here.count == 0)
		wm_fatal("no .wmk file in the working directory; run a program built with "
			 "waymark cc here, or name its file");
}
