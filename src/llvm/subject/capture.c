/* Capture of an LLVM function as a graph.
 *
 * Blocks keep their order; code that cannot be reached stays a vertex without edges. A call that
 * returns twice (setjmp) ends its block: control goes to EXIT there and comes from EXIT behind it,
 * so that a second return is one more entry into the middle of the function and the flow law holds.
 * Requires: a verified function without funclets. Changes only: blocks split after setjmp.
 */
#include "llvm/subject/capture.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "llvm/subject/user_marks.h"

struct numbering {
	LLVMBasicBlockRef block;
	uint32_t number;
};

struct builder {
	struct wm_arena *arena;
	struct wm_bridge *bridge;
	struct wm_capture *capture;
	struct numbering *order; /* sorted by address */
	bool *reached;
	size_t call_capacity;
	uint32_t *mark; /* by block: source + 1 of the edge seen last into it */
	uint32_t edge_count;
	uint32_t *source;
	uint32_t *target;
};

static bool has_attribute(LLVMValueRef call, const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
	if (LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind))
		return true;
	LLVMValueRef callee = LLVMGetCalledValue(call);
	return LLVMIsAFunction(callee) &&
	       LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, kind);
}

bool wm_capture_returns_twice(LLVMValueRef instruction)
{
	return LLVMIsACallInst(instruction) && has_attribute(instruction, "returns_twice");
}

bool wm_capture_split_after_setjmp(LLVMValueRef function)
{
	bool changed = false;
	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
		block = LLVMGetNextBasicBlock(block)) {
		for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;
			at = LLVMGetNextInstruction(at)) {
			if (wm_capture_returns_twice(at)) {
				wm_bridge_split_before(LLVMGetNextInstruction(at));
				changed = true;
				break;
			}
		}
	}
	return changed;
}

/* The call that returns twice and ends the block but for its jump, or NULL. */
static LLVMValueRef setjmp_at_end(LLVMBasicBlockRef block)
{
	LLVMValueRef last = LLVMGetPreviousInstruction(LLVMGetBasicBlockTerminator(block));
	return last && wm_capture_returns_twice(last) ? last : NULL;
}

LLVMValueRef wm_capture_block_start(LLVMBasicBlockRef block)
{
	LLVMValueRef at = LLVMGetFirstInstruction(block);
	while (LLVMIsAPHINode(at) || LLVMIsALandingPadInst(at) || LLVMIsAAllocaInst(at))
		at = LLVMGetNextInstruction(at);
	return at;
}

bool wm_capture_is_marker(LLVMValueRef instruction)
{
	if (!LLVMIsACallInst(instruction))
		return false;
	if (wm_user_mark_is(instruction))
		return true;
	LLVMValueRef callee = LLVMGetCalledValue(instruction);
	size_t bytes;
	if (!LLVMIsAFunction(callee) || !LLVMGetIntrinsicID(callee))
		return false;
	const char *name = LLVMGetValueName2(callee, &bytes);
	return !strncmp(name, "llvm.dbg.", 9) || !strncmp(name, "llvm.lifetime.", 14) ||
	       !strncmp(name, "llvm.pseudoprobe", 16);
}

/* What stands between a call and its return in code that has not been optimised: the value passes
 * through a stack slot. */
static bool passes_value(LLVMValueRef instruction)
{
	LLVMValueRef slot = LLVMIsAStoreInst(instruction)  ? LLVMGetOperand(instruction, 1)
			    : LLVMIsALoadInst(instruction) ? LLVMGetOperand(instruction, 0)
							   : NULL;
	return slot && LLVMIsAAllocaInst(slot);
}

static bool is_passed_over(const struct wm_capture *capture, LLVMValueRef instruction)
{
	return wm_capture_is_marker(instruction) || LLVMIsABitCastInst(instruction) ||
	       (capture->early && passes_value(instruction));
}

/* What the function returns if control goes from the block to a return, at its own end or in the
 * block that it jumps to; NULL for nothing. */
static LLVMValueRef returned_from(LLVMBasicBlockRef block)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
	LLVMBasicBlockRef last = block;
	if (!LLVMIsAReturnInst(end)) {
		last = LLVMGetSuccessor(end, 0);
		end = LLVMGetBasicBlockTerminator(last);
	}
	LLVMValueRef value = LLVMGetNumOperands(end) ? LLVMGetOperand(end, 0) : NULL;
	if (!value || !LLVMIsAPHINode(value) || LLVMGetInstructionParent(value) != last)
		return value;
	for (unsigned i = 0; i < LLVMCountIncoming(value); i++)
		if (LLVMGetIncomingBlock(value, i) == block)
			return LLVMGetIncomingValue(value, i);
	return value;
}

/* The optimiser marks calls that touch nothing of their caller's stack; to be a jump, such a call
 * must also give the function's result. Before the optimiser, any call may become one. */
static bool is_tail_call(
	const struct wm_capture *capture, LLVMValueRef call, LLVMBasicBlockRef block)
{
	if (LLVMGetTailCallKind(call) == LLVMTailCallKindNoTail)
		return false;
	if (capture->early)
		return true;
	LLVMValueRef value = returned_from(block);
	while (value && LLVMIsABitCastInst(value))
		value = LLVMGetOperand(value, 0);
	return LLVMIsTailCall(call) && (!value || value == call || LLVMIsUndef(value));
}

/* The call in tail position at the end of a block that returns or jumps to a return, or NULL. */
static LLVMValueRef tail_call(const struct wm_capture *capture, LLVMBasicBlockRef block)
{
	LLVMValueRef at = LLVMGetPreviousInstruction(LLVMGetBasicBlockTerminator(block));
	while (at && is_passed_over(capture, at))
		at = LLVMGetPreviousInstruction(at);
	return at && LLVMIsACallInst(at) && is_tail_call(capture, at, block) ? at : NULL;
}

static bool only_returns(const struct wm_capture *capture, LLVMBasicBlockRef block)
{
	LLVMValueRef at = LLVMGetFirstInstruction(block);
	while (LLVMIsAPHINode(at) || is_passed_over(capture, at))
		at = LLVMGetNextInstruction(at);
	return LLVMIsAReturnInst(at);
}

static bool jumps_to_return(const struct wm_capture *capture, LLVMBasicBlockRef block)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
	return LLVMIsABranchInst(end) && LLVMGetNumSuccessors(end) == 1 &&
	       only_returns(capture, LLVMGetSuccessor(end, 0));
}

LLVMValueRef wm_capture_block_end(const struct wm_capture *capture, LLVMBasicBlockRef block)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
	if (!LLVMIsAReturnInst(end) && !jumps_to_return(capture, block))
		return end;
	LLVMValueRef call = tail_call(capture, block);
	return call ? call : end;
}

bool wm_capture_is_shared_return(const struct wm_capture *capture, LLVMBasicBlockRef block)
{
	if (!only_returns(capture, block))
		return false;
	LLVMValueRef value = LLVMBasicBlockAsValue(block);
	for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		if (LLVMIsABranchInst(user) &&
			jumps_to_return(capture, LLVMGetInstructionParent(user)) &&
			tail_call(capture, LLVMGetInstructionParent(user)))
			return true;
	}
	return false;
}

static int by_address(const void *left, const void *right)
{
	const struct numbering *a = left, *b = right;
	return (a->block > b->block) - (a->block < b->block);
}

static const struct numbering *find_number(const struct builder *builder, LLVMBasicBlockRef block)
{
	struct numbering key = {block, 0};
	return bsearch(
		&key, builder->order, builder->capture->block_count, sizeof(key), by_address);
}

static uint32_t number_of(const struct builder *builder, LLVMBasicBlockRef block)
{
	const struct numbering *found = find_number(builder, block);
	assert(found);
	return found->number;
}

/* A block whose original is no longer there is its own original. */
static void find_originals(struct builder *builder, struct wm_bridge *bridge)
{
	struct wm_capture *capture = builder->capture;
	capture->original =
		wm_arena_alloc(builder->arena, capture->block_count, sizeof(*capture->original));
	for (uint32_t i = 0; i < capture->block_count; i++) {
		LLVMBasicBlockRef block = wm_bridge_original_block(bridge, capture->blocks[i]);
		bool is_copy = block != capture->blocks[i];
		const struct numbering *found = is_copy ? find_number(builder, block) : NULL;
		capture->original[i] = found ? found->number : i;
	}
}

static void number_blocks(struct builder *builder)
{
	struct wm_capture *capture = builder->capture;
	uint32_t count = capture->block_count = LLVMCountBasicBlocks(capture->function);
	capture->blocks = wm_arena_alloc(builder->arena, count, sizeof(*capture->blocks));
	LLVMGetBasicBlocks(capture->function, capture->blocks);
	builder->order = wm_arena_alloc(builder->arena, count, sizeof(*builder->order));
	for (uint32_t i = 0; i < count; i++)
		builder->order[i] = (struct numbering){capture->blocks[i], i};
	qsort(builder->order, count, sizeof(*builder->order), by_address);
}

/* Marks what can be reached and returns an upper bound for the number of edges. */
static size_t mark_reached(struct builder *builder)
{
	uint32_t count = builder->capture->block_count, depth = 0;
	uint32_t *stack = wm_arena_alloc(builder->arena, count, sizeof(*stack));
	size_t edges = 0;
	builder->reached = wm_arena_alloc(builder->arena, count, sizeof(bool));
	builder->reached[0] = true;
	stack[depth++] = 0;
	while (depth) {
		LLVMBasicBlockRef block = builder->capture->blocks[stack[--depth]];
		LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
		unsigned successors = LLVMGetNumSuccessors(end);
		edges += successors + 3; /* to EXIT, also abandoned, and behind setjmp from EXIT */
		for (unsigned i = 0; i < successors; i++) {
			uint32_t next = number_of(builder, LLVMGetSuccessor(end, i));
			if (!builder->reached[next]) {
				builder->reached[next] = true;
				stack[depth++] = next;
			}
		}
	}
	return edges;
}

static void add_edge(struct builder *builder, uint32_t source, uint32_t target,
	enum wm_site_kind kind, unsigned successor)
{
	struct wm_capture *capture = builder->capture;
	uint32_t edge = builder->edge_count++;
	uint32_t exit = capture->block_count;
	builder->source[edge] = source;
	builder->target[edge] = target;
	capture->sites[edge] =
		(struct wm_site){kind, source == exit ? NULL : capture->blocks[source],
			target == exit ? NULL : capture->blocks[target], successor};
}

static bool is_call(LLVMValueRef instruction)
{
	return LLVMIsACallInst(instruction) || LLVMIsAInvokeInst(instruction) ||
	       LLVMIsACallBrInst(instruction);
}

/* Whether a call in tail position returns cannot be seen here. A second return is an edge. */
static bool may_not_return(
	const struct builder *builder, LLVMValueRef call, bool is_tail, LLVMValueRef end)
{
	return !is_tail && !LLVMIsAUnreachableInst(end) && !wm_capture_returns_twice(call) &&
	       !wm_bridge_call_returns(builder->bridge, call);
}

static void add_calls_of(struct builder *builder, uint32_t block)
{
	struct wm_capture *capture = builder->capture;
	LLVMValueRef end = LLVMGetBasicBlockTerminator(capture->blocks[block]);
	LLVMValueRef last = wm_capture_block_end(capture, capture->blocks[block]);
	for (LLVMValueRef at = LLVMGetFirstInstruction(capture->blocks[block]); at;
		at = LLVMGetNextInstruction(at)) {
		if (!is_call(at) || wm_capture_is_marker(at))
			continue;
		LLVMValueRef callee = LLVMGetCalledValue(at);
		bool is_tail = at == last && at != end;
		capture->calls = wm_arena_grow(builder->arena, capture->calls, capture->call_count,
			&builder->call_capacity, sizeof *capture->calls);
		capture->calls[capture->call_count++] = (struct wm_call){.block = block,
			.instruction = at,
			.callee = LLVMIsAFunction(callee),
			.is_tail = is_tail,
			.may_not_return = may_not_return(builder, at, is_tail, end)};
	}
}

/* Whether control may end inside the block, behind the place of the probes on its in-edges and
 * before that of the probes on its out-edges; `first_call` is its first call. */
static bool may_be_abandoned(const struct builder *builder, uint32_t block, uint32_t first_call)
{
	const struct wm_capture *capture = builder->capture;
	LLVMValueRef end = LLVMGetBasicBlockTerminator(capture->blocks[block]);
	for (uint32_t i = first_call; i < capture->call_count; i++)
		if (capture->calls[i].may_not_return)
			return true;
	if (LLVMIsAUnreachableInst(end))
		return false;
	LLVMValueRef last = wm_capture_block_end(capture, capture->blocks[block]);
	for (LLVMValueRef at = LLVMGetFirstInstruction(capture->blocks[block]); at != last;
		at = LLVMGetNextInstruction(at))
		if (wm_bridge_may_trap(builder->bridge, at))
			return true;
	return false;
}

/* Edges of one block, without their kind of site where that depends on the target's other edges. */
static void add_edges_of(struct builder *builder, uint32_t source)
{
	uint32_t exit = builder->capture->block_count;
	LLVMBasicBlockRef block = builder->capture->blocks[source];
	LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
	unsigned successors = LLVMGetNumSuccessors(end);
	uint32_t first_call = builder->capture->call_count;
	add_calls_of(builder, source);
	if (may_be_abandoned(builder, source, first_call))
		add_edge(builder, source, exit, WM_SITE_ABANDONED, 0);
	if (setjmp_at_end(block)) {
		add_edge(builder, source, exit, WM_SITE_BEFORE_SETJMP, 0);
		add_edge(builder, exit, number_of(builder, LLVMGetSuccessor(end, 0)),
			WM_SITE_TARGET_START, 0);
		return;
	}
	if (!successors)
		add_edge(builder, source, exit,
			LLVMIsAUnreachableInst(end) ? WM_SITE_NO_RETURN : WM_SITE_RETURN, 0);
	for (unsigned i = 0; i < successors; i++) {
		uint32_t target = number_of(builder, LLVMGetSuccessor(end, i));
		if (builder->mark[target] == source + 1)
			continue;
		builder->mark[target] = source + 1;
		add_edge(builder, source, target, WM_SITE_SPLIT, i);
	}
}

static bool starts_with_landing_pad(LLVMBasicBlockRef block)
{
	LLVMValueRef at = LLVMGetFirstInstruction(block);
	while (LLVMIsAPHINode(at))
		at = LLVMGetNextInstruction(at);
	return LLVMIsALandingPadInst(at);
}

static enum wm_site_kind critical_kind(const struct wm_site *site)
{
	if (starts_with_landing_pad(site->target))
		return WM_SITE_NOWHERE;
	if (LLVMIsAIndirectBrInst(LLVMGetBasicBlockTerminator(site->source)))
		return WM_SITE_COMPARED;
	return WM_SITE_SPLIT;
}

/* By vertex: edges that leave it, those of calls that do not come back not counted. */
static uint32_t *count_exits(struct wm_arena *arena, const struct wm_capture *capture)
{
	const struct wm_cfg *cfg = capture->cfg;
	uint32_t *exits = wm_arena_alloc(arena, cfg->vertex_count, sizeof *exits);
	for (uint32_t edge = 0; edge < cfg->edge_count; edge++)
		exits[cfg->source[edge]] += capture->sites[edge].kind != WM_SITE_ABANDONED;
	return exits;
}

static void choose_sites(struct wm_arena *arena, struct wm_capture *capture)
{
	const struct wm_cfg *cfg = capture->cfg;
	const uint32_t *exits = count_exits(arena, capture);
	for (uint32_t edge = 0; edge < cfg->edge_count; edge++) {
		struct wm_site *site = &capture->sites[edge];
		uint32_t target = cfg->target[edge];
		if (site->kind == WM_SITE_RETURN &&
			wm_capture_is_shared_return(capture, site->source))
			site->kind = WM_SITE_NOWHERE;
		if (site->kind != WM_SITE_SPLIT)
			continue;
		if (exits[cfg->source[edge]] == 1)
			site->kind = WM_SITE_SOURCE_END;
		else if (cfg->in_start[target + 1] - cfg->in_start[target] == 1)
			site->kind = WM_SITE_TARGET_START;
		else
			site->kind = critical_kind(site);
	}
}

void wm_capture_function(struct wm_arena *arena, struct wm_bridge *bridge, LLVMValueRef function,
	bool early, struct wm_capture *capture)
{
	struct builder builder = {.arena = arena, .bridge = bridge, .capture = capture};
	memset(capture, 0, sizeof(*capture));
	capture->function = function;
	capture->early = early;
	bool split = wm_capture_split_after_setjmp(function);
	split |= wm_bridge_split_landing_pads(function);
	if (split)
		wm_bridge_refresh(bridge);
	number_blocks(&builder);
	find_originals(&builder, bridge);
	size_t bound = mark_reached(&builder);
	builder.mark = wm_arena_alloc(arena, capture->block_count, sizeof(uint32_t));
	builder.source = wm_arena_alloc(arena, bound, sizeof(uint32_t));
	builder.target = wm_arena_alloc(arena, bound, sizeof(uint32_t));
	capture->sites = wm_arena_alloc(arena, bound, sizeof(*capture->sites));
	for (uint32_t i = 0; i < capture->block_count; i++)
		if (builder.reached[i])
			add_edges_of(&builder, i);
	capture->cfg = wm_cfg_build(arena, capture->block_count + 1, builder.edge_count,
		builder.source, builder.target, 0, capture->block_count);
	choose_sites(arena, capture);
}
