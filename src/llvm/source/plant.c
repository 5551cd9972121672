/* Source records and marks for all functions of a module. */
#include "llvm/source/plant.h"

#include <stdlib.h>
#include <string.h>

#include "format/description.h"
#include "format/plugin_options.h"
#include "llvm/bridge/bridge.h"
#include "llvm/bridge/marks.h"
#include "llvm/bridge/pure.h"
#include "llvm/select.h"
#include "llvm/source/key_list.h"
#include "llvm/source/text.h"
#include "llvm/subject/capture.h"
#include "llvm/subject/subject.h"

/* A coroutine's code is taken apart later. */
static bool has_text(LLVMValueRef function)
{
	return !LLVMIsDeclaration(function) && wm_marks_fit(function) &&
	       !wm_subject_has(function, "naked") && !wm_subject_has(function, "presplitcoroutine");
}

static void add_marks(const struct wm_text *text)
{
	for (uint32_t i = 0; i < text->source.block_count; i++) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(text->blocks[i]);
		for (LLVMValueRef at = LLVMGetFirstInstruction(text->blocks[i]); at;
			at = LLVMGetNextInstruction(at))
			if (wm_text_may_be_left(at) || (at == end && LLVMGetNumSuccessors(end) > 1))
				wm_marks_add_decision(at, i);
		wm_marks_add_probe(wm_capture_block_start(text->blocks[i]), text->source.key, i);
	}
}

static LLVMValueRef plant_function(
	struct wm_arena *arena, struct wm_coverage *coverage, LLVMValueRef function, uint64_t *key)
{
	struct wm_text text;
	size_t bytes;
	wm_text_read(arena, function, &text);
	const struct wm_coverage_function *mapping =
		text.counters_name ? wm_coverage_find(coverage, text.counters_name) : NULL;
	if (mapping)
		wm_text_add_mapping(&text, mapping);
	const uint8_t *body = wm_source_encode(arena, &text.source, &bytes);
	*key = text.source.key = wm_description_hash(body, bytes);
	add_marks(&text);
	return wm_key_list_record(LLVMGetGlobalParent(function), WM_PLANT_RECORD, WM_SOURCE_MAGIC,
		text.source.key, body, bytes);
}

static bool is_wanted(LLVMModuleRef module, bool *early)
{
	struct wm_arena arena = {0};
	struct wm_plugin_options options;
	struct wm_error error;
	bool wanted =
		!wm_plugin_options_parse(&arena, getenv("WAYMARK_OPTIONS"), &options, &error) &&
		options.text && wm_select_knows_target(module);
	*early = wanted && options.early;
	wm_arena_reset(&arena);
	return wanted;
}

static size_t count_functions(LLVMModuleRef module)
{
	size_t count = 0;
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		count++;
	return count;
}

static bool has_optimised(LLVMModuleRef module)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f) && !wm_subject_has(f, "optnone"))
			return true;
	return false;
}

/* The functions with text, and the keys of their records. */
struct planted {
	size_t count;
	LLVMValueRef *functions;
	uint64_t *keys;
	LLVMValueRef *records;
	size_t record_count;
};

/* Calls of functions that only compute may be deleted or shared later. */
static void list_pure(struct wm_arena *arena, LLVMModuleRef module, const struct planted *planted)
{
	struct wm_key_list by_name = {0}, otherwise = {0};
	bool *pure = wm_arena_alloc(arena, planted->count, sizeof *pure);
	bool for_library = wm_bridge_is_for_library(module);
	wm_pure_find(planted->functions, planted->count, pure);
	for (size_t i = 0; i < planted->count; i++) {
		if (!pure[i])
			continue;
		bool other = wm_pure_is_called_otherwise(planted->functions[i], for_library);
		wm_key_list_add(other ? &otherwise : &by_name, &planted->keys[i], 1);
	}
	wm_key_list_write(&by_name, module, WM_PURE_MAGIC);
	wm_key_list_write(&otherwise, module, WM_UNCOUNTED_MAGIC);
}

static void plant_functions(
	struct wm_coverage *coverage, LLVMModuleRef module, struct planted *planted)
{
	struct wm_arena arena = {0};
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		if (!has_text(f))
			continue;
		LLVMValueRef record =
			plant_function(&arena, coverage, f, &planted->keys[planted->count]);
		planted->functions[planted->count++] = f;
		if (record)
			planted->records[planted->record_count++] = record;
		wm_arena_reset(&arena);
	}
}

bool wm_plant_module(LLVMModuleRef module)
{
	bool early;
	if (!is_wanted(module, &early))
		return false;
	struct wm_arena arena = {0};
	size_t functions = count_functions(module);
	struct planted planted = {
		.functions = wm_arena_alloc(&arena, functions, sizeof(LLVMValueRef)),
		.keys = wm_arena_alloc(&arena, functions, sizeof(uint64_t)),
		.records = wm_arena_alloc(&arena, functions, sizeof(LLVMValueRef))};
	struct wm_coverage *coverage = wm_coverage_open(module);
	bool late = !early && has_optimised(module);
	if (late)
		wm_pure_infer(module);
	plant_functions(coverage, module, &planted);
	wm_coverage_close(coverage);
	wm_bridge_retain(module, planted.records, planted.record_count);
	if (late)
		list_pure(&arena, module, &planted);
	wm_arena_reset(&arena);
	return true;
}
