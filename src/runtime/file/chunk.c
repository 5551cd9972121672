/* Claiming chunks of the file.
 *
 * Names and headers are static: this runs under the runtime's own lock, on any stack.
 */
#define _GNU_SOURCE
#include "runtime/file/chunk.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

#include "runtime/file/fold.h"
#include "runtime/file/library.h"
#include "runtime/file/name.h"
#include "runtime/file/process.h"
#include "runtime/system.h"

int wm_chunk_is_abandoned(const struct wm_chunk_header *header)
{
	return header->state == WM_CHUNK_RELEASED ||
	       (header->state == WM_CHUNK_ACTIVE && wm_process_is_gone(header));
}

int wm_chunk_read(
	const struct wm_locked_file *file, uint64_t number, struct wm_chunk_header *header)
{
	return wm_system_read(file->descriptor, header, sizeof(*header),
		       wm_file_offset(file, number)) == sizeof(*header)
		       ? 0
		       : -1;
}

/* The units that a chunk of the object's counters takes. */
static uint64_t counters_span(const struct wm_own_object *object)
{
	return wm_file_span(wm_object_unit_bytes(object), wm_object_chunk_bytes(object));
}

static int is_of_same_process(const struct wm_locked_file *file, uint64_t number,
	const struct wm_chunk_header *own, struct wm_chunk_header *there)
{
	return number && number < file->unit_count && !wm_chunk_read(file, number, there) &&
	       there->kind == own->kind && there->state == WM_CHUNK_ACTIVE &&
	       there->process == own->process && there->process_start == own->process_start &&
	       there->span == own->span && there->library == own->library;
}

/* The chunk claimed last. */
static struct {
	uint64_t number;
	struct wm_chunk_header header;
} last;

/* Chunks below the one claimed last are seldom free. If the file was replaced since then, that
 * number may lie within another chunk. */
static uint64_t first_to_try(const struct wm_locked_file *file)
{
	struct wm_chunk_header there;
	return is_of_same_process(file, last.number, &last.header, &there) ? last.number
									   : WM_FILE_TOTALS_UNITS;
}

/* The number of a free chunk, after growing the file if need be; 0 without room. */
static uint64_t find_free(struct wm_locked_file *file, int from_start)
{
	struct wm_chunk_header chunk;
	const uint64_t span = counters_span(file->object);
	uint64_t number = from_start ? WM_FILE_TOTALS_UNITS : first_to_try(file);
	for (; number < file->unit_count; number = wm_chunk_next(number, &chunk)) {
		if (wm_chunk_read(file, number, &chunk))
			return 0;
		if (chunk.kind == WM_CHUNK_FREE && wm_chunk_span(&chunk) == span)
			return number;
	}
	number = file->unit_count;
	return wm_file_reserve(file, span) || wm_file_append(file, span) ? 0 : number;
}

/* A process killed while taking the chunk may have left bytes in its head. */
static void take_chunk(
	const struct wm_own_object *object, uint64_t library, struct wm_chunk_header *header)
{
	int is_guest = wm_object_is_guest(object);
	*header = (struct wm_chunk_header){.state = WM_CHUNK_ACTIVE,
		.span = (uint32_t)counters_span(object),
		.library = library};
	wm_process_sign(header);
	__atomic_store_n(&header->kind, is_guest ? WM_CHUNK_LIBRARY_COUNTERS : WM_CHUNK_COUNTERS,
		__ATOMIC_RELEASE);
}

static int map_chunk(struct wm_locked_file *file, void *address, struct wm_chunk *chunk)
{
	uint64_t bytes = wm_object_chunk_bytes(file->object);
	void *mapping = wm_system_map(
		address, bytes, MAP_SHARED, file->descriptor, wm_file_offset(file, chunk->number));
	if (!mapping)
		return -1;
	chunk->header = mapping;
	wm_system_expect_random(mapping, bytes);
	take_chunk(file->object, file->library, chunk->header);
	last.number = chunk->number;
	last.header = *chunk->header;
	return 0;
}

/* A process killed while clearing a folded chunk has left the rest to us. */
int wm_chunk_open_file(
	struct wm_locked_file *file, const struct wm_own_object *object, const char *name)
{
	static char other[PATH_MAX];
	int foreign, status = wm_file_open(file, object, name, &foreign);
	if (status && foreign && !wm_name_alternative(object->host, name, other))
		status = wm_file_open(file, object, other, &foreign);
	if (!status && wm_object_is_guest(object) && wm_library_find(file)) {
		wm_file_close(file);
		return -1;
	}
	if (!status)
		wm_fold_finish(file);
	return status;
}

int wm_chunk_claim(const struct wm_own_object *object, const char *name, void *address, int fold,
	struct wm_chunk *chunk)
{
	struct wm_locked_file file;
	if (wm_chunk_open_file(&file, object, name))
		return -1;
	if (fold)
		wm_fold_abandoned(&file);
	chunk->number = find_free(&file, fold);
	int status = chunk->number ? map_chunk(&file, address, chunk) : -1;
	wm_file_close(&file);
	return status;
}

/* Shared, so that a second mapping of it can be made; a forked child replaces it. */
int wm_chunk_in_memory(const struct wm_own_object *object, void *address, struct wm_chunk *chunk)
{
	void *mapping = wm_system_map(
		address, wm_object_chunk_bytes(object), MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!mapping)
		return -1;
	chunk->number = 0;
	chunk->header = mapping;
	take_chunk(object, 0, chunk->header);
	return 0;
}

int wm_chunk_is_own(
	const struct wm_locked_file *file, uint64_t number, const struct wm_chunk_header *own)
{
	struct wm_chunk_header there;
	return is_of_same_process(file, number, own, &there) && there.thread == own->thread;
}

int wm_chunk_save(const struct wm_own_object *object, const char *name, struct wm_chunk *chunk,
	uint64_t *number)
{
	struct wm_locked_file file;
	if (wm_chunk_open_file(&file, object, name))
		return -1;
	chunk->header->library = file.library;
	if (!wm_chunk_is_own(&file, *number, chunk->header))
		*number = find_free(&file, 1);
	int status = *number ? wm_file_write(&file, chunk->header,
				       WM_CHUNK_HEADER_BYTES + object->counter_bytes,
				       wm_file_offset(&file, *number))
			     : -1;
	wm_file_close(&file);
	return status;
}
