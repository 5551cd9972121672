/* A function gets a link in r10: the address of a link of its caller's record. On the way to its
 * first call it reads the link, or asks the runtime, and so has its own record. If it counts edges
 * in its record, it does so where it starts. Before a call of a function that is known by name it
 * counts the call beside its own link and passes that link in r10. A call through a pointer looks
 * at the link's entry used last; if that is another function's, the runtime finds the right one.
 * Nothing is done where a function returns or is left otherwise.
 *
 * Functions that count nothing and make no such call have no record and no code. The C library's
 * functions on strings and numbers call nobody, so calls of them are none.
 *
 * Code that is not counted passes no link. Before it may be reached, the thread's word `here` gets
 * the link: by the entry `f.waymark` that a file makes for each function of another file, unless
 * that other file has one. The public entry of a counted function reads it, and puts it back when
 * the body has returned: only that, since calls of our own code set it again before they leave.
 *
 * A function that cannot have two entries, for example because of variable arguments, is called as
 * one that is not counted, and does in its body what a public entry does. Before a jump of it that
 * must stay a jump it puts the word back, so the callee is the caller's. */
#include "llvm/emit/contexts.h"

#include <string.h>

#include "llvm/bridge/entries.h"
#include "llvm/emit/context_words.h"
#include "llvm/emit/silent_calls.h"
#include "llvm/subject/call_sites.h"

enum call_kind {
	SILENT,	    /* reaches no code of ours */
	LINKED,	    /* counted here; the link goes with it */
	BY_POINTER, /* counted for the callee that it turns out to have */
	BY_WORD	    /* the callee finds the link in the thread's word */
};

/* How often per call of the function a call is made that finds the record for itself. */
#define SELDOM 0.05

struct writer {
	struct wm_context_words words;
	const struct wm_subject *subject;
	const struct wm_capture *capture;
	struct wm_context_module *collected;
	struct wm_context_function *own;
	LLVMValueRef record, here; /* what the word is to be again; of a function that reads it */
};

void wm_contexts_describe(struct wm_function *described)
{
	described->has_contexts = true;
	described->context_counter = described->counter_count++;
}

/* What the optimiser believes of a function that touched no memory is not true any more. */
static void forget_attributes(LLVMValueRef function, LLVMValueRef call)
{
	static const char *const names[] = {"memory", "speculatable"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		unsigned kind = LLVMGetEnumAttributeKindForName(names[i], strlen(names[i]));
		if (function)
			LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind);
		if (call)
			LLVMRemoveCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind);
	}
}

static bool stays_in_object(const struct writer *writer, LLVMValueRef function)
{
	LLVMLinkage linkage = LLVMGetLinkage(function);
	return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage ||
	       LLVMGetVisibility(function) != LLVMDefaultVisibility ||
	       !wm_bridge_is_for_library(writer->words.module);
}

static bool has_plain_name(LLVMValueRef function)
{
	size_t bytes;
	return LLVMGetValueName2(function, &bytes)[0] != '\1';
}

static bool can_take_link(const struct writer *writer, LLVMValueRef function)
{
	return stays_in_object(writer, function) && has_plain_name(function) &&
	       !LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)) &&
	       (LLVMIsDeclaration(function) ? wm_bridge_is_definite(function)
					    : wm_bridge_can_split(function));
}

static bool must_stay_jump(LLVMValueRef call)
{
	return LLVMIsACallInst(call) && LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail;
}

static enum call_kind kind_of(const struct writer *writer, const struct wm_call *call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call->instruction);
	LLVMValueRef function = LLVMIsAFunction(callee);
	if (function && wm_call_is_silent(writer->capture->function, function))
		return SILENT;
	if (wm_capture_returns_twice(call->instruction))
		return function && LLVMIsDeclaration(function) ? SILENT : BY_WORD;
	bool is_jump = must_stay_jump(call->instruction);
	if (!wm_bridge_can_link(call->instruction) || (is_jump && !writer->own->is_split))
		return BY_WORD;
	if (function && can_take_link(writer, function))
		return LINKED;
	return !function || is_jump ? BY_POINTER : BY_WORD;
}

/* Of the link, from the record on. */
static uint64_t distance_of(const struct writer *writer, uint32_t link)
{
	return (1 + (uint64_t)writer->own->counter_count + link) * WM_CONTEXT_LINK_BYTES;
}

static LLVMValueRef link_at(struct writer *writer, uint32_t link)
{
	return wm_context_words_at(&writer->words, writer->record, distance_of(writer, link));
}

static void collect_call(struct writer *writer, LLVMValueRef call, LLVMValueRef link)
{
	struct wm_context_module *collected = writer->collected;
	collected->calls = wm_arena_grow(collected->arena, collected->calls, collected->call_count,
		&collected->call_capacity, sizeof *collected->calls);
	collected->calls[collected->call_count++] = (struct wm_context_call){
		.call = call, .callee = LLVMGetCalledValue(call), .link = link};
}

static void write_linked(struct writer *writer, LLVMValueRef call, uint32_t number)
{
	LLVMPositionBuilderBefore(writer->words.builder, call);
	wm_context_words_count(
		&writer->words, writer->record, distance_of(writer, number) + WM_CONTEXT_COUNT);
	collect_call(writer, call, link_at(writer, number));
}

/* The entry of the callee, and a count there if it was the one used last. */
static LLVMValueRef find_entry(
	struct writer *writer, LLVMValueRef link, LLVMValueRef callee, LLVMValueRef before)
{
	struct wm_context_words *words = &writer->words;
	LLVMBuilderRef builder = words->builder;
	LLVMValueRef hits, misses, arguments[] = {link, callee};
	LLVMValueRef last = wm_context_words_load(words, link, WM_CONTEXT_LINK_ENTRIES);
	LLVMValueRef function = wm_context_words_load(words, last, WM_CONTEXT_ENTRY_FUNCTION);
	LLVMValueRef is_last = LLVMBuildICmp(builder, LLVMIntEQ, function, callee, "");
	wm_bridge_branch(writer->subject->bridge, is_last, before, &hits, &misses);
	LLVMPositionBuilderBefore(builder, hits);
	wm_context_words_count(words, last, WM_CONTEXT_ENTRY_COUNT);
	LLVMPositionBuilderBefore(builder, misses);
	LLVMValueRef find = wm_context_words_function(words, "__waymark_context_find", 2);
	LLVMValueRef found = wm_context_words_call(words, find, arguments, 2);
	LLVMPositionBuilderBefore(
		builder, LLVMGetFirstInstruction(LLVMGetInstructionParent(before)));
	LLVMValueRef entry = LLVMBuildPhi(builder, words->pointer, "");
	LLVMValueRef values[] = {last, found};
	LLVMBasicBlockRef blocks[] = {
		LLVMGetInstructionParent(hits), LLVMGetInstructionParent(misses)};
	LLVMAddIncoming(entry, values, blocks, 2);
	LLVMPositionBuilderBefore(builder, before);
	return entry;
}

static void write_by_pointer(struct writer *writer, LLVMValueRef call, uint32_t number)
{
	struct wm_context_words *words = &writer->words;
	LLVMPositionBuilderBefore(words->builder, call);
	LLVMValueRef link = link_at(writer, number);
	wm_context_words_store(words, link, words->here);
	LLVMValueRef entry = find_entry(writer, link, LLVMGetCalledValue(call), call);
	LLVMValueRef body = wm_context_words_load(words, entry, WM_CONTEXT_ENTRY_BODY);
	wm_bridge_link_call(call, body, entry);
}

static void write_by_word(struct writer *writer, LLVMValueRef call, uint32_t number)
{
	struct wm_context_words *words = &writer->words;
	LLVMPositionBuilderBefore(words->builder, call);
	if (must_stay_jump(call))
		wm_context_words_store(words, writer->here, words->here);
	else
		wm_context_words_store(words, link_at(writer, number), words->here);
}

static void write_call(
	struct writer *writer, const struct wm_call *call, enum call_kind kind, uint32_t number)
{
	LLVMValueRef instruction = call->instruction;
	forget_attributes(call->callee, instruction);
	/* What a handler of signals returns to tells that the kernel called it. */
	if (!must_stay_jump(instruction) &&
		(!writer->own->is_split ||
			wm_context_words_is_handler(LLVMGetCalledFunctionType(instruction))))
		wm_bridge_forbid_jump(instruction);
	if (kind == LINKED)
		write_linked(writer, instruction, number);
	else if (kind == BY_POINTER)
		write_by_pointer(writer, instruction, number);
	else
		write_by_word(writer, instruction, number);
}

/* Numbers the calls that need a link. */
static enum call_kind *choose_kinds(struct writer *writer)
{
	const struct wm_capture *capture = writer->capture;
	struct wm_arena *arena = writer->subject->arena, *kept = writer->collected->arena;
	struct wm_context_function *own = writer->own;
	enum call_kind *kinds = wm_arena_alloc(arena, capture->call_count, sizeof *kinds);
	own->sites = wm_arena_alloc(kept, capture->call_count, sizeof *own->sites);
	own->callees = wm_arena_alloc(kept, capture->call_count, sizeof *own->callees);
	uint32_t site = 0;
	for (uint32_t i = 0; i < capture->call_count; i++) {
		if (!wm_call_sites_has(&capture->calls[i]))
			continue;
		kinds[i] = kind_of(writer, &capture->calls[i]);
		if (kinds[i] != SILENT) {
			own->callees[own->call_count] =
				kinds[i] == LINKED ? capture->calls[i].callee : NULL;
			own->sites[own->call_count++] = site;
		}
		site++;
	}
	return kinds;
}

static LLVMValueRef add_layout(struct writer *writer)
{
	LLVMContextRef context = LLVMGetModuleContext(writer->words.module);
	LLVMTypeRef call[] = {writer->words.i64, writer->words.i64};
	LLVMTypeRef calls = LLVMArrayType2(
		LLVMStructTypeInContext(context, call, 2, false), writer->own->call_count);
	LLVMTypeRef i64 = writer->words.i64, fields[] = {i64, i64, i64, i64, calls};
	return LLVMAddGlobal(writer->words.module,
		LLVMStructTypeInContext(context, fields, 5, false), "__waymark_layout");
}

static LLVMBasicBlockRef block_of(const struct writer *writer, uint32_t call)
{
	return LLVMGetInstructionParent(writer->capture->calls[call].instruction);
}

static bool has_second_return(const struct writer *writer)
{
	for (uint32_t i = 0; i < writer->capture->call_count; i++)
		if (wm_capture_returns_twice(writer->capture->calls[i].instruction))
			return true;
	return false;
}

/* Calls that are seldom made find the record for themselves: others should not pay for them. Stores
 * the nearest common dominator of the rest, NULL if that runs more often than all of them. */
static LLVMBasicBlockRef choose_common(struct writer *writer, const enum call_kind *kinds)
{
	struct wm_bridge *bridge = writer->subject->bridge;
	uint32_t count = 0;
	double sum = 0;
	LLVMBasicBlockRef *blocks =
		wm_arena_alloc(writer->subject->arena, writer->capture->call_count, sizeof *blocks);
	for (uint32_t i = 0; i < writer->capture->call_count; i++) {
		double weight = wm_bridge_block_frequency(bridge, block_of(writer, i));
		if (kinds[i] == SILENT || weight < SELDOM)
			continue;
		blocks[count++] = block_of(writer, i);
		sum += weight;
	}
	if (!count)
		return NULL;
	LLVMBasicBlockRef common = wm_bridge_common_dominator(bridge, blocks, count);
	return sum < wm_bridge_block_frequency(bridge, common) ? NULL : common;
}

static bool dominates(const struct writer *writer, LLVMBasicBlockRef block, LLVMBasicBlockRef other)
{
	LLVMBasicBlockRef both[] = {block, other};
	return block == other ||
	       wm_bridge_common_dominator(writer->subject->bridge, both, 2) == block;
}

/* Before the first of the calls in the block, or at its end. */
static LLVMValueRef position_in(
	const struct writer *writer, const enum call_kind *kinds, LLVMBasicBlockRef block)
{
	for (uint32_t i = 0; i < writer->capture->call_count; i++)
		if (kinds[i] != SILENT && block_of(writer, i) == block)
			return writer->capture->calls[i].instruction;
	return LLVMGetBasicBlockTerminator(block);
}

/* By call: whether the common record reaches it. Asked before any block is split. */
static bool *find_reached(
	struct writer *writer, const enum call_kind *kinds, LLVMBasicBlockRef common)
{
	uint32_t count = writer->capture->call_count;
	bool *reached = wm_arena_alloc(writer->subject->arena, count, sizeof *reached);
	for (uint32_t i = 0; i < count; i++)
		reached[i] = kinds[i] != SILENT && common &&
			     dominates(writer, common, block_of(writer, i));
	return reached;
}

static LLVMValueRef stand_in(struct wm_context_words *words, const char *name, LLVMValueRef before)
{
	LLVMTypeRef type = LLVMFunctionType(words->pointer, NULL, 0, false);
	LLVMValueRef function = LLVMGetNamedFunction(words->module, name);
	if (!function)
		function = LLVMAddFunction(words->module, name, type);
	LLVMPositionBuilderBefore(words->builder, before);
	return LLVMBuildCall2(words->builder, type, function, NULL, 0, "");
}

bool wm_contexts_have_cells(uint32_t counter_count)
{
	return counter_count > 0 && counter_count <= WM_CONTEXT_MAX_COUNTERS;
}

LLVMValueRef wm_contexts_record(const struct wm_subject *subject)
{
	struct wm_context_words words;
	wm_context_words_open(subject->module, &words);
	LLVMValueRef record = stand_in(&words, WM_CONTEXT_STAND_IN_RECORD,
		wm_capture_block_start(subject->capture->blocks[0]));
	LLVMDisposeBuilder(words.builder);
	return record;
}

static void write_own_link(struct writer *writer, LLVMValueRef before)
{
	struct wm_context_words *words = &writer->words;
	if (writer->own->is_split) {
		writer->own->own_link = stand_in(words, WM_CONTEXT_STAND_IN_LINK, before);
		return;
	}
	LLVMPositionBuilderBefore(words->builder, before);
	writer->own->own_link =
		wm_context_words_enter(words, writer->capture->function, writer->own->layout);
	writer->here = wm_context_words_load(words, words->here, 0);
}

static void write_record(struct writer *writer, LLVMValueRef before)
{
	struct wm_context_words *words = &writer->words;
	LLVMPositionBuilderBefore(words->builder, before);
	LLVMValueRef target = wm_context_words_load(words, writer->own->own_link, 0);
	LLVMValueRef arguments[] = {writer->own->own_link, writer->own->layout};
	writer->record = wm_bridge_or_ask(writer->subject->bridge, target,
		wm_context_words_function(words, "__waymark_context_record", 2), arguments, 2,
		before);
}

static void write_returns(struct writer *writer)
{
	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(writer->capture->function); block;
		block = LLVMGetNextBasicBlock(block)) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
		LLVMValueRef before = LLVMGetPreviousInstruction(end);
		while (before && !LLVMIsACallInst(before) && LLVMIsABitCastInst(before))
			before = LLVMGetPreviousInstruction(before);
		if ((!LLVMIsAReturnInst(end) && !LLVMIsAResumeInst(end)) ||
			(before && must_stay_jump(before)))
			continue;
		LLVMPositionBuilderBefore(writer->words.builder, end);
		wm_context_words_store(&writer->words, writer->here, writer->words.here);
	}
}

static void write_calls(struct writer *writer, const enum call_kind *kinds)
{
	uint32_t number = 0;
	LLVMValueRef needed = writer->record; /* at the entry, by the probes */
	write_own_link(
		writer, needed ? needed : wm_capture_block_start(writer->capture->blocks[0]));
	if (needed) {
		write_record(writer, needed);
		LLVMReplaceAllUsesWith(needed, writer->record);
		LLVMInstructionEraseFromParent(needed);
	}
	if (!writer->own->call_count)
		return;
	/* The record must be known before. */
	bool at_entry = needed || has_second_return(writer);
	LLVMBasicBlockRef common = at_entry ? NULL : choose_common(writer, kinds);
	const bool *reached = find_reached(writer, kinds, common);
	if (at_entry && !needed)
		write_record(writer, LLVMGetNextInstruction(
					     writer->here ? writer->here : writer->own->own_link));
	else if (!needed && common)
		write_record(writer, position_in(writer, kinds, common));
	LLVMValueRef shared = writer->record;
	for (uint32_t i = 0; i < writer->capture->call_count; i++) {
		const struct wm_call *call = &writer->capture->calls[i];
		if (kinds[i] == SILENT)
			continue;
		writer->record = shared;
		if (!at_entry && !reached[i])
			write_record(writer, call->instruction);
		write_call(writer, call, kinds[i], number++);
	}
	if (!writer->own->is_split)
		write_returns(writer);
}

void wm_contexts_write(const struct wm_subject *subject, LLVMValueRef counters,
	uint32_t counter_count, LLVMValueRef record, struct wm_context_module *collected)
{
	struct writer writer = {.subject = subject,
		.capture = subject->capture,
		.collected = collected,
		.record = record};
	LLVMValueRef function = subject->capture->function;
	wm_context_words_open(subject->module, &writer.words);
	collected->functions =
		wm_arena_grow(collected->arena, collected->functions, collected->function_count,
			&collected->function_capacity, sizeof *collected->functions);
	writer.own = &collected->functions[collected->function_count++];
	*writer.own = (struct wm_context_function){.function = function,
		.counters = counters,
		.counter_count = record ? counter_count : 0,
		.is_split = wm_bridge_can_split(function) && has_plain_name(function)};
	const enum call_kind *kinds = choose_kinds(&writer);
	writer.own->layout = add_layout(&writer);
	forget_attributes(function, NULL);
	write_calls(&writer, kinds);
	LLVMDisposeBuilder(writer.words.builder);
}
