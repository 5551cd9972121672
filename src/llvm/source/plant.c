/* Source records and marks for all functions of a module. */
#include "llvm/source/plant.h"

#include <stdlib.h>
#include <string.h>

#include "format/description.h"
#include "format/plugin_options.h"
#include "llvm/bridge/bridge.h"
#include "llvm/bridge/marks.h"
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
	struct wm_arena *arena, struct wm_coverage *coverage, LLVMValueRef function)
{
	struct wm_text text;
	size_t bytes;
	wm_text_read(arena, function, &text);
	const struct wm_coverage_function *mapping =
		text.counters_name ? wm_coverage_find(coverage, text.counters_name) : NULL;
	if (mapping)
		wm_text_add_mapping(&text, mapping);
	const uint8_t *body = wm_source_encode(arena, &text.source, &bytes);
	text.source.key = wm_description_hash(body, bytes);
	add_marks(&text);
	return wm_key_list_record(LLVMGetGlobalParent(function), WM_PLANT_RECORD, WM_SOURCE_MAGIC,
		text.source.key, body, bytes);
}

static bool is_wanted(LLVMModuleRef module)
{
	struct wm_arena arena = {0};
	struct wm_plugin_options options;
	struct wm_error error;
	bool wanted =
		!wm_plugin_options_parse(&arena, getenv("WAYMARK_OPTIONS"), &options, &error) &&
		options.text && wm_select_knows_target(module);
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

bool wm_plant_module(LLVMModuleRef module)
{
	if (!is_wanted(module))
		return false;
	struct wm_arena arena = {0}, list_arena = {0};
	struct wm_coverage *coverage = wm_coverage_open(module);
	size_t count = 0;
	LLVMValueRef *records =
		wm_arena_alloc(&list_arena, count_functions(module), sizeof *records);
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		if (!has_text(f))
			continue;
		LLVMValueRef record = plant_function(&arena, coverage, f);
		if (record)
			records[count++] = record;
		wm_arena_reset(&arena);
	}
	wm_coverage_close(coverage);
	wm_bridge_retain(module, records, count);
	wm_arena_reset(&list_arena);
	return true;
}
