/* The parts are kept as they are: whatever a later Waymark reads of a binary, it also reads of what
 * was kept of one. */
#include "profile/kept.h"

#include <string.h>

#include "format/encoding.h"
#include "profile/checksums.h"

enum { HASHED = offsetof(struct wm_kept_head, modified) };

static uint64_t padded(uint64_t bytes)
{
	return (bytes + 7) & ~(uint64_t)7;
}

static uint64_t hash(const uint8_t *record, uint64_t bytes)
{
	return wm_file_hash_words(
		WM_HASH_START, (const uint64_t *)(record + HASHED), (bytes - HASHED) / 8);
}

static struct wm_bytes encode_checksums(
	struct wm_arena *arena, const struct wm_checksums *checksums)
{
	struct wm_encoder encoder = {.arena = arena};
	wm_encode_number(&encoder, (uint32_t)checksums->count);
	for (size_t i = 0; i < checksums->count; i++) {
		wm_encode_text(&encoder, checksums->list[i].path);
		wm_encode_bytes(&encoder, checksums->list[i].md5.byte, sizeof(struct wm_md5));
	}
	return (struct wm_bytes){encoder.bytes, encoder.used};
}

/* Untrusted: a list in another order is sorted by nobody, and finds nothing. */
static bool decode_checksums(
	struct wm_arena *arena, const struct wm_bytes *bytes, struct wm_checksums *checksums)
{
	struct wm_decoder decoder = {
		.arena = arena, .next = bytes->data, .end = bytes->data + bytes->count};
	checksums->count = wm_decode_count(&decoder, 1 + sizeof(struct wm_md5));
	checksums->list = wm_arena_alloc(arena, checksums->count, sizeof *checksums->list);
	for (size_t i = 0; i < checksums->count && !decoder.failed; i++) {
		checksums->list[i].path = wm_decode_text(&decoder);
		if ((size_t)(decoder.end - decoder.next) < sizeof(struct wm_md5))
			return false;
		memcpy(checksums->list[i].md5.byte, decoder.next, sizeof(struct wm_md5));
		decoder.next += sizeof(struct wm_md5);
	}
	return !decoder.failed && decoder.next == decoder.end;
}

static uint8_t *put(uint8_t *to, const struct wm_bytes *bytes)
{
	if (bytes->count)
		memcpy(to, bytes->data, bytes->count);
	return to + padded(bytes->count);
}

static struct wm_bytes encode(struct wm_arena *arena, const struct wm_object_parts *parts,
	const struct wm_bytes *checksums)
{
	struct wm_kept_head head = {.modified = (uint64_t)parts->modified,
		.counter_bytes = parts->counter_bytes,
		.distance = parts->distance,
		.description_bytes = parts->descriptions.count,
		.source_bytes = parts->sources.count,
		.checksum_bytes = checksums->count,
		.build_id_bytes = parts->build_id.bytes};
	memcpy(head.magic, WM_KEPT_MAGIC, sizeof head.magic);
	memcpy(head.build_id, parts->build_id.byte, parts->build_id.bytes);
	head.bytes = sizeof head + padded(head.description_bytes) + padded(head.source_bytes) +
		     padded(head.checksum_bytes);
	uint8_t *record = wm_arena_alloc(arena, head.bytes, 1);
	put(put(put(record + sizeof head, &parts->descriptions), &parts->sources), checksums);
	memcpy(record, &head, sizeof head);
	head.checksum = hash(record, head.bytes);
	memcpy(record, &head, sizeof head);
	return (struct wm_bytes){record, head.bytes};
}

int wm_kept_make(struct wm_arena *arena, const char *path, struct wm_build_id *build_id,
	struct wm_bytes *record, struct wm_error *error)
{
	struct wm_elf file;
	struct wm_object_parts parts;
	struct wm_checksums checksums;
	struct wm_arena scratch = {0};
	int status = wm_elf_open(&file, path, error);
	if (status == 0)
		status = wm_object_parts_read(&file, &parts, error);
	if (status == 0) {
		wm_checksums_read(&scratch, &(struct wm_object){.path = path}, &checksums);
		const struct wm_bytes encoded = encode_checksums(&scratch, &checksums);
		*record = encode(arena, &parts, &encoded);
		*build_id = parts.build_id;
	}
	wm_elf_close(&file);
	wm_arena_reset(&scratch);
	return status;
}

/* What is wrong with the head of a record of that size; NULL if nothing is. */
static const char *find_damage(const struct wm_kept_head *head, const uint8_t *record, size_t bytes)
{
	uint64_t left = bytes - sizeof *head;
	if (head->bytes != bytes || bytes % 8 != 0)
		return "it is truncated, or longer than it says";
	if (hash(record, bytes) != head->checksum)
		return "its checksum does not match";
	if (head->build_id_bytes == 0 || head->build_id_bytes > WM_BUILD_ID_BYTES ||
		head->description_bytes > left || head->source_bytes > left ||
		head->checksum_bytes > left ||
		padded(head->description_bytes) + padded(head->source_bytes) +
				padded(head->checksum_bytes) !=
			left)
		return "a field is out of range";
	return NULL;
}

static int read_head(
	const struct wm_bytes *record, struct wm_kept_head *head, struct wm_error *error)
{
	const size_t name = sizeof head->magic - 2;
	if (record->count < sizeof *head)
		return wm_error_set(error, WM_ERROR_INPUT, "it is damaged: it ends in its head");
	memcpy(head, record->data, sizeof *head);
	if (memcmp(head->magic, WM_KEPT_MAGIC, name) != 0)
		return wm_error_set(error, WM_ERROR_INPUT, "it is something else");
	if (memcmp(head->magic, WM_KEPT_MAGIC, sizeof head->magic) != 0)
		return wm_error_set(error, WM_ERROR_INPUT,
			"it is of version %.2s, and this waymark reads version %s",
			head->magic + name, WM_KEPT_MAGIC + name);
	const char *damage = find_damage(head, record->data, record->count);
	return damage ? wm_error_set(error, WM_ERROR_INPUT, "it is damaged: %s", damage) : 0;
}

/* The next part of the record. */
static struct wm_bytes take(const uint8_t **next, uint64_t bytes)
{
	const struct wm_bytes part = {bytes ? *next : NULL, bytes};
	*next += padded(bytes);
	return part;
}

int wm_kept_read(struct wm_arena *arena, const struct wm_bytes *record, const char *path,
	struct wm_object *object, struct wm_error *error)
{
	struct wm_kept_head head;
	int status = read_head(record, &head, error);
	if (status < 0)
		return status;
	const uint8_t *next = record->data + sizeof head;
	struct wm_checksums *checksums = wm_arena_alloc(arena, 1, sizeof *checksums);
	struct wm_object_parts parts = {.path = path,
		.modified = (time_t)head.modified,
		.counter_bytes = head.counter_bytes,
		.distance = head.distance};
	parts.build_id.bytes = head.build_id_bytes;
	memcpy(parts.build_id.byte, head.build_id, head.build_id_bytes);
	parts.descriptions = take(&next, head.description_bytes);
	parts.sources = take(&next, head.source_bytes);
	const struct wm_bytes encoded = take(&next, head.checksum_bytes);
	if (!decode_checksums(arena, &encoded, checksums))
		return wm_error_set(
			error, WM_ERROR_INPUT, "it is damaged: its list of sources makes no sense");
	status = wm_object_decode(arena, &parts, object, error);
	object->checksums = checksums;
	object->record = *record;
	return status;
}

bool wm_kept_is_of(const struct wm_bytes *record, const uint8_t *build_id, uint32_t build_id_bytes)
{
	struct wm_kept_head head;
	if (record->count < sizeof head)
		return false;
	memcpy(&head, record->data, sizeof head);
	return head.build_id_bytes == build_id_bytes && build_id_bytes <= WM_BUILD_ID_BYTES &&
	       memcmp(head.build_id, build_id, build_id_bytes) == 0;
}

bool wm_kept_same_object(const struct wm_bytes *left, const struct wm_bytes *right)
{
	struct wm_kept_head head;
	if (right->count < sizeof head)
		return false;
	memcpy(&head, right->data, sizeof head);
	return head.build_id_bytes <= WM_BUILD_ID_BYTES &&
	       wm_kept_is_of(left, head.build_id, head.build_id_bytes);
}
