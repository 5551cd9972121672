/* Code with `asm goto`, for which LLVM 19 has two defects that probes could bring to light:
 *
 * - An output of an `asm goto` that has no register to stay in is stored behind the assembler code,
 *   and its jumps skip that store: at the labels the value is lost. Whether a register is left
 *   depends on all code around, so a function with outputs is not touched.
 * - A phi in a label's block takes its next value at the start of that block, before the present
 * one is read, if control comes back from the block itself and the value is computed elsewhere. No
 *   register of ours may merge in such a block. A function in which a value of the program does is
 *   not touched: how blocks are joined and copied depends on their size.
 *
 * Before the optimiser no phi can be seen yet, so no function with `asm goto` is touched. */
#include "llvm/subject/asm_goto.h"

#include <string.h>

static const char left_mark[] = "waymark-asm-goto";

static bool has_attribute(LLVMValueRef function, const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
	return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind) != NULL;
}

static LLVMAttributeRef never_inline(LLVMValueRef function)
{
	return LLVMCreateEnumAttribute(LLVMGetTypeContext(LLVMTypeOf(function)),
		LLVMGetEnumAttributeKindForName("noinline", 8), 0);
}

/* The `asm goto` that ends the block, or NULL. */
static LLVMValueRef asm_goto_at_end(LLVMBasicBlockRef block)
{
	return LLVMIsACallBrInst(LLVMGetBasicBlockTerminator(block));
}

bool wm_asm_goto_is_in(LLVMValueRef function)
{
	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
		block = LLVMGetNextBasicBlock(block))
		if (asm_goto_at_end(block))
			return true;
	return false;
}

/* The block behind one that does nothing but jump, or NULL. The code generator lets jumps to the
 * first lead to the second. */
static LLVMBasicBlockRef behind_empty(LLVMBasicBlockRef block)
{
	LLVMValueRef at = LLVMGetFirstInstruction(block);
	while (LLVMIsAPHINode(at) || LLVMIsADbgInfoIntrinsic(at))
		at = LLVMGetNextInstruction(at);
	return LLVMIsABranchInst(at) && LLVMGetNumSuccessors(at) == 1 ? LLVMGetSuccessor(at, 0)
								      : NULL;
}

/* A chain of empty blocks may be a cycle. */
enum { MAX_EMPTY_BLOCKS = 64 };

static bool label_loses_value(LLVMBasicBlockRef label)
{
	for (int i = 0; label && i < MAX_EMPTY_BLOCKS; i++, label = behind_empty(label))
		if (wm_bridge_merges_outer_value(label))
			return true;
	return false;
}

static bool is_unsafe(LLVMValueRef asm_goto)
{
	if (LLVMGetTypeKind(LLVMTypeOf(asm_goto)) != LLVMVoidTypeKind)
		return true;
	for (unsigned i = 0; i < LLVMGetNumSuccessors(asm_goto); i++)
		if (label_loses_value(LLVMGetSuccessor(asm_goto, i)))
			return true;
	return false;
}

static bool holds_unsafe(LLVMValueRef function, bool early)
{
	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
		block = LLVMGetNextBasicBlock(block)) {
		LLVMValueRef found = asm_goto_at_end(block);
		if (found && (early || is_unsafe(found)))
			return true;
	}
	return false;
}

bool wm_asm_goto_is_left_alone(LLVMValueRef function)
{
	return LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, left_mark,
		       sizeof(left_mark) - 1) != NULL;
}

static void leave_alone(LLVMValueRef function)
{
	LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(function));
	LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
		LLVMCreateStringAttribute(context, left_mark, sizeof(left_mark) - 1, "", 0));
	if (!has_attribute(function, "alwaysinline"))
		LLVMAddAttributeAtIndex(
			function, LLVMAttributeFunctionIndex, never_inline(function));
}

/* The function that the instruction calls by its name, or NULL. */
static LLVMValueRef callee_of(LLVMValueRef instruction)
{
	if (!LLVMIsACallInst(instruction) && !LLVMIsAInvokeInst(instruction))
		return NULL;
	LLVMValueRef callee = LLVMGetCalledValue(instruction);
	return LLVMIsAFunction(callee) && !LLVMIsDeclaration(callee) ? callee : NULL;
}

/* If the callee is always inlined, it becomes part of the caller: both are left alone, or none.
 * Otherwise the call is not inlined. Returns whether another function was marked. */
static bool keep_apart(LLVMValueRef caller, LLVMValueRef call)
{
	LLVMValueRef callee = callee_of(call);
	if (!callee || wm_asm_goto_is_left_alone(caller) == wm_asm_goto_is_left_alone(callee))
		return false;
	if (!has_attribute(callee, "alwaysinline")) {
		LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex, never_inline(caller));
		return false;
	}
	leave_alone(wm_asm_goto_is_left_alone(caller) ? callee : caller);
	return true;
}

static bool keep_calls_apart(LLVMValueRef function)
{
	bool changed = false;
	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
		block = LLVMGetNextBasicBlock(block))
		for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;
			at = LLVMGetNextInstruction(at))
			changed |= keep_apart(function, at);
	return changed;
}

static void keep_inlining_apart(LLVMModuleRef module)
{
	bool changed = true;
	while (changed) {
		changed = false;
		for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
			changed |= keep_calls_apart(f);
	}
}

bool wm_asm_goto_mark(LLVMModuleRef module, bool early)
{
	bool any = false;
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		if (holds_unsafe(f, early)) {
			leave_alone(f);
			any = true;
		}
	if (any && early)
		keep_inlining_apart(module);
	return any;
}

static void find_merges_from(const struct wm_capture *capture, uint32_t label, bool *merges)
{
	const struct wm_cfg *cfg = capture->cfg;
	while (label != cfg->exit && !merges[label]) {
		merges[label] = cfg->in_start[label + 1] - cfg->in_start[label] > 1;
		if (!behind_empty(capture->blocks[label]))
			return;
		label = cfg->target[cfg->out_edge[cfg->out_start[label]]];
	}
}

void wm_asm_goto_find_merges(const struct wm_capture *capture, bool *merges)
{
	const struct wm_cfg *cfg = capture->cfg;
	for (uint32_t edge = 0; edge < cfg->edge_count; edge++)
		if (capture->sites[edge].source && asm_goto_at_end(capture->sites[edge].source))
			find_merges_from(capture, cfg->target[edge], merges);
}
