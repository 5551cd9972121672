/* Each edge to EXIT inside a call, to EXIT behind a call that never comes back, and to a landing
 * pad leaves the copies around it. */
#include "llvm/source/endings.h"

#include <stdlib.h>

#include "core/base/none.h"

struct chain {
	uint32_t count;
	const struct wm_copy_block *steps;
};

struct finder {
	struct wm_copies *copies;
	struct wm_statements *statements;
	struct wm_endings *endings;
};

static void end(struct finder *finder, uint32_t edge, struct wm_copy_block step)
{
	struct wm_endings *endings = finder->endings;
	endings->endings = wm_arena_grow(finder->copies->arena, endings->endings, endings->count,
		&endings->capacity, sizeof *endings->endings);
	endings->endings[endings->count++] = (struct wm_ending){edge, step.copy, step.block};
}

static void leave(
	struct finder *finder, uint32_t edge, struct wm_copy_block step, enum wm_witness_kind kind)
{
	if (finder->copies->copies[step.copy].graph)
		wm_statements_add(finder->statements, finder->copies->capture->block_count + edge,
			step.copy, kind, step.block);
	end(finder, edge, step);
}

/* Which copies are left there is not known. */
static void open_all(struct finder *finder, uint32_t edge)
{
	for (uint32_t i = 0; i < finder->copies->count; i++)
		if (finder->copies->copies[i].graph)
			wm_statements_open_text(finder->statements,
				finder->copies->capture->block_count + edge,
				finder->copies->copies[i].graph);
}

static bool is_in(const struct chain *chain, struct wm_copy_block step)
{
	for (uint32_t i = 0; i < chain->count; i++)
		if (chain->steps[i].copy == step.copy && chain->steps[i].block == step.block)
			return true;
	return false;
}

/* With several places at which control may end, only what is around all of them is left for sure.
 */
static void end_in_call(struct finder *finder, uint32_t edge)
{
	struct wm_copies *copies = finder->copies;
	uint32_t place = copies->capture->cfg->source[edge];
	uint32_t first = copies->first_point[place], last = copies->first_point[place + 1],
		 count = 0;
	struct chain *chains = wm_arena_alloc(copies->arena, (size_t)last - first, sizeof *chains);
	for (uint32_t i = first; i < last; i++) {
		if (!copies->points[i].may_end)
			continue;
		struct chain *chain = &chains[count++];
		chain->steps =
			wm_copies_chain(copies, copies->points[i].instruction, &chain->count);
		if (!chain->steps) {
			open_all(finder, edge);
			for (uint32_t k = 0; k < copies->count; k++)
				end(finder, edge, (struct wm_copy_block){k, WM_NONE});
			return;
		}
	}
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < chains[i].count; k++) {
			uint32_t before = 0, with = 0;
			for (uint32_t j = 0; j < count; j++) {
				bool holds = is_in(&chains[j], chains[i].steps[k]);
				with += holds;
				before += holds && j < i;
			}
			if (!before)
				leave(finder, edge, chains[i].steps[k],
					with == count ? WM_WITNESS_LEFT : WM_WITNESS_MAY_LEFT);
		}
}

static bool ends_text(const struct wm_text_graph *graph, uint32_t block)
{
	for (uint32_t i = graph->first[block]; i < graph->first[block + 1]; i++)
		if (graph->successor[i] == graph->source.block_count)
			return true;
	return false;
}

/* The last call never comes back. Where the text says so, too, it ends there by itself. */
static void end_behind_call(struct finder *finder, uint32_t edge)
{
	struct wm_copies *copies = finder->copies;
	uint32_t place = copies->capture->cfg->source[edge], count;
	LLVMValueRef call = NULL;
	for (uint32_t i = copies->first_point[place]; i < copies->first_point[place + 1]; i++)
		call = copies->points[i].instruction;
	if (!call)
		return;
	const struct wm_copy_block *chain = wm_copies_chain(copies, call, &count);
	if (!chain) {
		open_all(finder, edge);
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct wm_text_graph *graph = copies->copies[chain[i].copy].graph;
		if (i == 0 && graph && ends_text(graph, chain[i].block))
			continue;
		leave(finder, edge, chain[i], WM_WITNESS_LEFT);
	}
}

static LLVMValueRef landing_pad_of(LLVMBasicBlockRef block)
{
	LLVMValueRef at = LLVMGetFirstInstruction(block);
	while (LLVMIsAPHINode(at))
		at = LLVMGetNextInstruction(at);
	return LLVMIsALandingPadInst(at) ? at : NULL;
}

/* An exception passes through all copies up to the one that catches it. */
static void end_by_exception(struct finder *finder, uint32_t edge)
{
	struct wm_copies *copies = finder->copies;
	const struct wm_site *site = &copies->capture->sites[edge];
	LLVMValueRef invoke = LLVMGetBasicBlockTerminator(site->source);
	LLVMValueRef pad = landing_pad_of(site->target);
	uint32_t count, catcher = wm_copies_of(copies, pad), depth = 0;
	const struct wm_copy_block *chain = wm_copies_chain(copies, invoke, &count);
	while (chain && depth < count && chain[depth].copy != catcher)
		depth++;
	if (!chain || depth == count) {
		open_all(finder, edge);
		return;
	}
	for (uint32_t i = 0; i < depth; i++)
		leave(finder, edge, chain[i], WM_WITNESS_LEFT);
}

static int compare_endings(const void *left, const void *right)
{
	const struct wm_ending *a = left, *b = right;
	if (a->edge != b->edge)
		return a->edge < b->edge ? -1 : 1;
	return (a->copy > b->copy) - (a->copy < b->copy);
}

void wm_endings_find(
	struct wm_copies *copies, struct wm_statements *statements, struct wm_endings *endings)
{
	struct finder finder = {copies, statements, endings};
	const struct wm_capture *capture = copies->capture;
	*endings = (struct wm_endings){0};
	for (uint32_t edge = 0; edge < capture->cfg->edge_count; edge++) {
		const struct wm_site *site = &capture->sites[edge];
		if (site->kind == WM_SITE_ABANDONED)
			end_in_call(&finder, edge);
		else if (site->kind == WM_SITE_NO_RETURN)
			end_behind_call(&finder, edge);
		else if (site->source && site->target && landing_pad_of(site->target))
			end_by_exception(&finder, edge);
	}
	if (endings->count)
		qsort(endings->endings, endings->count, sizeof *endings->endings, compare_endings);
}

bool wm_endings_has(const struct wm_endings *endings, uint32_t edge, uint32_t copy)
{
	struct wm_ending wanted = {edge, copy, WM_NONE};
	return endings->count && bsearch(&wanted, endings->endings, endings->count,
					 sizeof *endings->endings, compare_endings);
}
