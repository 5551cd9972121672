/* Reading the text of a function from clang's code before any optimisation. */
#include "llvm/source/text.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "llvm/bridge/bridge.h"
#include "llvm/bridge/pure.h"
#include "llvm/subject/capture.h"
#include "llvm/subject/positions.h"
#include "llvm/subject/subject.h"

struct wm_text_order {
	LLVMBasicBlockRef block;
	uint32_t number;
};

static int by_address(const void *left, const void *right)
{
	const struct wm_text_order *a = left, *b = right;
	return (a->block > b->block) - (a->block < b->block);
}

uint32_t wm_text_number_of(const struct wm_text *text, LLVMBasicBlockRef block)
{
	struct wm_text_order key = {block, 0}, *found;
	found = bsearch(&key, text->order, text->source.block_count, sizeof key, by_address);
	assert(found);
	return found->number;
}

static void number_blocks(struct wm_text *text)
{
	uint32_t count = text->source.block_count = LLVMCountBasicBlocks(text->function);
	text->blocks = wm_arena_alloc(text->arena, count, sizeof *text->blocks);
	LLVMGetBasicBlocks(text->function, text->blocks);
	text->order = wm_arena_alloc(text->arena, count, sizeof *text->order);
	for (uint32_t i = 0; i < count; i++)
		text->order[i] = (struct wm_text_order){text->blocks[i], i};
	qsort(text->order, count, sizeof *text->order, by_address);
}

/* The path without "/./" and "//". */
static const char *plain_path(struct wm_arena *arena, const char *path)
{
	char *plain = wm_arena_copy_text(arena, path), *to = plain;
	for (const char *from = path; *from;) {
		if (from[0] == '/' && from[1] == '/')
			from++;
		else if (from[0] == '/' && from[1] == '.' && from[2] == '/')
			from += 2;
		else
			*to++ = *from++;
	}
	*to = 0;
	return plain;
}

uint32_t wm_text_file(struct wm_text *text, const char *path)
{
	struct wm_source *source = &text->source;
	const char *plain = plain_path(text->arena, path);
	for (uint32_t i = 0; i < source->file_count; i++)
		if (!strcmp(source->files[i], plain))
			return i;
	if (!(source->file_count & (source->file_count - 1))) { /* full: 0, 1, 2, 4 ... */
		const char **more = wm_arena_alloc(
			text->arena, source->file_count ? source->file_count * 2 : 1, sizeof *more);
		if (source->file_count)
			memcpy(more, source->files, source->file_count * sizeof *more);
		source->files = more;
	}
	source->files[source->file_count] = plain;
	return source->file_count++;
}

static void name_function(struct wm_text *text)
{
	struct wm_source *source = &text->source;
	struct wm_location own;
	source->name = wm_subject_linker_name(text->function);
	source->text = source->name;
	if (!wm_bridge_function_location(text->function, &own))
		return;
	char *name = wm_arena_alloc(text->arena, own.function_bytes + 1, 1);
	if (own.function_bytes)
		memcpy(name, own.function, own.function_bytes);
	source->text = name;
	source->line = own.line;
	wm_text_file(text, wm_positions_path(text->arena, &own));
}

static bool is_call(LLVMValueRef instruction)
{
	if (!LLVMIsACallInst(instruction) && !LLVMIsAInvokeInst(instruction) &&
		!LLVMIsACallBrInst(instruction))
		return false;
	LLVMValueRef callee = LLVMGetCalledValue(instruction);
	return !LLVMIsAFunction(callee) || !LLVMGetIntrinsicID(callee);
}

bool wm_text_begins_handler(LLVMValueRef instruction)
{
	LLVMValueRef callee = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
	return callee && LLVMIsAFunction(callee) &&
	       !strcmp(wm_subject_linker_name(callee), "__cxa_begin_catch");
}

static bool may_trap(LLVMValueRef instruction)
{
	switch (LLVMGetInstructionOpcode(instruction)) {
	case LLVMUDiv:
	case LLVMSDiv:
	case LLVMURem:
	case LLVMSRem:
		return !LLVMIsConstant(LLVMGetOperand(instruction, 1));
	case LLVMLoad:
	case LLVMStore:
		return LLVMGetVolatile(instruction);
	default:
		return false;
	}
}

bool wm_text_may_be_left(LLVMValueRef instruction)
{
	return is_call(instruction) || may_trap(instruction);
}

/* Lists that grow while all blocks are read, and the file that was seen last. */
struct lists {
	size_t line_capacity, call_capacity;
	const char *path; /* as the debug information holds it */
	uint32_t file;
};

static void add_line(struct wm_text *text, struct lists *lists, uint32_t block, LLVMValueRef at,
	enum wm_source_part part)
{
	struct wm_source *source = &text->source;
	struct wm_location location;
	if (!wm_bridge_location(at, &location) || !location.line)
		return;
	if (location.file != lists->path)
		lists->file = wm_text_file(text, wm_positions_path(text->arena, &location));
	lists->path = location.file;
	uint32_t file = lists->file;
	for (uint32_t i = source->blocks[block].first_line; i < source->line_count; i++)
		if (source->lines[i].line == location.line && source->lines[i].file == file)
			return;
	source->lines = wm_arena_grow(text->arena, source->lines, source->line_count,
		&lists->line_capacity, sizeof *source->lines);
	source->lines[source->line_count++] = (struct wm_source_line){file, location.line, part};
	source->blocks[block].line_count++;
}

static void add_call(struct wm_text *text, struct lists *lists, uint32_t block, LLVMValueRef at)
{
	struct wm_source *source = &text->source;
	LLVMValueRef callee = LLVMGetCalledValue(at);
	source->calls = wm_arena_grow(text->arena, source->calls, source->call_count,
		&lists->call_capacity, sizeof *source->calls);
	source->calls[source->call_count++] = (struct wm_source_call){
		block, LLVMIsAFunction(callee) ? wm_subject_linker_name(callee) : ""};
}

void wm_text_add_line(struct wm_text *text, uint32_t block, struct wm_source_line line)
{
	struct wm_source *source = &text->source;
	struct wm_source_line *lines =
		wm_arena_alloc(text->arena, (size_t)source->line_count + 1, sizeof *lines);
	uint32_t place = source->blocks[block].first_line;
	for (uint32_t i = 0; i < source->line_count; i++)
		lines[i + (i >= place)] = source->lines[i];
	lines[place] = line;
	source->lines = lines;
	source->line_count++;
	source->blocks[block].line_count++;
	for (uint32_t i = block + 1; i < source->block_count; i++)
		source->blocks[i].first_line++;
}

static LLVMValueRef last_point(LLVMBasicBlockRef block)
{
	LLVMValueRef at = LLVMGetLastInstruction(block);
	while (at && !wm_text_may_be_left(at))
		at = LLVMGetPreviousInstruction(at);
	return at;
}

static bool is_counter(LLVMValueRef instruction)
{
	LLVMValueRef name;
	uint32_t counter;
	bool is_step;
	return wm_coverage_counter(instruction, &name, &counter, &is_step);
}

static bool is_jump(LLVMValueRef instruction)
{
	return LLVMIsABranchInst(instruction) && !LLVMIsConditional(instruction);
}

/* The place that clang has written last before the block; false if there is none. */
static bool place_before(LLVMBasicBlockRef block, struct wm_location *place)
{
	while ((block = LLVMGetPreviousBasicBlock(block)))
		for (LLVMValueRef at = LLVMGetLastInstruction(block); at;
			at = LLVMGetPreviousInstruction(at))
			if (!is_counter(at) && wm_bridge_location(at, place) && place->line)
				return true;
	return false;
}

/* Where control falls through to a statement that clang counts, clang lets it jump around the
 * counter. That jump and the one behind the counter have the place of the statement before. */
static bool is_only_around_counter(LLVMBasicBlockRef block)
{
	struct wm_location own, before;
	LLVMValueRef at = LLVMGetFirstInstruction(block);
	while (is_counter(at) || wm_capture_is_marker(at))
		at = LLVMGetNextInstruction(at);
	return is_jump(at) && wm_bridge_location(at, &own) && place_before(block, &before) &&
	       own.line == before.line && own.column == before.column && own.file == before.file;
}

/* The end of all cleanups that an exception runs; clang gives it the line of any of them. */
static bool resumes_unwinding(LLVMBasicBlockRef block)
{
	return LLVMIsAResumeInst(LLVMGetBasicBlockTerminator(block)) != NULL;
}

static void read_block(struct wm_text *text, struct lists *lists, uint32_t number)
{
	struct wm_source *source = &text->source;
	LLVMValueRef last = last_point(text->blocks[number]);
	enum wm_source_part part = WM_SOURCE_BEFORE_CALLS;
	source->blocks[number].first_line = source->line_count;
	source->may_be_left[number] = last != NULL;
	if (is_only_around_counter(text->blocks[number]) || resumes_unwinding(text->blocks[number]))
		return;
	for (LLVMValueRef at = LLVMGetFirstInstruction(text->blocks[number]); at;
		at = LLVMGetNextInstruction(at)) {
		if (wm_capture_is_marker(at) || LLVMIsAAllocaInst(at) || is_counter(at))
			continue;
		if (!wm_text_begins_handler(at))
			add_line(text, lists, number, at, part);
		if (is_call(at)) {
			add_call(text, lists, number, at);
			source->lasting[number] |= wm_pure_lasts(at);
		}
		if (at == last)
			part = WM_SOURCE_BEHIND_CALLS;
		else if (wm_text_may_be_left(at))
			part = WM_SOURCE_AMONG_CALLS;
	}
}

static void read_blocks(struct wm_text *text)
{
	struct wm_source *source = &text->source;
	struct lists lists = {0};
	source->blocks = wm_arena_alloc(text->arena, source->block_count, sizeof *source->blocks);
	source->may_be_left = wm_arena_alloc(text->arena, source->block_count, sizeof(bool));
	source->lasting = wm_arena_alloc(text->arena, source->block_count, sizeof(bool));
	for (uint32_t i = 0; i < source->block_count; i++)
		read_block(text, &lists, i);
}

static bool returns_twice_at_end(LLVMBasicBlockRef block)
{
	LLVMValueRef last = LLVMGetPreviousInstruction(LLVMGetBasicBlockTerminator(block));
	return last && wm_capture_returns_twice(last);
}

/* Clang knows that control never comes to the block. */
static bool cannot_run(LLVMBasicBlockRef block)
{
	LLVMValueRef at = LLVMGetFirstInstruction(block);
	while (wm_capture_is_marker(at))
		at = LLVMGetNextInstruction(at);
	return LLVMIsAUnreachableInst(at);
}

static void read_edges(struct wm_text *text)
{
	struct wm_source *source = &text->source;
	size_t bound = 0;
	for (uint32_t i = 0; i < source->block_count; i++)
		bound += LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(text->blocks[i])) + 2;
	source->edge_source = wm_arena_alloc(text->arena, bound, sizeof(uint32_t));
	source->edge_target = wm_arena_alloc(text->arena, bound, sizeof(uint32_t));
	uint32_t *seen = wm_arena_alloc(text->arena, source->block_count, sizeof *seen);
	for (uint32_t i = 0; i < source->block_count; i++) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(text->blocks[i]);
		unsigned successors = LLVMGetNumSuccessors(end);
		for (unsigned k = 0; k < successors; k++) {
			uint32_t target = wm_text_number_of(text, LLVMGetSuccessor(end, k));
			if (seen[target] == i + 1)
				continue;
			seen[target] = i + 1;
			source->edge_source[source->edge_count] = i;
			source->edge_target[source->edge_count++] = target;
		}
		if (!successors && !cannot_run(text->blocks[i])) {
			source->edge_source[source->edge_count] = i;
			source->edge_target[source->edge_count++] = source->block_count;
		}
		if (returns_twice_at_end(text->blocks[i])) {
			source->edge_source[source->edge_count] = source->block_count;
			source->edge_target[source->edge_count++] =
				wm_text_number_of(text, LLVMGetSuccessor(end, 0));
		}
	}
}

struct increment {
	uint32_t counter;
	uint32_t block;
	bool is_step;
};

static int by_counter(const void *left, const void *right)
{
	const struct increment *a = left, *b = right;
	return a->counter != b->counter ? (a->counter > b->counter) - (a->counter < b->counter)
					: (a->block > b->block) - (a->block < b->block);
}

static void group_counters(struct wm_text *text, struct increment *increments, uint32_t count)
{
	if (!count)
		return;
	qsort(increments, count, sizeof *increments, by_counter);
	uint32_t *blocks = wm_arena_alloc(text->arena, count, sizeof *blocks);
	text->counter_count = increments[count - 1].counter + 1;
	text->counters = wm_arena_alloc(text->arena, text->counter_count, sizeof *text->counters);
	for (uint32_t i = 0; i < count; i++) {
		struct wm_text_counter *counter = &text->counters[increments[i].counter];
		blocks[i] = increments[i].block;
		if (!counter->blocks)
			counter->blocks = &blocks[i];
		counter->block_count++;
		counter->by_steps |= increments[i].is_step;
	}
}

/* Counters of another function cannot stand here: nothing has been inlined yet. */
static void read_counters(struct wm_text *text)
{
	struct increment *increments = NULL;
	size_t capacity = 0;
	uint32_t count = 0;
	for (uint32_t i = 0; i < text->source.block_count; i++)
		for (LLVMValueRef at = LLVMGetFirstInstruction(text->blocks[i]); at;
			at = LLVMGetNextInstruction(at)) {
			struct increment increment = {.block = i};
			if (!wm_coverage_counter(at, &text->counters_name, &increment.counter,
				    &increment.is_step))
				continue;
			increments = wm_arena_grow(
				text->arena, increments, count, &capacity, sizeof *increments);
			increments[count++] = increment;
		}
	group_counters(text, increments, count);
}

void wm_text_read(struct wm_arena *arena, LLVMValueRef function, struct wm_text *text)
{
	*text = (struct wm_text){.arena = arena, .function = function};
	wm_capture_split_after_setjmp(function);
	number_blocks(text);
	name_function(text);
	read_blocks(text);
	read_edges(text);
	read_counters(text);
}
