/* A call is the last event of the segment before it, so that it is counted in its callee. */
#include "llvm/mode/events_values.h"

#include <string.h>

#include "core/base/none.h"
#include "llvm/subject/call_sites.h"
#include "llvm/subject/positions.h"
#include "llvm/subject/user_marks.h"
#include "names/text_name.h"

struct finder {
	const struct wm_subject *subject;
	struct wm_segments *segments;
	const struct wm_summed_kinds *kinds;
	uint32_t next_call; /* of the capture */
};

static bool is_call(LLVMValueRef instruction)
{
	return LLVMIsACallInst(instruction) || LLVMIsAInvokeInst(instruction);
}

/* Markers become no code, and what LLVM's own intrinsics do is known. */
static bool is_anchor(const struct finder *finder, LLVMValueRef instruction)
{
	struct wm_bridge *bridge = finder->subject->bridge;
	if (!is_call(instruction))
		return !LLVMIsATerminatorInst(instruction) &&
		       wm_bridge_may_trap(bridge, instruction);
	return !wm_capture_is_marker(instruction) && !wm_bridge_call_returns(bridge, instruction);
}

/* What the call adds to a sum of calls. */
static bool counts_call(const struct wm_summed_kind *kind, const struct wm_call *call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call->instruction);
	if (!wm_call_sites_has(call))
		return false;
	if (!kind->detail)
		return true;
	return LLVMIsAGlobalValue(callee) &&
	       wm_text_name_matches(kind->detail, wm_subject_linker_name(callee));
}

static uint64_t weight(const struct wm_summed_kind *kind, LLVMValueRef instruction)
{
	const char *name = wm_bridge_opcode_name(instruction);
	for (int i = 0; wm_opcode_names[i]; i++)
		if (strcmp(wm_opcode_names[i], name) == 0)
			return kind->weights.by_opcode[i];
	return 0;
}

static uint64_t amount(const struct wm_summed_kind *kind, LLVMValueRef instruction,
	const struct wm_work *work, const struct wm_call *call, bool first)
{
	switch (kind->summed) {
	case WM_SUMMED_INSTRUCTIONS:
		return work->instructions;
	case WM_SUMMED_BRANCHES:
		return work->branches;
	case WM_SUMMED_LOADS:
		return work->loads;
	case WM_SUMMED_STORES:
		return work->stores;
	case WM_SUMMED_BLOCKS:
		return first;
	case WM_SUMMED_CALLS:
	case WM_SUMMED_STEPS:
		return call && counts_call(kind, call);
	case WM_SUMMED_WEIGHTS:
		return work->instructions ? weight(kind, instruction) : 0;
	case WM_SUMMED_REGION:
		return 0; /* the runtime adds them */
	case WM_SUMMED_MARK:
		return wm_user_mark_amount(instruction, kind->detail);
	}
	return 0;
}

static void add_instruction(
	struct finder *finder, LLVMValueRef instruction, uint32_t segment, bool first)
{
	const struct wm_capture *capture = finder->subject->capture;
	const struct wm_call *call = &capture->calls[finder->next_call];
	bool is_next = finder->next_call < capture->call_count && call->instruction == instruction;
	struct wm_work work = {0};
	if (wm_positions_is_code(instruction))
		wm_positions_add_work(&work, instruction);
	for (uint32_t k = 0; k < finder->kinds->count; k++)
		finder->segments->value[k][segment] += amount(
			&finder->kinds->list[k], instruction, &work, is_next ? call : NULL, first);
	finder->next_call += is_next;
}

/* Whether what the block does behind this anchor belongs to the segment before it. */
static bool ends_at(const struct finder *finder, LLVMBasicBlockRef block, LLVMValueRef last)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
	bool is_tail = wm_capture_block_end(finder->subject->capture, block) == last;
	bool returns_twice = wm_capture_returns_twice(last) && LLVMGetNextInstruction(last) == end;
	return last == end || is_tail || returns_twice;
}

/* The successor that only returns, which the call in tail position returns for. */
static uint32_t shared_return(const struct finder *finder, uint32_t vertex, LLVMValueRef last)
{
	const struct wm_capture *capture = finder->subject->capture;
	const struct wm_cfg *cfg = capture->cfg;
	LLVMValueRef end = LLVMGetBasicBlockTerminator(capture->blocks[vertex]);
	if (last == end || wm_capture_block_end(capture, capture->blocks[vertex]) != last)
		return WM_NONE;
	for (uint32_t i = cfg->out_start[vertex]; i < cfg->out_start[vertex + 1]; i++)
		if (cfg->target[cfg->out_edge[i]] != cfg->exit)
			return cfg->target[cfg->out_edge[i]];
	return WM_NONE;
}

static uint32_t count_room(const struct finder *finder, LLVMBasicBlockRef block)
{
	uint32_t room = 1;
	for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
		room += is_anchor(finder, at);
	return room;
}

/* Behind a call that does not come back nothing runs: what stands there is in no segment. */
static void divide(struct finder *finder, uint32_t vertex)
{
	struct wm_segments *segments = finder->segments;
	LLVMBasicBlockRef block = finder->subject->capture->blocks[vertex];
	uint32_t segment = segments->first[vertex];
	LLVMValueRef last = NULL;
	bool first = true;
	for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
		uint32_t own = segment;
		if (last && ends_at(finder, block, last))
			own = segment - 1;
		else if (is_anchor(finder, at)) {
			segments->place[segment++] = at;
			last = at;
		}
		add_instruction(finder, at, own, first);
		first = false;
	}
	segments->anchor_count[vertex] = segment - segments->first[vertex];
	bool dead = LLVMIsAUnreachableInst(LLVMGetBasicBlockTerminator(block));
	segments->at_end[vertex] = last && (dead || ends_at(finder, block, last));
	if (segments->at_end[vertex])
		segments->return_of[vertex] = shared_return(finder, vertex, last);
	else
		segments->place[segment] =
			last ? wm_capture_block_end(finder->subject->capture, block)
			     : wm_capture_block_start(block);
}

/* A return behind a call in tail position is summed before the call. */
static void take_returns(struct finder *finder)
{
	struct wm_segments *segments = finder->segments;
	for (uint32_t v = 0; v < finder->subject->capture->block_count; v++) {
		uint32_t target = segments->return_of[v];
		if (target == WM_NONE)
			continue;
		uint32_t last = segments->first[v] + segments->anchor_count[v] - 1;
		for (uint32_t k = 0; k < finder->kinds->count; k++)
			segments->value[k][last] += segments->value[k][segments->first[target]];
	}
}

const struct wm_segments *wm_segments_find(const struct wm_subject *subject)
{
	struct wm_arena *arena = subject->arena;
	const struct wm_capture *capture = subject->capture;
	uint32_t vertices = capture->cfg->vertex_count, room = 0;
	struct wm_segments *segments = wm_arena_alloc(arena, 1, sizeof *segments);
	struct finder finder = {subject, segments, &subject->options->events, 0};
	*segments = (struct wm_segments){
		.anchor_count = wm_arena_alloc(arena, vertices, sizeof(uint32_t)),
		.at_end = wm_arena_alloc(arena, vertices, sizeof(bool)),
		.return_of = wm_arena_alloc(arena, vertices, sizeof(uint32_t)),
		.first = wm_arena_alloc(arena, vertices, sizeof(uint32_t)),
		.value = wm_arena_alloc(arena, finder.kinds->count, sizeof(uint64_t *))};
	for (uint32_t v = 0; v < capture->block_count; v++) {
		segments->return_of[v] = WM_NONE;
		segments->first[v] = room;
		room += count_room(&finder, capture->blocks[v]);
	}
	segments->place = wm_arena_alloc(arena, room, sizeof(LLVMValueRef));
	for (uint32_t k = 0; k < finder.kinds->count; k++)
		segments->value[k] = wm_arena_alloc(arena, room, sizeof(uint64_t));
	for (uint32_t v = 0; v < capture->block_count; v++)
		divide(&finder, v);
	take_returns(&finder);
	return segments;
}
