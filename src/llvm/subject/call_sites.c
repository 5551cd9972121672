/* Which calls a function makes, and where in its block each stands.
 *
 * Control may end inside a block: in a call that does not come back, or in a trap. The calls behind
 * that place then ran less often than the block. The flow law tells how often control ended in the
 * block, but not where in it; so a call notes on which of its sides there are such places. */
#include "llvm/subject/call_sites.h"

#include "llvm/subject/subject.h"

struct walk {
	struct wm_bridge *bridge;
	const struct wm_capture *capture;
	const struct wm_position *positions; /* by call of the capture */
	struct wm_call_site *sites;
	uint32_t count;
	uint32_t next;	 /* call of the capture */
	uint32_t marked; /* sites before this one know what stands behind them in their block */
};

/* Code of the assembler has no name. Neither has a pointer, but that is called. */
bool wm_call_sites_has(const struct wm_call *call)
{
	if (call->callee)
		return !LLVMGetIntrinsicID(call->callee);
	return !LLVMIsAInlineAsm(LLVMGetCalledValue(call->instruction));
}

/* Not only functions have names: aliases are called, too. */
static const char *name_of_callee(const struct wm_call *call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call->instruction);
	return LLVMIsAGlobalValue(callee) ? wm_subject_linker_name(callee) : "";
}

/* Unlike the capture, which knows an edge for it, this counts calls before one that never comes
 * back as well. */
static bool may_end_in(const struct walk *walk, const struct wm_call *call)
{
	return !call->is_tail && !wm_capture_returns_twice(call->instruction) &&
	       !wm_bridge_call_returns(walk->bridge, call->instruction);
}

static void add_site(struct walk *walk, const struct wm_call *call, bool behind)
{
	const struct wm_position *position = &walk->positions[call - walk->capture->calls];
	if (wm_call_sites_has(call))
		walk->sites[walk->count++] = (struct wm_call_site){.block = call->block,
			.flags = (call->is_tail ? WM_CALL_TAIL : 0) | (behind ? WM_CALL_BEHIND : 0),
			.callee = name_of_callee(call),
			.scope = position->scope,
			.line = position->line};
}

static void mark_in_front(struct walk *walk)
{
	for (; walk->marked < walk->count; walk->marked++)
		walk->sites[walk->marked].flags |= WM_CALL_IN_FRONT;
}

/* Whether control may end in the instruction, which is added if it is a call. */
static bool visit(struct walk *walk, LLVMValueRef instruction, bool behind)
{
	const struct wm_capture *capture = walk->capture;
	const struct wm_call *call = &capture->calls[walk->next];
	if (walk->next == capture->call_count || call->instruction != instruction)
		return wm_bridge_may_trap(walk->bridge, instruction);
	walk->next++;
	add_site(walk, call, behind);
	return may_end_in(walk, call);
}

static void walk_block(struct walk *walk, LLVMBasicBlockRef block)
{
	bool behind = false;
	walk->marked = walk->count;
	for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
		if (visit(walk, at, behind)) {
			behind = true;
			mark_in_front(walk);
		}
	if (LLVMIsAUnreachableInst(LLVMGetBasicBlockTerminator(block)))
		mark_in_front(walk);
}

void wm_call_sites_describe(struct wm_arena *arena, struct wm_bridge *bridge,
	const struct wm_capture *capture, const struct wm_position *positions,
	struct wm_function *function)
{
	struct walk walk = {.bridge = bridge,
		.capture = capture,
		.positions = positions,
		.sites = wm_arena_alloc(arena, capture->call_count, sizeof *walk.sites)};
	while (walk.next < capture->call_count)
		walk_block(&walk, capture->blocks[capture->calls[walk.next].block]);
	function->calls = walk.sites;
	function->call_count = walk.count;
}
