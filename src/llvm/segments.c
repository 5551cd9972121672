/* Calls are ranked by how often they are expected to run, for each instruction that crossing them
 * adds, and crossed until the module has grown as far as it may. Then comes the next depth: the
 * calls in the code that was put in. */
#include "llvm/segments.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "core/base/arena.h"
#include "format/segment_sites.h"
#include "llvm/bridge/inline.h"
#include "llvm/complain.h"
#include "llvm/select.h"
#include "llvm/tuning.h"

struct candidate {
	LLVMValueRef call, callee;
	double value; /* expected executions for each instruction that is added */
	size_t order, size;
};

/* A callee and its copy. */
struct copy {
	LLVMValueRef function, copy;
};

struct inliner {
	struct wm_arena arena;
	LLVMModuleRef module;
	const struct wm_plugin_options *options;
	struct wm_segment_sites sites;
	size_t room; /* instructions that may still be added */
	size_t candidate_count, candidate_capacity;
	struct candidate *candidates;
	size_t copy_count, copy_capacity;
	struct copy *copies;
};

static LLVMValueRef callee_of(LLVMValueRef instruction)
{
	if (!LLVMIsACallInst(instruction) && !LLVMIsAInvokeInst(instruction))
		return NULL;
	LLVMValueRef callee = LLVMGetCalledValue(instruction);
	return LLVMIsAFunction(callee) && !LLVMGetIntrinsicID(callee) ? callee : NULL;
}

static char *place_of(struct wm_arena *arena, const struct wm_location *location)
{
	bool absolute = location->file_bytes && location->file[0] == '/';
	size_t folder = absolute ? 0 : location->directory_bytes + (location->directory_bytes > 0);
	char *path = wm_arena_alloc(arena, folder + location->file_bytes + 1, 1);
	if (folder) {
		memcpy(path, location->directory, location->directory_bytes);
		path[location->directory_bytes] = '/';
	}
	memcpy(path + folder, location->file, location->file_bytes);
	return path;
}

/* The site that names the call, or NULL. */
static const struct wm_segment_site *site_of(
	struct inliner *inliner, LLVMValueRef call, const char *callee)
{
	struct wm_arena scratch = {0};
	struct wm_location location;
	bool known = wm_bridge_location(call, &location);
	const char *path = known ? place_of(&scratch, &location) : "";
	const struct wm_segment_site *found = NULL;
	for (size_t i = 0; i < inliner->sites.count && !found; i++)
		if (wm_segment_site_fits(
			    &inliner->sites.sites[i], path, known ? location.line : 0, callee))
			found = &inliner->sites.sites[i];
	wm_arena_reset(&scratch);
	return found;
}

/* Why a call that is wanted cannot be crossed; NULL if it can. */
static const char *obstacle(struct inliner *inliner, LLVMValueRef call, LLVMValueRef callee,
	const struct wm_segment_site *site)
{
	bool is_named = site->file || site->callee;
	const char *obstacle = wm_inline_obstacle(call, callee, is_named);
	if (!obstacle && !wm_select_will_count(inliner->module, callee, inliner->options))
		obstacle = "it is not counted";
	if (!obstacle && !wm_inline_chooses(callee))
		obstacle = "there is one path through it only";
	return obstacle;
}

static void add(struct inliner *inliner, LLVMValueRef call, LLVMValueRef callee, double frequency)
{
	size_t bytes, size = wm_inline_size(callee);
	const char *name = LLVMGetValueName2(callee, &bytes);
	const struct wm_segment_site *site = site_of(inliner, call, name);
	if (!site)
		return;
	const char *why = obstacle(inliner, call, callee, site);
	if (why) {
		if (site->is_named)
			wm_complain(inliner->module, WM_COMPLAINT_WARNING,
				"segments: the call of '%s' in %s:%u cannot be crossed: %s", name,
				site->file, site->line, why);
		return;
	}
	inliner->candidates =
		wm_arena_grow(&inliner->arena, inliner->candidates, inliner->candidate_count,
			&inliner->candidate_capacity, sizeof *inliner->candidates);
	inliner->candidates[inliner->candidate_count] = (struct candidate){call, callee,
		site->is_named ? 1e30 : frequency / (double)(size + 1), inliner->candidate_count,
		size};
	inliner->candidate_count++;
}

static void add_calls_of_block(
	struct inliner *inliner, struct wm_bridge *bridge, LLVMBasicBlockRef block)
{
	double frequency = wm_bridge_block_frequency(bridge, block);
	for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
		LLVMValueRef callee = callee_of(i);
		if (callee && !LLVMIsDeclaration(callee))
			add(inliner, i, callee, frequency);
	}
}

static int by_value(const void *left, const void *right)
{
	const struct candidate *a = left, *b = right;
	if (a->value != b->value)
		return a->value > b->value ? -1 : 1;
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
 * of candidates, so their callees have copies. */
static void cross(struct inliner *inliner, LLVMValueRef call, LLVMValueRef callee, unsigned depth)
{
	enum { MAX_INNER = 256 };
	LLVMValueRef copy = find_copy(inliner, callee);
	size_t size = copy ? wm_inline_size(copy) : 0;
	if (!copy || size > inliner->room)
		return;
	LLVMValueRef *inner = wm_arena_alloc(&inliner->arena, MAX_INNER, sizeof *inner);
	long count = wm_inline_call(call, copy, inner, MAX_INNER);
	if (count < 0)
		return;
	inliner->room -= size;
	for (long i = 0; i < count && depth < inliner->sites.depth; i++) {
		LLVMValueRef next = callee_of(inner[i]);
		size_t bytes;
		const struct wm_segment_site *site =
			next && !LLVMIsDeclaration(next)
				? site_of(inliner, inner[i], LLVMGetValueName2(next, &bytes))
				: NULL;
		if (site && !obstacle(inliner, inner[i], next, site))
			cross(inliner, inner[i], next, depth + 1);
	}
}

static void find_candidates(struct inliner *inliner, wm_bridge_open open, wm_bridge_close close,
	void *context, size_t *size)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(inliner->module); f;
		f = LLVMGetNextFunction(f)) {
		if (!wm_select_will_count(inliner->module, f, inliner->options))
			continue;
		struct wm_bridge *bridge = open(context, f);
		*size += wm_inline_size(f);
		for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
			block = LLVMGetNextBasicBlock(block))
			add_calls_of_block(inliner, bridge, block);
		close(context, bridge);
	}
}

/* What was known of the functions is of their code before. */
static void forget(
	struct inliner *inliner, wm_bridge_open open, wm_bridge_close close, void *context)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(inliner->module); f;
		f = LLVMGetNextFunction(f)) {
		if (LLVMIsDeclaration(f))
			continue;
		struct wm_bridge *bridge = open(context, f);
		wm_bridge_forget(bridge);
		close(context, bridge);
	}
}

bool wm_segments_inline(LLVMModuleRef module, const struct wm_plugin_options *options,
	wm_bridge_open open, wm_bridge_close close, void *context)
{
	struct inliner inliner = {.module = module, .options = options};
	struct wm_error error;
	size_t size = 0;
	if (!options->segments)
		return true;
	if (wm_segment_sites_parse(&inliner.arena, options->segments, &inliner.sites, &error) < 0) {
		wm_complain(module, WM_COMPLAINT_ERROR, "%s", error.text);
		wm_arena_reset(&inliner.arena);
		return false;
	}
	find_candidates(&inliner, open, close, context, &size);
	inliner.room = size * WM_SEGMENTS_GROWTH_PERCENT / 100 + WM_SEGMENTS_MIN_GROWTH;
	if (inliner.candidate_count > 0)
		qsort(inliner.candidates, inliner.candidate_count, sizeof *inliner.candidates,
			by_value);
	for (size_t i = 0; i < inliner.candidate_count; i++)
		make_copy(&inliner, inliner.candidates[i].callee);
	for (size_t i = 0; i < inliner.candidate_count; i++)
		cross(&inliner, inliner.candidates[i].call, inliner.candidates[i].callee, 1);
	for (size_t i = 0; i < inliner.copy_count; i++)
		wm_inline_drop_copy(inliner.copies[i].copy);
	if (inliner.candidate_count > 0)
		forget(&inliner, open, close, context);
	wm_arena_reset(&inliner.arena);
	return true;
}
