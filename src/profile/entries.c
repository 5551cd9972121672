/* Entries are gathered without order, sorted once, and merged as sorted lists. A file that needs
 * more room gets twice that, so that adding many files leaves little behind in the arena. */
#include "profile/entries.h"

#include <string.h>

#include "profile/entry_order.h"

static int compare(const struct wm_file_entry *a, const struct wm_file_entry *b)
{
	if (a->counter != b->counter)
		return a->counter < b->counter ? -1 : 1;
	return a->key < b->key ? -1 : a->key > b->key;
}

static void enlarge(struct wm_entries *list)
{
	struct wm_arena larger = {0};
	uint64_t capacity = list->capacity ? 2 * list->capacity : 256;
	struct wm_file_entry *entries = wm_arena_alloc(&larger, capacity, sizeof *entries);
	if (list->count)
		memcpy(entries, list->entries, list->count * sizeof *entries);
	wm_arena_reset(&list->arena);
	list->arena = larger;
	list->entries = entries;
	list->capacity = capacity;
}

void wm_entries_add(struct wm_entries *list, struct wm_file_entry entry)
{
	if (list->count == list->capacity)
		enlarge(list);
	list->entries[list->count++] = entry;
}

static uint64_t drop_zeros(struct wm_file_entry *entries, uint64_t count)
{
	uint64_t kept = 0;
	for (uint64_t i = 0; i < count; i++)
		if (entries[i].count != 0)
			entries[kept++] = entries[i];
	return kept;
}

void wm_entries_settle(struct wm_entries *list)
{
	struct wm_file_entry *entries = list->entries;
	uint64_t used = 0;
	if (list->count == 0)
		return;
	wm_entries_order(entries, list->count);
	for (uint64_t i = 1; i < list->count; i++) {
		if (compare(&entries[used], &entries[i]) == 0)
			entries[used].count += entries[i].count;
		else
			entries[++used] = entries[i];
	}
	list->count = drop_zeros(entries, used + 1);
}

void wm_entries_free(struct wm_entries *list)
{
	wm_arena_reset(&list->arena);
	*list = (struct wm_entries){0};
}

static void reserve(struct wm_file *file, uint64_t capacity)
{
	struct wm_file_entry *entries =
		wm_arena_alloc(file->arena, capacity, sizeof *file->entries);
	if (file->entry_count)
		memcpy(entries, file->entries, file->entry_count * sizeof *entries);
	file->entries = entries;
	file->entry_capacity = capacity;
}

void wm_entries_give(const struct wm_entries *list, struct wm_file *file)
{
	file->entry_count = 0;
	if (list->count > file->entry_capacity)
		reserve(file, list->count);
	if (list->count)
		memcpy(file->entries, list->entries, list->count * sizeof *list->entries);
	file->entry_count = list->count;
}

/* How many of the other's keys the file does not have. */
static uint64_t count_new(const struct wm_file *file, const struct wm_file *other)
{
	uint64_t i = 0, count = 0;
	for (uint64_t k = 0; k < other->entry_count; k++) {
		while (i < file->entry_count && compare(&file->entries[i], &other->entries[k]) < 0)
			i++;
		count += i == file->entry_count ||
			 compare(&file->entries[i], &other->entries[k]) != 0;
	}
	return count;
}

/* From the back, so that nothing is overwritten before it is moved. */
void wm_entries_merge(struct wm_file *file, const struct wm_file *other)
{
	uint64_t left = file->entry_count, more = other->entry_count;
	uint64_t to = left + count_new(file, other);
	if (to > file->entry_capacity)
		reserve(file, 2 * to);
	struct wm_file_entry *entries = file->entries;
	file->entry_count = to;
	while (more > 0) {
		const struct wm_file_entry *next = &other->entries[more - 1];
		int order = left > 0 ? compare(&entries[left - 1], next) : -1;
		struct wm_file_entry entry = order < 0 ? *next : entries[left - 1];
		if (order == 0)
			entry.count += next->count;
		left -= order >= 0;
		more -= order <= 0;
		entries[--to] = entry;
	}
	file->entry_count = drop_zeros(entries, file->entry_count);
}
