/* A library's chunk is recognised by all that identifies the library, so that a place that was
 * right in another file of that name, before it was replaced, is not believed. */
#define _GNU_SOURCE
#include "runtime/file/library.h"

#include <string.h>

#include "runtime/file/chunk.h"
#include "runtime/system.h"

/* The first bytes of a library's chunk; static, as it is too large for some stacks. */
static struct {
	struct wm_chunk_header head;
	struct wm_library_header identity;
} found, wanted;

uint64_t wm_library_span(const struct wm_own_object *object)
{
	return wm_file_span(wm_object_unit_bytes(object), wm_library_bytes(object->counter_bytes));
}

static void describe(const struct wm_own_object *object)
{
	struct wm_library_header *identity = &wanted.identity;
	memset(&wanted, 0, sizeof(wanted));
	wanted.head.kind = WM_CHUNK_LIBRARY;
	wanted.head.span = (uint32_t)wm_library_span(object);
	identity->counter_bytes = object->counter_bytes;
	identity->build_id_bytes = object->build_id_bytes;
	memcpy(identity->build_id, object->build_id, sizeof(identity->build_id));
	memcpy(identity->object_path, object->path, sizeof(identity->object_path));
	identity->identity_checksum = wm_library_identity_checksum(identity);
}

void wm_library_describe(const struct wm_own_object *object, void *chunk)
{
	describe(object);
	memcpy(chunk, &wanted, sizeof(wanted));
}

static int is_same_build(const struct wm_library_header *identity)
{
	return identity->identity_checksum == wm_library_identity_checksum(identity) &&
	       identity->counter_bytes == wanted.identity.counter_bytes &&
	       identity->build_id_bytes == wanted.identity.build_id_bytes &&
	       !memcmp(identity->build_id, wanted.identity.build_id, sizeof(identity->build_id));
}

static int is_at(const struct wm_locked_file *file, uint64_t number)
{
	return number && number < file->unit_count &&
	       wm_system_read(file->descriptor, &found, sizeof(found),
		       wm_file_offset(file, number)) == sizeof(found) &&
	       found.head.kind == WM_CHUNK_LIBRARY && found.head.span == wanted.head.span &&
	       is_same_build(&found.identity);
}

static uint64_t search(const struct wm_locked_file *file)
{
	struct wm_chunk_header chunk;
	uint64_t number = WM_FILE_TOTALS_UNITS;
	for (; number < file->unit_count; number = wm_chunk_next(number, &chunk)) {
		if (wm_chunk_read(file, number, &chunk))
			return 0;
		if (chunk.kind == WM_CHUNK_LIBRARY && is_at(file, number))
			return number;
	}
	return 0;
}

static uint64_t append(struct wm_locked_file *file)
{
	uint64_t number = file->unit_count, offset = wm_file_offset(file, number);
	if (wm_file_reserve(file, wanted.head.span) ||
		wm_file_write(file, &wanted, sizeof(wanted), offset) ||
		wm_file_append(file, wanted.head.span))
		return 0;
	memset(&found, 0, sizeof(found));
	return number;
}

int wm_library_find(struct wm_locked_file *file)
{
	static uint64_t last;
	describe(file->object);
	if (!is_at(file, last))
		last = search(file);
	if (!last)
		last = append(file);
	file->library = last;
	file->library_folded = WM_COMMIT_FOLDED(found.identity.commit);
	return last ? 0 : -1;
}
