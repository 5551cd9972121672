/* Source positions of a function's blocks.
 *
 * A scope is one inlined instance of one source function in one file; scopes are found by a small
 * open-addressed table over the identity of (function or file, inlining call). */
#include "llvm/subject/positions.h"

#include <stdlib.h>
#include <string.h>

#include "llvm/subject/user_marks.h"

/* Only this many earlier positions are looked at: a block may be ten thousand lines long, and a
 * pair that stands twice does no harm. */
static const uint32_t look_back = 64;

struct scope_key {
	const void *scope;
	const void *inlined_at;
};

struct collector {
	struct wm_arena *arena;
	struct wm_function *function;
	struct scope_key *keys; /* by scope number */
	uint32_t scope_capacity;
	uint32_t *table;     /* scope number + 1, or 0 */
	uint32_t table_size; /* a power of two, at least twice the scopes */
	uint32_t position_capacity;
	struct wm_work *work; /* by position */
	uint32_t work_capacity;
	struct wm_work *elsewhere; /* by block */
};

/* Doubles an array in the arena; returns the new capacity. */
static uint32_t grow(struct wm_arena *arena, void **array, uint32_t capacity, size_t size)
{
	uint32_t larger = capacity ? capacity * 2 : 16;
	void *bytes = wm_arena_alloc(arena, larger, size);
	if (capacity)
		memcpy(bytes, *array, capacity * size);
	*array = bytes;
	return larger;
}

static uint32_t slot_of(const struct collector *collector, struct scope_key key)
{
	uint64_t hash = (uint64_t)(uintptr_t)key.scope * 0x9e3779b97f4a7c15u +
			(uint64_t)(uintptr_t)key.inlined_at * 0xc2b2ae3d27d4eb4fu;
	uint32_t mask = collector->table_size - 1;
	uint32_t slot = (uint32_t)(hash >> 32) & mask;
	for (; collector->table[slot]; slot = (slot + 1) & mask) {
		const struct scope_key *other = &collector->keys[collector->table[slot] - 1];
		if (other->scope == key.scope && other->inlined_at == key.inlined_at)
			break;
	}
	return slot;
}

static void grow_scopes(struct collector *collector)
{
	struct wm_function *function = collector->function;
	uint32_t capacity = collector->scope_capacity;
	grow(collector->arena, (void **)&function->scopes, capacity, sizeof(*function->scopes));
	collector->scope_capacity = grow(
		collector->arena, (void **)&collector->keys, capacity, sizeof(*collector->keys));
	collector->table_size = collector->scope_capacity * 2;
	collector->table =
		wm_arena_alloc(collector->arena, collector->table_size, sizeof(uint32_t));
	for (uint32_t i = 0; i < function->scope_count; i++)
		collector->table[slot_of(collector, collector->keys[i])] = i + 1;
}

static const char *copy_bytes(struct wm_arena *arena, const char *bytes, size_t length)
{
	char *text = wm_arena_alloc(arena, length + 1, 1);
	if (length)
		memcpy(text, bytes, length);
	return text;
}

const char *wm_positions_path(struct wm_arena *arena, const struct wm_location *location)
{
	bool relative = location->file_bytes && location->file[0] != '/';
	size_t prefix = relative && location->directory_bytes ? location->directory_bytes + 1 : 0;
	char *path = wm_arena_alloc(arena, prefix + location->file_bytes + 1, 1);
	if (prefix) {
		memcpy(path, location->directory, prefix - 1);
		path[prefix - 1] = '/';
	}
	if (location->file_bytes)
		memcpy(path + prefix, location->file, location->file_bytes);
	return path;
}

static uint32_t add_scope(struct collector *collector, const struct wm_location *location,
	uint32_t parent, uint32_t call_line)
{
	struct wm_function *function = collector->function;
	struct scope_key key = {location->scope, location->inlined_at};
	uint32_t number = function->scope_count;
	if (number == collector->scope_capacity)
		grow_scopes(collector);
	collector->table[slot_of(collector, key)] = number + 1;
	collector->keys[number] = key;
	function->scopes[number] = (struct wm_scope){
		copy_bytes(collector->arena, location->function, location->function_bytes),
		wm_positions_path(collector->arena, location), location->function_line, parent,
		call_line};
	function->scope_count++;
	return number;
}

/* The scope of a location; scopes of the calls around it are made first, outermost first. */
static uint32_t find_scope(struct collector *collector, const struct wm_location *location)
{
	struct wm_location chain[64];
	uint32_t depth = 0, parent = 0, call_line = 0;
	chain[depth++] = *location;
	for (;;) {
		const struct wm_location *last = &chain[depth - 1];
		struct scope_key key = {last->scope, last->inlined_at};
		uint32_t found = collector->table[slot_of(collector, key)];
		if (found) {
			parent = found - 1;
			call_line = last->line;
			depth--;
			break;
		}
		if (!last->inlined_at || depth == 64)
			break;
		wm_bridge_outer_location(last->inlined_at, &chain[depth++]);
	}
	while (depth) {
		const struct wm_location *inner = &chain[--depth];
		parent = add_scope(collector, inner, parent, call_line);
		call_line = inner->line;
	}
	return parent;
}

/* The work of the code at this position of the block. */
static struct wm_work *add_position(
	struct collector *collector, struct wm_block *block, uint32_t scope, uint32_t line)
{
	struct wm_function *function = collector->function;
	uint32_t near = function->position_count - block->first_position > look_back
				? function->position_count - look_back
				: block->first_position;
	for (uint32_t i = near; i < function->position_count; i++)
		if (function->positions[i].scope == scope && function->positions[i].line == line)
			return &collector->work[i];
	if (function->position_count == collector->position_capacity)
		collector->position_capacity = grow(collector->arena, (void **)&function->positions,
			collector->position_capacity, sizeof(*function->positions));
	if (function->position_count == collector->work_capacity)
		collector->work_capacity = grow(collector->arena, (void **)&collector->work,
			collector->work_capacity, sizeof(*collector->work));
	block->position_count++;
	function->positions[function->position_count] = (struct wm_position){scope, line};
	return &collector->work[function->position_count++];
}

void wm_positions_add_work(struct wm_work *work, LLVMValueRef instruction)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
	bool both = opcode == LLVMAtomicRMW || opcode == LLVMAtomicCmpXchg;
	bool branch = opcode == LLVMBr && LLVMIsConditional(instruction);
	work->instructions++;
	work->loads += both || opcode == LLVMLoad;
	work->stores += both || opcode == LLVMStore;
	work->branches +=
		branch || opcode == LLVMSwitch || opcode == LLVMIndirectBr || opcode == LLVMCallBr;
}

bool wm_positions_is_code(LLVMValueRef instruction)
{
	if (LLVMIsAPHINode(instruction) || LLVMIsADbgInfoIntrinsic(instruction) ||
		wm_user_mark_is(instruction))
		return false;
	LLVMValueRef callee = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
	if (!callee || !LLVMIsAFunction(callee) || !LLVMGetIntrinsicID(callee))
		return true;
	size_t bytes;
	return strncmp(LLVMGetValueName2(callee, &bytes), "llvm.lifetime.", 14);
}

static void describe_block(
	struct collector *collector, LLVMBasicBlockRef code, struct wm_block *block)
{
	struct wm_location location;
	struct wm_work *elsewhere = &collector->elsewhere[block - collector->function->blocks];
	block->first_position = collector->function->position_count;
	for (LLVMValueRef at = LLVMGetFirstInstruction(code); at; at = LLVMGetNextInstruction(at)) {
		if (!wm_positions_is_code(at))
			continue;
		block->instructions++;
		bool placed = wm_bridge_location(at, &location) && location.line;
		wm_positions_add_work(placed ? add_position(collector, block, find_scope(collector, &location),
					  location.line)
				: elsewhere,
			at);
	}
}

static struct wm_position *position_calls(
	struct collector *collector, const struct wm_capture *capture)
{
	struct wm_location location;
	struct wm_position *positions =
		wm_arena_alloc(collector->arena, capture->call_count, sizeof *positions);
	for (uint32_t i = 0; i < capture->call_count; i++)
		if (wm_bridge_location(capture->calls[i].instruction, &location) && location.line)
			positions[i] = (struct wm_position){
				find_scope(collector, &location), location.line};
	return positions;
}

struct wm_position *wm_positions_describe(
	struct wm_arena *arena, const struct wm_capture *capture, struct wm_function *function)
{
	struct collector collector = {.arena = arena, .function = function};
	struct wm_location own = {
		.function = function->name, .function_bytes = strlen(function->name)};
	wm_bridge_function_location(capture->function, &own);
	grow_scopes(&collector);
	add_scope(&collector, &own, 0, 0);
	function->block_count = capture->block_count;
	function->blocks = wm_arena_alloc(arena, capture->block_count, sizeof(*function->blocks));
	collector.elsewhere =
		wm_arena_alloc(arena, capture->block_count, sizeof *collector.elsewhere);
	for (uint32_t i = 0; i < capture->block_count; i++)
		describe_block(&collector, capture->blocks[i], &function->blocks[i]);
	function->work = collector.work ? collector.work : collector.elsewhere;
	function->work_elsewhere = collector.elsewhere;
	return position_calls(&collector, capture);
}
