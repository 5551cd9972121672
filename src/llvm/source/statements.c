#include "llvm/source/statements.h"

#include <stdlib.h>

#include "core/base/none.h"

/* Keys are few, and those that were added last are asked for most. */
static uint32_t number_of_key(struct wm_statements *statements, uint64_t key)
{
	for (size_t i = statements->key_count; i-- > 0;)
		if (statements->keys[i] == key)
			return (uint32_t)i;
	statements->keys = wm_arena_grow(statements->arena, statements->keys, statements->key_count,
		&statements->key_capacity, sizeof *statements->keys);
	statements->keys[statements->key_count] = key;
	return (uint32_t)statements->key_count++;
}

void wm_statements_open(
	struct wm_arena *arena, const struct wm_copies *copies, struct wm_statements *statements)
{
	const struct wm_text_graph *own = copies->copies[0].graph;
	*statements = (struct wm_statements){.arena = arena, .copies = copies};
	number_of_key(statements, own ? own->source.key : 0);
}

static void add(struct wm_statements *statements, uint32_t place, uint32_t copy,
	enum wm_witness_kind kind, uint64_t key, uint32_t block)
{
	statements->statements = wm_arena_grow(statements->arena, statements->statements,
		statements->count, &statements->capacity, sizeof *statements->statements);
	statements->statements[statements->count] =
		(struct wm_statement){{place, kind, number_of_key(statements, key), block}, copy,
			(uint32_t)statements->count};
	statements->count++;
}

void wm_statements_add(struct wm_statements *statements, uint32_t place, uint32_t copy,
	enum wm_witness_kind kind, uint32_t block)
{
	add(statements, place, copy, kind, statements->copies->copies[copy].graph->source.key,
		block);
}

void wm_statements_open_text(
	struct wm_statements *statements, uint32_t place, const struct wm_text_graph *graph)
{
	add(statements, place, WM_NONE, WM_WITNESS_REPEATED, graph->source.key,
		graph->source.block_count);
}

void wm_statements_add_outcome(struct wm_statements *statements, uint32_t place, uint32_t position,
	uint32_t copy, const struct wm_hidden_decision *decision)
{
	const struct wm_source *source = &statements->copies->copies[copy].graph->source;
	const struct wm_source_branch *branch = wm_source_branch_of(source, decision->block);
	bool has_arm = false;
	for (uint32_t i = 0; branch && i < branch->arm_count; i++)
		has_arm |= branch->arms[i].target == decision->target;
	if (!has_arm)
		return;
	statements->outcomes =
		wm_arena_grow(statements->arena, statements->outcomes, statements->outcome_count,
			&statements->outcome_capacity, sizeof *statements->outcomes);
	statements->outcomes[statements->outcome_count] = (struct wm_stated_outcome){
		{place, number_of_key(statements, source->key), decision->block, decision->target},
		position, statements->copies->copies[copy].depth,
		(uint32_t)statements->outcome_count};
	statements->outcome_count++;
}

static int compare_statements(const void *left, const void *right)
{
	const struct wm_statement *a = left, *b = right;
	if (a->witness.place != b->witness.place)
		return a->witness.place < b->witness.place ? -1 : 1;
	if (a->witness.source != b->witness.source)
		return a->witness.source < b->witness.source ? -1 : 1;
	if (a->witness.block != b->witness.block)
		return a->witness.block < b->witness.block ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

static bool repeats(const struct wm_witness *before, const struct wm_witness *witness)
{
	return witness->kind == WM_WITNESS_REPEATED && before->kind == WM_WITNESS_REPEATED &&
	       before->place == witness->place && before->source == witness->source &&
	       before->block == witness->block;
}

/* What inner copies decide comes first. */
static int compare_outcomes(const void *left, const void *right)
{
	const struct wm_stated_outcome *a = left, *b = right;
	if (a->outcome.place != b->outcome.place)
		return a->outcome.place < b->outcome.place ? -1 : 1;
	if (a->position != b->position)
		return a->position < b->position ? -1 : 1;
	if (a->depth != b->depth)
		return a->depth > b->depth ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

static void close_outcomes(struct wm_statements *statements, struct wm_source_section *section)
{
	size_t count = statements->outcome_count;
	if (count)
		qsort(statements->outcomes, count, sizeof *statements->outcomes, compare_outcomes);
	section->outcomes = wm_arena_alloc(statements->arena, count, sizeof *section->outcomes);
	for (size_t i = 0; i < count; i++)
		section->outcomes[i] = statements->outcomes[i].outcome;
	section->outcome_count = (uint32_t)count;
}

const struct wm_source_section *wm_statements_close(struct wm_statements *statements)
{
	struct wm_source_section *section = wm_arena_alloc(statements->arena, 1, sizeof *section);
	if (statements->count)
		qsort(statements->statements, statements->count, sizeof *statements->statements,
			compare_statements);
	section->witnesses =
		wm_arena_alloc(statements->arena, statements->count, sizeof *section->witnesses);
	for (size_t i = 0; i < statements->count; i++) {
		const struct wm_witness *witness = &statements->statements[i].witness;
		if (section->witness_count &&
			repeats(&section->witnesses[section->witness_count - 1], witness))
			continue;
		section->witnesses[section->witness_count++] = *witness;
	}
	close_outcomes(statements, section);
	section->key_count = (uint32_t)statements->key_count;
	section->keys = statements->keys;
	return section;
}
