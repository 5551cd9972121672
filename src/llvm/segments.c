/* Calls are ranked by how often they run, for each instruction that crossing them adds, and crossed
 * until the module has grown as far as it may. Calls in the code that was put in come at once. */
#include "llvm/segments.h"

#include <stdlib.h>

#include <llvm-c/Core.h>

#include "core/base/arena.h"
#include "llvm/bridge/inline.h"
#include "llvm/complain.h"
#include "llvm/segment_calls.h"
#include "llvm/select.h"
#include "llvm/tuning.h"

/* A callee and its copy. */
struct copy {
	LLVMValueRef function, copy;
};

struct inliner {
	struct wm_arena arena;
	struct wm_segment_calls calls;
	size_t room; /* instructions that may still be added */
	size_t copy_count, copy_capacity;
	struct copy *copies;
	size_t tried, left_out;
	double executions, executions_left_out;
};

static double value_of(const struct wm_segment_call *call)
{
	return call->is_named ? 1e30 : call->executions / (double)(call->size + 1);
}

static int by_value(const void *left, const void *right)
{
	const struct wm_segment_call *a = left, *b = right;
	if (value_of(a) != value_of(b))
		return value_of(a) > value_of(b) ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

static LLVMValueRef find_copy(const struct inliner *inliner, LLVMValueRef function)
{
	for (size_t i = 0; i < inliner->copy_count; i++)
		if (inliner->copies[i].function == function)
			return inliner->copies[i].copy;
	return NULL;
}

static void make_copy(struct inliner *inliner, LLVMValueRef function)
{
	if (find_copy(inliner, function))
		return;
	inliner->copies = wm_arena_grow(&inliner->arena, inliner->copies, inliner->copy_count,
		&inliner->copy_capacity, sizeof *inliner->copies);
	inliner->copies[inliner->copy_count] = (struct copy){function, wm_inline_copy(function)};
	inliner->copy_count++;
}

/* Calls in the code that was put in are crossed at once, if they are not too deep. They are copies
 * of calls that have been looked at, so their callees have copies. */
static void cross(struct inliner *inliner, LLVMValueRef call, LLVMValueRef callee,
	double executions, unsigned depth)
{
	enum { MAX_INNER = 256 };
	LLVMValueRef copy = find_copy(inliner, callee);
	size_t size = copy ? wm_inline_size(copy) : 0;
	inliner->tried++;
	inliner->executions += executions;
	if (!copy || size > inliner->room) {
		inliner->left_out++;
		inliner->executions_left_out += executions;
		return;
	}
	LLVMValueRef *inner = wm_arena_alloc(&inliner->arena, MAX_INNER, sizeof *inner);
	long count = wm_inline_call(call, copy, inner, MAX_INNER);
	if (count < 0)
		return;
	inliner->room -= size;
	for (long i = 0; i < count && depth < inliner->calls.sites.depth; i++) {
		LLVMValueRef next;
		if (wm_segment_calls_wants(&inliner->calls, inner[i], &next))
			cross(inliner, inner[i], next, executions, depth + 1);
	}
}

static size_t find_calls(
	struct inliner *inliner, wm_bridge_open open, wm_bridge_close close, void *context)
{
	struct wm_segment_calls *calls = &inliner->calls;
	size_t size = 0;
	for (LLVMValueRef f = LLVMGetFirstFunction(calls->module); f; f = LLVMGetNextFunction(f)) {
		if (!wm_select_will_count(calls->module, f, calls->options))
			continue;
		struct wm_bridge *bridge = open(context, f);
		size += wm_inline_size(f);
		wm_segment_calls_add(calls, bridge, f);
		close(context, bridge);
	}
	return size;
}

/* What was known of the functions is of their code before. */
static void tidy(struct inliner *inliner, wm_bridge_open open, wm_bridge_close close, void *context)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(inliner->calls.module); f;
		f = LLVMGetNextFunction(f)) {
		if (LLVMIsDeclaration(f))
			continue;
		struct wm_bridge *bridge = open(context, f);
		wm_inline_tidy(f);
		wm_bridge_forget(bridge);
		close(context, bridge);
	}
}

static void cross_all(struct inliner *inliner)
{
	struct wm_segment_call *calls = inliner->calls.calls;
	size_t count = inliner->calls.count;
	qsort(calls, count, sizeof *calls, by_value);
	for (size_t i = 0; i < count; i++)
		make_copy(inliner, calls[i].callee);
	for (size_t i = 0; i < count; i++)
		cross(inliner, calls[i].call, calls[i].callee, calls[i].executions, 1);
	for (size_t i = 0; i < inliner->copy_count; i++)
		wm_inline_drop_copy(inliner->copies[i].copy);
}

/* Little that is left out is not worth a line. */
static void say_what_is_left_out(struct inliner *inliner)
{
	double percent = inliner->executions > 0
				 ? 100 * inliner->executions_left_out / inliner->executions
				 : 0;
	if (percent >= 1)
		wm_complain(inliner->calls.module, WM_COMPLAINT_WARNING,
			"segments: %zu of %zu calls are not crossed, %.0f%% of their executions: "
			"code would grow by more than %u%%; --segments-growth=PERCENT allows more",
			inliner->left_out, inliner->tried, percent,
			inliner->calls.options->segments_growth);
}

bool wm_segments_inline(LLVMModuleRef module, const struct wm_plugin_options *options,
	wm_bridge_open open, wm_bridge_close close, void *context)
{
	struct inliner inliner = {.calls = {.module = module, .options = options}};
	struct wm_segment_calls *calls = &inliner.calls;
	struct wm_error error;
	if (!options->segments)
		return true;
	calls->arena = &inliner.arena;
	if (wm_segment_sites_parse(calls->arena, options->segments, &calls->sites, &error) < 0) {
		wm_complain(module, WM_COMPLAINT_ERROR, "%s", error.text);
		wm_arena_reset(&inliner.arena);
		return false;
	}
	calls->found = wm_arena_alloc(calls->arena, calls->sites.count, sizeof *calls->found);
	calls->here = wm_arena_alloc(calls->arena, calls->sites.count, sizeof *calls->here);
	size_t size = find_calls(&inliner, open, close, context);
	inliner.room = size * options->segments_growth / 100 + WM_SEGMENTS_MIN_GROWTH;
	if (calls->count > 0) {
		cross_all(&inliner);
		tidy(&inliner, open, close, context);
	}
	wm_segment_calls_warn(calls);
	say_what_is_left_out(&inliner);
	wm_arena_reset(&inliner.arena);
	return true;
}
