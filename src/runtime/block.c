/* Claiming blocks of the file, and folding those that the dead have left.
 *
 * Names and headers are static: this runs under the runtime's own lock, on any stack.
 */
#define _GNU_SOURCE
#include "runtime/block.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

#include "runtime/name.h"
#include "runtime/process.h"
#include "runtime/system.h"
#include "runtime/zeros.h"

/* The file while blocks are folded. */
struct folding {
	struct wm_file *file;
	struct wm_file_header *header; /* the whole file, mapped */
};

static struct wm_block_header *block_at(const struct folding *folding, uint64_t number)
{
	return (void *)((char *)folding->header + wm_file_offset(folding->file, number));
}

static void clear_folded(struct folding *folding)
{
	struct wm_file_header *header = folding->header;
	uint32_t folded = WM_COMMIT_FOLDED(header->commit);
	if (!folded)
		return;
	if (folded < folding->file->block_count) {
		struct wm_block_header *block = block_at(folding, folded);
		memset(block, 0, WM_BLOCK_HEADER_BYTES);
		wm_zeros_make(
			wm_block_counters(block), wm_block_counter_count(folding->file->object));
	}
	__atomic_store_n(&header->commit, WM_COMMIT_MAKE(WM_COMMIT_TOTALS(header->commit), 0),
		__ATOMIC_RELEASE);
}

/* The hash of the words, which become sums: as wm_file_hash_words, in which a zero is but a
 * multiplication. */
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
	struct wm_block_header *from = block_at(folding, current);
	struct wm_block_header *to = block_at(folding, 1 - current);
	struct wm_block_header *block = block_at(folding, number);
	size_t count = wm_block_counter_count(folding->file->object);
	to->runs = from->runs + block->runs;
	to->cut_short = from->cut_short + !block->ended;
	to->status = from->status | block->status;
	to->checksum = add_up(wm_block_counters(to), wm_block_counters(from),
		wm_block_counters(block), count, wm_file_totals_hash(to));
	__atomic_store_n(
		&folding->header->commit, WM_COMMIT_MAKE(1 - current, number), __ATOMIC_RELEASE);
	clear_folded(folding);
}

int wm_block_is_abandoned(const struct wm_block_header *header)
{
	return header->state == WM_BLOCK_RELEASED ||
	       (header->state == WM_BLOCK_ACTIVE && wm_process_is_gone(header));
}

int wm_block_read(const struct wm_file *file, uint64_t number, struct wm_block_header *header)
{
	return wm_system_read(file->descriptor, header, sizeof(*header),
		       wm_file_offset(file, number)) == sizeof(*header)
		       ? 0
		       : -1;
}

/* The next block that can be folded, from this one on; the number of blocks if there is none. Heads
 * are read, not mapped: the kernel would read what stands around them, too. */
static uint64_t next_abandoned(const struct wm_file *file, uint64_t number)
{
	struct wm_block_header block;
	for (; number < file->block_count; number = wm_block_next(number, &block)) {
		if (wm_block_read(file, number, &block))
			return file->block_count;
		if (!block.span && wm_block_is_abandoned(&block))
			return number;
	}
	return file->block_count;
}

static void fold_abandoned(struct wm_file *file)
{
	uint64_t number = next_abandoned(file, WM_FILE_FIRST_THREAD_BLOCK);
	if (number == file->block_count && !file->folded)
		return;
	size_t bytes = wm_file_offset(file, file->block_count);
	void *mapping = wm_system_map(NULL, bytes, MAP_SHARED, file->descriptor, 0);
	if (!mapping)
		return;
	struct folding folding = {file, mapping};
	if (file->folded) { /* it may be the one that was found */
		clear_folded(&folding);
		number = next_abandoned(file, WM_FILE_FIRST_THREAD_BLOCK);
	}
	for (; number < file->block_count; number = next_abandoned(file, number + 1))
		fold(&folding, (uint32_t)number);
	wm_system_unmap(mapping, bytes);
}

/* Blocks below the one claimed last are seldom free. If the file was replaced meanwhile, its number
 * may lie within a table; but the place at the start of a cell is none of these states. */
static uint64_t first_to_try(struct wm_file *file, uint64_t last)
{
	struct wm_block_header block;
	if (last && last < file->block_count && !wm_block_read(file, last, &block) &&
		(block.state == WM_BLOCK_ACTIVE || block.state == WM_BLOCK_RELEASED))
		return last;
	return WM_FILE_FIRST_THREAD_BLOCK;
}

/* The number of a free block, after growing the file if need be; 0 without room. */
static uint64_t find_free(struct wm_file *file, int from_start)
{
	static uint64_t last;
	struct wm_block_header block;
	uint64_t number = first_to_try(file, from_start ? 0 : last);
	for (; number < file->block_count; number = wm_block_next(number, &block)) {
		if (wm_block_read(file, number, &block))
			return 0;
		if (block.state == WM_BLOCK_FREE && !block.span)
			return last = number;
	}
	number = file->block_count;
	return wm_file_grow(file, 1) ? 0 : (last = number);
}

static int map_block(struct wm_file *file, void *address, struct wm_block *block)
{
	void *mapping = wm_system_map(address, file->stride, MAP_SHARED, file->descriptor,
		wm_file_offset(file, block->number));
	if (!mapping)
		return -1;
	block->header = mapping;
	wm_system_expect_random(mapping, file->stride);
	wm_process_sign(block->header);
	__atomic_store_n(&block->header->state, WM_BLOCK_ACTIVE, __ATOMIC_RELEASE);
	return 0;
}

/* Who was killed while it cleared a block may have left it free, but not empty. */
int wm_block_open_file(struct wm_file *file, const struct wm_object *object, const char *name)
{
	static char other[PATH_MAX];
	int foreign, status = wm_file_open(file, object, name, &foreign);
	if (status && foreign && !wm_name_alternative(object, name, other))
		status = wm_file_open(file, object, other, &foreign);
	if (!status && file->folded)
		fold_abandoned(file);
	return status;
}

int wm_block_claim(const struct wm_object *object, const char *name, void *address, int fold,
	struct wm_block *block)
{
	struct wm_file file;
	if (wm_block_open_file(&file, object, name))
		return -1;
	if (fold)
		fold_abandoned(&file);
	block->number = find_free(&file, fold);
	int status = block->number ? map_block(&file, address, block) : -1;
	wm_file_close(&file);
	return status;
}

/* Shared, so that a second mapping of it can be made; a forked child replaces it. */
int wm_block_in_memory(const struct wm_object *object, void *address, struct wm_block *block)
{
	void *mapping = wm_system_map(address, wm_file_block_stride(object->counter_bytes),
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!mapping)
		return -1;
	block->number = 0;
	block->header = mapping;
	wm_process_sign(block->header);
	return 0;
}

int wm_block_is_own(const struct wm_file *file, uint64_t number, const struct wm_block_header *own)
{
	struct wm_block_header there;
	return number && number < file->block_count && !wm_block_read(file, number, &there) &&
	       there.state == WM_BLOCK_ACTIVE && there.process == own->process &&
	       there.process_start == own->process_start && there.thread == own->thread &&
	       there.span == own->span;
}

int wm_block_save(
	const struct wm_object *object, const char *name, struct wm_block *block, uint64_t *number)
{
	struct wm_file file;
	if (wm_block_open_file(&file, object, name))
		return -1;
	if (!wm_block_is_own(&file, *number, block->header))
		*number = find_free(&file, 1);
	block->header->state = WM_BLOCK_ACTIVE;
	int status = *number ? wm_file_write(&file, block->header,
				       WM_BLOCK_HEADER_BYTES + object->counter_bytes,
				       wm_file_offset(&file, *number))
			     : -1;
	wm_file_close(&file);
	return status;
}
