/* Blocks by start. A block that is translated again keeps its number if it is the same code. */
#include "valgrind/tool.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_mallocfree.h>

struct wm_block *wm_blocks;
uint32_t wm_block_count;
struct wm_block_access *wm_accesses;
uint8_t *wm_code;
uint32_t wm_code_bytes;

static uint32_t block_capacity, access_capacity, access_count, code_capacity;
static uint32_t *slots; /* number + 1 of a block, by a hash of its start */
static uint32_t slot_count;

void *wm_tool_resize(void *old, size_t old_bytes, size_t bytes)
{
	(void)old_bytes;
	if (bytes)
		return VG_(realloc)("waymark", old, bytes);
	if (old)
		VG_(free)(old);
	return NULL;
}

void *wm_tool_grow(void *array, uint32_t count, uint32_t *capacity, size_t size)
{
	if (count < *capacity)
		return array;
	*capacity = *capacity ? *capacity * 2 : 1024;
	return VG_(realloc)("waymark", array, *capacity * size);
}

static uint32_t slot_of(uint64_t start)
{
	return (uint32_t)(start * 0x9E3779B97F4A7C15ULL >> 32) & (slot_count - 1);
}

static void put(uint32_t number)
{
	uint32_t slot = slot_of(wm_blocks[number].info.start);
	while (slots[slot])
		slot = (slot + 1) & (slot_count - 1);
	slots[slot] = number + 1;
}

static void make_slots(void)
{
	if (wm_block_count * 2 < slot_count)
		return;
	if (slots)
		VG_(free)(slots);
	slot_count = slot_count ? slot_count * 2 : 4096;
	slots = VG_(calloc)("waymark", slot_count, sizeof *slots);
	for (uint32_t i = 0; i < wm_block_count; i++)
		put(i);
}

static bool is_same(const struct wm_block *old, const struct wm_block *block, const uint8_t *code)
{
	return old->info.start == block->info.start && old->info.bytes == block->info.bytes &&
	       old->info.kind == block->info.kind && old->slots == block->slots &&
	       old->info.target == block->info.target &&
	       VG_(memcmp)(wm_code + old->info.code, code, block->info.bytes) == 0;
}

static void add_code(struct wm_block *block, const uint8_t *code)
{
	while (wm_code_bytes + block->info.bytes > code_capacity) {
		code_capacity = code_capacity ? 2 * code_capacity : 1 << 16;
		wm_code = VG_(realloc)("waymark", wm_code, code_capacity);
	}
	block->info.code = wm_code_bytes;
	VG_(memcpy)(wm_code + wm_code_bytes, code, block->info.bytes);
	wm_code_bytes += block->info.bytes;
}

static void add_accesses(
	struct wm_block *block, const struct wm_block_access *accesses, uint32_t count)
{
	block->first_access = access_count;
	block->accesses = count;
	for (uint32_t i = 0; i < count; i++) {
		wm_accesses = wm_tool_grow(
			wm_accesses, access_count, &access_capacity, sizeof *wm_accesses);
		wm_accesses[access_count++] = accesses[i];
	}
}

uint32_t wm_block_number(const struct wm_block *block, const uint8_t *code,
	const struct wm_block_access *accesses, uint32_t count)
{
	make_slots();
	for (uint32_t slot = slot_of(block->info.start); slots[slot];
		slot = (slot + 1) & (slot_count - 1))
		if (is_same(&wm_blocks[slots[slot] - 1], block, code))
			return slots[slot] - 1;
	wm_blocks = wm_tool_grow(wm_blocks, wm_block_count, &block_capacity, sizeof *wm_blocks);
	wm_blocks[wm_block_count] = *block;
	add_code(&wm_blocks[wm_block_count], code);
	add_accesses(&wm_blocks[wm_block_count], accesses, count);
	put(wm_block_count);
	return wm_block_count++;
}
