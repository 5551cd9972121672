/* Lowering, from the first step to the last. Modes add steps. Increments in loops that nothing can
 * leave abnormally move out of them through a register (loop_registers.c). The remaining steps are
 * written (write_steps.c). */
#include "llvm/probe/placeholders.h"

#include <assert.h>
#include <stdio.h>

void wm_lowerer_add(struct wm_lowerer *lowerer, struct wm_step step)
{
	lowerer->pending = wm_arena_grow(lowerer->subject->arena, lowerer->pending,
		lowerer->pending_count, &lowerer->pending_capacity, sizeof(*lowerer->pending));
	lowerer->pending[lowerer->pending_count++] = step;
}

void wm_lowerer_count(struct wm_lowerer *lowerer, LLVMValueRef before, uint64_t counter,
	LLVMValueRef amount, double weight)
{
	wm_lowerer_add(lowerer, (struct wm_step){.kind = WM_STEP_COUNT,
					.before = before,
					.counter = counter,
					.amount = amount,
					.weight = weight});
}

static LLVMValueRef before_setjmp(LLVMBasicBlockRef block)
{
	return LLVMGetPreviousInstruction(LLVMGetBasicBlockTerminator(block));
}

/* The optimiser gives an empty block the address of the block behind it. A probe that compares the
 * address would then count jumps to either block. So before the optimiser, each target of the jump
 * gets an empty instruction of the assembler. */
static void keep_targets_apart(struct wm_lowerer *lowerer, LLVMValueRef jump)
{
	LLVMTypeRef nothing = LLVMVoidTypeInContext(LLVMGetTypeContext(lowerer->i64));
	for (unsigned i = 0; i < LLVMGetNumSuccessors(jump); i++) {
		LLVMValueRef start = wm_capture_block_start(LLVMGetSuccessor(jump, i));
		char text[32];
		if (LLVMGetMetadata(start, lowerer->mark_kind) && LLVMIsACallInst(start))
			continue; /* it has one already */
		snprintf(text, sizeof text, "# target %u", lowerer->target_count++);
		LLVMPositionBuilderBefore(lowerer->builder, start);
		wm_lowerer_assemble(
			lowerer, text, "", LLVMFunctionType(nothing, NULL, 0, false), NULL);
	}
}

/* 1 or 0, computed before the indirect jump: whether it goes along the edge. */
static LLVMValueRef compare_target(struct wm_lowerer *lowerer, const struct wm_site *site)
{
	LLVMValueRef jump = LLVMGetBasicBlockTerminator(site->source);
	if (lowerer->subject->capture->early)
		keep_targets_apart(lowerer, jump);
	LLVMPositionBuilderBefore(lowerer->builder, jump);
	LLVMValueRef label = LLVMBlockAddress(lowerer->subject->capture->function, site->target);
	LLVMValueRef taken =
		LLVMBuildICmp(lowerer->builder, LLVMIntEQ, LLVMGetOperand(jump, 0), label, "");
	return LLVMBuildZExt(lowerer->builder, taken, lowerer->i64, "");
}

LLVMValueRef wm_lowerer_edge_position(struct wm_lowerer *lowerer, uint32_t edge)
{
	const struct wm_site *site = &lowerer->subject->capture->sites[edge];
	switch (site->kind) {
	case WM_SITE_SOURCE_END:
	case WM_SITE_RETURN:
		return wm_capture_block_end(lowerer->subject->capture, site->source);
	case WM_SITE_TARGET_START:
		return wm_capture_block_start(site->target);
	case WM_SITE_NO_RETURN:
		return wm_capture_block_start(site->source);
	case WM_SITE_BEFORE_SETJMP:
		return before_setjmp(site->source);
	case WM_SITE_SPLIT:
		if (!lowerer->split[edge])
			lowerer->split[edge] = wm_bridge_split_edge(lowerer->subject->bridge,
				LLVMGetBasicBlockTerminator(site->source), site->successor);
		return wm_capture_block_start(lowerer->split[edge]);
	case WM_SITE_COMPARED:
		return LLVMGetBasicBlockTerminator(site->source);
	case WM_SITE_ABANDONED:
	case WM_SITE_NOWHERE:
		break;
	}
	assert(!"the plan counts an edge that no probe fits on");
	return NULL;
}

void wm_lowerer_count_edge(
	struct wm_lowerer *lowerer, enum wm_step_kind kind, uint32_t edge, uint64_t counter)
{
	const struct wm_site *site = &lowerer->subject->capture->sites[edge];
	struct wm_step step = {.kind = kind,
		.before = wm_lowerer_edge_position(lowerer, edge),
		.counter = counter,
		.weight = lowerer->subject->edge_weight[edge]};
	if (site->kind == WM_SITE_COMPARED)
		step.amount = compare_target(lowerer, site);
	wm_lowerer_add(lowerer, step);
}

void wm_lowerer_add_on_edge(
	struct wm_lowerer *lowerer, uint32_t edge, uint64_t counter, uint64_t amount)
{
	const struct wm_site *site = &lowerer->subject->capture->sites[edge];
	LLVMValueRef value = LLVMConstInt(lowerer->i64, amount, false);
	LLVMValueRef before = wm_lowerer_edge_position(lowerer, edge);
	if (site->kind == WM_SITE_COMPARED)
		value = LLVMBuildMul(lowerer->builder, compare_target(lowerer, site), value, "");
	wm_lowerer_count(lowerer, before, counter, value, lowerer->subject->edge_weight[edge]);
}

void wm_lowerer_count_iterations(struct wm_lowerer *lowerer, const struct wm_iterations *iterations,
	uint64_t counter, uint64_t amount)
{
	LLVMValueRef number = iterations->number;
	if (amount != 1) {
		LLVMPositionBuilderBefore(lowerer->builder, iterations->before);
		number = LLVMBuildMul(
			lowerer->builder, number, LLVMConstInt(lowerer->i64, amount, false), "");
	}
	wm_lowerer_count(lowerer, iterations->before, counter, number, iterations->weight);
}

LLVMValueRef wm_lowerer_slot(struct wm_lowerer *lowerer, LLVMTypeRef type)
{
	LLVMValueRef function = lowerer->subject->capture->function;
	LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
	LLVMPositionBuilderBefore(lowerer->builder, first);
	return LLVMBuildAlloca(lowerer->builder, type, "");
}

void wm_lowerer_make_register(struct wm_lowerer *lowerer, LLVMValueRef slot)
{
	lowerer->slots = wm_arena_grow(lowerer->subject->arena, lowerer->slots, lowerer->slot_count,
		&lowerer->slot_capacity, sizeof *lowerer->slots);
	lowerer->slots[lowerer->slot_count++] = slot;
}

bool wm_lowerer_defers(const struct wm_lowerer *lowerer)
{
	return lowerer->subject->deferred && lowerer->in_segment;
}

struct wm_lowerer *wm_lowerer_open(
	const struct wm_subject *subject, LLVMValueRef counters, bool in_segment)
{
	static const char mark[] = "nosanitize";
	uint32_t edges = subject->capture->cfg->edge_count;
	LLVMContextRef context = LLVMGetModuleContext(subject->module);
	LLVMMetadataRef nothing = LLVMMDNodeInContext2(context, NULL, 0);
	struct wm_lowerer *lowerer = wm_arena_alloc(subject->arena, 1, sizeof *lowerer);
	*lowerer = (struct wm_lowerer){.subject = subject,
		.counters = counters,
		.in_segment = in_segment,
		.mark_kind = LLVMGetMDKindIDInContext(context, mark, sizeof(mark) - 1),
		.mark = LLVMMetadataAsValue(context, nothing),
		.builder = LLVMCreateBuilderInContext(context),
		.i64 = LLVMInt64TypeInContext(context),
		.i8 = LLVMInt8TypeInContext(context),
		.split = wm_arena_alloc(subject->arena, edges, sizeof(LLVMBasicBlockRef)),
		.iterations =
			wm_arena_alloc(subject->arena, edges, sizeof(struct wm_iterations *))};
	return lowerer;
}

void wm_lowerer_close(struct wm_lowerer *lowerer)
{
	const struct wm_subject *subject = lowerer->subject;
	if (lowerer->history)
		wm_lowerer_make_register(lowerer, lowerer->history);
	if (lowerer->prehistory)
		wm_lowerer_make_register(lowerer, lowerer->prehistory);
	for (uint32_t i = 0; i < WM_MAX_METERS && lowerer->entered[i]; i++)
		wm_lowerer_make_register(lowerer, lowerer->entered[i]);
	if (wm_lowerer_defers(lowerer))
		wm_placeholders_pin_traps(lowerer);
	if (subject->optimise)
		wm_lowerer_keep_in_registers(lowerer);
	wm_lowerer_write(lowerer);
	/* Only now: pending increments may stand before the loads that promotion removes. */
	if (lowerer->slot_count)
		wm_bridge_promote(subject->bridge, lowerer->slots, lowerer->slot_count);
	if (lowerer->holds_blocks)
		wm_lowerer_hold_blocks(lowerer);
	LLVMDisposeBuilder(lowerer->builder);
}
