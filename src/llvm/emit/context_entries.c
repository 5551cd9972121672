/* When all functions of a module are written, it is known which of them are counted, and so which
 * calls can pass a link. */
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Comdat.h>

#include "llvm/bridge/entries.h"
#include "llvm/emit/context_words.h"
#include "llvm/emit/contexts.h"

struct finisher {
	struct wm_context_words words;
	struct wm_context_module *collected;
	struct wm_context_function **by_address;
	LLVMValueRef *bodies; /* by function; NULL: it has no second entry */
	LLVMValueRef *kept;
	size_t kept_count;
	unsigned space; /* address space of counters */
};

static int compare_addresses(const void *left, const void *right)
{
	const struct wm_context_function *a = *(struct wm_context_function *const *)left;
	const struct wm_context_function *b = *(struct wm_context_function *const *)right;
	return (a->function > b->function) - (a->function < b->function);
}

static void sort_functions(struct finisher *finisher)
{
	struct wm_context_module *collected = finisher->collected;
	uint32_t count = collected->function_count;
	finisher->by_address = wm_arena_alloc(collected->arena, count, sizeof(void *));
	for (uint32_t i = 0; i < count; i++)
		finisher->by_address[i] = &collected->functions[i];
	qsort(finisher->by_address, count, sizeof(void *), compare_addresses);
}

static struct wm_context_function *find(const struct finisher *finisher, LLVMValueRef function)
{
	struct wm_context_function key = {.function = function}, *address = &key, **found;
	found = bsearch(&address, finisher->by_address, finisher->collected->function_count,
		sizeof(void *), compare_addresses);
	return found ? *found : NULL;
}

static LLVMValueRef body_of(const struct finisher *finisher, const struct wm_context_function *own)
{
	return finisher->bodies[own - finisher->collected->functions];
}

/* The last counter, as a static address. */
static LLVMValueRef place_of(
	const struct finisher *finisher, const struct wm_context_function *function)
{
	uint64_t count = LLVMGetArrayLength2(LLVMGlobalGetValueType(function->counters));
	return LLVMConstAdd(LLVMConstPtrToInt(function->counters, finisher->words.i64),
		LLVMConstInt(finisher->words.i64, (count - 1) * sizeof(uint64_t), false));
}

static bool is_local(LLVMValueRef global)
{
	LLVMLinkage linkage = LLVMGetLinkage(global);
	return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

/* The name of the place of a function that other files may call. */
static const char *place_name(struct finisher *finisher, LLVMValueRef function)
{
	static const char suffix[] = ".waymark.place";
	size_t bytes;
	const char *name = LLVMGetValueName2(function, &bytes);
	char *own = wm_arena_alloc(finisher->collected->arena, bytes + sizeof suffix, 1);
	strcpy(own, name);
	return strcat(own, suffix);
}

/* If no file counts the function, the linker makes this zero. */
static LLVMValueRef named_place(struct finisher *finisher, LLVMValueRef function)
{
	const char *name = place_name(finisher, function);
	LLVMModuleRef module = finisher->words.module;
	LLVMValueRef place = LLVMGetNamedGlobalAlias(module, name, strlen(name));
	if (!place)
		place = LLVMGetNamedGlobal(module, name);
	if (!place) {
		place = LLVMAddGlobalInAddressSpace(
			module, finisher->words.i64, name, finisher->space);
		LLVMSetLinkage(place, LLVMExternalWeakLinkage);
		LLVMSetVisibility(place, LLVMHiddenVisibility);
	}
	return LLVMConstPtrToInt(place, finisher->words.i64);
}

/* What the linker finds under the name stands in the section that has the counters. */
static void name_place(struct finisher *finisher, const struct wm_context_function *function)
{
	LLVMLinkage linkage = LLVMGetLinkage(function->function);
	bool has_copies = linkage != LLVMExternalLinkage;
	uint64_t last = LLVMGetArrayLength2(LLVMGlobalGetValueType(function->counters)) - 1;
	LLVMValueRef offset = LLVMConstInt(finisher->words.i64, last, false);
	LLVMValueRef place = LLVMConstGEP2(finisher->words.i64, function->counters, &offset, 1);
	LLVMValueRef alias = LLVMAddAlias2(finisher->words.module, finisher->words.i64,
		finisher->space, place, place_name(finisher, function->function));
	LLVMSetLinkage(alias, has_copies ? LLVMWeakODRLinkage : LLVMExternalLinkage);
	LLVMSetVisibility(alias, LLVMHiddenVisibility);
}

/* Of functions with several copies the linker chooses one. */
static LLVMValueRef place_of_callee(struct finisher *finisher, LLVMValueRef callee)
{
	struct wm_context_function *counted = callee ? find(finisher, callee) : NULL;
	if (counted && (is_local(callee) || LLVMGetLinkage(callee) == LLVMExternalLinkage))
		return place_of(finisher, counted);
	if (callee && !is_local(callee))
		return named_place(finisher, callee);
	return LLVMConstInt(finisher->words.i64, WM_CONTEXT_UNCOUNTED, false);
}

static LLVMValueRef calls_of(
	struct finisher *finisher, const struct wm_context_function *function, LLVMTypeRef type)
{
	LLVMContextRef context = LLVMGetModuleContext(finisher->words.module);
	LLVMValueRef *calls =
		wm_arena_alloc(finisher->collected->arena, function->call_count, sizeof *calls);
	for (uint32_t i = 0; i < function->call_count; i++) {
		LLVMValueRef fields[] = {place_of_callee(finisher, function->callees[i]),
			LLVMConstInt(finisher->words.i64, function->sites[i], false)};
		calls[i] = LLVMConstStructInContext(context, fields, 2, false);
	}
	return LLVMConstArray2(LLVMGetElementType(type), calls, function->call_count);
}

/* The linker keeps or drops it with the counters, and with their name. */
static void fill_layout(struct finisher *finisher, struct wm_context_function *function)
{
	static const char prefix[] = "__waymark_counters";
	LLVMValueRef layout = function->layout;
	LLVMTypeRef type = LLVMGlobalGetValueType(layout);
	LLVMTypeRef i64 = finisher->words.i64;
	LLVMValueRef fields[] = {place_of(finisher, function),
		LLVMConstPtrToInt(function->counters, i64),
		LLVMConstInt(i64, function->counter_count, false),
		LLVMConstInt(i64, function->call_count, false),
		calls_of(finisher, function, LLVMStructGetTypeAtIndex(type, 4))};
	LLVMSetInitializer(
		layout, LLVMConstStructInContext(
				LLVMGetModuleContext(finisher->words.module), fields, 5, false));
	LLVMSetGlobalConstant(layout, true);
	LLVMSetSection(layout, "waymark_layouts");
	LLVMSetComdat(layout, LLVMGetComdat(function->counters));
	LLVMSetLinkage(layout, LLVMGetLinkage(function->counters));
	if (is_local(layout))
		return;
	size_t bytes;
	const char *name = LLVMGetValueName2(function->counters, &bytes) + sizeof prefix - 1;
	char *own = wm_arena_alloc(finisher->collected->arena, bytes + sizeof prefix, 1);
	strcpy(own, "__waymark_layout");
	strcat(own, name);
	LLVMSetValueName2(layout, own, strlen(own));
	LLVMSetVisibility(layout, LLVMHiddenVisibility);
}

static void split(struct finisher *finisher, struct wm_context_function *function)
{
	LLVMValueRef body = wm_bridge_split(function->function);
	finisher->bodies[function - finisher->collected->functions] = body;
	LLVMReplaceAllUsesWith(function->own_link, LLVMGetParam(body, 0));
	LLVMInstructionEraseFromParent(function->own_link);
}

static bool must_stay_jump(LLVMValueRef call)
{
	return LLVMIsACallInst(call) && LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail;
}

static bool has_record(const struct wm_context_function *function)
{
	return function->call_count > 0 || function->counter_count > 0;
}

static void link_call(struct finisher *finisher, const struct wm_context_call *call)
{
	const struct wm_context_function *callee = find(finisher, call->callee);
	struct wm_context_words *words = &finisher->words;
	LLVMValueRef body = callee ? body_of(finisher, callee) : NULL;
	if (body)
		wm_bridge_link_call(call->call, body,
			has_record(callee) ? call->link : LLVMGetPoison(words->pointer));
	else if (LLVMIsDeclaration(call->callee))
		wm_bridge_link_call(
			call->call, wm_bridge_outer_entry(call->callee, words->here), call->link);
	else {
		LLVMPositionBuilderBefore(words->builder, call->call);
		wm_context_words_store(words, call->link, words->here);
		if (must_stay_jump(call->call)) /* its type must be that of its caller */
			wm_bridge_link_call(call->call, call->callee, call->link);
	}
}

/* The entry used last, if it is the function's; else the one that the runtime finds. */
static void write_public(struct finisher *finisher, const struct wm_context_function *function)
{
	struct wm_context_words *words = &finisher->words;
	LLVMBuilderRef builder = words->builder;
	LLVMContextRef context = LLVMGetModuleContext(words->module);
	LLVMValueRef own = function->function, body = body_of(finisher, function);
	LLVMBasicBlockRef start = LLVMAppendBasicBlockInContext(context, own, ""),
			  hits = LLVMAppendBasicBlockInContext(context, own, ""),
			  misses = LLVMAppendBasicBlockInContext(context, own, ""),
			  end = LLVMAppendBasicBlockInContext(context, own, "");
	LLVMPositionBuilderAtEnd(builder, start);
	LLVMValueRef here = wm_context_words_load(words, words->here, 0);
	LLVMValueRef last = wm_context_words_load(words, here, WM_CONTEXT_LINK_ENTRIES);
	LLVMValueRef known = wm_context_words_load(words, last, WM_CONTEXT_ENTRY_FUNCTION);
	LLVMValueRef hit = LLVMBuildICmp(builder, LLVMIntEQ, known, own, "");
	if (wm_context_words_is_handler(LLVMGlobalGetValueType(own)))
		hit = LLVMConstNull(LLVMTypeOf(hit)); /* it may be the kernel that calls */
	LLVMBuildCondBr(builder, hit, hits, misses);
	LLVMPositionBuilderAtEnd(builder, hits);
	wm_context_words_count(words, last, WM_CONTEXT_COUNT);
	LLVMBuildBr(builder, end);
	LLVMPositionBuilderAtEnd(builder, misses);
	LLVMValueRef found = wm_context_words_enter(words, own, function->layout);
	LLVMValueRef later = wm_context_words_load(words, words->here, 0);
	LLVMBuildBr(builder, end);
	LLVMPositionBuilderAtEnd(builder, end);
	LLVMBasicBlockRef blocks[] = {hits, misses};
	LLVMValueRef entries[] = {last, found}, words_before[] = {here, later};
	LLVMValueRef entry = LLVMBuildPhi(builder, words->pointer, "");
	LLVMValueRef before = LLVMBuildPhi(builder, words->pointer, "");
	LLVMAddIncoming(entry, entries, blocks, 2);
	LLVMAddIncoming(before, words_before, blocks, 2);
	bool changes_word = function->call_count > 0;
	wm_bridge_forward(end, body, entry, changes_word ? words->here : NULL, before);
}

/* Tells the runtime what to call instead of the function when its address is called. */
static void announce(struct finisher *finisher, const struct wm_context_function *function)
{
	static const char kind[] = "associated";
	LLVMModuleRef module = finisher->words.module;
	LLVMContextRef context = LLVMGetModuleContext(module);
	LLVMValueRef body = body_of(finisher, function), own = function->function;
	LLVMValueRef fields[] = {
		own, body ? body : LLVMConstNull(finisher->words.pointer), function->layout};
	LLVMValueRef entry = LLVMConstStructInContext(context, fields, 3, false);
	LLVMValueRef global = LLVMAddGlobal(module, LLVMTypeOf(entry), "__waymark_entry");
	LLVMSetInitializer(global, entry);
	LLVMSetGlobalConstant(global, true);
	LLVMSetSection(global, WM_CONTEXT_PUBLIC_SECTION);
	LLVMSetLinkage(global, LLVMPrivateLinkage);
	LLVMSetAlignment(global, 8);
	if (LLVMGetComdat(own))
		LLVMSetComdat(global, LLVMGetComdat(own));
	LLVMMetadataRef target = LLVMValueAsMetadata(own);
	LLVMGlobalSetMetadata(global, LLVMGetMDKindIDInContext(context, kind, sizeof kind - 1),
		LLVMMDNodeInContext2(context, &target, 1));
	finisher->kept[finisher->kept_count++] = global;
}

static void publish(struct finisher *finisher, const struct wm_context_function *function)
{
	bool has_address =
		!is_local(function->function) || wm_bridge_has_address(function->function);
	if (body_of(finisher, function)) {
		if (is_local(function->function) && !LLVMGetFirstUse(function->function)) {
			LLVMDeleteFunction(function->function);
			return;
		}
		write_public(finisher, function);
	}
	if (has_address)
		announce(finisher, function);
}

static void delete_stand_in(LLVMModuleRef module, const char *name)
{
	LLVMValueRef function = LLVMGetNamedFunction(module, name);
	if (function)
		LLVMDeleteFunction(function);
}

void wm_contexts_finish(LLVMModuleRef module, struct wm_context_module *collected)
{
	struct finisher finisher = {.collected = collected};
	uint32_t count = collected->function_count;
	wm_context_words_open(module, &finisher.words);
	finisher.bodies = wm_arena_alloc(collected->arena, count, sizeof *finisher.bodies);
	finisher.kept = wm_arena_alloc(collected->arena, count, sizeof *finisher.kept);
	if (count)
		finisher.space =
			LLVMGetPointerAddressSpace(LLVMTypeOf(collected->functions[0].counters));
	sort_functions(&finisher);
	for (uint32_t i = 0; i < count; i++)
		if (collected->functions[i].is_split && !is_local(collected->functions[i].function))
			name_place(&finisher, &collected->functions[i]);
	for (uint32_t i = 0; i < count; i++)
		fill_layout(&finisher, &collected->functions[i]);
	for (uint32_t i = 0; i < count; i++)
		if (collected->functions[i].is_split)
			split(&finisher, &collected->functions[i]);
	for (uint32_t i = 0; i < collected->call_count; i++)
		link_call(&finisher, &collected->calls[i]);
	for (uint32_t i = 0; i < count; i++)
		publish(&finisher, &collected->functions[i]);
	if (finisher.kept_count)
		wm_bridge_keep(module, finisher.kept, finisher.kept_count);
	delete_stand_in(module, WM_CONTEXT_STAND_IN_LINK);
	delete_stand_in(module, WM_CONTEXT_STAND_IN_RECORD);
	LLVMDisposeBuilder(finisher.words.builder);
}
