/* Every unit names the headers that it includes: sorting makes one entry of equal ones. */
#include "profile/checksums.h"

#include <stdlib.h>
#include <string.h>

#include "profile/elf_file.h"

static int compare(const void *left, const void *right)
{
	const struct wm_checksum *a = left, *b = right;
	int order = strcmp(a->path, b->path);
	return order ? order : memcmp(a->md5.byte, b->md5.byte, sizeof a->md5.byte);
}

/* Sorts the list, and copies what stands there once to the arena. */
static void settle(
	struct wm_arena *arena, const struct wm_checksums *all, struct wm_checksums *checksums)
{
	if (all->count > 0)
		qsort(all->list, all->count, sizeof *all->list, compare);
	for (size_t i = 0; i < all->count; i++) {
		if (i > 0 && compare(&all->list[i - 1], &all->list[i]) == 0)
			continue;
		checksums->list = wm_arena_grow(arena, checksums->list, checksums->count,
			&checksums->capacity, sizeof *checksums->list);
		checksums->list[checksums->count++] = (struct wm_checksum){
			wm_arena_copy_text(arena, all->list[i].path), all->list[i].md5};
	}
}

static struct wm_bytes contents(struct wm_elf *file, const char *name)
{
	struct wm_bytes bytes = {.data = NULL};
	bytes.data = wm_elf_contents(file, name, &bytes.count);
	return bytes;
}

static void add_all(
	struct wm_arena *arena, const struct wm_checksums *from, struct wm_checksums *all)
{
	for (size_t i = 0; i < from->count; i++) {
		all->list = wm_arena_grow(
			arena, all->list, all->count, &all->capacity, sizeof *all->list);
		all->list[all->count++] = from->list[i];
	}
}

static void read_object(
	struct wm_arena *scratch, const struct wm_object *object, struct wm_checksums *all)
{
	struct wm_elf file;
	struct wm_error ignored;
	if (object->checksums) {
		add_all(scratch, object->checksums, all);
		return;
	}
	if (wm_elf_open(&file, object->path, &ignored) == 0) {
		const struct wm_line_table table = {.lines = contents(&file, ".debug_line"),
			.line_strings = contents(&file, ".debug_line_str"),
			.strings = contents(&file, ".debug_str")};
		wm_line_table_read(scratch, &table, all);
	}
	wm_elf_close(&file);
}

void wm_checksums_read(
	struct wm_arena *arena, const struct wm_object *object, struct wm_checksums *checksums)
{
	struct wm_arena scratch = {0};
	struct wm_checksums all = {0};
	*checksums = (struct wm_checksums){0};
	for (; object; object = object->next)
		read_object(&scratch, object, &all);
	settle(arena, &all, checksums);
	wm_arena_reset(&scratch);
}

/* The first entry that is not before the path. */
static size_t find(const struct wm_checksums *checksums, const char *path)
{
	size_t low = 0, high = checksums->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (strcmp(checksums->list[middle].path, path) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

enum wm_checksum_match wm_checksums_match(
	const struct wm_checksums *checksums, const char *path, const struct wm_md5 *md5)
{
	struct wm_arena scratch = {0};
	const char *key = wm_line_table_path(&scratch, path);
	enum wm_checksum_match match = WM_CHECKSUM_UNKNOWN;
	for (size_t i = find(checksums, key);
		i < checksums->count && strcmp(checksums->list[i].path, key) == 0; i++) {
		bool same = wm_md5_equal(&checksums->list[i].md5, md5);
		if (match != WM_CHECKSUM_OTHER)
			match = same ? WM_CHECKSUM_SAME : WM_CHECKSUM_OTHER;
	}
	wm_arena_reset(&scratch);
	return match;
}
