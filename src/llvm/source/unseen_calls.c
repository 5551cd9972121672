/* A call is seen if the code holds a call that belongs to its block, or a copy that was made for
 * it; and the copy must not be of text that can run without being seen at all. */
#include "llvm/source/unseen_calls.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/none.h"

struct finder {
	struct wm_copies *copies;
	struct wm_statements *statements;
	struct wm_copy_block *calls; /* blocks of text with a call in the code, in order */
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

static void list_calls(struct finder *finder)
{
	struct wm_copies *copies = finder->copies;
	finder->calls = wm_arena_alloc(copies->arena, copies->point_count, sizeof *finder->calls);
	for (size_t i = 0; i < copies->point_count; i++) {
		uint32_t count;
		const struct wm_copy_block *chain =
			wm_copies_chain(copies, copies->points[i].instruction, &count);
		if (chain)
			finder->calls[finder->call_count++] = chain[0];
	}
	if (finder->call_count)
		qsort(finder->calls, finder->call_count, sizeof *finder->calls, compare_blocks);
}

static bool may_vanish(const struct wm_copy *copy)
{
	return wm_hidden_may_vanish(copy->search);
}

/* How many copies were made for calls of that function in the block. */
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
		count++;
		*certain &= copy->sight_count && !copy->is_mixed && !may_vanish(copy);
	}
	return count;
}

static bool is_seen(const struct finder *finder, struct wm_copy_block at,
	const struct wm_source_call *calls, uint32_t call_count, const char *callee)
{
	uint32_t wanted = 0;
	bool certain;
	for (uint32_t i = 0; i < call_count; i++)
		wanted += strcmp(calls[i].callee, callee) == 0;
	uint32_t inlined = count_inlined(finder, at, callee, &certain);
	if (!certain)
		return false;
	return inlined >= wanted || bsearch(&at, finder->calls, finder->call_count,
					    sizeof *finder->calls, compare_blocks);
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

static void reach(struct finder *finder, struct reached *reached, const char *name)
{
	const struct wm_text_graph *graph =
		wm_texts_with_name(finder->copies->texts, name, strlen(name));
	if (!graph || finder->looked_at[number_of(finder, graph)])
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
	for (uint32_t i = first; i < end; i++)
		if (source->calls[i].callee[0] && !is_seen(finder, at, source->calls + first,
							  end - first, source->calls[i].callee))
			reach(finder, &reached, source->calls[i].callee);
	for (size_t i = 0; i < reached.count; i++)
		for (uint32_t k = 0; k < reached.graphs[i]->source.call_count; k++)
			reach(finder, &reached, reached.graphs[i]->source.calls[k].callee);
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
