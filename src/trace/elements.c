/* Paths are found by their blocks in a hash table. A path that starts behind a call names that
 * block too, which it does not execute again: it costs nothing there. */
#include "trace/elements.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/none.h"
#include "names/text_name.h"

#define BEHIND 0x80000000u /* of a block: only what stands behind its last call */

struct path {
	uint32_t function; /* number */
	uint32_t count;
	uint32_t *blocks;
	uint64_t hash;
};

struct builder {
	struct wm_arena *arena;
	struct wm_whole_path *whole;
	struct wm_sequitur *sequitur;
	size_t capacity, path_capacity, block_capacity;
	struct path *paths; /* by element */
	uint32_t *table;    /* elements, or WM_NONE */
	uint64_t table_size;
	uint32_t *numbers; /* by function: paths so far */
	size_t number_count;
	const struct wm_traced_function *function;
	uint32_t *blocks; /* of the path at hand */
	uint32_t count;
};

static void add(struct builder *builder, uint32_t element)
{
	wm_sequitur_add(builder->sequitur, element);
	builder->whole->length++;
}

static struct wm_element *new_element(struct builder *builder)
{
	struct wm_whole_path *whole = builder->whole;
	whole->elements = wm_arena_grow(builder->arena, whole->elements, whole->element_count,
		&builder->capacity, sizeof *whole->elements);
	builder->paths = wm_arena_grow(builder->arena, builder->paths, whole->element_count,
		&builder->path_capacity, sizeof *builder->paths);
	struct wm_element *element = &whole->elements[whole->element_count++];
	*element = (struct wm_element){.name = "", .lines = ""};
	return element;
}

static uint64_t hash_path(const struct builder *builder)
{
	uint64_t hash = builder->function->number * 0x9e3779b97f4a7c15u;
	for (uint32_t i = 0; i < builder->count; i++)
		hash = (hash ^ builder->blocks[i]) * 0x100000001b3u;
	return hash ^ hash >> 29;
}

static bool is_path(const struct builder *builder, uint32_t element, uint64_t hash)
{
	const struct path *path = &builder->paths[element];
	return path->hash == hash && path->function == builder->function->number &&
	       path->count == builder->count &&
	       !memcmp(path->blocks, builder->blocks, builder->count * sizeof *path->blocks);
}

static uint64_t place_of(const struct builder *builder, uint64_t hash)
{
	uint64_t at = hash & (builder->table_size - 1);
	while (builder->table[at] != WM_NONE && !is_path(builder, builder->table[at], hash))
		at = (at + 1) & (builder->table_size - 1);
	return at;
}

static void make_room(struct builder *builder)
{
	uint32_t count = builder->whole->element_count;
	if (count * 2 < builder->table_size)
		return;
	builder->table_size = builder->table_size ? builder->table_size * 2 : 1024;
	builder->table = wm_none_array(builder->arena, builder->table_size);
	for (uint32_t e = WM_ELEMENT_PATH; e < count; e++) {
		uint64_t at = builder->paths[e].hash & (builder->table_size - 1);
		while (builder->table[at] != WM_NONE)
			at = (at + 1) & (builder->table_size - 1);
		builder->table[at] = e;
	}
}

static const struct wm_position *position_of(
	const struct wm_function *function, uint32_t block, bool last)
{
	const struct wm_block *at = &function->blocks[block & ~BEHIND];
	if (!at->position_count)
		return NULL;
	return &function->positions[at->first_position + (last ? at->position_count - 1 : 0)];
}

static const char *describe_lines(const struct builder *builder, const struct path *path)
{
	const struct wm_function *function = builder->function->function;
	const struct wm_position *from = position_of(function, path->blocks[0], false);
	const struct wm_position *to = position_of(function, path->blocks[path->count - 1], true);
	const char *file = from ? function->scopes[from->scope].file : "", *slash;
	if (!from || !to || !from->line || !to->line || !file[0])
		return "";
	slash = strrchr(file, '/');
	file = slash ? slash + 1 : file;
	size_t bytes = strlen(file) + 32;
	char *text = wm_arena_alloc(builder->arena, bytes, 1);
	if (from->line == to->line)
		snprintf(text, bytes, "%s:%" PRIu32, file, from->line);
	else
		snprintf(text, bytes, "%s:%" PRIu32 "-%" PRIu32, file, from->line, to->line);
	return text;
}

static const char *name_path(struct builder *builder)
{
	const struct wm_function *function = builder->function->function;
	const char *name = function->name;
	size_t bytes = strlen(name) + 16;
	char *text = wm_arena_alloc(builder->arena, bytes, 1);
	snprintf(text, bytes, "%s.%" PRIu32, name, builder->numbers[builder->function->number]++);
	return text;
}

static uint64_t cost_of(const struct builder *builder, const struct path *path)
{
	uint64_t cost = 0;
	for (uint32_t i = 0; i < path->count; i++)
		if (!(path->blocks[i] & BEHIND))
			cost += builder->function->function->blocks[path->blocks[i]].instructions;
	return cost;
}

static uint32_t new_path(struct builder *builder, uint64_t hash)
{
	struct path path = {.function = builder->function->number,
		.count = builder->count,
		.blocks = wm_arena_alloc(builder->arena, builder->count, sizeof *path.blocks),
		.hash = hash};
	memcpy(path.blocks, builder->blocks, builder->count * sizeof *path.blocks);
	struct wm_element *element = new_element(builder);
	*element = (struct wm_element){
		name_path(builder), cost_of(builder, &path), describe_lines(builder, &path)};
	uint32_t number = builder->whole->element_count - 1;
	builder->paths[number] = path;
	return number;
}

static void end_path(struct builder *builder)
{
	if (!builder->count)
		return;
	make_room(builder);
	uint64_t hash = hash_path(builder), at = place_of(builder, hash);
	if (builder->table[at] == WM_NONE)
		builder->table[at] = new_path(builder, hash);
	add(builder, builder->table[at]);
	builder->count = 0;
}

static void add_block(struct builder *builder, const struct wm_trace_step *step, uint32_t flag)
{
	uint32_t block = step->block | flag;
	bool again = builder->function != step->function;
	for (uint32_t i = 0; i < builder->count && !again; i++)
		again = builder->blocks[i] == block;
	if (again)
		end_path(builder);
	builder->function = step->function;
	builder->blocks = wm_arena_grow(builder->arena, builder->blocks, builder->count,
		&builder->block_capacity, sizeof *builder->blocks);
	builder->blocks[builder->count++] = block;
}

static void take_step(struct builder *builder, const struct wm_trace_step *step)
{
	switch (step->kind) {
	case WM_TRACE_STEP_ENTER:
		end_path(builder);
		add(builder, WM_ELEMENT_CALL);
		break;
	case WM_TRACE_STEP_BLOCK:
		add_block(builder, step, 0);
		break;
	case WM_TRACE_STEP_CALL:
	case WM_TRACE_STEP_LAND:
	case WM_TRACE_STEP_END:
		end_path(builder);
		break;
	case WM_TRACE_STEP_BACK:
	case WM_TRACE_STEP_AGAIN:
		add_block(builder, step, BEHIND);
		break;
	case WM_TRACE_STEP_LEAVE:
		end_path(builder);
		add(builder, WM_ELEMENT_RETURN);
		break;
	case WM_TRACE_STEP_NOTE:
		break;
	}
}

void wm_whole_path_make(
	struct wm_arena *arena, struct wm_trace_walk *walk, struct wm_whole_path *whole)
{
	static const char *const names[] = {"(", ")", "$"};
	const struct wm_trace_step *step;
	*whole = (struct wm_whole_path){.element_count = 0};
	struct builder builder = {.arena = arena,
		.whole = whole,
		.sequitur = wm_sequitur_start(),
		.number_count = wm_trace_walk_function_count(walk)};
	builder.numbers = wm_arena_alloc(arena, builder.number_count, sizeof *builder.numbers);
	for (int i = 0; i < WM_ELEMENT_PATH; i++)
		new_element(&builder)->name = names[i];
	do {
		step = wm_trace_walk_next(walk);
		take_step(&builder, step);
	} while (step->kind != WM_TRACE_STEP_END);
	add(&builder, WM_ELEMENT_END);
	wm_sequitur_end(builder.sequitur, arena, &whole->grammar);
}
