/* A call is seen if the code holds a call that belongs to its block, or a copy that was made for
 * it; and the copy must not be of text that can run without being seen at all. */
#include "llvm/source/unseen_calls.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/none.h"
#include "llvm/subject/subject.h"

/* A call in the code, and the block of text that it belongs to. */
struct call {
	struct wm_copy_block at;
	const char *callee; /* NULL: through a pointer */
};

struct finder {
	struct wm_copies *copies;
	struct wm_statements *statements;
	struct call *calls; /* in the order of their blocks */
	size_t call_count;
	bool *looked_at; /* by text: already among those found */
};

static int compare_blocks(const void *left, const void *right)
{
	const struct wm_copy_block *a = left, *b = right;
	if (a->copy != b->copy)
		return a->copy < b->copy ? -1 : 1;
	return (a->block > b->block) - (a->block < b->block);
}

static int compare_calls(const void *left, const void *right)
{
	const struct call *a = left, *b = right;
	return compare_blocks(&a->at, &b->at);
}

static void list_calls(struct finder *finder)
{
	struct wm_copies *copies = finder->copies;
	finder->calls = wm_arena_alloc(copies->arena, copies->point_count, sizeof *finder->calls);
	for (size_t i = 0; i < copies->point_count; i++) {
		LLVMValueRef instruction = copies->points[i].instruction;
		uint32_t count;
		const struct wm_copy_block *chain = wm_copies_chain(copies, instruction, &count);
		if (!chain || !copies->points[i].is_call)
			continue;
		LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(instruction));
		finder->calls[finder->call_count++] =
			(struct call){chain[0], callee ? wm_subject_linker_name(callee) : NULL};
	}
	if (finder->call_count)
		qsort(finder->calls, finder->call_count, sizeof *finder->calls, compare_calls);
}

static uint32_t count_calls(
	const struct finder *finder, struct wm_copy_block at, const char *callee)
{
	size_t low = 0, high = finder->call_count;
	uint32_t count = 0;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (compare_blocks(&finder->calls[middle].at, &at) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < finder->call_count && !compare_blocks(&finder->calls[low].at, &at); low++)
		count += !finder->calls[low].callee ||
			 strcmp(finder->calls[low].callee, callee) == 0;
	return count;
}

static uint32_t count_sights(const struct wm_copies *copies, uint32_t number, uint32_t block)
{
	const struct wm_copy *copy = &copies->copies[number];
	uint32_t count = 0;
	for (uint32_t i = 0; i < copy->sight_count; i++)
		count += copies->sights[copies->by_copy[copy->first_sight + i]].block == block;
	return count;
}

static bool may_vanish(const struct wm_copy *copy)
{
	return wm_hidden_may_come_to(copy->search, copy->graph->source.block_count);
}

/* How often copies that were made for calls of that function in the block are entered in the code.
 */
static uint32_t count_inlined(
	const struct finder *finder, struct wm_copy_block at, const char *callee, bool *certain)
{
	uint32_t count = 0;
	*certain = true;
	for (uint32_t i = 0; i < finder->copies->count; i++) {
		const struct wm_copy *copy = &finder->copies->copies[i];
		if (copy->parent != at.copy || copy->call_block != at.block || !copy->graph ||
			strcmp(copy->graph->source.name, callee) != 0)
			continue;
		count += count_sights(finder->copies, i, 0);
		*certain &= copy->sight_count && !copy->is_mixed && !may_vanish(copy);
	}
	return count;
}

/* Each time that the block is seen, so must be its calls. */
static bool is_seen(const struct finder *finder, struct wm_copy_block at,
	const struct wm_source_call *calls, uint32_t call_count, const char *callee, bool *lost)
{
	uint32_t wanted = 0;
	bool certain;
	for (uint32_t i = 0; i < call_count; i++)
		wanted += strcmp(calls[i].callee, callee) == 0;
	uint32_t sights = count_sights(finder->copies, at.copy, at.block);
	uint32_t seen =
		count_inlined(finder, at, callee, &certain) + count_calls(finder, at, callee);
	*lost = !certain;
	return certain && seen >= (uint64_t)wanted * (sights ? sights : 1);
}

/* The place in the list of texts. */
static size_t number_of(const struct finder *finder, const struct wm_text_graph *graph)
{
	const struct wm_texts *texts = finder->copies->texts;
	struct wm_text_graph **at = texts->by_key;
	size_t low = 0, high = texts->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (at[middle]->source.key < graph->source.key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct reached {
	size_t count, capacity;
	const struct wm_text_graph **graphs;
};

/* Without a trace only text can run that has nothing in it that leaves one. */
static void reach(
	struct finder *finder, struct reached *reached, const char *name, bool leaves_traces)
{
	const struct wm_text_graph *graph =
		wm_texts_with_name(finder->copies->texts, name, strlen(name));
	if (!graph || (!graph->may_vanish && !leaves_traces) ||
		finder->looked_at[number_of(finder, graph)])
		return;
	finder->looked_at[number_of(finder, graph)] = true;
	reached->graphs = wm_arena_grow(finder->copies->arena, reached->graphs, reached->count,
		&reached->capacity, sizeof *reached->graphs);
	reached->graphs[reached->count++] = graph;
}

/* What the unseen calls of the block may have run. */
static struct reached reach_from(struct finder *finder, struct wm_copy_block at)
{
	const struct wm_source *source = &finder->copies->copies[at.copy].graph->source;
	struct reached reached = {0};
	uint32_t first = 0, end;
	while (first < source->call_count && source->calls[first].block < at.block)
		first++;
	for (end = first; end < source->call_count && source->calls[end].block == at.block;)
		end++;
	for (uint32_t i = first; i < end; i++) {
		const char *callee = source->calls[i].callee;
		bool lost;
		if (callee[0] &&
			!is_seen(finder, at, source->calls + first, end - first, callee, &lost))
			reach(finder, &reached, callee, lost);
	}
	for (size_t i = 0; i < reached.count; i++)
		for (uint32_t k = 0; k < reached.graphs[i]->source.call_count; k++)
			reach(finder, &reached, reached.graphs[i]->source.calls[k].callee, false);
	for (size_t i = 0; i < reached.count; i++)
		finder->looked_at[number_of(finder, reached.graphs[i])] = false;
	return reached;
}

static int compare_statements(const void *left, const void *right)
{
	const struct wm_statement *a = left, *b = right;
	if (a->copy != b->copy)
		return a->copy < b->copy ? -1 : 1;
	if (a->witness.block != b->witness.block)
		return a->witness.block < b->witness.block ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

static bool runs(const struct finder *finder, const struct wm_statement *statement)
{
	return statement->copy != WM_NONE && statement->witness.kind <= WM_WITNESS_AT_LEAST &&
	       statement->witness.block <
		       finder->copies->copies[statement->copy].graph->source.block_count;
}

void wm_unseen_calls_open(struct wm_copies *copies, struct wm_statements *statements)
{
	struct finder finder = {.copies = copies, .statements = statements};
	size_t count = statements->count;
	finder.looked_at = wm_arena_alloc(copies->arena, copies->texts->count, sizeof(bool));
	list_calls(&finder);
	if (count)
		qsort(statements->statements, count, sizeof *statements->statements,
			compare_statements);
	struct reached reached = {0};
	for (size_t i = 0; i < count; i++) {
		const struct wm_statement *at = &statements->statements[i];
		if (!runs(&finder, at))
			continue;
		if (i == 0 || at[-1].copy != at->copy ||
			at[-1].witness.block != at->witness.block || !runs(&finder, at - 1))
			reached = reach_from(
				&finder, (struct wm_copy_block){at->copy, at->witness.block});
		uint32_t place = at->witness.place;
		for (size_t k = 0; k < reached.count; k++)
			wm_statements_open_text(statements, place, reached.graphs[k]);
	}
}
