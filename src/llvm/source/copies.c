/* One pass over the code finds copies, sights and points. */
#include "llvm/source/copies.h"

#include <string.h>

#include "core/base/none.h"
#include "llvm/subject/subject.h"

static const struct wm_text_graph *graph_by_name(
	const struct wm_copies *copies, struct wm_mark_instance instance)
{
	size_t bytes;
	const char *name = wm_marks_name_of(instance, &bytes);
	return wm_texts_with_name(copies->texts, name, bytes);
}

static uint32_t *slot_of(const struct wm_copies *copies, struct wm_mark_instance instance)
{
	uint64_t hash = (uint64_t)(uintptr_t)instance.text * 0x9e3779b97f4a7c15u +
			(uint64_t)(uintptr_t)instance.inlined_at * 0xc2b2ae3d27d4eb4fu;
	uint32_t mask = copies->table_size - 1;
	uint32_t slot = (uint32_t)(hash >> 32) & mask;
	for (; copies->table[slot]; slot = (slot + 1) & mask) {
		const struct wm_mark_instance *other =
			&copies->copies[copies->table[slot] - 1].instance;
		if (other->text == instance.text && other->inlined_at == instance.inlined_at)
			break;
	}
	return &copies->table[slot];
}

static void grow_table(struct wm_copies *copies)
{
	copies->table_size = copies->table_size ? copies->table_size * 4 : 64;
	copies->table = wm_arena_alloc(copies->arena, copies->table_size, sizeof(uint32_t));
	for (size_t i = 0; i < copies->count; i++)
		*slot_of(copies, copies->copies[i].instance) = (uint32_t)i + 1;
}

/* The copy of that instance, which is made if it is new; and so are those around it. */
static uint32_t find_copy(struct wm_copies *copies, struct wm_mark_instance instance)
{
	if (copies->count * 2 >= copies->table_size)
		grow_table(copies);
	uint32_t *slot = slot_of(copies, instance);
	if (*slot)
		return *slot - 1;
	struct wm_mark call;
	struct wm_copy copy = {.instance = instance, .parent = WM_NONE, .call_block = WM_NONE};
	if (wm_marks_call_of(instance, &call)) {
		copy.parent = find_copy(copies, call.instance);
		copy.call_block = call.block;
		copy.depth = copies->copies[copy.parent].depth + 1;
	}
	copies->copies = wm_arena_grow(copies->arena, copies->copies, copies->count,
		&copies->capacity, sizeof *copies->copies);
	copies->copies[copies->count++] = copy;
	*slot_of(copies, instance) = (uint32_t)copies->count;
	return (uint32_t)copies->count - 1;
}

uint32_t wm_copies_of(struct wm_copies *copies, LLVMValueRef instruction)
{
	struct wm_mark_instance instance;
	return wm_marks_instance_of(instruction, &instance) ? find_copy(copies, instance) : WM_NONE;
}

const struct wm_copy_block *wm_copies_chain(
	struct wm_copies *copies, LLVMValueRef instruction, uint32_t *count)
{
	struct wm_mark mark;
	if (!wm_marks_read_decision(instruction, &mark))
		return NULL;
	uint32_t copy = find_copy(copies, mark.instance), block = mark.block;
	struct wm_copy_block *chain = wm_arena_alloc(
		copies->arena, (size_t)copies->copies[copy].depth + 1, sizeof *chain);
	for (*count = 0; copy != WM_NONE; copy = copies->copies[copy].parent) {
		const struct wm_text_graph *graph = copies->copies[copy].graph;
		if (graph && block >= graph->source.block_count)
			return NULL;
		chain[(*count)++] = (struct wm_copy_block){copy, block};
		block = copies->copies[copy].call_block;
	}
	return chain;
}

static void add_sight(
	struct wm_copies *copies, const struct wm_mark *mark, uint32_t place, uint32_t points)
{
	uint32_t number = find_copy(copies, mark->instance);
	struct wm_copy *copy = &copies->copies[number];
	if (!copy->graph)
		copy->graph = wm_texts_with_key(copies->texts, mark->key);
	if (!copy->graph || copy->graph->source.key != mark->key ||
		mark->block >= copy->graph->source.block_count) {
		copy->is_mixed = true;
		return;
	}
	copies->sights = wm_arena_grow(copies->arena, copies->sights, copies->sight_count,
		&copies->sight_capacity, sizeof *copies->sights);
	copies->sights[copies->sight_count++] =
		(struct wm_sight){number, mark->block, mark->factor, place, points};
	copy->sight_count++;
}

static bool is_call(LLVMValueRef instruction)
{
	return (LLVMIsACallInst(instruction) || LLVMIsAInvokeInst(instruction) ||
		       LLVMIsACallBrInst(instruction)) &&
	       !wm_capture_is_marker(instruction);
}

static void add_point(struct wm_copies *copies, uint32_t place, LLVMValueRef instruction,
	bool is_call, bool may_end)
{
	copies->points = wm_arena_grow(copies->arena, copies->points, copies->point_count,
		&copies->point_capacity, sizeof *copies->points);
	copies->points[copies->point_count++] =
		(struct wm_point){place, instruction, is_call, may_end};
}

/* `next_call` runs through the calls of the capture. */
static void read_block(struct wm_copies *copies, uint32_t place, uint32_t *next_call)
{
	const struct wm_capture *capture = copies->capture;
	LLVMValueRef last = wm_capture_block_end(capture, capture->blocks[place]);
	uint32_t ends = 0;
	bool traps = !LLVMIsAUnreachableInst(LLVMGetBasicBlockTerminator(capture->blocks[place]));
	copies->first_point[place] = (uint32_t)copies->point_count;
	for (LLVMValueRef at = LLVMGetFirstInstruction(capture->blocks[place]); at;
		at = LLVMGetNextInstruction(at)) {
		struct wm_mark mark;
		if (wm_marks_read_probe(at, &mark)) {
			add_sight(copies, &mark, place, ends);
			continue;
		}
		traps &= at != last;
		bool may_end = false, call = is_call(at);
		while (*next_call < capture->call_count && capture->calls[*next_call].block < place)
			++*next_call;
		if (*next_call < capture->call_count &&
			capture->calls[*next_call].instruction == at)
			may_end = capture->calls[(*next_call)++].may_not_return;
		else if (!call && traps)
			may_end = wm_bridge_may_trap(copies->bridge, at);
		if (call || may_end)
			add_point(copies, place, at, call, may_end);
		ends += may_end;
	}
	copies->end_points[place] = ends;
}

static void sort_by_copy(struct wm_copies *copies)
{
	uint32_t first = 0;
	copies->by_copy = wm_arena_alloc(copies->arena, copies->sight_count, sizeof(uint32_t));
	for (size_t i = 0; i < copies->count; i++) {
		copies->copies[i].first_sight = first;
		first += copies->copies[i].sight_count;
		copies->copies[i].sight_count = 0;
	}
	for (uint32_t i = 0; i < copies->sight_count; i++) {
		struct wm_copy *copy = &copies->copies[copies->sights[i].copy];
		copies->by_copy[copy->first_sight + copy->sight_count++] = i;
	}
}

static void open_searches(struct wm_copies *copies)
{
	for (size_t i = 0; i < copies->count; i++) {
		struct wm_copy *copy = &copies->copies[i];
		if (!copy->graph)
			copy->graph = graph_by_name(copies, copy->instance);
		if (!copy->graph)
			continue;
		uint32_t blocks = copy->graph->source.block_count;
		bool *lost = wm_arena_alloc(copies->arena, blocks, sizeof *lost);
		bool *passed = wm_arena_alloc(copies->arena, blocks, sizeof *passed);
		uint64_t key = copy->graph->source.key;
		for (uint32_t b = 0; b < blocks; b++) {
			lost[b] = wm_marks_may_be_lost(copies->bridge, copy->instance, key, b);
			passed[b] = wm_marks_may_be_passed(copies->bridge, copy->instance, key, b);
		}
		copy->search = wm_hidden_open(copies->arena, copy->graph, lost, passed);
	}
}

void wm_copies_find(struct wm_arena *arena, struct wm_bridge *bridge, const struct wm_texts *texts,
	const struct wm_capture *capture, struct wm_copies *copies)
{
	uint32_t next_call = 0;
	*copies = (struct wm_copies){
		.arena = arena, .bridge = bridge, .texts = texts, .capture = capture};
	copies->first_point =
		wm_arena_alloc(arena, (size_t)capture->block_count + 1, sizeof(uint32_t));
	copies->end_points = wm_arena_alloc(arena, capture->block_count, sizeof(uint32_t));
	find_copy(copies, wm_marks_own(capture->function));
	for (uint32_t i = 0; i < capture->block_count; i++)
		read_block(copies, i, &next_call);
	copies->first_point[capture->block_count] = (uint32_t)copies->point_count;
	sort_by_copy(copies);
	open_searches(copies);
}
