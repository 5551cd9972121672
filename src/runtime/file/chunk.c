/* Claiming chunks of the file, and folding those that dead processes have left.
 *
 * Names and headers are static: this runs under the runtime's own lock, on any stack.
 */
#define _GNU_SOURCE
#include "runtime/file/chunk.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

#include "runtime/file/name.h"
#include "runtime/file/process.h"
#include "runtime/system.h"
#include "runtime/count/zeros.h"

/* The file while chunks are folded. */
struct folding {
	struct wm_locked_file *file;
	struct wm_file_header *header; /* the whole file, mapped */
};

static struct wm_chunk_header *chunk_at(const struct folding *folding, uint64_t number)
{
	return (void *)((char *)folding->header + wm_file_offset(folding->file, number));
}

static void clear_folded(struct folding *folding)
{
	struct wm_file_header *header = folding->header;
	uint32_t folded = WM_COMMIT_FOLDED(header->commit);
	if (!folded)
		return;
	if (folded < folding->file->unit_count) {
		struct wm_chunk_header *chunk = chunk_at(folding, folded);
		memset(chunk, 0, WM_CHUNK_HEADER_BYTES);
		wm_zeros_make(
			wm_chunk_counters(chunk), wm_chunk_counter_count(folding->file->object));
	}
	__atomic_store_n(&header->commit, WM_COMMIT_MAKE(WM_COMMIT_TOTALS(header->commit), 0),
		__ATOMIC_RELEASE);
}

/* Writes the sums and returns their hash, as wm_file_hash_words does. The hash of a zero is a
 * multiplication alone. */
static uint64_t add_up(
	uint64_t *sum, const uint64_t *left, const uint64_t *right, size_t count, uint64_t hash)
{
	const uint64_t square = WM_HASH_PRIME * WM_HASH_PRIME, fourth = square * square;
	for (size_t i = 0, next; i < count; i = next) {
		next = wm_zeros_next(i, count);
		if (next == i + WM_ZEROS_AT_ONCE && wm_zeros_at(left + i) &&
			wm_zeros_at(right + i) && wm_zeros_at(sum + i)) {
			hash *= fourth * fourth;
			continue;
		}
		for (size_t j = i; j < next; j++) {
			uint64_t word = left[j] + right[j];
			if (sum[j] != word)
				sum[j] = word;
			hash = wm_file_hash_words(hash, &word, 1);
		}
	}
	return hash;
}

static void fold(struct folding *folding, uint32_t number)
{
	uint32_t current = WM_COMMIT_TOTALS(folding->header->commit);
	struct wm_chunk_header *from = chunk_at(folding, current);
	struct wm_chunk_header *to = chunk_at(folding, 1 - current);
	struct wm_chunk_header *chunk = chunk_at(folding, number);
	size_t count = wm_chunk_counter_count(folding->file->object);
	to->kind = WM_CHUNK_TOTALS;
	to->span = 1;
	to->runs = from->runs + chunk->runs;
	to->cut_short = from->cut_short + !chunk->ended;
	to->status = from->status | chunk->status;
	to->checksum = add_up(wm_chunk_counters(to), wm_chunk_counters(from),
		wm_chunk_counters(chunk), count, wm_file_totals_hash(to));
	__atomic_store_n(
		&folding->header->commit, WM_COMMIT_MAKE(1 - current, number), __ATOMIC_RELEASE);
	clear_folded(folding);
}

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

/* The next chunk that can be folded, from this one on; the number of chunks if there is none. Heads
 * are read, not mapped: for a mapping the kernel would also read what surrounds them. */
static uint64_t next_abandoned(const struct wm_locked_file *file, uint64_t number)
{
	struct wm_chunk_header chunk;
	for (; number < file->unit_count; number = wm_chunk_next(number, &chunk)) {
		if (wm_chunk_read(file, number, &chunk))
			return file->unit_count;
		if (chunk.kind == WM_CHUNK_COUNTERS && wm_chunk_is_abandoned(&chunk))
			return number;
	}
	return file->unit_count;
}

static void fold_abandoned(struct wm_locked_file *file)
{
	uint64_t number = next_abandoned(file, WM_FILE_TOTALS_UNITS);
	if (number == file->unit_count && !file->folded)
		return;
	size_t bytes = wm_file_offset(file, file->unit_count);
	void *mapping = wm_system_map(NULL, bytes, MAP_SHARED, file->descriptor, 0);
	if (!mapping)
		return;
	struct folding folding = {file, mapping};
	if (file->folded) { /* it may be the one that was found */
		clear_folded(&folding);
		number = next_abandoned(file, WM_FILE_TOTALS_UNITS);
	}
	if (number < file->unit_count && wm_file_reserve_totals(file))
		number = file->unit_count;
	for (; number < file->unit_count; number = next_abandoned(file, number + 1))
		fold(&folding, (uint32_t)number);
	wm_system_unmap(mapping, bytes);
}

/* Chunks below the one claimed last are seldom free. If the file was replaced since then, that
 * number may lie within a table; but the first byte of a cell is a multiple of 8, which no kind of
 * chunk that is ours is. */
static uint64_t first_to_try(struct wm_locked_file *file, uint64_t last)
{
	struct wm_chunk_header chunk;
	if (last && last < file->unit_count && !wm_chunk_read(file, last, &chunk) &&
		chunk.kind == WM_CHUNK_COUNTERS && chunk.span == 1)
		return last;
	return WM_FILE_TOTALS_UNITS;
}

/* The number of a free chunk, after growing the file if need be; 0 without room. */
static uint64_t find_free(struct wm_locked_file *file, int from_start)
{
	static uint64_t last;
	struct wm_chunk_header chunk;
	uint64_t number = first_to_try(file, from_start ? 0 : last);
	for (; number < file->unit_count; number = wm_chunk_next(number, &chunk)) {
		if (wm_chunk_read(file, number, &chunk))
			return 0;
		if (chunk.kind == WM_CHUNK_FREE && wm_chunk_span(&chunk) == 1)
			return last = number;
	}
	number = file->unit_count;
	return wm_file_reserve(file, 1) || wm_file_append(file, 1) ? 0 : (last = number);
}

/* A process killed while taking the chunk may have left bytes in its head. */
static void take_chunk(struct wm_chunk_header *header)
{
	*header = (struct wm_chunk_header){.state = WM_CHUNK_ACTIVE, .span = 1};
	wm_process_sign(header);
	__atomic_store_n(&header->kind, WM_CHUNK_COUNTERS, __ATOMIC_RELEASE);
}

static int map_chunk(struct wm_locked_file *file, void *address, struct wm_chunk *chunk)
{
	void *mapping = wm_system_map(address, file->unit_bytes, MAP_SHARED, file->descriptor,
		wm_file_offset(file, chunk->number));
	if (!mapping)
		return -1;
	chunk->header = mapping;
	wm_system_expect_random(mapping, file->unit_bytes);
	take_chunk(chunk->header);
	return 0;
}

/* A process killed while clearing a folded chunk has left the rest to us. */
int wm_chunk_open_file(
	struct wm_locked_file *file, const struct wm_own_object *object, const char *name)
{
	static char other[PATH_MAX];
	int foreign, status = wm_file_open(file, object, name, &foreign);
	if (status && foreign && !wm_name_alternative(object, name, other))
		status = wm_file_open(file, object, other, &foreign);
	if (!status && file->folded)
		fold_abandoned(file);
	return status;
}

int wm_chunk_claim(const struct wm_own_object *object, const char *name, void *address, int fold,
	struct wm_chunk *chunk)
{
	struct wm_locked_file file;
	if (wm_chunk_open_file(&file, object, name))
		return -1;
	if (fold)
		fold_abandoned(&file);
	chunk->number = find_free(&file, fold);
	int status = chunk->number ? map_chunk(&file, address, chunk) : -1;
	wm_file_close(&file);
	return status;
}

/* Shared, so that a second mapping of it can be made; a forked child replaces it. */
int wm_chunk_in_memory(const struct wm_own_object *object, void *address, struct wm_chunk *chunk)
{
	void *mapping = wm_system_map(address, wm_file_unit_bytes(object->counter_bytes),
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!mapping)
		return -1;
	chunk->number = 0;
	chunk->header = mapping;
	take_chunk(chunk->header);
	return 0;
}

int wm_chunk_is_own(
	const struct wm_locked_file *file, uint64_t number, const struct wm_chunk_header *own)
{
	struct wm_chunk_header there;
	return number && number < file->unit_count && !wm_chunk_read(file, number, &there) &&
	       there.kind == own->kind && there.state == WM_CHUNK_ACTIVE &&
	       there.process == own->process && there.process_start == own->process_start &&
	       there.thread == own->thread && there.span == own->span;
}

int wm_chunk_save(const struct wm_own_object *object, const char *name, struct wm_chunk *chunk,
	uint64_t *number)
{
	struct wm_locked_file file;
	if (wm_chunk_open_file(&file, object, name))
		return -1;
	if (!wm_chunk_is_own(&file, *number, chunk->header))
		*number = find_free(&file, 1);
	int status = *number ? wm_file_write(&file, chunk->header,
				       WM_CHUNK_HEADER_BYTES + object->counter_bytes,
				       wm_file_offset(&file, *number))
			     : -1;
	wm_file_close(&file);
	return status;
}
