/* Encoding and decoding of function descriptions: one list of fields, walked in the same order by
 * writer and reader. Texts are stored with their length; indices and lines as LEB128 numbers. */
#include "format/description.h"

#include <stdbool.h>
#include <string.h>

struct writer {
	struct wm_arena *arena;
	uint8_t *bytes;
	size_t used;
	size_t capacity;
};

static void put_byte(struct writer *writer, uint8_t byte)
{
	if (writer->used == writer->capacity) {
		size_t capacity = writer->capacity ? writer->capacity * 2 : 256;
		uint8_t *bytes = wm_arena_alloc(writer->arena, capacity, 1);
		if (writer->used)
			memcpy(bytes, writer->bytes, writer->used);
		writer->bytes = bytes;
		writer->capacity = capacity;
	}
	writer->bytes[writer->used++] = byte;
}

static void put_number(struct writer *writer, uint32_t number)
{
	for (; number >= 0x80; number >>= 7)
		put_byte(writer, (uint8_t)(number | 0x80));
	put_byte(writer, (uint8_t)number);
}

static void put_text(struct writer *writer, const char *text)
{
	size_t length = strlen(text);
	put_number(writer, (uint32_t)length);
	for (size_t i = 0; i < length; i++)
		put_byte(writer, (uint8_t)text[i]);
}

static void put_scopes(struct writer *writer, const struct wm_function *function)
{
	put_number(writer, function->scope_count);
	for (uint32_t i = 0; i < function->scope_count; i++) {
		const struct wm_scope *scope = &function->scopes[i];
		put_text(writer, scope->function);
		put_text(writer, scope->file);
		put_number(writer, scope->line);
		put_number(writer, scope->parent);
		put_number(writer, scope->call_line);
	}
}

static void put_blocks(struct writer *writer, const struct wm_function *function)
{
	put_number(writer, function->block_count);
	for (uint32_t i = 0; i < function->block_count; i++) {
		const struct wm_block *block = &function->blocks[i];
		put_number(writer, block->instructions);
		put_number(writer, block->position_count);
		for (uint32_t k = 0; k < block->position_count; k++) {
			const struct wm_position *position =
				&function->positions[block->first_position + k];
			put_number(writer, position->scope);
			put_number(writer, position->line);
		}
	}
}

static void put_edges(struct writer *writer, const struct wm_function *function)
{
	put_number(writer, function->edge_count);
	for (uint32_t i = 0; i < function->edge_count; i++) {
		put_number(writer, function->edge_source[i]);
		put_number(writer, function->edge_target[i]);
		put_number(writer, function->edge_flags[i]);
	}
}

/* A key as two numbers, the lower half first. */
static void put_keys(struct writer *writer, const struct wm_function *function)
{
	put_number(writer, function->key_count);
	for (uint32_t i = 0; i < function->key_count; i++) {
		const struct wm_known_key *key = &function->keys[i];
		put_number(writer, key->table);
		put_number(writer, key->counter);
		put_number(writer, (uint32_t)key->key);
		put_number(writer, (uint32_t)(key->key >> 32));
	}
}

static bool is_copy(const struct wm_function *function, uint32_t block)
{
	return function->original[block] != block;
}

static void put_copies(struct writer *writer, const struct wm_function *function)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < function->block_count; i++)
		count += is_copy(function, i);
	put_number(writer, count);
	for (uint32_t i = 0; i < function->block_count; i++)
		if (is_copy(function, i)) {
			put_number(writer, i);
			put_number(writer, function->original[i]);
		}
}

const uint8_t *wm_description_encode(
	struct wm_arena *arena, const struct wm_function *function, size_t *bytes)
{
	struct writer writer = {.arena = arena};
	put_text(&writer, function->name);
	put_number(&writer, function->flags);
	put_number(&writer, function->problem);
	put_scopes(&writer, function);
	put_number(&writer, function->position_count);
	put_blocks(&writer, function);
	put_edges(&writer, function);
	put_number(&writer, function->counter_count);
	put_number(&writer, function->array_limit);
	put_number(&writer, function->probe_count);
	for (uint32_t i = 0; i < function->probe_count; i++) {
		put_number(&writer, function->probes[i].kind);
		put_number(&writer, function->probes[i].index);
	}
	if (function->flags & WM_DESCRIPTION_KEYS)
		put_keys(&writer, function);
	if (function->flags & WM_DESCRIPTION_PEELED)
		put_copies(&writer, function);
	*bytes = writer.used;
	return writer.bytes;
}

/* A reader that has met an error keeps returning zero; `failed` is checked at the end of each part.
 */
struct reader {
	struct wm_arena *arena;
	const uint8_t *next;
	const uint8_t *end;
	const char *failed; /* what was wrong first, or NULL */
};

static void fail(struct reader *reader, const char *reason)
{
	if (!reader->failed)
		reader->failed = reason;
	reader->next = reader->end;
}

static uint32_t get_number(struct reader *reader)
{
	uint64_t number = 0;
	for (unsigned shift = 0; shift < 35; shift += 7) {
		if (reader->next == reader->end) {
			fail(reader, "it ends in the middle of a number");
			return 0;
		}
		uint8_t byte = *reader->next++;
		number |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80) {
			if (number <= UINT32_MAX)
				return (uint32_t)number;
			break;
		}
	}
	fail(reader, "a number is too large");
	return 0;
}

static uint32_t get_below(struct reader *reader, uint32_t limit, const char *reason)
{
	uint32_t number = get_number(reader);
	if (number >= limit) {
		fail(reader, reason);
		return 0;
	}
	return number;
}

/* A count of things that take at least so many bytes each, so that a hostile count cannot ask for
 * more memory than a small multiple of the input. */
static uint32_t get_count(struct reader *reader, size_t bytes_each)
{
	uint32_t count = get_number(reader);
	if (count > (size_t)(reader->end - reader->next) / bytes_each) {
		fail(reader, "a table is longer than the record");
		return 0;
	}
	return count;
}

static const char *get_text(struct reader *reader)
{
	uint32_t length = get_count(reader, 1);
	char *text = wm_arena_alloc(reader->arena, (size_t)length + 1, 1);
	memcpy(text, reader->next, length);
	reader->next += length;
	if (memchr(text, 0, length))
		fail(reader, "a text holds a zero byte");
	return text;
}

static void get_scopes(struct reader *reader, struct wm_function *function)
{
	function->scope_count = get_count(reader, 5);
	function->scopes =
		wm_arena_alloc(reader->arena, function->scope_count, sizeof(*function->scopes));
	for (uint32_t i = 0; i < function->scope_count; i++) {
		struct wm_scope *scope = &function->scopes[i];
		scope->function = get_text(reader);
		scope->file = get_text(reader);
		scope->line = get_number(reader);
		scope->parent = get_below(reader, i ? i : 1, "a scope stands before its parent");
		scope->call_line = get_number(reader);
	}
	if (!function->scope_count)
		fail(reader, "it has no scope");
}

static void get_blocks(struct reader *reader, struct wm_function *function)
{
	uint32_t position = 0;
	function->position_count = get_count(reader, 2);
	function->positions = wm_arena_alloc(
		reader->arena, function->position_count, sizeof(*function->positions));
	function->block_count = get_count(reader, 2);
	function->blocks =
		wm_arena_alloc(reader->arena, function->block_count, sizeof(*function->blocks));
	for (uint32_t i = 0; i < function->block_count; i++) {
		struct wm_block *block = &function->blocks[i];
		block->instructions = get_number(reader);
		block->position_count = get_below(reader, function->position_count - position + 1,
			"a block has too many positions");
		block->first_position = position;
		for (uint32_t k = 0; k < block->position_count; k++, position++) {
			function->positions[position].scope = get_below(
				reader, function->scope_count, "a position names no scope");
			function->positions[position].line = get_number(reader);
		}
	}
	if (!function->block_count)
		fail(reader, "it has no block");
	if (position != function->position_count)
		fail(reader, "a position belongs to no block");
}

static void get_edges(struct reader *reader, struct wm_function *function)
{
	uint32_t vertices = function->block_count + 1;
	uint32_t count = function->edge_count = get_count(reader, 3);
	function->edge_source = wm_arena_alloc(reader->arena, count, sizeof(uint32_t));
	function->edge_target = wm_arena_alloc(reader->arena, count, sizeof(uint32_t));
	function->edge_flags = wm_arena_alloc(reader->arena, count, sizeof(uint8_t));
	for (uint32_t i = 0; i < count; i++) {
		function->edge_source[i] = get_below(reader, vertices, "an edge names no block");
		function->edge_target[i] = get_below(reader, vertices, "an edge names no block");
		function->edge_flags[i] = (uint8_t)get_below(
			reader, 2 * WM_EDGE_NO_RETURN, "an edge has unknown flags");
	}
}

static void get_probes(struct reader *reader, struct wm_function *function)
{
	function->counter_count = get_number(reader);
	function->array_limit = get_number(reader);
	function->probe_count = get_count(reader, 2);
	function->probes =
		wm_arena_alloc(reader->arena, function->probe_count, sizeof(*function->probes));
	for (uint32_t i = 0; i < function->probe_count; i++) {
		struct wm_probe *probe = &function->probes[i];
		probe->kind = get_below(
			reader, WM_PROBE_VERTEX_BY_HISTORY + 1, "a probe is of an unknown kind");
		probe->index = get_below(reader,
			wm_probe_is_on_edge(probe) ? function->edge_count : function->block_count,
			"a probe names no edge or block");
	}
}

static void get_keys(struct reader *reader, struct wm_function *function)
{
	function->key_count = get_count(reader, 4);
	function->keys =
		wm_arena_alloc(reader->arena, function->key_count, sizeof(*function->keys));
	for (uint32_t i = 0; i < function->key_count; i++) {
		struct wm_known_key *key = &function->keys[i];
		key->table =
			get_below(reader, function->counter_count, "a key belongs to no counter");
		key->counter =
			get_below(reader, function->counter_count, "a key belongs to no counter");
		key->key = get_number(reader);
		key->key |= (uint64_t)get_number(reader) << 32;
	}
}

static void get_copies(struct reader *reader, struct wm_function *function)
{
	uint32_t count = get_count(reader, 2);
	function->original =
		wm_arena_alloc(reader->arena, function->block_count, sizeof(*function->original));
	for (uint32_t i = 0; i < function->block_count; i++)
		function->original[i] = i;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t copy = get_below(reader, function->block_count, "a copy is no block");
		function->original[copy] =
			get_below(reader, function->block_count, "what is copied is no block");
	}
	for (uint32_t i = 0; i < function->block_count; i++)
		if (is_copy(function, function->original[i]))
			fail(reader, "a block is a copy of a copy");
}

/* Without paths, probe number k is counter number k. */
static void check_plain_probes(struct reader *reader, const struct wm_function *function)
{
	for (uint32_t i = 0; i < function->probe_count; i++)
		if (function->probes[i].kind > WM_PROBE_VERTEX)
			fail(reader, "a probe counts by history where there are no paths");
	if (function->counter_count != function->probe_count)
		fail(reader, "it has more or fewer counters than probes");
}

int wm_description_decode(struct wm_arena *arena, const uint8_t *body, size_t bytes,
	struct wm_function *function, struct wm_error *error)
{
	struct reader reader = {.arena = arena, .next = body, .end = body + bytes};
	memset(function, 0, sizeof(*function));
	function->name = get_text(&reader);
	function->flags = get_number(&reader);
	function->problem =
		get_below(&reader, WM_PROBLEM_PREFERRED_PATHS + 1, "it solves an unknown problem");
	get_scopes(&reader, function);
	get_blocks(&reader, function);
	get_edges(&reader, function);
	get_probes(&reader, function);
	if (function->flags & WM_DESCRIPTION_KEYS)
		get_keys(&reader, function);
	if (function->flags & WM_DESCRIPTION_PEELED)
		get_copies(&reader, function);
	if (!reader.failed && !wm_function_has_paths(function))
		check_plain_probes(&reader, function);
	if (!reader.failed && reader.next != reader.end)
		fail(&reader, "bytes are left over at its end");
	if (reader.failed)
		return wm_error_set(error, WM_ERROR_INPUT,
			"the description of function '%.200s' is damaged: %s", function->name,
			reader.failed);
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

bool *wm_function_edges_with(struct wm_arena *arena, const struct wm_function *function,
	enum wm_edge_flag flag, bool closing)
{
	bool *has = wm_arena_alloc(arena, (size_t)function->edge_count + 1, sizeof *has);
	for (uint32_t e = 0; e < function->edge_count; e++)
		has[e] = function->edge_flags[e] & flag;
	has[function->edge_count] = closing;
	return has;
}
