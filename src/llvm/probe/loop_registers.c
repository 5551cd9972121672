/* Counters of loops in registers, which are added to memory where the loop is left.
 * subject/loop_costs.c says which loops gain by it. */
#include "llvm/probe/lowerer.h"
#include "llvm/subject/loop_costs.h"
#include "llvm/tuning.h"

static LLVMValueRef new_slot(struct wm_lowerer *lowerer, LLVMBasicBlockRef preheader)
{
	LLVMValueRef slot = wm_lowerer_slot(lowerer, lowerer->i64);
	LLVMPositionBuilderBefore(lowerer->builder, LLVMGetBasicBlockTerminator(preheader));
	LLVMBuildStore(lowerer->builder, LLVMConstInt(lowerer->i64, 0, false), slot);
	return slot;
}

/* Adds what the register holds to the counter, at one of the loop's exits. */
static void flush(struct wm_lowerer *lowerer, LLVMValueRef slot, LLVMBasicBlockRef exit,
	struct wm_step increment)
{
	increment.before = wm_capture_block_start(exit);
	LLVMPositionBuilderBefore(lowerer->builder, increment.before);
	increment.amount = LLVMBuildLoad2(lowerer->builder, lowerer->i64, slot, "");
	wm_lowerer_add(lowerer, increment);
}

/* Moves one increment into a register of its loop; returns the register's slot or NULL. */
static LLVMValueRef keep_in_register(struct wm_lowerer *lowerer, uint32_t index)
{
	struct wm_bridge *bridge = lowerer->subject->bridge;
	struct wm_step increment = lowerer->pending[index];
	LLVMBasicBlockRef exits[WM_MAX_LOOP_EXITS], preheader;
	if (increment.kind != WM_STEP_COUNT || increment.with_prehistory ||
		(increment.address && !LLVMIsConstant(increment.address)))
		return NULL;
	wm_loop_ref loop = wm_bridge_loop_of(bridge, LLVMGetInstructionParent(increment.before));
	if (!wm_loop_keeps_in_register(lowerer->subject, loop, increment.weight))
		return NULL;
	size_t exit_count = wm_bridge_loop_exits(bridge, loop, exits, WM_MAX_LOOP_EXITS);
	if (!exit_count || !(preheader = wm_bridge_make_preheader(bridge, loop)))
		return NULL;
	LLVMValueRef slot = new_slot(lowerer, preheader);
	LLVMPositionBuilderBefore(lowerer->builder, increment.before);
	wm_lowerer_add_to_memory(lowerer, slot, wm_lowerer_amount(lowerer, &increment));
	lowerer->pending[index].before = NULL;
	increment.weight = wm_bridge_loop_facts(bridge, loop).entries / exit_count;
	for (size_t i = 0; i < exit_count; i++)
		flush(lowerer, slot, exits[i], increment);
	return slot;
}

void wm_lowerer_keep_in_registers(struct wm_lowerer *lowerer)
{
	uint32_t count = lowerer->pending_count;
	for (uint32_t i = 0; i < count; i++) {
		LLVMValueRef slot = keep_in_register(lowerer, i);
		if (slot) {
			wm_lowerer_make_register(lowerer, slot);
			lowerer->counts_in_registers = true;
		}
	}
}
