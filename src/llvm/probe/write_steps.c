/* Writing of steps.
 *
 * A count is written as load, add, store, at the thread's base plus a constant. Where the optimiser
 * must not touch it or does not run, it is written as the one instruction that these should become.
 * The base is the static counters plus the thread's difference, which is zero until the thread has
 * counters of its own, so a probe is valid from the first instruction of the program on. In a
 * program the gs register adds the difference; in a library a thread-local variable holds it, and
 * code that finds zero there asks the runtime. */
#include <string.h>

#include "format/context_layout.h"
#include "llvm/emit/contexts.h"
#include "llvm/emit/record.h"
#include "llvm/probe/keys.h"
#include "llvm/probe/measured_calls.h"
#include "llvm/probe/meters.h"
#include "llvm/probe/placeholders.h"

LLVMValueRef wm_lowerer_amount(const struct wm_lowerer *lowerer, const struct wm_step *increment)
{
	return increment->amount ? increment->amount : LLVMConstInt(lowerer->i64, 1, false);
}

/* Sanitizers leave our accesses alone: they are not the user's code. */
static LLVMValueRef mark_as_ours(const struct wm_lowerer *lowerer, LLVMValueRef access)
{
	LLVMSetMetadata(access, lowerer->mark_kind, lowerer->mark);
	return access;
}

bool wm_lowerer_is_ours(const struct wm_lowerer *lowerer, LLVMValueRef instruction)
{
	return LLVMGetMetadata(instruction, lowerer->mark_kind) != NULL;
}

LLVMValueRef wm_lowerer_load(struct wm_lowerer *lowerer, LLVMValueRef address)
{
	return mark_as_ours(lowerer, LLVMBuildLoad2(lowerer->builder, lowerer->i64, address, ""));
}

void wm_lowerer_add_to_memory(struct wm_lowerer *lowerer, LLVMValueRef address, LLVMValueRef amount)
{
	LLVMValueRef sum =
		LLVMBuildAdd(lowerer->builder, wm_lowerer_load(lowerer, address), amount, "");
	mark_as_ours(lowerer, LLVMBuildStore(lowerer->builder, sum, address));
}

static LLVMValueRef build_base(struct wm_lowerer *lowerer, LLVMValueRef before)
{
	LLVMModuleRef module = lowerer->subject->module;
	LLVMPositionBuilderBefore(lowerer->builder, before);
	LLVMValueRef delta = wm_bridge_or_call(lowerer->subject->bridge,
		wm_lowerer_load(lowerer, wm_record_delta(module)), wm_record_attach(module),
		before);
	LLVMPositionBuilderBefore(lowerer->builder, before);
	return LLVMBuildGEP2(lowerer->builder, lowerer->i8, lowerer->counters, &delta, 1, "");
}

static bool needs_base(const struct wm_step *step)
{
	return step->before &&
	       (step->kind == WM_STEP_COUNT || step->kind == WM_STEP_COUNT_BY_HISTORY ||
		       step->kind == WM_STEP_CHECK || step->kind == WM_STEP_READ_METERS ||
		       step->call);
}

static bool is_pending(const struct wm_lowerer *lowerer, LLVMValueRef instruction)
{
	for (uint32_t i = 0; i < lowerer->pending_count; i++)
		if (lowerer->pending[i].before == instruction && needs_base(&lowerer->pending[i]))
			return true;
	return false;
}

/* The first increment of the block, or its end: where a base for this block and those below stands.
 */
static LLVMValueRef base_position(const struct wm_lowerer *lowerer, LLVMBasicBlockRef block)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
	LLVMValueRef at = LLVMGetFirstInstruction(block);
	while (at != end && !is_pending(lowerer, at))
		at = LLVMGetNextInstruction(at);
	return at;
}

static LLVMValueRef shared_base(struct wm_lowerer *lowerer)
{
	const struct wm_subject *subject = lowerer->subject;
	LLVMBasicBlockRef *blocks =
		wm_arena_alloc(subject->arena, lowerer->pending_count, sizeof(*blocks));
	size_t count = 0;
	double weight = 0;
	for (uint32_t i = 0; i < lowerer->pending_count; i++) {
		if (!needs_base(&lowerer->pending[i]))
			continue;
		blocks[count++] = LLVMGetInstructionParent(lowerer->pending[i].before);
		weight += lowerer->pending[i].weight;
	}
	if (!count)
		return NULL;
	LLVMBasicBlockRef common = wm_bridge_common_dominator(subject->bridge, blocks, count);
	if (count > 1 && weight < wm_bridge_block_frequency(subject->bridge, common))
		return NULL;
	return build_base(lowerer, base_position(lowerer, common));
}

/* The segment register adds the thread's difference to the static address: nothing to compute. */
LLVMValueRef wm_lowerer_base(struct wm_lowerer *lowerer, LLVMValueRef shared, LLVMValueRef before)
{
	if (lowerer->in_record)
		return lowerer->record;
	if (lowerer->in_segment)
		return lowerer->counters;
	return shared ? shared : build_base(lowerer, before);
}

/* The address as one of the ordinary address space; the template adds the segment. */
static LLVMValueRef without_segment(struct wm_lowerer *lowerer, LLVMValueRef address)
{
	LLVMTypeRef pointer = LLVMPointerTypeInContext(LLVMGetTypeContext(lowerer->i64), 0);
	LLVMValueRef number = LLVMBuildPtrToInt(lowerer->builder, address, lowerer->i64, "");
	return LLVMBuildIntToPtr(lowerer->builder, number, pointer, "");
}

LLVMValueRef wm_lowerer_assemble(struct wm_lowerer *lowerer, const char *text,
	const char *constraints, LLVMTypeRef type, LLVMValueRef *operands)
{
	LLVMContextRef context = LLVMGetTypeContext(lowerer->i64);
	LLVMValueRef code = LLVMGetInlineAsm(type, text, strlen(text), constraints,
		strlen(constraints), true, false, LLVMInlineAsmDialectATT, false);
	LLVMValueRef call = LLVMBuildCall2(
		lowerer->builder, type, code, operands, LLVMCountParamTypes(type), "");
	LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex,
		LLVMCreateEnumAttribute(
			context, LLVMGetEnumAttributeKindForName("nounwind", 8), 0));
	return mark_as_ours(lowerer, call);
}

/* Where no optimiser runs, load, add and store would stay three instructions, and a signal between
 * them would lose what its handler counts. Where the whole optimiser runs, they would move out of
 * loops, and a kill would lose them. Each constraint takes LLVM's time, so there are few: the
 * counter's memory is read, and lost as part of all memory. Of what clang names as lost, only the
 * flags are named, because LLVM looks for each name, even "memory", among those of all registers,
 * twice. Where no optimiser runs nothing moves around the code anyway, and the counter is only
 * written. */
static void add_opaquely(struct wm_lowerer *lowerer, LLVMValueRef address, LLVMValueRef amount)
{
	static const char *const texts[] = {"addq $1, $0", "addq $1, %gs:$0"};
	static const char *const constraints[][2] = {
		{"=*m,r,~{flags}", "=*m,e,~{flags}"},
		{"*m,r,~{memory},~{flags}", "*m,e,~{memory},~{flags}"},
	};
	bool constant = LLVMIsConstant(amount), optimised = lowerer->subject->capture->early;
	LLVMContextRef context = LLVMGetTypeContext(lowerer->i64);
	const char *text = texts[lowerer->in_segment];
	if (lowerer->in_segment)
		address = without_segment(lowerer, address);
	LLVMValueRef operands[] = {address, amount};
	LLVMTypeRef types[] = {LLVMTypeOf(address), lowerer->i64};
	LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), types, 2, false);
	LLVMValueRef call = wm_lowerer_assemble(
		lowerer, text, constraints[optimised][constant], type, operands);
	LLVMAddCallSiteAttribute(call, 1,
		LLVMCreateTypeAttribute(
			context, LLVMGetEnumAttributeKindForName("elementtype", 11), lowerer->i64));
}

LLVMValueRef wm_lowerer_hide_origin(struct wm_lowerer *lowerer, LLVMValueRef amount)
{
	LLVMTypeRef type = LLVMFunctionType(lowerer->i64, &lowerer->i64, 1, false);
	if (LLVMIsConstant(amount))
		return amount;
	return wm_lowerer_assemble(lowerer, "", "=r,0", type, &amount);
}

/* With a segment the register holds an address, so that a probe only adds a constant. Otherwise it
 * holds the distance from the thread's base. Sentinels have it hold the address of one of them. */
LLVMTypeRef wm_lowerer_history_type(const struct wm_lowerer *lowerer)
{
	if (lowerer->armed)
		return LLVMTypeOf(lowerer->armed);
	return lowerer->in_segment ? LLVMTypeOf(lowerer->counters) : lowerer->i64;
}

/* Where the history in the register starts to count. */
static LLVMValueRef history_origin(const struct wm_lowerer *lowerer)
{
	if (lowerer->armed)
		return lowerer->armed;
	return lowerer->in_segment ? lowerer->counters : LLVMConstInt(lowerer->i64, 0, false);
}

static LLVMValueRef load_history(struct wm_lowerer *lowerer)
{
	return LLVMBuildLoad2(
		lowerer->builder, wm_lowerer_history_type(lowerer), lowerer->history, "");
}

/* The history, moved by that many counters. */
static LLVMValueRef move_history(
	struct wm_lowerer *lowerer, LLVMValueRef history, uint64_t counters)
{
	LLVMValueRef offset =
		LLVMConstInt(lowerer->i64, (lowerer->armed ? 1 : 8) * counters, false);
	if (!counters)
		return history;
	if (lowerer->in_segment || lowerer->armed)
		return LLVMBuildGEP2(lowerer->builder, lowerer->i8, history, &offset, 1, "");
	return LLVMBuildAdd(lowerer->builder, history, offset, "");
}

/* From one counter to the next. */
static uint64_t stride(const struct wm_lowerer *lowerer)
{
	return lowerer->in_record ? WM_CONTEXT_LINK_BYTES : sizeof(uint64_t);
}

/* Of the counter's word, from the base on. */
static uint64_t distance_of(const struct wm_lowerer *lowerer, uint64_t counter)
{
	uint64_t first = lowerer->in_record ? WM_CONTEXT_COUNT + WM_CONTEXT_LINK_BYTES : 0;
	return first + stride(lowerer) * counter;
}

LLVMValueRef wm_lowerer_counter_address(
	struct wm_lowerer *lowerer, const struct wm_step *step, LLVMValueRef base)
{
	LLVMValueRef offset =
		LLVMConstInt(lowerer->i64, distance_of(lowerer, step->counter), false);
	if (step->address)
		return step->address;
	if (step->kind == WM_STEP_COUNT_BY_HISTORY) {
		offset = move_history(lowerer, load_history(lowerer), step->counter);
		if (lowerer->in_segment)
			return offset;
	}
	return LLVMBuildGEP2(lowerer->builder, lowerer->i8, base, &offset, 1, "");
}

void wm_lowerer_add_to_counter(
	struct wm_lowerer *lowerer, LLVMValueRef address, LLVMValueRef amount)
{
	if (wm_lowerer_defers(lowerer))
		wm_placeholder_write(lowerer, address, amount);
	else if (lowerer->subject->opaque)
		add_opaquely(lowerer, address, amount);
	else
		wm_lowerer_add_to_memory(lowerer, address, wm_lowerer_hide_origin(lowerer, amount));
}

static void count_in_place(
	struct wm_lowerer *lowerer, const struct wm_step *step, LLVMValueRef shared)
{
	LLVMValueRef base = wm_lowerer_base(lowerer, shared, step->before);
	LLVMPositionBuilderBefore(lowerer->builder, step->before);
	LLVMValueRef address = wm_lowerer_counter_address(lowerer, step, base);
	wm_lowerer_add_to_counter(lowerer, address, wm_lowerer_amount(lowerer, step));
}

void wm_lowerer_count_at(struct wm_lowerer *lowerer, LLVMValueRef before, LLVMValueRef number)
{
	LLVMValueRef base = wm_lowerer_base(lowerer, NULL, before);
	LLVMPositionBuilderBefore(lowerer->builder, before);
	LLVMValueRef address = LLVMBuildGEP2(lowerer->builder, lowerer->i64, base, &number, 1, "");
	wm_lowerer_add_to_counter(lowerer, address, LLVMConstInt(lowerer->i64, 1, false));
}

static void store_register(struct wm_lowerer *lowerer, const struct wm_step *step,
	LLVMValueRef value, LLVMValueRef slot)
{
	LLVMBuilderRef builder = lowerer->builder;
	if (step->unless)
		value = LLVMBuildSelect(builder, step->unless,
			LLVMBuildLoad2(builder, LLVMTypeOf(value), slot, ""), value, "");
	LLVMBuildStore(builder, value, slot);
}

static void emit_history(struct wm_lowerer *lowerer, const struct wm_step *step)
{
	LLVMPositionBuilderBefore(lowerer->builder, step->before);
	LLVMValueRef before =
		step->kind == WM_STEP_SET_HISTORY ? history_origin(lowerer) : load_history(lowerer);
	store_register(
		lowerer, step, move_history(lowerer, before, step->counter), lowerer->history);
}

/* The static address of the counter that names the table, whatever the thread. */
static LLVMValueRef table_site(const struct wm_lowerer *lowerer, uint64_t table)
{
	LLVMValueRef counters = LLVMConstPtrToInt(lowerer->counters, lowerer->i64);
	return LLVMConstAdd(counters, LLVMConstInt(lowerer->i64, 8 * table, false));
}

/* Where the history would be counted in an array that started at the site, whose table it is. */
static LLVMValueRef entry_behind(
	struct wm_lowerer *lowerer, const struct wm_step *step, LLVMValueRef site)
{
	LLVMBuilderRef builder = lowerer->builder;
	LLVMValueRef potential = LLVMConstInt(lowerer->i64, 8 * step->potential, false);
	LLVMValueRef history = load_history(lowerer), start = LLVMConstAdd(site, potential);
	if (lowerer->in_segment) {
		history = LLVMBuildPtrToInt(builder, history, lowerer->i64, "");
		start = LLVMConstSub(
			start, LLVMConstPtrToInt(history_origin(lowerer), lowerer->i64));
	}
	return LLVMBuildAdd(builder, history, start, "");
}

/* The number of the history that would be counted there. */
static LLVMValueRef number_of(struct wm_lowerer *lowerer, LLVMValueRef entry, LLVMValueRef site)
{
	LLVMValueRef distance = LLVMBuildSub(lowerer->builder, entry, site, "");
	return LLVMBuildAShr(lowerer->builder, distance, LLVMConstInt(lowerer->i64, 3, false), "");
}

static LLVMValueRef load_prehistory(struct wm_lowerer *lowerer)
{
	return LLVMBuildLoad2(lowerer->builder, lowerer->i64, lowerer->prehistory, "");
}

/* Before the instruction, in the table, unless the amount says that there is nothing to count. */
static void count_in_table(
	struct wm_lowerer *lowerer, const struct wm_step *step, LLVMValueRef before)
{
	LLVMBuilderRef builder = lowerer->builder;
	LLVMValueRef skip, site = table_site(lowerer, step->table), entry = site;
	LLVMPositionBuilderBefore(builder, before);
	if (step->amount) {
		LLVMValueRef zero = LLVMConstInt(lowerer->i64, 0, false);
		LLVMValueRef taken = LLVMBuildICmp(builder, LLVMIntNE, step->amount, zero, "");
		wm_bridge_branch(lowerer->subject->bridge, taken, before, &before, &skip);
		LLVMPositionBuilderBefore(builder, before);
	}
	if (step->with_route)
		entry = entry_behind(lowerer, step, site);
	if (step->with_prehistory)
		entry = LLVMBuildAdd(builder, entry, load_prehistory(lowerer), "");
	if (step->known)
		LLVMPositionBuilderBefore(
			builder, wm_lower_known_keys(lowerer, step->known,
					 number_of(lowerer, entry, site), before));
	LLVMValueRef arguments[] = {site, entry};
	LLVMValueRef count = wm_record_count(lowerer->subject->module);
	LLVMValueRef call =
		LLVMBuildCall2(builder, LLVMGlobalGetValueType(count), count, arguments, 2, "");
	LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(count));
}

/* Without a prehistory, as nearly always in loops that iterate, the register selects the counter.
 */
static void count_by_prehistory(
	struct wm_lowerer *lowerer, const struct wm_step *step, LLVMValueRef shared)
{
	LLVMBuilderRef builder = lowerer->builder;
	LLVMValueRef zero = LLVMConstInt(lowerer->i64, 0, false), none, some;
	struct wm_step in_place = *step;
	LLVMPositionBuilderBefore(builder, step->before);
	LLVMValueRef is_none =
		LLVMBuildICmp(builder, LLVMIntEQ, load_prehistory(lowerer), zero, "");
	wm_bridge_branch(lowerer->subject->bridge, is_none, step->before, &none, &some);
	in_place.before = none;
	count_in_place(lowerer, &in_place, shared);
	count_in_table(lowerer, step, some);
}

/* The sum behind the addition; so written, it becomes one instruction, whose flags are looked at.
 */
static LLVMValueRef add_and_look(
	struct wm_lowerer *lowerer, const struct wm_step *step, LLVMValueRef address)
{
	LLVMValueRef amount = wm_lowerer_amount(lowerer, step);
	if (lowerer->subject->opaque) {
		add_opaquely(lowerer, address, amount);
		return wm_lowerer_load(lowerer, address);
	}
	LLVMValueRef sum =
		LLVMBuildAdd(lowerer->builder, wm_lowerer_load(lowerer, address), amount, "");
	mark_as_ours(lowerer, LLVMBuildStore(lowerer->builder, sum, address));
	return sum;
}

static void check(struct wm_lowerer *lowerer, const struct wm_step *step, LLVMValueRef shared)
{
	LLVMBuilderRef builder = lowerer->builder;
	LLVMModuleRef module = lowerer->subject->module;
	LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetModuleContext(module));
	LLVMTypeRef types[] = {i32, lowerer->i64};
	LLVMTypeRef type = LLVMFunctionType(
		LLVMVoidTypeInContext(LLVMGetModuleContext(module)), types, 2, false);
	LLVMValueRef arguments[] = {LLVMConstInt(i32, step->counter, false),
		LLVMConstInt(lowerer->i64, step->potential, false)};
	LLVMValueRef base = wm_lowerer_base(lowerer, shared, step->before), below, reached;
	LLVMPositionBuilderBefore(builder, step->before);
	LLVMValueRef sum =
		add_and_look(lowerer, step, wm_lowerer_counter_address(lowerer, step, base));
	LLVMValueRef is_below =
		LLVMBuildICmp(builder, LLVMIntSLT, sum, LLVMConstInt(lowerer->i64, 0, false), "");
	wm_bridge_branch(lowerer->subject->bridge, is_below, step->before, &below, &reached);
	LLVMPositionBuilderBefore(builder, reached);
	LLVMBuildCall2(builder, type, wm_record_runtime_function(module, "__waymark_reached", type),
		arguments, 2, "");
}

static void emit_count(struct wm_lowerer *lowerer, const struct wm_step *step, LLVMValueRef shared)
{
	if (step->with_prehistory)
		count_by_prehistory(lowerer, step, shared);
	else
		count_in_place(lowerer, step, shared);
}

/* What came before becomes a number: routes times prehistories. The register holds it shifted, so
 * that it can be added to the entry of a route. */
static void emit_prehistory(struct wm_lowerer *lowerer, const struct wm_step *step)
{
	LLVMBuilderRef builder = lowerer->builder;
	LLVMValueRef zero = LLVMConstInt(lowerer->i64, 0, false);
	LLVMValueRef shift = LLVMConstInt(lowerer->i64, WM_PREHISTORY_SHIFT, false);
	LLVMValueRef value =
		LLVMConstInt(lowerer->i64, step->counter << (WM_PREHISTORY_SHIFT + 3), false);
	LLVMPositionBuilderBefore(builder, step->before);
	if (step->with_route) {
		LLVMValueRef route = entry_behind(lowerer, step, zero);
		value = LLVMBuildAdd(builder, value, LLVMBuildShl(builder, route, shift, ""), "");
	}
	if (step->with_prehistory) {
		LLVMValueRef routes = LLVMConstInt(lowerer->i64, step->routes, false);
		LLVMValueRef product = LLVMBuildMul(builder, load_prehistory(lowerer), routes, "");
		value = LLVMBuildAdd(builder, value, product, "");
	}
	store_register(lowerer, step, value, lowerer->prehistory);
}

static void emit_count_known(struct wm_lowerer *lowerer, const struct wm_step *step)
{
	LLVMValueRef zero = LLVMConstInt(lowerer->i64, 0, false);
	LLVMPositionBuilderBefore(lowerer->builder, step->before);
	LLVMValueRef key = number_of(lowerer, entry_behind(lowerer, step, zero), zero);
	LLVMValueRef rest = wm_lower_known_keys(lowerer, step->known, key, step->before);
	wm_lowerer_count_at(lowerer, rest, LLVMConstInt(lowerer->i64, step->counter, false));
}

static void emit_departure(struct wm_lowerer *lowerer, const struct wm_step *step)
{
	LLVMBuilderRef builder = lowerer->builder;
	LLVMModuleRef module = lowerer->subject->module;
	LLVMValueRef off, on, number = LLVMConstInt(lowerer->i64, step->counter, false);
	LLVMPositionBuilderBefore(builder, step->before);
	LLVMValueRef sentinel =
		step->with_route
			? move_history(lowerer, load_history(lowerer), step->counter)
			: LLVMBuildGEP2(builder, lowerer->i8, lowerer->armed, &number, 1, "");
	LLVMValueRef armed =
		mark_as_ours(lowerer, LLVMBuildLoad2(builder, lowerer->i8, sentinel, ""));
	LLVMValueRef is_off =
		LLVMBuildICmp(builder, LLVMIntEQ, armed, LLVMConstInt(lowerer->i8, 0, false), "");
	wm_bridge_branch(lowerer->subject->bridge, is_off, step->before, &off, &on);
	LLVMPositionBuilderBefore(builder, on);
	LLVMValueRef tell = wm_record_departure(module);
	LLVMValueRef call =
		LLVMBuildCall2(builder, LLVMGlobalGetValueType(tell), tell, &sentinel, 1, "");
	LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(tell));
}

static void write_step(struct wm_lowerer *lowerer, const struct wm_step *step, LLVMValueRef shared)
{
	if (step->kind == WM_STEP_CALL_ENDS)
		wm_lowerer_end_call(lowerer, step, shared);
	else if (step->kind == WM_STEP_CALL_BEGINS)
		wm_lowerer_begin_call(lowerer, step, shared);
	else if (step->kind == WM_STEP_CHECK)
		check(lowerer, step, shared);
	else if (step->kind == WM_STEP_DEPARTURE)
		emit_departure(lowerer, step);
	else if (step->kind == WM_STEP_ENTER_METERS)
		wm_meters_enter(lowerer, step);
	else if (step->kind == WM_STEP_READ_METERS)
		wm_meters_read(lowerer, step, wm_lowerer_base(lowerer, shared, step->before));
	else if (needs_base(step))
		emit_count(lowerer, step, shared);
	else if (step->kind == WM_STEP_COUNT_IN_TABLE)
		count_in_table(lowerer, step, step->before);
	else if (step->kind == WM_STEP_SET_PREHISTORY)
		emit_prehistory(lowerer, step);
	else if (step->kind == WM_STEP_COUNT_KNOWN)
		emit_count_known(lowerer, step);
	else
		emit_history(lowerer, step);
}

/* Which steps come first before the same instruction. */
static int rank_of(const struct wm_step *step)
{
	return step->kind == WM_STEP_CALL_ENDS ? 0 : step->kind == WM_STEP_CALL_BEGINS ? 2 : 1;
}

void wm_lowerer_write(struct wm_lowerer *lowerer)
{
	bool has_base = lowerer->in_segment || lowerer->in_record;
	if (lowerer->in_record)
		lowerer->record = wm_contexts_record(lowerer->subject);
	LLVMValueRef shared = has_base ? NULL : shared_base(lowerer);
	for (int rank = 0; rank < 3; rank++)
		for (uint32_t i = 0; i < lowerer->pending_count; i++) {
			const struct wm_step *step = &lowerer->pending[i];
			if (step->before && rank_of(step) == rank)
				write_step(lowerer, step, shared);
		}
}
