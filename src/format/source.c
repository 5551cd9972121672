/* Encoding and decoding of source records. Writer and reader of a part stand side by side. */
#include "format/source.h"

#include <stdlib.h>
#include <string.h>

#include "format/description.h"
#include "format/encoding.h"

static void put_place(struct wm_encoder *encoder, const struct wm_source_place *place)
{
	wm_encode_number(encoder, place->file);
	wm_encode_number(encoder, place->line);
	wm_encode_number(encoder, place->column);
}

static uint32_t get_file(struct wm_decoder *decoder, const struct wm_source *source)
{
	return wm_decode_below(decoder, source->file_count, "a place names no file");
}

static struct wm_source_place get_place(struct wm_decoder *decoder, const struct wm_source *source)
{
	struct wm_source_place place;
	place.file = get_file(decoder, source);
	place.line = wm_decode_number(decoder);
	place.column = wm_decode_number(decoder);
	return place;
}

static uint32_t get_block(struct wm_decoder *decoder, const struct wm_source *source)
{
	return wm_decode_below(decoder, source->block_count, "it names a block that is not there");
}

static void put_files(struct wm_encoder *encoder, const struct wm_source *source)
{
	wm_encode_text(encoder, source->name);
	wm_encode_text(encoder, source->text);
	wm_encode_number(encoder, source->line);
	wm_encode_number(encoder, source->file_count);
	for (uint32_t i = 0; i < source->file_count; i++)
		wm_encode_text(encoder, source->files[i]);
}

static void get_files(struct wm_decoder *decoder, struct wm_source *source)
{
	source->name = wm_decode_text(decoder);
	source->text = wm_decode_text(decoder);
	source->line = wm_decode_number(decoder);
	source->file_count = wm_decode_count(decoder, 1);
	source->files = wm_arena_alloc(decoder->arena, source->file_count, sizeof *source->files);
	for (uint32_t i = 0; i < source->file_count; i++)
		source->files[i] = wm_decode_text(decoder);
}

static void put_blocks(struct wm_encoder *encoder, const struct wm_source *source)
{
	wm_encode_number(encoder, source->line_count);
	wm_encode_number(encoder, source->block_count);
	for (uint32_t i = 0; i < source->block_count; i++) {
		const struct wm_source_block *block = &source->blocks[i];
		wm_encode_number(encoder,
			source->may_be_left[i] | (source->lasting && source->lasting[i]) << 1);
		wm_encode_number(encoder, block->line_count);
		for (uint32_t k = 0; k < block->line_count; k++) {
			const struct wm_source_line *line = &source->lines[block->first_line + k];
			wm_encode_number(encoder, line->file);
			wm_encode_number(encoder, line->line);
			wm_encode_number(encoder, line->part);
		}
	}
}

static void get_lines(struct wm_decoder *decoder, struct wm_source *source, uint32_t count)
{
	for (uint32_t k = 0; k < count; k++) {
		struct wm_source_line *line = &source->lines[source->line_count++];
		line->file = get_file(decoder, source);
		line->line = wm_decode_number(decoder);
		line->part = wm_decode_below(
			decoder, WM_SOURCE_BEHIND_CALLS + 1, "a line is in no part of its block");
	}
}

static void get_blocks(struct wm_decoder *decoder, struct wm_source *source)
{
	uint32_t line_count = wm_decode_count(decoder, 3);
	source->lines = wm_arena_alloc(decoder->arena, line_count, sizeof *source->lines);
	source->block_count = wm_decode_count(decoder, 2);
	source->blocks =
		wm_arena_alloc(decoder->arena, source->block_count, sizeof *source->blocks);
	source->may_be_left = wm_arena_alloc(decoder->arena, source->block_count, sizeof(bool));
	source->lasting = wm_arena_alloc(decoder->arena, source->block_count, sizeof(bool));
	for (uint32_t i = 0; i < source->block_count; i++) {
		struct wm_source_block *block = &source->blocks[i];
		uint32_t flags = wm_decode_below(decoder, 4, "a block has unknown flags");
		source->may_be_left[i] = flags & 1;
		source->lasting[i] = flags >> 1;
		block->first_line = source->line_count;
		block->line_count = wm_decode_below(
			decoder, line_count - source->line_count + 1, "a block has too many lines");
		get_lines(decoder, source, block->line_count);
	}
	if (!source->block_count)
		wm_decode_fail(decoder, "it has no block");
}

static void put_edges(struct wm_encoder *encoder, const struct wm_source *source)
{
	wm_encode_number(encoder, source->edge_count);
	for (uint32_t i = 0; i < source->edge_count; i++) {
		wm_encode_number(encoder, source->edge_source[i]);
		wm_encode_number(encoder, source->edge_target[i]);
	}
}

static void get_edges(struct wm_decoder *decoder, struct wm_source *source)
{
	uint32_t count = source->edge_count = wm_decode_count(decoder, 2);
	source->edge_source = wm_arena_alloc(decoder->arena, count, sizeof(uint32_t));
	source->edge_target = wm_arena_alloc(decoder->arena, count, sizeof(uint32_t));
	for (uint32_t i = 0; i < count; i++) {
		source->edge_source[i] = wm_decode_below(
			decoder, source->block_count + 1, "an edge comes from no block");
		source->edge_target[i] = wm_decode_below(
			decoder, source->block_count + 1, "an edge leads to no block");
	}
}

static void put_list(struct wm_encoder *encoder, const uint32_t *blocks, uint32_t count)
{
	wm_encode_number(encoder, count);
	for (uint32_t i = 0; i < count; i++)
		wm_encode_number(encoder, blocks[i]);
}

static uint32_t *get_list(
	struct wm_decoder *decoder, const struct wm_source *source, uint32_t *count)
{
	*count = wm_decode_count(decoder, 1);
	uint32_t *blocks = wm_arena_alloc(decoder->arena, *count, sizeof *blocks);
	for (uint32_t i = 0; i < *count; i++)
		blocks[i] = get_block(decoder, source);
	return blocks;
}

static void put_regions(struct wm_encoder *encoder, const struct wm_source *source)
{
	wm_encode_number(encoder, source->region_count);
	for (uint32_t i = 0; i < source->region_count; i++) {
		const struct wm_source_region *region = &source->regions[i];
		wm_encode_number(encoder, region->kind);
		put_place(encoder, &region->first);
		wm_encode_number(encoder, region->last.line);
		wm_encode_number(encoder, region->last.column);
		put_list(encoder, region->term.plus, region->term.plus_count);
		put_list(encoder, region->term.minus, region->term.minus_count);
	}
}

static void get_regions(struct wm_decoder *decoder, struct wm_source *source)
{
	uint32_t count = source->region_count = wm_decode_count(decoder, 8);
	source->regions = wm_arena_alloc(decoder->arena, count, sizeof *source->regions);
	for (uint32_t i = 0; i < count; i++) {
		struct wm_source_region *region = &source->regions[i];
		region->kind = wm_decode_below(
			decoder, WM_SOURCE_UNKNOWN + 1, "a region is of an unknown kind");
		region->first = get_place(decoder, source);
		region->last.file = region->first.file;
		region->last.line = wm_decode_number(decoder);
		region->last.column = wm_decode_number(decoder);
		region->term.plus = get_list(decoder, source, &region->term.plus_count);
		region->term.minus = get_list(decoder, source, &region->term.minus_count);
	}
}

static void put_branches(struct wm_encoder *encoder, const struct wm_source *source)
{
	wm_encode_number(encoder, source->branch_count);
	for (uint32_t i = 0; i < source->branch_count; i++) {
		const struct wm_source_branch *branch = &source->branches[i];
		wm_encode_number(encoder, branch->block);
		put_place(encoder, &branch->condition);
		wm_encode_number(encoder, branch->arm_count);
		for (uint32_t k = 0; k < branch->arm_count; k++) {
			wm_encode_number(encoder, branch->arms[k].target);
			wm_encode_number(encoder, branch->arms[k].outcome);
			put_place(encoder, &branch->arms[k].place);
		}
	}
}

static void get_arms(
	struct wm_decoder *decoder, const struct wm_source *source, struct wm_source_branch *branch)
{
	branch->arm_count = wm_decode_count(decoder, 5);
	branch->arms = wm_arena_alloc(decoder->arena, branch->arm_count, sizeof *branch->arms);
	for (uint32_t k = 0; k < branch->arm_count; k++) {
		branch->arms[k].target = get_block(decoder, source);
		branch->arms[k].outcome = wm_decode_below(
			decoder, WM_SOURCE_DEFAULT + 1, "an arm has an unknown meaning");
		branch->arms[k].place = get_place(decoder, source);
	}
}

static void get_branches(struct wm_decoder *decoder, struct wm_source *source)
{
	uint32_t count = source->branch_count = wm_decode_count(decoder, 5);
	source->branches = wm_arena_alloc(decoder->arena, count, sizeof *source->branches);
	for (uint32_t i = 0; i < count; i++) {
		struct wm_source_branch *branch = &source->branches[i];
		branch->block = get_block(decoder, source);
		branch->condition = get_place(decoder, source);
		get_arms(decoder, source, branch);
		if (i && branch[-1].block >= branch->block)
			wm_decode_fail(decoder, "its branches are not in order");
	}
}

static void put_calls(struct wm_encoder *encoder, const struct wm_source *source)
{
	wm_encode_number(encoder, source->call_count);
	for (uint32_t i = 0; i < source->call_count; i++) {
		wm_encode_number(encoder, source->calls[i].block);
		wm_encode_text(encoder, source->calls[i].callee);
	}
}

static void get_calls(struct wm_decoder *decoder, struct wm_source *source)
{
	uint32_t count = source->call_count = wm_decode_count(decoder, 2);
	source->calls = wm_arena_alloc(decoder->arena, count, sizeof *source->calls);
	for (uint32_t i = 0; i < count; i++) {
		source->calls[i].block = get_block(decoder, source);
		source->calls[i].callee = wm_decode_text(decoder);
	}
}

const uint8_t *wm_source_encode(
	struct wm_arena *arena, const struct wm_source *source, size_t *bytes)
{
	struct wm_encoder encoder = {.arena = arena};
	put_files(&encoder, source);
	put_blocks(&encoder, source);
	put_edges(&encoder, source);
	put_regions(&encoder, source);
	put_branches(&encoder, source);
	put_calls(&encoder, source);
	*bytes = encoder.used;
	return encoder.bytes;
}

int wm_source_decode(struct wm_arena *arena, const uint8_t *body, size_t bytes,
	struct wm_source *source, struct wm_error *error)
{
	struct wm_decoder decoder = {.arena = arena, .next = body, .end = body + bytes};
	memset(source, 0, sizeof *source);
	get_files(&decoder, source);
	get_blocks(&decoder, source);
	get_edges(&decoder, source);
	get_regions(&decoder, source);
	get_branches(&decoder, source);
	get_calls(&decoder, source);
	if (!decoder.failed && decoder.next != decoder.end)
		wm_decode_fail(&decoder, "bytes are left over at its end");
	if (decoder.failed)
		return wm_error_set(error, WM_ERROR_INPUT,
			"the source record of function '%.200s' is damaged: %s",
			source->name ? source->name : "", decoder.failed);
	source->key = wm_description_hash(body, bytes);
	return 0;
}

static int by_block(const void *key, const void *element)
{
	uint32_t block = *(const uint32_t *)key;
	const struct wm_source_branch *branch = element;
	return (block > branch->block) - (block < branch->block);
}

const struct wm_source_branch *wm_source_branch_of(const struct wm_source *source, uint32_t block)
{
	return bsearch(
		&block, source->branches, source->branch_count, sizeof *source->branches, by_block);
}
