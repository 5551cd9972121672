/* Heads are read first, then sorted by key: text that several units have in common is decoded once.
 */
#include "profile/source_records.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/none.h"
#include "format/description.h"

/* A record where it stands in the section; heads in a hostile file need not be aligned. */
struct found {
	uint64_t offset;
	struct wm_source_head head;
};

struct reader {
	struct wm_arena *arena;
	const char *path;
	const uint8_t *section;
	uint64_t bytes;
	struct wm_error *error;
};

static int damaged(const struct reader *reader, uint64_t offset, const char *reason)
{
	return wm_error_set(reader->error, WM_ERROR_INPUT,
		"%s: the source record at offset %" PRIu64
		" is damaged: %s; build the program again",
		reader->path, offset, reason);
}

/* Moves over the zero words before a record; from the last bytes, which make no word, to the end.
 */
static uint64_t skip_padding(const struct reader *reader, uint64_t offset)
{
	for (offset = (offset + 7) & ~(uint64_t)7; offset + 8 <= reader->bytes; offset += 8) {
		uint64_t word;
		memcpy(&word, reader->section + offset, sizeof word);
		if (word != 0)
			return offset;
	}
	return reader->bytes;
}

static const uint8_t *body_of(const struct reader *reader, const struct found *found)
{
	return reader->section + found->offset + sizeof found->head;
}

static size_t body_bytes(const struct found *found)
{
	return found->head.bytes - sizeof found->head;
}

static bool is_list(const struct found *found)
{
	return found->head.magic == WM_UNCOUNTED_MAGIC || found->head.magic == WM_PURE_MAGIC;
}

static int read_head(const struct reader *reader, uint64_t offset, struct found *found)
{
	uint64_t left = reader->bytes - offset;
	struct wm_source_head *head = &found->head;
	found->offset = offset;
	if (left < sizeof *head)
		return damaged(reader, offset, "it ends in its head");
	memcpy(head, reader->section + offset, sizeof *head);
	if (head->magic != WM_SOURCE_MAGIC && !is_list(found))
		return damaged(reader, offset, "it starts with no magic number");
	if (head->bytes < sizeof *head || head->bytes > left)
		return damaged(reader, offset, "it is longer than its section");
	if (wm_description_hash(body_of(reader, found), body_bytes(found)) != head->key)
		return damaged(reader, offset, "its key does not match its contents");
	if (is_list(found) && body_bytes(found) % sizeof(uint64_t) != 0)
		return damaged(reader, offset, "its list of keys ends in a key");
	return 0;
}

/* Checks all heads; with `found` given, notes them there. */
static int read_heads(const struct reader *reader, struct found *found, size_t *count)
{
	*count = 0;
	for (uint64_t offset = skip_padding(reader, 0); offset < reader->bytes;) {
		struct found next;
		int status = read_head(reader, offset, &next);
		if (status < 0)
			return status;
		if (found)
			found[*count] = next;
		++*count;
		offset = skip_padding(reader, offset + next.head.bytes);
	}
	return 0;
}

static int compare_found(const void *left, const void *right)
{
	const struct found *a = left, *b = right;
	return (a->head.key > b->head.key) - (a->head.key < b->head.key);
}

static int decode_records(const struct reader *reader, const struct found *found, size_t count,
	struct wm_source_records *records)
{
	records->records = wm_arena_alloc(reader->arena, count, sizeof *records->records);
	for (size_t i = 0; i < count; i++) {
		struct wm_error reason;
		struct wm_source *record = &records->records[records->count];
		if (is_list(&found[i]) || (records->count && record[-1].key == found[i].head.key))
			continue;
		int status = wm_source_decode(reader->arena, body_of(reader, &found[i]),
			body_bytes(&found[i]), record, &reason);
		if (status < 0)
			return wm_error_set(reader->error, status,
				"%s: %.900s; build the program again", reader->path, reason.text);
		records->count++;
	}
	return 0;
}

/* Sets the flag of each record that the list names. Others are no part of this object: the linker
 * left their text out, but not the list. */
static void mark(const struct reader *reader, const struct found *list,
	const struct wm_source_records *records, bool *flags)
{
	for (size_t at = 0; at < body_bytes(list); at += sizeof(uint64_t)) {
		uint64_t key;
		memcpy(&key, body_of(reader, list) + at, sizeof key);
		uint32_t record = wm_source_records_find(records, key);
		if (record != WM_NONE)
			flags[record] = true;
	}
}

static void read_lists(const struct reader *reader, const struct found *found, size_t count,
	struct wm_source_records *records)
{
	records->uncounted = wm_arena_alloc(reader->arena, records->count, sizeof(bool));
	records->pure = wm_arena_alloc(reader->arena, records->count, sizeof(bool));
	for (size_t i = 0; i < count; i++)
		if (is_list(&found[i]))
			mark(reader, &found[i], records,
				found[i].head.magic == WM_PURE_MAGIC ? records->pure
								     : records->uncounted);
}

int wm_source_records_read(struct wm_arena *arena, const char *path, const uint8_t *section,
	uint64_t bytes, struct wm_source_records *records, struct wm_error *error)
{
	struct wm_arena scratch = {0};
	struct reader reader = {arena, path, section, bytes, error};
	size_t count;
	*records = (struct wm_source_records){0};
	int status = read_heads(&reader, NULL, &count);
	if (status == 0 && count > 0) {
		struct found *found = wm_arena_alloc(&scratch, count, sizeof *found);
		read_heads(&reader, found, &count);
		qsort(found, count, sizeof *found, compare_found);
		status = decode_records(&reader, found, count, records);
		if (status == 0)
			read_lists(&reader, found, count, records);
	}
	wm_arena_reset(&scratch);
	return status;
}

static int by_key(const void *key, const void *element)
{
	uint64_t wanted = *(const uint64_t *)key;
	const struct wm_source *record = element;
	return (wanted > record->key) - (wanted < record->key);
}

uint32_t wm_source_records_find(const struct wm_source_records *records, uint64_t key)
{
	const struct wm_source *found =
		bsearch(&key, records->records, records->count, sizeof *found, by_key);
	return found ? (uint32_t)(found - records->records) : WM_NONE;
}
