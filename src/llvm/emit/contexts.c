/* The thread has two words: the position of its last call, which is the number of the caller's
 * record and the site, and what the position is again when that call has returned. A function reads
 * both when it is entered. Before a call it sets both to its own position. It puts the second back
 * into both before it returns. So code that is not counted, which touches neither, leaves its
 * callees at the site that called it.
 *
 * Behind a jump to another function nothing can be put back here. If that function is counted for
 * certain, it does so: it finds in the second word what the jumping function would put back. If it
 * may be one that is not counted, a call of it by name becomes an ordinary call. A call through a
 * pointer or with `musttail` stays a jump, for programs whose jumps never return; the words are put
 * back before it.
 *
 * Nothing is done where control ends early: each frame knows its record, and sets the position
 * again before its next call. */
#include "llvm/emit/contexts.h"

#include <string.h>

#include "llvm/emit/record.h"
#include "llvm/select.h"
#include "llvm/subject/call_sites.h"

struct writer {
	const struct wm_subject *subject;
	const struct wm_capture *capture;
	LLVMModuleRef module;
	LLVMBuilderRef builder;
	LLVMTypeRef i64, pointer;
	unsigned mark_kind;
	LLVMValueRef mark;
	LLVMValueRef position, behind; /* words of the thread */
	LLVMValueRef outer;	       /* what they were behind this function's call */
	LLVMValueRef record;	       /* in the upper half */
};

void wm_contexts_describe(struct wm_function *described)
{
	described->has_contexts = true;
	described->context_counter = described->counter_count++;
}

static LLVMValueRef marked(struct writer *writer, LLVMValueRef instruction)
{
	LLVMSetMetadata(instruction, writer->mark_kind, writer->mark);
	return instruction;
}

static LLVMValueRef word_of_thread(const struct writer *writer, const char *name)
{
	LLVMValueRef word = LLVMGetNamedGlobal(writer->module, name);
	if (word)
		return word;
	word = LLVMAddGlobal(writer->module, writer->i64, name);
	LLVMSetVisibility(word, LLVMHiddenVisibility);
	LLVMSetThreadLocalMode(word, LLVMInitialExecTLSModel);
	return word;
}

static LLVMValueRef load(struct writer *writer, LLVMValueRef word)
{
	return marked(writer, LLVMBuildLoad2(writer->builder, writer->i64, word, ""));
}

static void store(struct writer *writer, LLVMValueRef value, LLVMValueRef word)
{
	marked(writer, LLVMBuildStore(writer->builder, value, word));
}

/* The types that handlers of signals have. */
static bool may_be_handler(LLVMValueRef function)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(function), parameters[3];
	unsigned count = LLVMCountParamTypes(type);
	if (LLVMGetTypeKind(LLVMGetReturnType(type)) != LLVMVoidTypeKind ||
		LLVMIsFunctionVarArg(type) || (count != 1 && count != 3))
		return false;
	LLVMGetParamTypes(type, parameters);
	bool rest = count == 1 || (LLVMGetTypeKind(parameters[1]) == LLVMPointerTypeKind &&
					  LLVMGetTypeKind(parameters[2]) == LLVMPointerTypeKind);
	return rest && LLVMGetTypeKind(parameters[0]) == LLVMIntegerTypeKind &&
	       LLVMGetIntTypeWidth(parameters[0]) == 32;
}

static LLVMValueRef return_address(struct writer *writer)
{
	static const char name[] = "llvm.returnaddress";
	LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetModuleContext(writer->module));
	LLVMValueRef zero = LLVMConstInt(i32, 0, false);
	if (!may_be_handler(writer->capture->function))
		return LLVMConstNull(writer->pointer);
	unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
	LLVMValueRef function = LLVMGetIntrinsicDeclaration(writer->module, id, NULL, 0);
	return LLVMBuildCall2(writer->builder,
		LLVMIntrinsicGetType(LLVMGetModuleContext(writer->module), id, NULL, 0), function,
		&zero, 1, "");
}

static void write_entry(struct writer *writer, LLVMValueRef counter, bool calls)
{
	LLVMTypeRef types[] = {writer->i64, writer->i64, writer->pointer};
	LLVMTypeRef type = LLVMFunctionType(writer->i64, types, 3, false);
	LLVMValueRef enter =
		wm_record_runtime_function(writer->module, "__waymark_context_enter", type);
	LLVMPositionBuilderBefore(
		writer->builder, wm_capture_block_start(writer->capture->blocks[0]));
	LLVMValueRef position = load(writer, writer->position);
	writer->outer = load(writer, writer->behind);
	LLVMValueRef arguments[] = {counter, position, return_address(writer)};
	writer->record =
		marked(writer, LLVMBuildCall2(writer->builder, type, enter, arguments, 3, ""));
	if (!calls)
		store(writer, writer->outer, writer->position);
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

/* Who puts the words back for a call in tail position. */
enum restorer { CALLEE, CALLER_BEHIND, CALLER_BEFORE };

/* Another file may have another copy, without counters. */
static bool is_only_copy(LLVMValueRef function)
{
	LLVMLinkage linkage = LLVMGetLinkage(function);
	return linkage == LLVMExternalLinkage || linkage == LLVMInternalLinkage ||
	       linkage == LLVMPrivateLinkage;
}

/* With wanted paths, what is counted is known only when it is done. */
static bool is_counted(const struct writer *writer, LLVMValueRef function)
{
	const struct wm_subject *subject = writer->subject;
	if (function == writer->capture->function)
		return true;
	return is_only_copy(function) &&
	       (wm_select_is_done(function) ||
		       (!subject->knowledge->has_paths &&
			       wm_select_will_count(writer->module, function, subject->options)));
}

static enum restorer restorer_of(const struct writer *writer, LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call), function = LLVMIsAFunction(callee);
	if (!LLVMIsAGlobalValue(callee) || (function && LLVMGetIntrinsicID(function)))
		return CALLER_BEFORE;
	if (function && is_counted(writer, function))
		return CALLEE;
	return LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail ? CALLER_BEFORE
								     : CALLER_BEHIND;
}

static void write_call(struct writer *writer, const struct wm_call *call, uint32_t site)
{
	enum restorer restorer =
		call->is_tail ? restorer_of(writer, call->instruction) : CALLER_BEHIND;
	forget_attributes(call->callee, call->instruction);
	if (restorer == CALLER_BEFORE)
		return;
	LLVMPositionBuilderBefore(writer->builder, call->instruction);
	LLVMValueRef position = LLVMBuildOr(
		writer->builder, writer->record, LLVMConstInt(writer->i64, site, false), "");
	store(writer, position, writer->position);
	store(writer, restorer == CALLEE ? writer->outer : position, writer->behind);
}

static void write_calls(struct writer *writer)
{
	uint32_t site = 0;
	for (uint32_t i = 0; i < writer->capture->call_count; i++)
		if (wm_call_sites_has(&writer->capture->calls[i]))
			write_call(writer, &writer->capture->calls[i], site++);
}

static void put_back(struct writer *writer, LLVMValueRef before)
{
	LLVMPositionBuilderBefore(writer->builder, before);
	store(writer, writer->outer, writer->position);
	store(writer, writer->outer, writer->behind);
}

static void write_return(struct writer *writer, LLVMBasicBlockRef block)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
	LLVMValueRef last = wm_capture_block_end(writer->capture, block);
	enum restorer restorer = last == end ? CALLER_BEHIND : restorer_of(writer, last);
	if (restorer != CALLEE)
		put_back(writer, restorer == CALLER_BEHIND ? end : last);
}

/* Of a return behind calls in tail position that other blocks jump to as well: it is they who put
 * the words back, also where they then jump elsewhere. */
static void write_jumps_to(struct writer *writer, LLVMBasicBlockRef block)
{
	LLVMValueRef value = LLVMBasicBlockAsValue(block);
	for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		if (LLVMIsATerminatorInst(user))
			write_return(writer, LLVMGetInstructionParent(user));
	}
}

static void write_ends(struct writer *writer)
{
	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(writer->capture->function); block;
		block = LLVMGetNextBasicBlock(block)) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
		if (!LLVMIsAReturnInst(end) && !LLVMIsAResumeInst(end))
			continue;
		if (wm_capture_is_shared_return(writer->capture, block))
			write_jumps_to(writer, block);
		else
			write_return(writer, block);
	}
}

void wm_contexts_write(const struct wm_subject *subject, LLVMValueRef counters)
{
	static const char mark[] = "nosanitize";
	LLVMContextRef context = LLVMGetModuleContext(subject->module);
	struct writer writer = {.subject = subject,
		.capture = subject->capture,
		.module = subject->module,
		.builder = LLVMCreateBuilderInContext(context),
		.i64 = LLVMInt64TypeInContext(context),
		.pointer = LLVMPointerTypeInContext(context, 0),
		.mark_kind = LLVMGetMDKindIDInContext(context, mark, sizeof mark - 1),
		.mark = LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, NULL, 0))};
	writer.position = word_of_thread(&writer, "__waymark_position");
	writer.behind = word_of_thread(&writer, "__waymark_position_behind");
	uint64_t counter_count = LLVMGetArrayLength2(LLVMGlobalGetValueType(counters));
	LLVMValueRef counter = LLVMConstAdd(LLVMConstPtrToInt(counters, writer.i64),
		LLVMConstInt(writer.i64, (counter_count - 1) * sizeof(uint64_t), false));
	bool calls = subject->described.call_count > 0;
	forget_attributes(subject->capture->function, NULL);
	write_entry(&writer, counter, calls);
	if (calls) {
		write_calls(&writer);
		write_ends(&writer);
	}
	LLVMDisposeBuilder(writer.builder);
}
