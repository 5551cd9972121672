/* What a module goes through: options and what an earlier build knows, then each function, then
 * what concerns the whole module. */
#include <stdlib.h>

#include <llvm-c/Core.h>

#include "llvm/bridge/bridge.h"
#include "llvm/bridge/marks.h"
#include "llvm/bridge/placeholders.h"
#include "llvm/complain.h"
#include "llvm/emit/code_generator.h"
#include "llvm/emit/meter_events.h"
#include "llvm/emit/record.h"
#include "llvm/emit/sim_accesses.h"
#include "llvm/function.h"
#include "llvm/probe/placeholders.h"
#include "llvm/segments.h"
#include "llvm/select.h"
#include "llvm/subject/asm_goto.h"
#include "llvm/subject/callee_order.h"
#include "llvm/subject/user_marks.h"

enum wm_instrument_point wm_instrument_point(void)
{
	struct wm_arena arena = {0};
	struct wm_plugin_options options;
	struct wm_error error;
	enum wm_instrument_point point = WM_INSTRUMENT_LATE;
	if (!wm_plugin_options_parse(&arena, getenv("WAYMARK_OPTIONS"), &options, &error))
		point = options.early	  ? WM_INSTRUMENT_EARLY
			: options.at_link ? WM_INSTRUMENT_AT_LINK
					  : WM_INSTRUMENT_LATE;
	wm_arena_reset(&arena);
	return point;
}

static size_t count_functions(LLVMModuleRef module)
{
	size_t count = 0;
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		count++;
	return count;
}

/* Code that can only end up in a program, never in a shared library, may use the gs register. */
static bool uses_segment(LLVMModuleRef module, const struct wm_plugin_options *options)
{
	return options->segment && !wm_bridge_is_for_library(module);
}

/* Settings of the code generator are for whole modules; a module with functions that are left alone
 * gets none. */
static void finish(const struct wm_module *module, bool has_functions_left_alone)
{
	if (!has_functions_left_alone)
		wm_code_generator_prepare(module->module, &module->options);
	if (module->options.measure.quantity == WM_QUANTITY_EVENTS)
		wm_bridge_retain(module->module, module->descriptions, module->description_count);
	else
		wm_bridge_keep(module->module, module->descriptions, module->description_count);
	if (module->options.stops)
		wm_record_event_words(module->module, module->options.event_words);
	if (module->options.context_limit)
		wm_record_limit(
			module->module, "__waymark_context_limit", module->options.context_limit);
	if (module->options.trace_ring)
		wm_record_limit(module->module, "__waymark_trace_ring", module->options.trace_ring);
	if (module->options.meters.count)
		wm_meter_events_write(module->module, &module->options.meters);
	if (wm_meters_have(&module->options.meters, WM_METER_PERF) ||
		wm_meters_have(&module->options.meters, WM_METER_SIM))
		wm_sim_accesses_write_shapes(module->module, &module->options.sim);
	if (module->options.file)
		wm_record_file_name(module->module, module->options.file);
}

bool wm_instrument_module(
	LLVMModuleRef handle, wm_bridge_open open, wm_bridge_close close, void *context)
{
	struct wm_module module = {.module = handle};
	struct wm_arena arena = {0}, function_arena = {0};
	struct wm_error error;
	if (!wm_select_target(handle))
		return false;
	if (wm_plugin_options_parse(&arena, getenv("WAYMARK_OPTIONS"), &module.options, &error)) {
		wm_complain(handle, WM_COMPLAINT_ERROR, "%s", error.text);
		wm_arena_reset(&arena);
		return false;
	}
	wm_knowledge_open(&arena, handle, &module.options, &module.knowledge);
	module.mode = wm_mode_of(&module.options);
	module.in_segment = uses_segment(handle, &module.options);
	module.descriptions =
		wm_arena_alloc(&arena, 2 * count_functions(handle), sizeof(LLVMValueRef));
	module.contexts.arena = &arena;
	module.inner.arena = &arena;
	bool left_alone = wm_asm_goto_mark(handle, module.options.early);
	if (!wm_segments_inline(handle, &module.options, open, close, context)) {
		wm_arena_reset(&arena);
		return false;
	}
	wm_texts_read(&arena, handle, &module.texts);
	wm_pseudo_functions_read(&arena, handle, &module.pseudo_functions);
	uint32_t count;
	LLVMValueRef *functions = wm_callee_order(
		&arena, handle, module.options.measure.quantity == WM_QUANTITY_TRACE, &count);
	for (uint32_t i = 0; i < count; i++) {
		LLVMValueRef f = functions[i];
		wm_user_marks_answer(f, &module.options.events);
		if (!wm_select_function(handle, f, &module.options)) {
			wm_key_list_add_code(&module.uncounted, f);
			wm_marks_remove(f);
			wm_user_marks_remove(f);
			continue;
		}
		struct wm_bridge *bridge = open(context, f);
		if (module.options.optimize)
			wm_function_optimize(&module, &function_arena, bridge, f);
		else
			wm_function_instrument(&module, &function_arena, bridge, f);
		close(context, bridge);
		wm_arena_reset(&function_arena);
	}
	if (module.options.contexts)
		wm_contexts_finish(handle, &module.contexts);
	wm_inner_entries_finish(handle, &module.inner);
	wm_user_marks_forget(handle);
	wm_key_list_write(&module.uncounted, handle, WM_UNCOUNTED_MAGIC);
	wm_knowledge_close(&module.knowledge, module.description_count > 0);
	if (module.description_count > 0)
		finish(&module, left_alone);
	wm_arena_reset(&arena);
	if (module.options.optimize)
		wm_bridge_remove_globals(handle, "__waymark");
	return module.description_count > 0 || module.options.optimize;
}

bool wm_instrument_finish(
	LLVMModuleRef module, wm_bridge_open open, wm_bridge_close close, void *context)
{
	LLVMValueRef placeholder = wm_placeholder_function_in(module);
	struct wm_plugin_options options = {0};
	struct wm_arena arena = {0};
	if (!placeholder)
		return false;
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		if (LLVMIsDeclaration(f))
			continue;
		struct wm_bridge *bridge = open(context, f);
		wm_placeholders_replace(&arena, bridge, &options, f);
		close(context, bridge);
		wm_arena_reset(&arena);
	}
	LLVMDeleteFunction(placeholder);
	return true;
}
