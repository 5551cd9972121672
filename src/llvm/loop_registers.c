/* Counters of short loops in registers, which are added to memory where the loop is left. */
#include "llvm/lowerer.h"

/* A loop must be expected to turn this often before a register pays for its flush at the exit. */
static const double loop_turns_to_pay = 8;

/* A loop of so many instructions takes longer than a store and a load of the same word. */
static const size_t short_loop = 12;

enum { MOST_LOOP_EXITS = 16 };

static LLVMValueRef new_slot(struct wm_lowerer *lowerer, LLVMBasicBlockRef preheader)
{
	LLVMValueRef slot = wm_lowerer_slot(lowerer);
	LLVMPositionBuilderBefore(lowerer->builder, LLVMGetBasicBlockTerminator(preheader));
	LLVMBuildStore(lowerer->builder, LLVMConstInt(lowerer->i64, 0, false), slot);
	return slot;
}

/* A counter in memory costs its store-to-load latency, which only a short loop lets show; a
 * register costs its flush at the exit, which only a loop that turns often repays. */
static bool pays_in_register(struct wm_lowerer *lowerer, const struct wm_step *increment,
	wm_loop_ref loop, LLVMBasicBlockRef preheader)
{
	struct wm_bridge *bridge = lowerer->job->bridge;
	double entries = wm_bridge_block_frequency(bridge, preheader);
	double turns = wm_bridge_block_frequency(bridge, wm_bridge_loop_header(loop));
	return turns >= loop_turns_to_pay * entries && increment->weight * 2 >= turns &&
	       wm_bridge_loop_instructions(loop) <= short_loop && wm_bridge_loop_is_closed(loop);
}

/* Moves one increment into a register of its loop; returns the register's slot or NULL. */
static LLVMValueRef keep_in_register(struct wm_lowerer *lowerer, uint32_t index)
{
	struct wm_bridge *bridge = lowerer->job->bridge;
	struct wm_step increment = lowerer->pending[index];
	LLVMBasicBlockRef exits[MOST_LOOP_EXITS];
	if (increment.kind != WM_STEP_COUNT || increment.in_context)
		return NULL;
	wm_loop_ref loop = wm_bridge_loop_of(bridge, LLVMGetInstructionParent(increment.before));
	LLVMBasicBlockRef preheader = loop ? wm_bridge_loop_preheader(loop) : NULL;
	if (!preheader || !pays_in_register(lowerer, &increment, loop, preheader))
		return NULL;
	size_t exit_count = wm_bridge_loop_exits(bridge, loop, exits, MOST_LOOP_EXITS);
	if (!exit_count)
		return NULL;
	LLVMValueRef slot = new_slot(lowerer, preheader);
	LLVMPositionBuilderBefore(lowerer->builder, increment.before);
	wm_lowerer_add_to_memory(lowerer, slot, wm_lowerer_amount(lowerer, &increment));
	lowerer->pending[index].before = NULL;
	double entries = wm_bridge_block_frequency(bridge, preheader);
	for (size_t i = 0; i < exit_count; i++) {
		LLVMValueRef before = wm_capture_block_start(exits[i]);
		LLVMPositionBuilderBefore(lowerer->builder, before);
		LLVMValueRef amount = LLVMBuildLoad2(lowerer->builder, lowerer->i64, slot, "");
		wm_lowerer_add(lowerer, (struct wm_step){.kind = WM_STEP_COUNT,
						.before = before,
						.counter = increment.counter,
						.amount = amount,
						.weight = entries / exit_count});
	}
	return slot;
}

void wm_lowerer_keep_in_registers(struct wm_lowerer *lowerer)
{
	uint32_t count = lowerer->pending_count;
	for (uint32_t i = 0; i < count; i++) {
		LLVMValueRef slot = keep_in_register(lowerer, i);
		if (slot)
			lowerer->slots[lowerer->slot_count++] = slot;
	}
}
