/* The sum before a call waits in a register of the caller. */
#include "llvm/probe/measured_calls.h"

/* The edges by which an invoke goes on: where a call may be left for good, that is another edge. */
static bool goes_on(const struct wm_capture *capture, uint32_t edge)
{
	return capture->sites[edge].kind != WM_SITE_ABANDONED;
}

static bool fits_behind_invoke(const struct wm_capture *capture, const struct wm_call *call)
{
	const struct wm_cfg *cfg = capture->cfg;
	for (uint32_t i = cfg->out_start[call->block]; i < cfg->out_start[call->block + 1]; i++)
		if (goes_on(capture, cfg->out_edge[i]) &&
			!wm_site_is_countable(&capture->sites[cfg->out_edge[i]]))
			return false;
	return true;
}

bool wm_measured_call_is_seen(const struct wm_subject *subject, const struct wm_call *call)
{
	if (call->is_tail || wm_capture_returns_twice(call->instruction))
		return false;
	return !LLVMIsAInvokeInst(call->instruction) || fits_behind_invoke(subject->capture, call);
}

static void add(struct wm_lowerer *lowerer, enum wm_step_kind kind, LLVMValueRef before,
	const struct wm_measured_call *measured, double weight)
{
	wm_lowerer_add(lowerer,
		(struct wm_step){
			.kind = kind, .before = before, .weight = weight, .call = measured});
}

static void add_ends_of_invoke(struct wm_lowerer *lowerer, const struct wm_call *call,
	const struct wm_measured_call *measured)
{
	const struct wm_capture *capture = lowerer->subject->capture;
	const struct wm_cfg *cfg = capture->cfg;
	for (uint32_t i = cfg->out_start[call->block]; i < cfg->out_start[call->block + 1]; i++) {
		uint32_t edge = cfg->out_edge[i];
		if (goes_on(capture, edge))
			add(lowerer, WM_STEP_CALL_ENDS, wm_lowerer_edge_position(lowerer, edge),
				measured, lowerer->subject->edge_weight[edge]);
	}
}

void wm_lowerer_measure_call(
	struct wm_lowerer *lowerer, const struct wm_call *call, struct wm_measured_call *measured)
{
	double weight = lowerer->subject->vertex_weight[call->block];
	add(lowerer, WM_STEP_CALL_BEGINS, call->instruction, measured, weight);
	if (!measured->before)
		return;
	for (uint32_t k = 0; k < measured->kind_count; k++) {
		measured->before[k] = wm_lowerer_slot(lowerer, lowerer->i64);
		wm_lowerer_make_register(lowerer, measured->before[k]);
	}
	if (LLVMIsAInvokeInst(call->instruction))
		add_ends_of_invoke(lowerer, call, measured);
	else
		add(lowerer, WM_STEP_CALL_ENDS, LLVMGetNextInstruction(call->instruction), measured,
			weight);
}

static LLVMValueRef address_of_call(struct wm_lowerer *lowerer, LLVMValueRef base,
	const struct wm_measured_call *call, uint64_t counter)
{
	LLVMBuilderRef builder = lowerer->builder;
	LLVMValueRef offset = LLVMConstInt(lowerer->i64, 8 * (call->first + counter), false);
	if (!lowerer->in_segment) {
		LLVMValueRef own = LLVMBuildPtrToInt(builder, base, lowerer->i64, "");
		LLVMValueRef delta = LLVMBuildSub(
			builder, own, LLVMConstPtrToInt(lowerer->counters, lowerer->i64), "");
		offset = LLVMBuildAdd(builder, delta, offset, "");
	}
	return LLVMBuildGEP2(builder, lowerer->i8, call->counters, &offset, 1, "");
}

static void count_one(struct wm_lowerer *lowerer, LLVMValueRef base,
	const struct wm_measured_call *call, uint64_t counter)
{
	wm_lowerer_add_to_counter(lowerer, address_of_call(lowerer, base, call, counter),
		LLVMConstInt(lowerer->i64, 1, false));
}

/* The callee may add to the sum, whatever the compiler believes of the callee. */
static LLVMValueRef read_sum(struct wm_lowerer *lowerer, LLVMValueRef base, uint32_t kind)
{
	LLVMValueRef offset = LLVMConstInt(lowerer->i64, 8 * kind, false);
	LLVMValueRef address = LLVMBuildGEP2(lowerer->builder, lowerer->i8, base, &offset, 1, "");
	LLVMValueRef sum = wm_lowerer_load(lowerer, address);
	LLVMSetVolatile(sum, true);
	return sum;
}

void wm_lowerer_begin_call(
	struct wm_lowerer *lowerer, const struct wm_step *step, LLVMValueRef shared)
{
	const struct wm_measured_call *call = step->call;
	LLVMValueRef base = wm_lowerer_base(lowerer, shared, step->before);
	LLVMPositionBuilderBefore(lowerer->builder, step->before);
	count_one(lowerer, base, call, 0);
	for (uint32_t k = 0; call->before && k < call->kind_count; k++)
		LLVMBuildStore(lowerer->builder, read_sum(lowerer, base, k), call->before[k]);
}

void wm_lowerer_end_call(
	struct wm_lowerer *lowerer, const struct wm_step *step, LLVMValueRef shared)
{
	LLVMBuilderRef builder = lowerer->builder;
	const struct wm_measured_call *call = step->call;
	LLVMValueRef base = wm_lowerer_base(lowerer, shared, step->before);
	LLVMPositionBuilderBefore(builder, step->before);
	for (uint32_t k = 0; k < call->kind_count; k++) {
		LLVMValueRef sum = read_sum(lowerer, base, k);
		LLVMValueRef before = LLVMBuildLoad2(builder, lowerer->i64, call->before[k], "");
		wm_lowerer_add_to_counter(lowerer, address_of_call(lowerer, base, call, 2 + k),
			LLVMBuildSub(builder, sum, before, ""));
	}
	count_one(lowerer, base, call, 1);
}
