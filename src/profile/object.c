/* The records of an instrumented object, which are untrusted. */
#include "profile/object.h"

#include <inttypes.h>
#include <string.h>

#include "profile/elf_file.h"

struct reader {
	struct wm_arena *arena;
	const char *path;
	const struct wm_object_parts *parts;
	struct wm_object *object;
	struct wm_error *error;
};

static int damaged(struct reader *reader, uint64_t offset, const char *reason)
{
	return wm_error_set(reader->error, WM_ERROR_INPUT,
		"%s: the description at offset %" PRIu64 " is damaged: %s", reader->path, offset,
		reason);
}

/* Checks the record at the offset; *head is a copy, since records in a hostile file need not be
 * aligned. */
static int check_head(struct reader *reader, uint64_t offset, struct wm_description_head *head)
{
	const struct wm_bytes *section = &reader->parts->descriptions;
	uint64_t left = section->count - offset;
	if (left < sizeof *head)
		return damaged(reader, offset, "it ends in its head");
	memcpy(head, section->data + offset, sizeof *head);
	if ((head->magic & 0xffffff) == (WM_DESCRIPTION_MAGIC & 0xffffff) &&
		head->magic < WM_DESCRIPTION_MAGIC)
		return wm_error_set(reader->error, WM_ERROR_INPUT,
			"%s: was built by an older waymark; build it again", reader->path);
	if (head->magic != WM_DESCRIPTION_MAGIC)
		return damaged(reader, offset, "it does not start with the magic number");
	if (head->bytes < sizeof *head || head->bytes > left)
		return damaged(reader, offset, "it is longer than its section");
	const uint8_t *body = section->data + offset + sizeof *head;
	if (wm_description_hash(body, head->bytes - sizeof *head) != head->hash)
		return damaged(reader, offset, "its hash does not match its contents");
	return 0;
}

static int find_counters(struct reader *reader, uint64_t offset,
	const struct wm_description_head *head, struct wm_object_function *result)
{
	uint64_t count = result->function.counter_count;
	uint64_t bytes = reader->parts->counter_bytes;
	uint64_t distance = offset + (uint64_t)head->counters - reader->parts->distance;
	if (count == 0)
		return 0;
	if (distance % 8 != 0)
		return damaged(reader, offset, "its counters are not aligned");
	if (distance > bytes || count > (bytes - distance) / 8)
		return damaged(reader, offset, "its counters lie outside their section");
	result->first_counter = distance / 8;
	return 0;
}

/* Moves to the next record: over the zero words that pad between them. */
static uint64_t skip_padding(const struct wm_bytes *section, uint64_t offset)
{
	offset = (offset + 7) & ~(uint64_t)7;
	while (offset + 8 <= section->count) {
		uint64_t word;
		memcpy(&word, section->data + offset, sizeof word);
		if (word != 0)
			return offset;
		offset += 8;
	}
	return section->count;
}

static int count_records(struct reader *reader, uint32_t *count)
{
	struct wm_description_head head;
	const struct wm_bytes *section = &reader->parts->descriptions;
	*count = 0;
	for (uint64_t offset = skip_padding(section, 0); offset < section->count;
		offset = skip_padding(section, offset + head.bytes)) {
		int status = check_head(reader, offset, &head);
		if (status < 0)
			return status;
		++*count;
	}
	return 0;
}

static int read_records(struct reader *reader)
{
	struct wm_object *object = reader->object;
	const struct wm_bytes *section = &reader->parts->descriptions;
	int status = count_records(reader, &object->function_count);
	if (status < 0)
		return status;
	object->functions =
		wm_arena_alloc(reader->arena, object->function_count, sizeof *object->functions);
	uint64_t offset = 0;
	for (uint32_t i = 0; i < object->function_count; i++) {
		struct wm_description_head head;
		offset = skip_padding(section, offset);
		memcpy(&head, section->data + offset, sizeof head);
		struct wm_object_function *result = &object->functions[i];
		status = wm_description_decode(reader->arena, section->data + offset + sizeof head,
			head.bytes - sizeof head, &result->function, reader->error);
		if (status == 0)
			status = find_counters(reader, offset, &head, result);
		if (status < 0)
			return status;
		offset += head.bytes;
	}
	return 0;
}

int wm_object_decode(struct wm_arena *arena, const struct wm_object_parts *parts,
	struct wm_object *object, struct wm_error *error)
{
	*object = (struct wm_object){.path = wm_arena_copy_text(arena, parts->path),
		.modified = parts->modified,
		.build_id = parts->build_id,
		.counter_count = parts->counter_bytes / 8};
	struct reader reader = {.arena = arena,
		.path = object->path,
		.parts = parts,
		.object = object,
		.error = error};
	int status = read_records(&reader);
	if (status == 0 && parts->sources.data)
		status = wm_source_records_read(arena, object->path, parts->sources.data,
			parts->sources.count, &object->sources, error);
	return status;
}

int wm_object_read(
	struct wm_arena *arena, const char *path, struct wm_object *object, struct wm_error *error)
{
	struct wm_elf file;
	struct wm_object_parts parts;
	*object = (struct wm_object){.path = wm_arena_copy_text(arena, path)};
	int status = wm_elf_open(&file, object->path, error);
	if (status == 0)
		status = wm_object_parts_read(&file, &parts, error);
	if (status == 0)
		status = wm_object_decode(arena, &parts, object, error);
	wm_elf_close(&file);
	return status;
}
