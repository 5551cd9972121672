/* Lowering of probes: every probe becomes one or more pending steps; increments in loops that
 * nothing can leave abnormally move out of them, by the loop's trip count or through a register
 * (loop_registers.c); what remains is written (write_steps.c).
 */
#include "llvm/lower.h"

#include <assert.h>
#include <string.h>

#include "llvm/lowerer.h"
#include "llvm/sums.h"

void wm_lowerer_add(struct wm_lowerer *lowerer, struct wm_step step)
{
	lowerer->pending = wm_arena_grow(lowerer->job->arena, lowerer->pending,
		lowerer->pending_count, &lowerer->pending_capacity, sizeof(*lowerer->pending));
	lowerer->pending[lowerer->pending_count++] = step;
}

static void add_increment(struct wm_lowerer *lowerer, LLVMValueRef before, uint64_t counter,
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

/* 1 or 0, computed before the indirect jump: whether it goes along the edge. */
static LLVMValueRef compare_target(struct wm_lowerer *lowerer, const struct wm_site *site)
{
	LLVMValueRef jump = LLVMGetBasicBlockTerminator(site->source);
	LLVMPositionBuilderBefore(lowerer->builder, jump);
	LLVMValueRef label = LLVMBlockAddress(lowerer->job->capture->function, site->target);
	LLVMValueRef taken =
		LLVMBuildICmp(lowerer->builder, LLVMIntEQ, LLVMGetOperand(jump, 0), label, "");
	return LLVMBuildZExt(lowerer->builder, taken, lowerer->i64, "");
}

/* The instruction before which the edge's probe stands; splits a critical edge, once. */
LLVMValueRef wm_lowerer_edge_position(struct wm_lowerer *lowerer, uint32_t edge)
{
	const struct wm_site *site = &lowerer->job->capture->sites[edge];
	switch (site->kind) {
	case WM_SITE_SOURCE_END:
	case WM_SITE_RETURN:
		return wm_capture_block_end(lowerer->job->capture, site->source);
	case WM_SITE_TARGET_START:
		return wm_capture_block_start(site->target);
	case WM_SITE_NO_RETURN:
		return wm_capture_block_start(site->source);
	case WM_SITE_BEFORE_SETJMP:
		return before_setjmp(site->source);
	case WM_SITE_SPLIT:
		if (!lowerer->split[edge])
			lowerer->split[edge] = wm_bridge_split_edge(lowerer->job->bridge,
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
	const struct wm_site *site = &lowerer->job->capture->sites[edge];
	struct wm_step step = {.kind = kind,
		.before = wm_lowerer_edge_position(lowerer, edge),
		.counter = counter,
		.weight = lowerer->job->edge_weight[edge]};
	if (site->kind == WM_SITE_COMPARED)
		step.amount = compare_target(lowerer, site);
	wm_lowerer_add(lowerer, step);
}

/* A counter in a return shared by tail calls stands before these calls, on the edges to it. */
static void add_vertex_increment(struct wm_lowerer *lowerer, uint32_t vertex, uint64_t counter)
{
	const struct wm_capture *capture = lowerer->job->capture;
	const struct wm_cfg *cfg = capture->cfg;
	if (!wm_capture_is_shared_return(capture, capture->blocks[vertex])) {
		add_increment(lowerer, wm_capture_block_start(capture->blocks[vertex]), counter,
			NULL, lowerer->job->vertex_weight[vertex]);
		return;
	}
	for (uint32_t i = cfg->in_start[vertex]; i < cfg->in_start[vertex + 1]; i++)
		wm_lowerer_count_edge(lowerer, WM_STEP_COUNT, cfg->in_edge[i], counter);
}

void wm_lowerer_count_turns(
	struct wm_lowerer *lowerer, const struct wm_turns *turns, uint64_t counter)
{
	add_increment(lowerer, turns->before, counter, turns->number, turns->weight);
}

static void make_pending(struct wm_lowerer *lowerer, const struct wm_plan *plan)
{
	const struct wm_turns **turns =
		wm_arena_alloc(lowerer->job->arena, plan->probe_count, sizeof(*turns));
	for (uint32_t k = 0; k < plan->probe_count; k++)
		if (plan->probes[k].kind == WM_PROBE_EDGE)
			turns[k] = wm_lowerer_ask_turns(lowerer, plan->probes[k].index);
	wm_lowerer_compute_turns(lowerer);
	for (uint32_t k = 0; k < plan->probe_count; k++) {
		if (turns[k])
			wm_lowerer_count_turns(lowerer, turns[k], k);
		else if (plan->probes[k].kind == WM_PROBE_EDGE)
			wm_lowerer_count_edge(lowerer, WM_STEP_COUNT, plan->probes[k].index, k);
		else
			add_vertex_increment(lowerer, plan->probes[k].index, k);
	}
}

LLVMValueRef wm_lowerer_slot(struct wm_lowerer *lowerer, LLVMTypeRef type)
{
	LLVMValueRef function = lowerer->job->capture->function;
	LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
	LLVMPositionBuilderBefore(lowerer->builder, first);
	return LLVMBuildAlloca(lowerer->builder, type, "");
}

static void lower(struct wm_lowerer *lowerer)
{
	lowerer->slots = wm_arena_alloc(
		lowerer->job->arena, lowerer->pending_count + 2, sizeof(*lowerer->slots));
	if (lowerer->history)
		lowerer->slots[lowerer->slot_count++] = lowerer->history;
	if (lowerer->context)
		lowerer->slots[lowerer->slot_count++] = lowerer->context;
	if (lowerer->job->optimise)
		wm_lowerer_keep_in_registers(lowerer);
	wm_lowerer_write(lowerer);
	/* Only now: pending increments may stand before the loads that promotion removes. */
	if (lowerer->slot_count)
		wm_bridge_promote(lowerer->job->bridge, lowerer->slots, lowerer->slot_count);
}

static void finish(struct wm_lowerer *lowerer)
{
	LLVMDisposeBuilder(lowerer->builder);
}

static struct wm_lowerer start(const struct wm_lowering *lowering)
{
	static const char mark[] = "nosanitize";
	LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(lowering->capture->function));
	LLVMMetadataRef nothing = LLVMMDNodeInContext2(context, NULL, 0);
	return (struct wm_lowerer){.job = lowering,
		.mark_kind = LLVMGetMDKindIDInContext(context, mark, sizeof(mark) - 1),
		.mark = LLVMMetadataAsValue(context, nothing),
		.builder = LLVMCreateBuilderInContext(context),
		.i64 = LLVMInt64TypeInContext(context),
		.i8 = LLVMInt8TypeInContext(context),
		.split = wm_arena_alloc(lowering->arena, lowering->capture->cfg->edge_count,
			sizeof(LLVMBasicBlockRef)),
		.turns = wm_arena_alloc(lowering->arena, lowering->capture->cfg->edge_count,
			sizeof(struct wm_turns *))};
}

void wm_lower_probes(const struct wm_lowering *lowering, const struct wm_plan *plan)
{
	struct wm_lowerer lowerer = start(lowering);
	make_pending(&lowerer, plan);
	lower(&lowerer);
	if (lowering->optimise)
		wm_lowerer_hold_blocks(&lowerer);
	finish(&lowerer);
}

void wm_lower_paths(const struct wm_lowering *lowering, const struct wm_path_plan *plan)
{
	struct wm_lowerer lowerer = start(lowering);
	wm_lower_path_steps(&lowerer, plan);
	lower(&lowerer);
	finish(&lowerer);
}

void wm_lower_sums(const struct wm_lowering *lowering, const struct wm_sums *sums)
{
	struct wm_lowerer lowerer = start(lowering);
	wm_lower_sums_steps(&lowerer, sums);
	lower(&lowerer);
	finish(&lowerer);
}
