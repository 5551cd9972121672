/* What one function goes through in the plug-in.
 *
 * - Subject: the code is prepared (setjmp ends a block, classic paths copy first iterations) and
 *   captured as a graph with the place of every edge. The graph is described by source lines and
 *   weighed by what the compiler expects or an earlier profile tells.
 * - Plan: the mode chooses probes by their cost in this subject. Where it cannot plan the function,
 *   the mode that it names instead does.
 * - Describe: graph and plan become one description, encoded once.
 * - Record: description and counters become globals of the module.
 * - Lower: probes become steps, and the steps become code.
 *
 * Each step takes what the one before it made; nothing goes back. */
#include "llvm/function.h"

#include <llvm-c/Comdat.h>
#include <llvm-c/Core.h>

#include "llvm/complain.h"
#include "llvm/emit/announce.h"
#include "llvm/emit/contexts.h"
#include "llvm/emit/record.h"
#include "llvm/mode/events_calls.h"
#include "llvm/mode/mark_sums.h"
#include "llvm/select.h"
#include "llvm/subject/user_marks.h"

/* A body that the compiler may use or drop in favour of one elsewhere: whether it runs depends on
 * inlining. If it is made our own, it is always the one that runs. The language promises that both
 * are the same. */
static void take_over_external_copy(LLVMModuleRef module, LLVMValueRef function)
{
	size_t bytes;
	if (LLVMGetLinkage(function) != LLVMAvailableExternallyLinkage)
		return;
	LLVMSetLinkage(function, LLVMLinkOnceODRLinkage);
	LLVMSetComdat(function, LLVMGetOrInsertComdat(module, LLVMGetValueName2(function, &bytes)));
}

/* Returns the answer of the last mode that was asked, and stores that mode. */
static int plan(const struct wm_subject *subject, const struct wm_mode **mode, void **plan,
	struct wm_error *error)
{
	int status = (*mode)->functions->plan(*mode, subject, plan, error);
	while (status < 0 && (*mode)->otherwise) {
		*mode = (*mode)->otherwise;
		status = (*mode)->functions->plan(*mode, subject, plan, error);
	}
	return status;
}

/* Before the optimiser, an increment that may leave its loop may also pass a call, which no running
 * sum allows. */
static bool stays_in_place(const struct wm_mode *mode, const struct wm_plugin_options *options)
{
	bool sums = mode->measure.quantity == WM_QUANTITY_EVENTS;
	return mode->is_oracle || (sums && (options->early || options->fresh || options->stops));
}

/* Whether marks have counters of their own: a build that sums events knows theirs. */
static bool counts_blocks(const struct wm_mode *mode)
{
	enum wm_quantity quantity = mode->measure.quantity;
	return quantity == WM_QUANTITY_BLOCKS || quantity == WM_QUANTITY_EDGES ||
	       quantity == WM_QUANTITY_PATHS;
}

/* *counter_count are all but the last counter, that of contexts. */
static struct wm_function describe(const struct wm_module *module, const struct wm_mode *mode,
	const struct wm_subject *subject, const void *plan, uint32_t *counter_count)
{
	struct wm_function described = subject->described;
	described.counter_count = mode->functions->describe(mode, subject, plan, 0, &described);
	if (counts_blocks(mode))
		wm_mark_sums_describe(subject, &described);
	*counter_count = described.counter_count;
	if (module->options.contexts)
		wm_contexts_describe(&described);
	return described;
}

static LLVMValueRef record(struct wm_module *module, const struct wm_subject *subject,
	struct wm_function *described)
{
	return wm_record_function(subject->arena, module->module, subject->capture->function,
		described, module->in_segment ? WM_SEGMENT_SPACE : 0,
		&module->descriptions[module->description_count++]);
}

/* Calls have counters of their own, so a record of their own. */
static void measure_calls(struct wm_module *module, const struct wm_mode *mode,
	const struct wm_subject *subject, struct wm_lowerer *lowerer)
{
	const struct wm_inclusive_section *section =
		wm_events_calls_describe(subject, mode->measure);
	struct wm_function described = subject->described;
	if (!section)
		return;
	described.inclusive = section;
	described.counter_count = section->head.counter_count;
	wm_events_calls_lower(lowerer, section, record(module, subject, &described));
}

/* Else the mode's counters are for all contexts together. */
static bool counts_in_record(
	const struct wm_module *module, const struct wm_mode *mode, uint32_t counter_count)
{
	return module->options.contexts && mode->functions == &wm_counters_mode &&
	       !module->options.inclusive && wm_contexts_have_cells(counter_count);
}

static struct wm_subject subject_of(
	struct wm_module *module, struct wm_arena *arena, struct wm_bridge *bridge)
{
	return (struct wm_subject){.arena = arena,
		.bridge = bridge,
		.module = module->module,
		.options = &module->options,
		.knowledge = &module->knowledge,
		.texts = &module->texts,
		.inner = &module->inner,
		.pseudo_functions = &module->pseudo_functions};
}

void wm_function_optimize(struct wm_module *module, struct wm_arena *arena,
	struct wm_bridge *bridge, LLVMValueRef function)
{
	struct wm_subject subject = subject_of(module, arena, bridge);
	wm_subject_make(&subject, function, false);
	if (subject.prior && subject.prior->block)
		wm_bridge_set_entry_count(function, subject.prior->block[0]);
	wm_user_marks_remove(function);
}

void wm_function_instrument(struct wm_module *module, struct wm_arena *arena,
	struct wm_bridge *bridge, LLVMValueRef function)
{
	const struct wm_mode *mode = module->mode;
	struct wm_error error;
	void *made = NULL;
	struct wm_subject subject = subject_of(module, arena, bridge);
	wm_subject_make(&subject, function, stays_in_place(mode, &module->options));
	int status = plan(&subject, &mode, &made, &error);
	if (status < 0)
		wm_complain(module->module, WM_COMPLAINT_WARNING,
			"function '%s' is not profiled: %s", subject.described.name, error.text);
	if (status != WM_PLAN_MADE) {
		if (subject.described.source)
			wm_key_list_add(&module->uncounted, subject.described.source->keys,
				subject.described.source->key_count);
		wm_user_marks_remove(function);
		return;
	}
	uint32_t counter_count;
	struct wm_function described = describe(module, mode, &subject, made, &counter_count);
	LLVMValueRef counters = record(module, &subject, &described);
	subject.described.hash = described.hash;
	bool in_record = counts_in_record(module, mode, counter_count);
	struct wm_lowerer *lowerer =
		wm_lowerer_open(&subject, counters, module->in_segment && !in_record);
	lowerer->in_record = in_record;
	mode->functions->lower(lowerer, made);
	wm_mark_sums_lower(lowerer, &described);
	if (module->options.inclusive)
		measure_calls(module, mode, &subject, lowerer);
	wm_lowerer_close(lowerer);
	if (mode->functions->finish)
		mode->functions->finish(lowerer, made);
	wm_user_marks_remove(function);
	if (module->options.contexts)
		wm_contexts_write(
			&subject, counters, counter_count, lowerer->record, &module->contexts);
	wm_announce_endings(module->module, function);
	take_over_external_copy(module->module, function);
	wm_select_mark_done(function);
}
