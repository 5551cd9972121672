/* The sum of all that was claimed is the word of the thread, whatever a signal's handler claims in
 * between, since both are raised by the same amount and by an instruction each. */
#include "llvm/probe/meters.h"

#include "llvm/emit/record.h"
#include "llvm/emit/sim_accesses.h"

static LLVMValueRef read_tsc(struct wm_lowerer *lowerer)
{
	static const char name[] = "llvm.x86.rdtsc";
	LLVMModuleRef module = lowerer->subject->module;
	unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
	LLVMValueRef function = LLVMGetIntrinsicDeclaration(module, id, NULL, 0);
	LLVMTypeRef type = LLVMIntrinsicGetType(LLVMGetModuleContext(module), id, NULL, 0);
	return LLVMBuildCall2(lowerer->builder, type, function, NULL, 0, "");
}

/* A unit that does not know the variable has a weak one, which that of the program replaces. */
static LLVMValueRef variable_of(struct wm_lowerer *lowerer, const char *name)
{
	LLVMModuleRef module = lowerer->subject->module;
	LLVMValueRef variable = LLVMGetNamedGlobal(module, name);
	if (variable)
		return variable;
	variable = LLVMAddGlobal(module, lowerer->i64, name);
	LLVMSetInitializer(variable, LLVMConstInt(lowerer->i64, 0, false));
	LLVMSetLinkage(variable, LLVMWeakAnyLinkage);
	LLVMSetAlignment(variable, 8);
	return variable;
}

static LLVMValueRef read_variable(struct wm_lowerer *lowerer, const char *name)
{
	LLVMValueRef variable = variable_of(lowerer, name);
	LLVMValueRef value = LLVMBuildLoad2(lowerer->builder, lowerer->i64, variable, "");
	LLVMSetVolatile(value, true);
	LLVMSetMetadata(value, lowerer->mark_kind, lowerer->mark);
	return value;
}

/* All events are read at once: where they are then, or NULL if the build has none. */
static LLVMValueRef read_events(struct wm_lowerer *lowerer)
{
	const struct wm_meters *meters = &lowerer->subject->options->meters;
	LLVMModuleRef module = lowerer->subject->module;
	LLVMTypeRef pointer = LLVMPointerTypeInContext(LLVMGetModuleContext(module), 0);
	LLVMTypeRef type = LLVMFunctionType(pointer, NULL, 0, false);
	uint32_t i = 0;
	while (i < meters->count && meters->meters[i].kind != WM_METER_PERF)
		i++;
	if (i == meters->count)
		return NULL;
	LLVMValueRef function = wm_record_runtime_function(module, "__waymark_meters_read", type);
	LLVMSetFunctionCallConv(function, WM_PRESERVE_ALL);
	LLVMValueRef call = LLVMBuildCall2(lowerer->builder, type, function, NULL, 0, "");
	LLVMSetInstructionCallConv(call, WM_PRESERVE_ALL);
	return call;
}

static LLVMValueRef read_event(struct wm_lowerer *lowerer, LLVMValueRef events, uint32_t number)
{
	LLVMValueRef offset = LLVMConstInt(lowerer->i64, number, false);
	LLVMValueRef at = LLVMBuildGEP2(lowerer->builder, lowerer->i64, events, &offset, 1, "");
	LLVMValueRef value = LLVMBuildLoad2(lowerer->builder, lowerer->i64, at, "");
	LLVMSetVolatile(value, true);
	LLVMSetMetadata(value, lowerer->mark_kind, lowerer->mark);
	return value;
}

static LLVMValueRef read_misses(struct wm_lowerer *lowerer, uint32_t level)
{
	LLVMValueRef word = wm_sim_accesses_misses(
		lowerer->subject->module, lowerer->builder, &lowerer->subject->options->sim, level);
	LLVMValueRef value = LLVMBuildLoad2(lowerer->builder, lowerer->i64, word, "");
	LLVMSetVolatile(value, true);
	LLVMSetMetadata(value, lowerer->mark_kind, lowerer->mark);
	return value;
}

static LLVMValueRef read_meter(
	struct wm_lowerer *lowerer, const struct wm_meter *meter, LLVMValueRef event)
{
	switch (meter->kind) {
	case WM_METER_PERF:
		return event;
	case WM_METER_SIM:
		return read_misses(lowerer, meter->level);
	case WM_METER_TSC:
		return read_tsc(lowerer);
	case WM_METER_USER:
		return read_variable(lowerer, meter->name);
	}
	return NULL;
}

/* The word of the thread. Program and libraries share it. */
static LLVMValueRef claimed_word(struct wm_lowerer *lowerer, uint32_t meter)
{
	static const char name[] = "__waymark_claimed";
	LLVMModuleRef module = lowerer->subject->module;
	LLVMValueRef claimed = LLVMGetNamedGlobal(module, name);
	LLVMValueRef offset = LLVMConstInt(lowerer->i64, meter, false);
	if (!claimed) {
		claimed = LLVMAddGlobal(module, LLVMArrayType2(lowerer->i64, WM_MAX_METERS), name);
		LLVMSetThreadLocalMode(claimed, LLVMInitialExecTLSModel);
	}
	return LLVMBuildGEP2(lowerer->builder, lowerer->i64, claimed, &offset, 1, "");
}

static LLVMValueRef load_claimed(struct wm_lowerer *lowerer, uint32_t meter)
{
	LLVMValueRef value =
		LLVMBuildLoad2(lowerer->builder, lowerer->i64, claimed_word(lowerer, meter), "");
	LLVMSetVolatile(value, true);
	LLVMSetMetadata(value, lowerer->mark_kind, lowerer->mark);
	return value;
}

/* By one instruction. */
static void claim(struct wm_lowerer *lowerer, uint32_t meter, LLVMValueRef amount)
{
	static const char text[] = "addq $1, ($0)", constraints[] = "r,r,~{memory},~{flags}";
	LLVMValueRef operands[] = {claimed_word(lowerer, meter), amount};
	LLVMTypeRef types[] = {LLVMTypeOf(operands[0]), lowerer->i64};
	LLVMContextRef context = LLVMGetTypeContext(lowerer->i64);
	LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), types, 2, false);
	if (lowerer->subject->opaque)
		wm_lowerer_assemble(lowerer, text, constraints, type, operands);
	else
		wm_lowerer_add_to_memory(
			lowerer, operands[0], wm_lowerer_hide_origin(lowerer, amount));
}

void wm_meters_open(struct wm_lowerer *lowerer)
{
	for (uint32_t i = 0; i < lowerer->subject->options->meters.count; i++)
		lowerer->entered[i] = wm_lowerer_slot(lowerer, lowerer->i64);
}

static void read_all(struct wm_lowerer *lowerer, LLVMValueRef *readings)
{
	const struct wm_meters *meters = &lowerer->subject->options->meters;
	LLVMValueRef events = read_events(lowerer);
	for (uint32_t i = 0; i < meters->count; i++) {
		bool is_event = meters->meters[i].kind == WM_METER_PERF;
		readings[i] = read_meter(lowerer, &meters->meters[i],
			is_event ? read_event(lowerer, events, i) : NULL);
	}
}

void wm_meters_enter(struct wm_lowerer *lowerer, const struct wm_step *step)
{
	const struct wm_meters *meters = &lowerer->subject->options->meters;
	LLVMValueRef readings[WM_MAX_METERS];
	LLVMPositionBuilderBefore(lowerer->builder, step->before);
	read_all(lowerer, readings);
	for (uint32_t i = 0; i < meters->count; i++) {
		LLVMValueRef entered =
			LLVMBuildSub(lowerer->builder, readings[i], load_claimed(lowerer, i), "");
		LLVMBuildStore(lowerer->builder, entered, lowerer->entered[i]);
	}
}

static LLVMValueRef own_part(struct wm_lowerer *lowerer, uint32_t meter, LLVMValueRef reading)
{
	LLVMBuilderRef builder = lowerer->builder;
	LLVMValueRef entered = LLVMBuildLoad2(builder, lowerer->i64, lowerer->entered[meter], "");
	LLVMValueRef since = LLVMBuildSub(builder, reading, entered, "");
	return LLVMBuildSub(builder, since, load_claimed(lowerer, meter), "");
}

void wm_meters_read(struct wm_lowerer *lowerer, const struct wm_step *step, LLVMValueRef base)
{
	const struct wm_meters *meters = &lowerer->subject->options->meters;
	LLVMValueRef readings[WM_MAX_METERS];
	LLVMPositionBuilderBefore(lowerer->builder, step->before);
	read_all(lowerer, readings);
	for (uint32_t i = 0; i < meters->count; i++) {
		struct wm_step in_place = *step;
		LLVMValueRef own = own_part(lowerer, i, readings[i]);
		if (step->amount) /* 1 or 0: whether control takes this edge */
			own = LLVMBuildMul(lowerer->builder, own, step->amount, "");
		in_place.kind = step->with_route ? WM_STEP_COUNT_BY_HISTORY : WM_STEP_COUNT;
		in_place.counter += (uint64_t)i * step->stride;
		claim(lowerer, i, own);
		wm_lowerer_add_to_counter(
			lowerer, wm_lowerer_counter_address(lowerer, &in_place, base), own);
	}
}
