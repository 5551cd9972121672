/* Lowering of probes.
 *
 * Three steps: every probe becomes one or more pending increments (an instruction before which a
 * counter grows by an amount); increments in loops that nothing can leave abnormally move out of
 * them, by the loop's trip count or through a register that is added to the counter at the exits;
 * what remains is written as load, add, store, at the thread's base plus a constant, or, where the
 * optimiser must not touch it or does not come, as the one instruction that these should become.
 * The base is the static counters plus the thread's difference, which is zero until the thread has
 * counters of its own, so a probe is valid from the first instruction of the program on. In a
 * program the gs register adds the difference; in a library a thread-local variable holds it, and
 * code that finds zero there asks the runtime.
 */
#include "llvm/lower.h"

#include <assert.h>
#include <string.h>

#include "llvm/lower_keys.h"
#include "llvm/sums.h"
#include "llvm/lowerer.h"

/* A loop must be expected to turn this often before a register pays for its flush at the exit. */
static const double loop_turns_to_pay = 8;

/* A loop of so many instructions takes longer than a store and a load of the same word. */
static const size_t short_loop = 12;

enum { MOST_LOOP_EXITS = 16 };

void wm_lowerer_add(struct wm_lowerer *lowerer, struct wm_step step)
{
	if (lowerer->pending_count == lowerer->pending_capacity) {
		uint32_t capacity = lowerer->pending_capacity ? lowerer->pending_capacity * 2 : 64;
		struct wm_step *larger =
			wm_arena_alloc(lowerer->job->arena, capacity, sizeof(*larger));
		if (lowerer->pending_count)
			memcpy(larger, lowerer->pending, lowerer->pending_count * sizeof(*larger));
		lowerer->pending = larger;
		lowerer->pending_capacity = capacity;
	}
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

/* The loop whose only back edge this is, if its trip count is known at its entry. */
static wm_loop_ref counted_loop(const struct wm_lowering *job, uint32_t edge)
{
	const struct wm_site *site = &job->capture->sites[edge];
	if (!job->optimise || !site->source || !site->target)
		return NULL;
	wm_loop_ref loop = wm_bridge_loop_of(job->bridge, site->target);
	bool back_edge = loop && wm_bridge_loop_header(loop) == site->target &&
			 wm_bridge_loop_latch(loop) == site->source;
	if (!back_edge || !wm_bridge_loop_is_closed(loop) ||
		!wm_bridge_loop_is_counted(job->bridge, loop))
		return NULL;
	return loop;
}

bool wm_lower_cost_outside(const struct wm_lowering *lowering, uint32_t edge, double *cost)
{
	const double instructions = 3; /* to compute, to widen, to add */
	wm_loop_ref loop = counted_loop(lowering, edge);
	if (!loop)
		return false;
	*cost = instructions *
		wm_bridge_block_frequency(lowering->bridge, wm_bridge_loop_preheader(loop));
	return true;
}

bool wm_lowerer_count_outside_loop(struct wm_lowerer *lowerer, uint32_t edge, uint64_t counter)
{
	const struct wm_lowering *job = lowerer->job;
	wm_loop_ref loop = counted_loop(job, edge);
	if (!loop)
		return false;
	LLVMBasicBlockRef preheader = wm_bridge_loop_preheader(loop);
	LLVMValueRef amount = wm_bridge_loop_back_edges(job->bridge, loop);
	add_increment(lowerer, LLVMGetBasicBlockTerminator(preheader), counter, amount,
		wm_bridge_block_frequency(job->bridge, preheader));
	return true;
}

/* Trip counts go first: they ask questions about loops that must not have been changed yet. */
static void make_pending(struct wm_lowerer *lowerer, const struct wm_plan *plan)
{
	bool *done = wm_arena_alloc(lowerer->job->arena, plan->probe_count, sizeof(*done));
	for (uint32_t k = 0; k < plan->probe_count; k++)
		done[k] = plan->probes[k].kind == WM_PROBE_EDGE &&
			  wm_lowerer_count_outside_loop(lowerer, plan->probes[k].index, k);
	for (uint32_t k = 0; k < plan->probe_count; k++) {
		if (done[k])
			continue;
		if (plan->probes[k].kind == WM_PROBE_EDGE)
			wm_lowerer_count_edge(lowerer, WM_STEP_COUNT, plan->probes[k].index, k);
		else
			add_vertex_increment(lowerer, plan->probes[k].index, k);
	}
}

LLVMValueRef wm_lowerer_slot(struct wm_lowerer *lowerer)
{
	LLVMValueRef function = lowerer->job->capture->function;
	LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
	LLVMPositionBuilderBefore(lowerer->builder, first);
	return LLVMBuildAlloca(lowerer->builder, lowerer->i64, "");
}

static LLVMValueRef new_slot(struct wm_lowerer *lowerer, LLVMBasicBlockRef preheader)
{
	LLVMValueRef slot = wm_lowerer_slot(lowerer);
	LLVMPositionBuilderBefore(lowerer->builder, LLVMGetBasicBlockTerminator(preheader));
	LLVMBuildStore(lowerer->builder, LLVMConstInt(lowerer->i64, 0, false), slot);
	return slot;
}

static LLVMValueRef amount_of(const struct wm_lowerer *lowerer, const struct wm_step *increment)
{
	return increment->amount ? increment->amount : LLVMConstInt(lowerer->i64, 1, false);
}

/* Our accesses are none of the sanitizers' business: they are not the user's code. */
static LLVMValueRef mark_as_ours(const struct wm_lowerer *lowerer, LLVMValueRef access)
{
	static const char kind[] = "nosanitize";
	LLVMContextRef context = LLVMGetTypeContext(lowerer->i64);
	LLVMSetMetadata(access, LLVMGetMDKindIDInContext(context, kind, sizeof(kind) - 1),
		LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, NULL, 0)));
	return access;
}

static LLVMValueRef load(struct wm_lowerer *lowerer, LLVMValueRef address)
{
	return mark_as_ours(lowerer, LLVMBuildLoad2(lowerer->builder, lowerer->i64, address, ""));
}

static void add_to_memory(struct wm_lowerer *lowerer, LLVMValueRef address, LLVMValueRef amount)
{
	LLVMValueRef sum = LLVMBuildAdd(lowerer->builder, load(lowerer, address), amount, "");
	mark_as_ours(lowerer, LLVMBuildStore(lowerer->builder, sum, address));
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
	add_to_memory(lowerer, slot, amount_of(lowerer, &increment));
	lowerer->pending[index].before = NULL;
	double entries = wm_bridge_block_frequency(bridge, preheader);
	for (size_t i = 0; i < exit_count; i++) {
		LLVMValueRef before = wm_capture_block_start(exits[i]);
		LLVMPositionBuilderBefore(lowerer->builder, before);
		LLVMValueRef amount = LLVMBuildLoad2(lowerer->builder, lowerer->i64, slot, "");
		add_increment(lowerer, before, increment.counter, amount, entries / exit_count);
	}
	return slot;
}

static void keep_in_registers(struct wm_lowerer *lowerer)
{
	uint32_t count = lowerer->pending_count;
	for (uint32_t i = 0; i < count; i++) {
		LLVMValueRef slot = keep_in_register(lowerer, i);
		if (slot)
			lowerer->slots[lowerer->slot_count++] = slot;
	}
}

static LLVMValueRef build_base(struct wm_lowerer *lowerer, LLVMValueRef before)
{
	const struct wm_lowering *job = lowerer->job;
	LLVMPositionBuilderBefore(lowerer->builder, before);
	LLVMValueRef delta =
		wm_bridge_or_call(job->bridge, load(lowerer, job->delta), job->attach, before);
	LLVMPositionBuilderBefore(lowerer->builder, before);
	return LLVMBuildGEP2(lowerer->builder, lowerer->i8, job->counters, &delta, 1, "");
}

static bool needs_base(const struct wm_step *step)
{
	return step->before &&
	       (step->kind == WM_STEP_COUNT || step->kind == WM_STEP_COUNT_BY_HISTORY);
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
	const struct wm_lowering *job = lowerer->job;
	LLVMBasicBlockRef *blocks =
		wm_arena_alloc(job->arena, lowerer->pending_count, sizeof(*blocks));
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
	LLVMBasicBlockRef common = wm_bridge_common_dominator(job->bridge, blocks, count);
	if (count > 1 && weight < wm_bridge_block_frequency(job->bridge, common))
		return NULL;
	return build_base(lowerer, base_position(lowerer, common));
}

/* The segment register adds the thread's difference to the static address: nothing to compute. */
static LLVMValueRef base_for(struct wm_lowerer *lowerer, LLVMValueRef shared, LLVMValueRef before)
{
	if (lowerer->job->in_segment)
		return lowerer->job->counters;
	return shared ? shared : build_base(lowerer, before);
}

/* The address as one of the ordinary address space; the template adds the segment. */
static LLVMValueRef without_segment(struct wm_lowerer *lowerer, LLVMValueRef address)
{
	LLVMTypeRef pointer = LLVMPointerTypeInContext(LLVMGetTypeContext(lowerer->i64), 0);
	LLVMValueRef number = LLVMBuildPtrToInt(lowerer->builder, address, lowerer->i64, "");
	return LLVMBuildIntToPtr(lowerer->builder, number, pointer, "");
}

/* Where no optimiser comes, load, add and store would stay three instructions, and a signal between
 * them would lose what its handler counts; where all of it comes, they would move out of loops, and
 * a kill would lose them. */
static void add_opaquely(struct wm_lowerer *lowerer, LLVMValueRef address, LLVMValueRef amount)
{
	static const char *const texts[] = {"addq $1, $0", "addq $1, %gs:$0"};
	static const char constraints[] = "=*m,er,*m,~{dirflag},~{fpsr},~{flags}";
	LLVMContextRef context = LLVMGetTypeContext(lowerer->i64);
	const char *text = texts[lowerer->job->in_segment];
	if (lowerer->job->in_segment)
		address = without_segment(lowerer, address);
	LLVMValueRef operands[] = {address, amount, address};
	LLVMTypeRef types[] = {LLVMTypeOf(address), lowerer->i64, LLVMTypeOf(address)};
	LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), types, 3, false);
	LLVMValueRef code = LLVMGetInlineAsm(type, text, strlen(text), constraints,
		sizeof(constraints) - 1, true, false, LLVMInlineAsmDialectATT, false);
	LLVMValueRef call = LLVMBuildCall2(lowerer->builder, type, code, operands, 3, "");
	LLVMAttributeRef element = LLVMCreateTypeAttribute(
		context, LLVMGetEnumAttributeKindForName("elementtype", 11), lowerer->i64);
	LLVMAddCallSiteAttribute(call, 1, element);
	LLVMAddCallSiteAttribute(call, 3, element);
	LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex,
		LLVMCreateEnumAttribute(
			context, LLVMGetEnumAttributeKindForName("nounwind", 8), 0));
	mark_as_ours(lowerer, call);
}

/* Where the history in the register starts to count: with a segment the register holds an address,
 * so that a probe adds but a constant; otherwise the distance from the thread's base. */
static LLVMValueRef history_origin(const struct wm_lowerer *lowerer)
{
	if (lowerer->job->in_segment)
		return LLVMConstPtrToInt(lowerer->job->counters, lowerer->i64);
	return LLVMConstInt(lowerer->i64, 0, false);
}

static LLVMValueRef counter_address(
	struct wm_lowerer *lowerer, const struct wm_step *step, LLVMValueRef base)
{
	LLVMValueRef offset = LLVMConstInt(lowerer->i64, 8 * step->counter, false);
	if (step->kind == WM_STEP_COUNT)
		return LLVMBuildGEP2(lowerer->builder, lowerer->i8, base, &offset, 1, "");
	LLVMValueRef history = LLVMBuildLoad2(lowerer->builder, lowerer->i64, lowerer->history, "");
	offset = LLVMBuildAdd(lowerer->builder, history, offset, "");
	if (lowerer->job->in_segment)
		return LLVMBuildIntToPtr(
			lowerer->builder, offset, LLVMTypeOf(lowerer->job->counters), "");
	return LLVMBuildGEP2(lowerer->builder, lowerer->i8, base, &offset, 1, "");
}

static void add_to_counter(struct wm_lowerer *lowerer, LLVMValueRef address, LLVMValueRef amount)
{
	if (lowerer->job->opaque)
		add_opaquely(lowerer, address, amount);
	else
		add_to_memory(lowerer, address, amount);
}

static void count_in_place(
	struct wm_lowerer *lowerer, const struct wm_step *step, LLVMValueRef shared)
{
	LLVMValueRef base = base_for(lowerer, shared, step->before);
	LLVMPositionBuilderBefore(lowerer->builder, step->before);
	LLVMValueRef address = counter_address(lowerer, step, base);
	add_to_counter(lowerer, address, amount_of(lowerer, step));
}

void wm_lowerer_count_at(struct wm_lowerer *lowerer, LLVMValueRef before, LLVMValueRef number)
{
	LLVMValueRef base = base_for(lowerer, NULL, before);
	LLVMPositionBuilderBefore(lowerer->builder, before);
	LLVMValueRef address = LLVMBuildGEP2(lowerer->builder, lowerer->i64, base, &number, 1, "");
	add_to_counter(lowerer, address, LLVMConstInt(lowerer->i64, 1, false));
}

static void emit_history(struct wm_lowerer *lowerer, const struct wm_step *step)
{
	LLVMPositionBuilderBefore(lowerer->builder, step->before);
	LLVMValueRef value = LLVMConstInt(lowerer->i64, 8 * step->counter, false);
	LLVMValueRef before =
		step->kind == WM_STEP_SET_HISTORY
			? history_origin(lowerer)
			: LLVMBuildLoad2(lowerer->builder, lowerer->i64, lowerer->history, "");
	LLVMBuildStore(lowerer->builder, LLVMBuildAdd(lowerer->builder, before, value, ""),
		lowerer->history);
}

/* The history as a number, by which tables know it. */
static LLVMValueRef history_key(struct wm_lowerer *lowerer, const struct wm_step *step)
{
	LLVMBuilderRef builder = lowerer->builder;
	LLVMPositionBuilderBefore(builder, step->before);
	LLVMValueRef history = LLVMBuildLoad2(builder, lowerer->i64, lowerer->history, "");
	history = LLVMBuildSub(builder, history, history_origin(lowerer), "");
	history = LLVMBuildAShr(builder, history, LLVMConstInt(lowerer->i64, 3, false), "");
	return LLVMBuildAdd(
		builder, history, LLVMConstInt(lowerer->i64, step->potential, false), "");
}

/* The table is named by the static address of a counter, whatever the thread. */
static void count_in_table(struct wm_lowerer *lowerer, const struct wm_step *step, uint64_t table,
	LLVMValueRef key, LLVMValueRef before)
{
	LLVMBuilderRef builder = lowerer->builder;
	LLVMValueRef offset = LLVMConstInt(lowerer->i64, 8 * table, false);
	LLVMValueRef counters = LLVMConstPtrToInt(lowerer->job->counters, lowerer->i64);
	LLVMValueRef arguments[] = {LLVMConstAdd(counters, offset), key};
	LLVMPositionBuilderBefore(builder, before);
	if (step->known)
		LLVMPositionBuilderBefore(
			builder, wm_lower_known_keys(lowerer, step->known, key, before));
	LLVMValueRef call = LLVMBuildCall2(builder, LLVMGlobalGetValueType(lowerer->job->count),
		lowerer->job->count, arguments, 2, "");
	LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(lowerer->job->count));
}

static LLVMValueRef load_context(struct wm_lowerer *lowerer)
{
	return LLVMBuildLoad2(lowerer->builder, lowerer->i64, lowerer->context, "");
}

/* The way to here as a number, computed before the instruction. */
static LLVMValueRef way_key(
	struct wm_lowerer *lowerer, const struct wm_step *step, LLVMValueRef before)
{
	struct wm_step there = *step;
	there.before = before;
	return step->with_way ? history_key(lowerer, &there) : LLVMConstInt(lowerer->i64, 0, false);
}

/* Without a context, as nearly always, the counter is at hand. */
static void count_by_context(
	struct wm_lowerer *lowerer, const struct wm_step *step, LLVMValueRef shared)
{
	LLVMBuilderRef builder = lowerer->builder;
	LLVMValueRef zero = LLVMConstInt(lowerer->i64, 0, false), none, some, skip;
	struct wm_step in_place = *step;
	LLVMPositionBuilderBefore(builder, step->before);
	LLVMValueRef context = load_context(lowerer);
	LLVMValueRef is_none = LLVMBuildICmp(builder, LLVMIntEQ, context, zero, "");
	wm_bridge_branch(lowerer->job->bridge, is_none, step->before, &none, &some);
	in_place.before = none;
	count_in_place(lowerer, &in_place, shared);
	if (step->amount) {
		LLVMPositionBuilderBefore(builder, some);
		LLVMValueRef taken = LLVMBuildICmp(builder, LLVMIntNE, step->amount, zero, "");
		wm_bridge_branch(lowerer->job->bridge, taken, some, &some, &skip);
	}
	LLVMValueRef way = way_key(lowerer, step, some);
	LLVMPositionBuilderBefore(builder, some);
	LLVMValueRef shifted = LLVMBuildShl(
		builder, context, LLVMConstInt(lowerer->i64, WM_CONTEXT_SHIFT, false), "");
	count_in_table(lowerer, step, step->table, LLVMBuildAdd(builder, way, shifted, ""), some);
}

static void emit_count(struct wm_lowerer *lowerer, const struct wm_step *step, LLVMValueRef shared)
{
	if (step->in_context)
		count_by_context(lowerer, step, shared);
	else
		count_in_place(lowerer, step, shared);
}

/* What came before becomes a number: ways times contexts. */
static void emit_context(struct wm_lowerer *lowerer, const struct wm_step *step)
{
	LLVMBuilderRef builder = lowerer->builder;
	LLVMValueRef value = LLVMConstInt(lowerer->i64, step->counter, false);
	if (step->with_way) {
		LLVMValueRef way = way_key(lowerer, step, step->before);
		value = LLVMBuildAdd(builder, value, way, "");
	}
	LLVMPositionBuilderBefore(builder, step->before);
	if (step->in_context) {
		LLVMValueRef ways = LLVMConstInt(lowerer->i64, step->ways, false);
		LLVMValueRef product = LLVMBuildMul(builder, load_context(lowerer), ways, "");
		value = LLVMBuildAdd(builder, value, product, "");
	}
	LLVMBuildStore(builder, value, lowerer->context);
}

static void emit_count_known(struct wm_lowerer *lowerer, const struct wm_step *step)
{
	LLVMValueRef rest =
		wm_lower_known_keys(lowerer, step->known, history_key(lowerer, step), step->before);
	wm_lowerer_count_at(lowerer, rest, LLVMConstInt(lowerer->i64, step->counter, false));
}

static void emit(struct wm_lowerer *lowerer)
{
	LLVMValueRef shared = lowerer->job->in_segment ? NULL : shared_base(lowerer);
	for (uint32_t i = 0; i < lowerer->pending_count; i++) {
		const struct wm_step *step = &lowerer->pending[i];
		if (needs_base(step))
			emit_count(lowerer, step, shared);
		else if (step->before && step->kind == WM_STEP_COUNT_IN_TABLE)
			count_in_table(lowerer, step, step->counter, history_key(lowerer, step),
				step->before);
		else if (step->before && step->kind == WM_STEP_SET_CONTEXT)
			emit_context(lowerer, step);
		else if (step->before && step->kind == WM_STEP_COUNT_KNOWN)
			emit_count_known(lowerer, step);
		else if (step->before)
			emit_history(lowerer, step);
	}
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
		keep_in_registers(lowerer);
	emit(lowerer);
	/* Only now: pending increments may stand before the loads that promotion removes. */
	if (lowerer->slot_count)
		wm_bridge_promote(lowerer->job->bridge, lowerer->slots, lowerer->slot_count);
	LLVMDisposeBuilder(lowerer->builder);
}

static struct wm_lowerer start(const struct wm_lowering *lowering)
{
	LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(lowering->capture->function));
	return (struct wm_lowerer){.job = lowering,
		.builder = LLVMCreateBuilderInContext(context),
		.i64 = LLVMInt64TypeInContext(context),
		.i8 = LLVMInt8TypeInContext(context),
		.split = wm_arena_alloc(lowering->arena, lowering->capture->cfg->edge_count,
			sizeof(LLVMBasicBlockRef))};
}

void wm_lower_probes(const struct wm_lowering *lowering, const struct wm_plan *plan)
{
	struct wm_lowerer lowerer = start(lowering);
	make_pending(&lowerer, plan);
	lower(&lowerer);
}

void wm_lower_paths(const struct wm_lowering *lowering, const struct wm_path_plan *plan)
{
	struct wm_lowerer lowerer = start(lowering);
	wm_lower_path_steps(&lowerer, plan);
	lower(&lowerer);
}

void wm_lower_sums(const struct wm_lowering *lowering, const struct wm_sums *sums)
{
	struct wm_lowerer lowerer = start(lowering);
	wm_lower_sums_steps(&lowerer, sums);
	lower(&lowerer);
}
