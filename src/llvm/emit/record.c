/* Counters and descriptions as global variables.
 *
 * Both stand in one section group, so that garbage collection of sections treats them as one. A
 * function that the linker may see in several copies gets a group named for the content of its
 * description: equal copies share counters, different ones keep theirs, and code inlined elsewhere
 * still finds the counters it was compiled for.
 */
#include "llvm/emit/record.h"

#include <stdio.h>
#include <string.h>

#include <llvm-c/Comdat.h>

#include "core/counters/events.h"
#include "format/sentinel.h"
#include "llvm/bridge/bridge.h"

LLVMValueRef wm_record_delta(LLVMModuleRef module)
{
	static const char name[] = "__waymark_delta";
	LLVMValueRef delta = LLVMGetNamedGlobal(module, name);
	if (delta)
		return delta;
	LLVMContextRef context = LLVMGetModuleContext(module);
	delta = LLVMAddGlobal(module, LLVMInt64TypeInContext(context), name);
	LLVMSetVisibility(delta, LLVMHiddenVisibility);
	LLVMSetThreadLocalMode(delta, LLVMInitialExecTLSModel);
	return delta;
}

LLVMValueRef wm_record_runtime_function(LLVMModuleRef module, const char *name, LLVMTypeRef type)
{
	static const char kind[] = "nounwind";
	LLVMContextRef context = LLVMGetModuleContext(module);
	LLVMValueRef function = LLVMGetNamedFunction(module, name);
	if (function)
		return function;
	function = LLVMAddFunction(module, name, type);
	LLVMSetVisibility(function, LLVMHiddenVisibility);
	LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
		LLVMCreateEnumAttribute(
			context, LLVMGetEnumAttributeKindForName(kind, sizeof(kind) - 1), 0));
	return function;
}

LLVMValueRef wm_record_attach(LLVMModuleRef module)
{
	LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(module));
	return wm_record_runtime_function(
		module, "__waymark_attach", LLVMFunctionType(i64, NULL, 0, false));
}

/* What it returns says only which registers are lost (runtime/count/tables.h). */
LLVMValueRef wm_record_count(LLVMModuleRef module)
{
	LLVMContextRef context = LLVMGetModuleContext(module);
	LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
	LLVMTypeRef types[] = {i64, i64};
	LLVMTypeRef nothing = LLVMStructTypeInContext(context, types, 2, false);
	LLVMValueRef function = wm_record_runtime_function(
		module, "__waymark_count", LLVMFunctionType(nothing, types, 2, false));
	LLVMSetFunctionCallConv(function, WM_PRESERVE_ALL);
	return function;
}

LLVMValueRef wm_record_departure(LLVMModuleRef module)
{
	LLVMContextRef context = LLVMGetModuleContext(module);
	LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0);
	LLVMValueRef function = wm_record_runtime_function(module, "__waymark_departure",
		LLVMFunctionType(LLVMVoidTypeInContext(context), &pointer, 1, false));
	LLVMSetFunctionCallConv(function, WM_PRESERVE_ALL);
	return function;
}

void wm_record_file_name(LLVMModuleRef module, const char *name)
{
	LLVMContextRef context = LLVMGetModuleContext(module);
	LLVMValueRef text = LLVMConstStringInContext2(context, name, strlen(name), false);
	LLVMValueRef global = LLVMAddGlobal(module, LLVMTypeOf(text), "__waymark_file_name");
	LLVMSetInitializer(global, text);
	LLVMSetGlobalConstant(global, true);
	LLVMSetLinkage(global, LLVMWeakAnyLinkage);
	LLVMSetVisibility(global, LLVMHiddenVisibility);
}

void wm_record_limit(LLVMModuleRef module, const char *name, uint64_t limit)
{
	LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(module));
	LLVMValueRef global = LLVMAddGlobal(module, i64, name);
	LLVMSetInitializer(global, LLVMConstInt(i64, limit, false));
	LLVMSetGlobalConstant(global, true);
	LLVMSetLinkage(global, LLVMWeakAnyLinkage);
	LLVMSetVisibility(global, LLVMHiddenVisibility);
	wm_bridge_keep(module, &global, 1);
}

static bool may_have_copies(LLVMValueRef function)
{
	LLVMLinkage linkage = LLVMGetLinkage(function);
	return linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage;
}

static char *symbol_name(struct wm_arena *arena, const char *prefix,
	const struct wm_function *described, bool shared)
{
	size_t bytes = strlen(prefix) + strlen(described->name) + 32;
	char *name = wm_arena_alloc(arena, bytes, 1);
	int used = snprintf(name, bytes, "%s.%s", prefix, described->name);
	if (shared)
		snprintf(
			name + used, bytes - used, ".%016llx", (unsigned long long)described->hash);
	return name;
}

static LLVMValueRef add_global(LLVMModuleRef module, LLVMTypeRef type, const char *name,
	const char *section, LLVMComdatRef group, bool shared, unsigned space)
{
	LLVMValueRef global = LLVMAddGlobalInAddressSpace(module, type, name, space);
	LLVMSetSection(global, section);
	LLVMSetAlignment(global, 8);
	LLVMSetComdat(global, group);
	LLVMSetLinkage(global, shared ? LLVMLinkOnceODRLinkage : LLVMPrivateLinkage);
	if (shared)
		LLVMSetVisibility(global, LLVMHiddenVisibility);
	return global;
}

static LLVMValueRef distance(LLVMContextRef context, LLVMValueRef to, LLVMValueRef from)
{
	LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
	return LLVMConstSub(LLVMConstPtrToInt(to, i64), LLVMConstPtrToInt(from, i64));
}

/* The symbols that the linker must find for this function's code to be right where it is linked. */
static LLVMValueRef runtime_mark(LLVMModuleRef module, unsigned space)
{
	const char *name =
		space == WM_SEGMENT_SPACE
			? "__waymark_link_programs_with_waymark_cc_and_compile_libraries_with_fPIC"
			: "__waymark_runtime";
	LLVMValueRef mark = LLVMGetNamedGlobal(module, name);
	if (!mark) {
		LLVMContextRef context = LLVMGetModuleContext(module);
		mark = LLVMAddGlobal(module, LLVMInt8TypeInContext(context), name);
		LLVMSetVisibility(mark, LLVMHiddenVisibility);
	}
	return mark;
}

static void fill_description(LLVMModuleRef module, LLVMValueRef description, LLVMValueRef counters,
	const struct wm_function *described, unsigned space, const uint8_t *body, size_t bytes)
{
	LLVMContextRef context = LLVMGetModuleContext(module);
	LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
	LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
	LLVMValueRef fields[] = {
		LLVMConstInt(i32, WM_DESCRIPTION_MAGIC, false),
		LLVMConstInt(i32, sizeof(struct wm_description_head) + bytes, false),
		distance(context, counters, description),
		distance(context, runtime_mark(module, space), description),
		LLVMConstInt(i64, described->hash, false),
		LLVMConstStringInContext2(context, (const char *)body, bytes, true),
	};
	LLVMSetInitializer(description, LLVMConstStructInContext(context, fields, 6, false));
	LLVMSetGlobalConstant(description, true);
}

static LLVMTypeRef description_type(LLVMContextRef context, size_t bytes)
{
	LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
	LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
	LLVMTypeRef fields[] = {
		i32, i32, i64, i64, i64, LLVMArrayType2(LLVMInt8TypeInContext(context), bytes)};
	return LLVMStructTypeInContext(context, fields, 6, false);
}

LLVMValueRef wm_record_events(LLVMModuleRef module, unsigned space)
{
	static const char name[] = "__waymark_events";
	LLVMValueRef events = LLVMGetNamedGlobal(module, name);
	if (events)
		return events;
	LLVMTypeRef type = LLVMArrayType2(
		LLVMInt64TypeInContext(LLVMGetModuleContext(module)), WM_EVENT_COUNTERS);
	events = add_global(module, type, name, WM_COUNTERS_SECTION,
		LLVMGetOrInsertComdat(module, name), true, space);
	LLVMSetInitializer(events, LLVMConstNull(type));
	return events;
}

void wm_record_event_words(LLVMModuleRef module, const char *words)
{
	static const char name[] = "__waymark_event_words";
	LLVMContextRef context = LLVMGetModuleContext(module);
	LLVMValueRef text = LLVMConstStringInContext2(context, words, strlen(words), false);
	LLVMValueRef global = LLVMAddGlobal(module, LLVMTypeOf(text), name);
	LLVMSetInitializer(global, text);
	LLVMSetGlobalConstant(global, true);
	LLVMSetLinkage(global, LLVMWeakAnyLinkage);
	LLVMSetVisibility(global, LLVMHiddenVisibility);
	wm_bridge_retain(module, &global, 1);
}

void wm_record_event_bounds(LLVMModuleRef module, const uint64_t *bound)
{
	static const char name[] = "__waymark_event_bounds";
	LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(module));
	LLVMTypeRef type = LLVMArrayType2(i64, WM_MAX_EVENT_KINDS);
	LLVMValueRef bounds = LLVMGetNamedGlobal(module, name), values[WM_MAX_EVENT_KINDS];
	if (!bounds) {
		bounds = LLVMAddGlobal(module, type, name);
		LLVMSetSection(bounds, "waymark_event_bounds");
		LLVMSetAlignment(bounds, 8);
		LLVMSetLinkage(bounds, LLVMPrivateLinkage);
		LLVMSetGlobalConstant(bounds, true);
		LLVMSetInitializer(bounds, LLVMConstNull(type));
		wm_bridge_retain(module, &bounds, 1);
	}
	for (unsigned k = 0; k < WM_MAX_EVENT_KINDS; k++) {
		LLVMValueRef old = LLVMGetAggregateElement(LLVMGetInitializer(bounds), k);
		uint64_t before = LLVMConstIntGetZExtValue(old);
		values[k] = LLVMConstInt(i64, bound[k] > before ? bound[k] : before, false);
	}
	LLVMSetInitializer(bounds, LLVMConstArray2(i64, values, WM_MAX_EVENT_KINDS));
}

static LLVMValueRef add_counters(LLVMModuleRef module, const struct wm_function *described,
	const char *name, LLVMComdatRef group, bool shared, unsigned space)
{
	LLVMTypeRef type = LLVMArrayType2(
		LLVMInt64TypeInContext(LLVMGetModuleContext(module)), described->counter_count);
	if (described->events)
		return wm_record_events(module, space);
	LLVMValueRef counters =
		add_global(module, type, name, WM_COUNTERS_SECTION, group, shared, space);
	LLVMSetInitializer(counters, LLVMConstNull(type));
	return counters;
}

LLVMValueRef wm_record_function(struct wm_arena *arena, LLVMModuleRef module, LLVMValueRef function,
	struct wm_function *described, unsigned space, LLVMValueRef *description)
{
	LLVMContextRef context = LLVMGetModuleContext(module);
	size_t bytes;
	const uint8_t *body = wm_description_encode(arena, described, &bytes);
	described->hash = wm_description_hash(body, bytes);

	bool shared = may_have_copies(function);
	char *name = symbol_name(arena, "__waymark_counters", described, shared);
	LLVMComdatRef group = LLVMGetOrInsertComdat(module, name);
	LLVMSetComdatSelectionKind(
		group, shared ? LLVMAnyComdatSelectionKind : LLVMNoDeduplicateComdatSelectionKind);

	LLVMValueRef counters = add_counters(module, described, name, group, shared, space);
	*description = add_global(module, description_type(context, bytes),
		symbol_name(arena, "__waymark_description", described, shared),
		WM_DESCRIPTION_SECTION, group, shared, 0);
	fill_description(module, *description, counters, described, space, body, bytes);
	return counters;
}

/* A global beside the counters, of the same group and with a name like theirs. */
static LLVMValueRef add_beside(struct wm_arena *arena, LLVMModuleRef module, LLVMValueRef counters,
	const char *prefix, LLVMTypeRef type)
{
	static const char own[] = "__waymark_counters";
	size_t length;
	const char *rest = LLVMGetValueName2(counters, &length) + sizeof own - 1;
	size_t bytes = strlen(prefix) + length + 1;
	char *name = wm_arena_alloc(arena, bytes, 1);
	snprintf(name, bytes, "%s%s", prefix, rest);
	LLVMValueRef global = LLVMAddGlobal(module, type, name);
	LLVMSetComdat(global, LLVMGetComdat(counters));
	LLVMSetLinkage(global, LLVMGetLinkage(counters));
	LLVMSetVisibility(global, LLVMGetVisibility(counters));
	return global;
}

LLVMValueRef wm_record_armed(struct wm_arena *arena, LLVMModuleRef module, LLVMValueRef counters,
	const bool *armed, uint32_t count)
{
	LLVMContextRef context = LLVMGetModuleContext(module);
	LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
	LLVMValueRef bytes = LLVMConstStringInContext2(context, (const char *)armed, count, true);
	LLVMValueRef sentinels =
		add_beside(arena, module, counters, "__waymark_armed", LLVMTypeOf(bytes));
	LLVMSetInitializer(sentinels, bytes);
	LLVMSetAlignment(sentinels, 1);
	LLVMValueRef record = add_beside(arena, module, counters, "__waymark_sentinels",
		LLVMArrayType2(i64, WM_SENTINEL_WORDS));
	LLVMValueRef words[WM_SENTINEL_WORDS] = {distance(context, sentinels, record),
		distance(context, counters, record), LLVMConstInt(i64, count, false)};
	LLVMSetInitializer(record, LLVMConstArray2(i64, words, WM_SENTINEL_WORDS));
	LLVMSetGlobalConstant(record, true);
	LLVMSetSection(record, WM_SENTINEL_SECTION);
	LLVMSetAlignment(record, 8);
	wm_bridge_keep(module, &record, 1);
	return sentinels;
}
