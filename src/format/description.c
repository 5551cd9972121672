/* Encoding and decoding of function descriptions: the graph here, what each mode counts in
 * format/sections.c. Writer and reader of a part stand side by side in the same order. */
#include "format/description.h"

#include <string.h>

#include "format/sections.h"

static void put_scopes(struct wm_encoder *encoder, const struct wm_function *function)
{
	wm_encode_number(encoder, function->scope_count);
	for (uint32_t i = 0; i < function->scope_count; i++) {
		const struct wm_scope *scope = &function->scopes[i];
		wm_encode_text(encoder, scope->function);
		wm_encode_text(encoder, scope->file);
		wm_encode_number(encoder, scope->line);
		wm_encode_number(encoder, scope->parent);
		wm_encode_number(encoder, scope->call_line);
	}
}

static void put_blocks(struct wm_encoder *encoder, const struct wm_function *function)
{
	wm_encode_number(encoder, function->block_count);
	for (uint32_t i = 0; i < function->block_count; i++) {
		const struct wm_block *block = &function->blocks[i];
		wm_encode_number(encoder, block->instructions);
		wm_encode_number(encoder, block->position_count);
		for (uint32_t k = 0; k < block->position_count; k++) {
			const struct wm_position *position =
				&function->positions[block->first_position + k];
			wm_encode_number(encoder, position->scope);
			wm_encode_number(encoder, position->line);
		}
	}
}

static void put_edges(struct wm_encoder *encoder, const struct wm_function *function)
{
	wm_encode_number(encoder, function->edge_count);
	for (uint32_t i = 0; i < function->edge_count; i++) {
		wm_encode_number(encoder, function->edge_source[i]);
		wm_encode_number(encoder, function->edge_target[i]);
		wm_encode_number(encoder, function->edge_flags[i]);
	}
}

static bool is_copy(const struct wm_function *function, uint32_t block)
{
	return function->original[block] != block;
}

static bool put_copies(struct wm_encoder *encoder, const struct wm_function *function)
{
	uint32_t count = 0;
	if (!function->original)
		return false;
	for (uint32_t i = 0; i < function->block_count; i++)
		count += is_copy(function, i);
	wm_encode_number(encoder, count);
	for (uint32_t i = 0; i < function->block_count; i++)
		if (is_copy(function, i)) {
			wm_encode_number(encoder, i);
			wm_encode_number(encoder, function->original[i]);
		}
	return true;
}

static void get_scopes(struct wm_decoder *decoder, struct wm_function *function)
{
	function->scope_count = wm_decode_count(decoder, 5);
	function->scopes =
		wm_arena_alloc(decoder->arena, function->scope_count, sizeof(*function->scopes));
	for (uint32_t i = 0; i < function->scope_count; i++) {
		struct wm_scope *scope = &function->scopes[i];
		scope->function = wm_decode_text(decoder);
		scope->file = wm_decode_text(decoder);
		scope->line = wm_decode_number(decoder);
		scope->parent =
			wm_decode_below(decoder, i ? i : 1, "a scope stands before its parent");
		scope->call_line = wm_decode_number(decoder);
	}
	if (!function->scope_count)
		wm_decode_fail(decoder, "it has no scope");
}

static void get_blocks(struct wm_decoder *decoder, struct wm_function *function)
{
	uint32_t position = 0;
	function->position_count = wm_decode_count(decoder, 2);
	function->positions = wm_arena_alloc(
		decoder->arena, function->position_count, sizeof(*function->positions));
	function->block_count = wm_decode_count(decoder, 2);
	function->blocks =
		wm_arena_alloc(decoder->arena, function->block_count, sizeof(*function->blocks));
	for (uint32_t i = 0; i < function->block_count; i++) {
		struct wm_block *block = &function->blocks[i];
		block->instructions = wm_decode_number(decoder);
		block->position_count = wm_decode_below(decoder,
			function->position_count - position + 1, "a block has too many positions");
		block->first_position = position;
		for (uint32_t k = 0; k < block->position_count; k++, position++) {
			function->positions[position].scope = wm_decode_below(
				decoder, function->scope_count, "a position names no scope");
			function->positions[position].line = wm_decode_number(decoder);
		}
	}
	if (!function->block_count)
		wm_decode_fail(decoder, "it has no block");
	if (position != function->position_count)
		wm_decode_fail(decoder, "a position belongs to no block");
}

static void get_edges(struct wm_decoder *decoder, struct wm_function *function)
{
	uint32_t vertices = function->block_count + 1;
	uint32_t count = function->edge_count = wm_decode_count(decoder, 3);
	function->edge_source = wm_arena_alloc(decoder->arena, count, sizeof(uint32_t));
	function->edge_target = wm_arena_alloc(decoder->arena, count, sizeof(uint32_t));
	function->edge_flags = wm_arena_alloc(decoder->arena, count, sizeof(uint8_t));
	for (uint32_t i = 0; i < count; i++) {
		function->edge_source[i] =
			wm_decode_below(decoder, vertices, "an edge names no block");
		function->edge_target[i] =
			wm_decode_below(decoder, vertices, "an edge names no block");
		function->edge_flags[i] = (uint8_t)wm_decode_below(
			decoder, 2 * WM_EDGE_RETURN, "an edge has unknown flags");
	}
}

static void get_copies(struct wm_decoder *decoder, struct wm_function *function)
{
	uint32_t count = wm_decode_count(decoder, 2);
	function->original =
		wm_arena_alloc(decoder->arena, function->block_count, sizeof(*function->original));
	for (uint32_t i = 0; i < function->block_count; i++)
		function->original[i] = i;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t copy =
			wm_decode_below(decoder, function->block_count, "a copy is no block");
		function->original[copy] = wm_decode_below(
			decoder, function->block_count, "what is copied is no block");
	}
	for (uint32_t i = 0; i < function->block_count; i++)
		if (is_copy(function, function->original[i]))
			wm_decode_fail(decoder, "a block is a copy of a copy");
}

static bool encode_graph(struct wm_encoder *encoder, const struct wm_function *function)
{
	put_scopes(encoder, function);
	wm_encode_number(encoder, function->position_count);
	put_blocks(encoder, function);
	put_edges(encoder, function);
	return true;
}

static void decode_graph(struct wm_decoder *decoder, struct wm_function *function)
{
	get_scopes(decoder, function);
	get_blocks(decoder, function);
	get_edges(decoder, function);
}

/* The sections that belong to no mode. The graph comes first: what follows refers to it. */
static const struct wm_section_codec graph_codec = {
	WM_SECTION_GRAPH, encode_graph, decode_graph, 0};
static const struct wm_section_codec copies_codec = {WM_SECTION_COPIES, put_copies, get_copies, 0};

static void encode_section(struct wm_encoder *encoder, const struct wm_section_codec *codec,
	const struct wm_function *function)
{
	struct wm_encoder part = {.arena = encoder->arena};
	if (!codec->encode(&part, function))
		return;
	wm_encode_number(encoder, codec->tag);
	wm_encode_number(encoder, (uint32_t)part.used);
	wm_encode_bytes(encoder, part.bytes, part.used);
}

const uint8_t *wm_description_encode(
	struct wm_arena *arena, const struct wm_function *function, size_t *bytes)
{
	struct wm_encoder encoder = {.arena = arena};
	wm_encode_text(&encoder, function->name);
	wm_encode_number(&encoder, function->flags);
	wm_encode_number(&encoder, function->counter_count);
	encode_section(&encoder, &graph_codec, function);
	encode_section(&encoder, &copies_codec, function);
	for (size_t i = 0; i < wm_section_codec_count; i++)
		encode_section(&encoder, &wm_section_codecs[i], function);
	*bytes = encoder.used;
	return encoder.bytes;
}

static const struct wm_section_codec *find_codec(uint32_t tag)
{
	if (tag == graph_codec.tag)
		return &graph_codec;
	if (tag == copies_codec.tag)
		return &copies_codec;
	for (size_t i = 0; i < wm_section_codec_count; i++)
		if (wm_section_codecs[i].tag == tag)
			return &wm_section_codecs[i];
	return NULL;
}

/* A tag below the one before it is a section that stands twice or out of order. */
static void decode_section(
	struct wm_decoder *decoder, struct wm_function *function, uint32_t *last_tag)
{
	uint32_t tag = wm_decode_number(decoder);
	struct wm_decoder part = wm_decode_part(decoder, wm_decode_count(decoder, 1));
	const struct wm_section_codec *codec = find_codec(tag);
	if (tag <= *last_tag)
		wm_decode_fail(decoder, "its sections are not in order");
	else if (tag != WM_SECTION_GRAPH && !function->block_count)
		wm_decode_fail(decoder, "it has no graph");
	*last_tag = tag;
	if (decoder->failed)
		return;
	if (!codec) {
		function->unknown_tag = function->unknown_tag ? function->unknown_tag : tag;
		return;
	}
	codec->decode(&part, function);
	if (!part.failed && part.next != part.end)
		wm_decode_fail(&part, "bytes are left over at the end of a section");
	if (part.failed)
		wm_decode_fail(decoder, part.failed);
}

int wm_description_decode(struct wm_arena *arena, const uint8_t *body, size_t bytes,
	struct wm_function *function, struct wm_error *error)
{
	struct wm_decoder decoder = {.arena = arena, .next = body, .end = body + bytes};
	uint32_t last_tag = 0;
	memset(function, 0, sizeof(*function));
	function->name = wm_decode_text(&decoder);
	function->flags = wm_decode_number(&decoder);
	function->counter_count = wm_decode_number(&decoder);
	while (decoder.next != decoder.end)
		decode_section(&decoder, function, &last_tag);
	if (!function->block_count)
		wm_decode_fail(&decoder, "it has no graph");
	if (decoder.failed)
		return wm_error_set(error, WM_ERROR_INPUT,
			"the description of function '%.200s' is damaged: %s", function->name,
			decoder.failed);
	function->hash = wm_description_hash(body, bytes);
	return 0;
}

uint64_t wm_description_hash(const uint8_t *body, size_t bytes)
{
	uint64_t hash = 0xcbf29ce484222325u;
	for (size_t i = 0; i < bytes; i++)
		hash = (hash ^ body[i]) * 0x100000001b3u;
	return hash;
}

struct wm_cfg *wm_function_graph(struct wm_arena *arena, const struct wm_function *function)
{
	return wm_cfg_build(arena, function->block_count + 1, function->edge_count,
		function->edge_source, function->edge_target, 0, function->block_count);
}

bool *wm_function_edges_with(struct wm_arena *arena, const struct wm_function *function,
	enum wm_edge_flag flag, bool closing)
{
	bool *has = wm_arena_alloc(arena, (size_t)function->edge_count + 1, sizeof *has);
	for (uint32_t e = 0; e < function->edge_count; e++)
		has[e] = function->edge_flags[e] & flag;
	has[function->edge_count] = closing;
	return has;
}
