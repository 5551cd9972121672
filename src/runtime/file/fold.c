/* Totals and chunks are mapped, with the whole file. A folded chunk is cleared before it is free,
 * because any object that counts into the file may take one that is free. */
#define _GNU_SOURCE
#include "runtime/file/fold.h"

#include <string.h>

#include "runtime/count/zeros.h"
#include "runtime/file/chunk.h"
#include "runtime/system.h"

/* The file while chunks of one object are folded. */
struct folding {
	struct wm_locked_file *file;
	char *base;	  /* the whole file, mapped */
	uint64_t library; /* the object's chunk; 0: it is the file's own object */
	uint64_t *commit;
	struct wm_chunk_header *totals[WM_FILE_TOTALS_UNITS];
	size_t counter_count;
};

static struct wm_chunk_header *chunk_at(const struct folding *folding, uint64_t number)
{
	return (void *)(folding->base + wm_file_offset(folding->file, number));
}

static void find_totals(struct folding *folding, void *first, uint64_t bytes)
{
	folding->totals[0] = first;
	folding->totals[1] = (void *)((char *)first + bytes);
}

static int start(struct folding *folding, struct wm_locked_file *file, uint64_t library)
{
	*folding = (struct folding){.file = file, .library = library};
	folding->base = wm_system_map(
		NULL, wm_file_offset(file, file->unit_count), MAP_SHARED, file->descriptor, 0);
	if (!folding->base)
		return -1;
	const struct wm_own_object *object = library ? file->object : file->object->host;
	struct wm_file_header *header = (void *)folding->base;
	folding->counter_count = wm_chunk_counter_count(object);
	folding->commit = &header->commit;
	find_totals(folding, chunk_at(folding, 0), file->unit_bytes);
	if (!library)
		return 0;
	char *chunk = (char *)chunk_at(folding, library);
	struct wm_library_header *identity = (void *)(chunk + WM_CHUNK_HEADER_BYTES);
	folding->commit = &identity->commit;
	find_totals(folding, chunk + WM_LIBRARY_TOTALS, wm_object_chunk_bytes(object));
	return 0;
}

static void stop(struct folding *folding)
{
	wm_system_unmap(folding->base, wm_file_offset(folding->file, folding->file->unit_count));
}

static int holds_counters(const struct wm_chunk_header *chunk, uint64_t library)
{
	return library ? chunk->kind == WM_CHUNK_LIBRARY_COUNTERS && chunk->library == library
		       : chunk->kind == WM_CHUNK_COUNTERS;
}

/* Kind and span change together: a free chunk keeps its size. The rest means nothing then. */
static void set_free(struct wm_chunk_header *chunk)
{
	const struct wm_chunk_header free = {.kind = WM_CHUNK_FREE, .span = chunk->span};
	uint64_t first;
	memcpy(&first, &free, sizeof(first));
	__atomic_store_n((uint64_t *)(void *)chunk, first, __ATOMIC_RELEASE);
	memset((char *)chunk + sizeof(first), 0, WM_CHUNK_HEADER_BYTES - sizeof(first));
}

/* An earlier Waymark freed a chunk of one unit before it cleared it. Another object may have taken
 * one that is free. */
static void clear_folded(struct folding *folding)
{
	uint32_t folded = WM_COMMIT_FOLDED(*folding->commit);
	if (!folded)
		return;
	if (folded < folding->file->unit_count) {
		struct wm_chunk_header *chunk = chunk_at(folding, folded);
		int is_own = holds_counters(chunk, folding->library);
		if (is_own || (!folding->library && chunk->kind == WM_CHUNK_FREE))
			wm_zeros_make(wm_chunk_counters(chunk), folding->counter_count);
		if (is_own)
			set_free(chunk);
	}
	__atomic_store_n(folding->commit, WM_COMMIT_MAKE(WM_COMMIT_TOTALS(*folding->commit), 0),
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
	uint32_t current = WM_COMMIT_TOTALS(*folding->commit);
	struct wm_chunk_header *from = folding->totals[current];
	struct wm_chunk_header *to = folding->totals[1 - current];
	struct wm_chunk_header *chunk = chunk_at(folding, number);
	to->kind = WM_CHUNK_TOTALS;
	to->span = 1;
	to->runs = from->runs + chunk->runs;
	to->cut_short = from->cut_short + !chunk->ended;
	to->status = from->status | chunk->status;
	to->checksum = add_up(wm_chunk_counters(to), wm_chunk_counters(from),
		wm_chunk_counters(chunk), folding->counter_count, wm_file_totals_hash(to));
	__atomic_store_n(folding->commit, WM_COMMIT_MAKE(1 - current, number), __ATOMIC_RELEASE);
	clear_folded(folding);
}

/* The next chunk that can be folded, from this one on; the number of chunks if there is none. Heads
 * are read, not mapped: for a mapping the kernel would also read what surrounds them. */
static uint64_t next_abandoned(const struct wm_locked_file *file, uint64_t number)
{
	struct wm_chunk_header chunk;
	for (; number < file->unit_count; number = wm_chunk_next(number, &chunk)) {
		if (wm_chunk_read(file, number, &chunk))
			return file->unit_count;
		if (holds_counters(&chunk, file->library) && wm_chunk_is_abandoned(&chunk))
			return number;
	}
	return file->unit_count;
}

static void finish(struct wm_locked_file *file, uint64_t library)
{
	struct folding folding;
	if (start(&folding, file, library))
		return;
	clear_folded(&folding);
	stop(&folding);
}

void wm_fold_finish(struct wm_locked_file *file)
{
	if (file->folded)
		finish(file, 0);
	if (file->library_folded)
		finish(file, file->library);
}

/* A library's totals got their space with its chunk. */
static int has_totals(const struct wm_locked_file *file)
{
	return file->library || !wm_file_reserve_totals(file);
}

void wm_fold_abandoned(struct wm_locked_file *file)
{
	struct folding folding;
	uint64_t number = next_abandoned(file, WM_FILE_TOTALS_UNITS);
	if (number == file->unit_count || !has_totals(file) || start(&folding, file, file->library))
		return;
	for (; number < file->unit_count; number = next_abandoned(file, number + 1))
		fold(&folding, (uint32_t)number);
	stop(&folding);
}
