/* Blocks that the code generator should not copy.
 *
 * It copies a block in place of a jump to it, up to a length that we raise by one for the sake of
 * the probes (code_generator.c). A block without a probe that ends with a choice is then also
 * copied. The copies of a choice are harder to predict than one, which shows in loops that do
 * little else. An empty instruction of the assembler makes such a block too long again. */
#include "llvm/probe/lowerer.h"
#include "llvm/subject/loop_costs.h"
#include "llvm/tuning.h"

static bool ends_with_choice(LLVMBasicBlockRef block)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
	return LLVMIsABranchInst(end) && LLVMIsConditional(end);
}

static bool is_reached_twice(LLVMBasicBlockRef block)
{
	unsigned jumps = 0;
	for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use && jumps < 2;
		use = LLVMGetNextUse(use))
		jumps += LLVMIsATerminatorInst(LLVMGetUser(use)) != NULL;
	return jumps == 2;
}

static bool is_short_without_probe(const struct wm_lowerer *lowerer, LLVMBasicBlockRef block)
{
	unsigned length = 0;
	for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
		length += !LLVMIsADbgInfoIntrinsic(i);
		if (length > WM_MAX_INSTRUCTIONS_TO_HOLD || wm_lowerer_is_ours(lowerer, i))
			return false;
	}
	return true;
}

static bool is_in_tight_loop(const struct wm_subject *subject, LLVMBasicBlockRef block)
{
	wm_loop_ref loop = wm_bridge_loop_of(subject->bridge, block);
	return loop && wm_loop_is_tight(subject, loop);
}

static void hold(struct wm_lowerer *lowerer, LLVMBasicBlockRef block)
{
	LLVMTypeRef nothing = LLVMVoidTypeInContext(LLVMGetTypeContext(lowerer->i64));
	LLVMPositionBuilderBefore(lowerer->builder, wm_capture_block_start(block));
	wm_lowerer_assemble(lowerer, "", "", LLVMFunctionType(nothing, NULL, 0, false), NULL);
}

void wm_lowerer_hold_blocks(struct wm_lowerer *lowerer)
{
	const struct wm_subject *subject = lowerer->subject;
	LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(subject->capture->function);
	if (subject->capture->block_count > WM_MAX_BLOCKS_TO_HOLD)
		return;
	for (; block; block = LLVMGetNextBasicBlock(block))
		if (ends_with_choice(block) && is_reached_twice(block) &&
			is_short_without_probe(lowerer, block) && is_in_tight_loop(subject, block))
			hold(lowerer, block);
}
