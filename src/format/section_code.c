/* Sections on the code itself, whatever is measured: the text that it was made from, its work, its
 * marks. */
#include "format/section_parts.h"

bool wm_section_put_contexts(struct wm_encoder *encoder, const struct wm_function *function)
{
	if (function->has_contexts)
		wm_encode_number(encoder, function->context_counter);
	return function->has_contexts;
}

void wm_section_get_contexts(struct wm_decoder *decoder, struct wm_function *function)
{
	function->context_counter = wm_decode_below(
		decoder, function->counter_count, "its contexts belong to no counter");
	function->has_contexts = true;
}

bool wm_section_put_code(struct wm_encoder *encoder, const struct wm_function *function)
{
	if (function->code)
		wm_encode_long(encoder, function->code);
	return function->code;
}

void wm_section_get_code(struct wm_decoder *decoder, struct wm_function *function)
{
	function->code = wm_decode_long(decoder);
}

static void put_witnesses(struct wm_encoder *encoder, const struct wm_source_section *source)
{
	uint32_t before = 0;
	wm_encode_number(encoder, source->witness_count);
	for (uint32_t i = 0; i < source->witness_count; i++) {
		const struct wm_witness *witness = &source->witnesses[i];
		wm_encode_number(encoder, witness->place - before);
		wm_encode_number(encoder, witness->kind);
		wm_encode_number(encoder, witness->source);
		wm_encode_number(encoder, witness->block);
		before = witness->place;
	}
}

/* Blocks of source records are checked where the records are known. */
static void get_witnesses(struct wm_decoder *decoder, const struct wm_function *function,
	struct wm_source_section *source)
{
	uint32_t before = 0, places = function->block_count + function->edge_count;
	uint32_t count = source->witness_count = wm_decode_count(decoder, 4);
	source->witnesses = wm_arena_alloc(decoder->arena, count, sizeof *source->witnesses);
	for (uint32_t i = 0; i < count; i++) {
		struct wm_witness *witness = &source->witnesses[i];
		witness->place = before + wm_decode_below(decoder, places - before,
						  "a witness stands at no block or edge");
		witness->kind = wm_decode_below(
			decoder, WM_WITNESS_MAY_LEFT + 1, "a witness is of an unknown kind");
		witness->source = wm_decode_below(
			decoder, source->key_count, "a witness names no source record");
		witness->block = wm_decode_number(decoder);
		before = witness->place;
	}
}

static void put_outcomes(struct wm_encoder *encoder, const struct wm_source_section *source)
{
	wm_encode_number(encoder, source->outcome_count);
	for (uint32_t i = 0; i < source->outcome_count; i++) {
		wm_encode_number(encoder, source->outcomes[i].place);
		wm_encode_number(encoder, source->outcomes[i].source);
		wm_encode_number(encoder, source->outcomes[i].block);
		wm_encode_number(encoder, source->outcomes[i].target);
	}
}

static void get_outcomes(struct wm_decoder *decoder, const struct wm_function *function,
	struct wm_source_section *source)
{
	uint32_t count = source->outcome_count = wm_decode_count(decoder, 4);
	source->outcomes = wm_arena_alloc(decoder->arena, count, sizeof *source->outcomes);
	for (uint32_t i = 0; i < count; i++) {
		struct wm_stated_decision *outcome = &source->outcomes[i];
		outcome->place = wm_decode_below(decoder,
			(uint64_t)function->block_count + function->edge_count,
			"an outcome belongs to no place");
		outcome->source = wm_decode_below(
			decoder, source->key_count, "an outcome names no source record");
		outcome->block = wm_decode_number(decoder);
		outcome->target = wm_decode_number(decoder);
		if (i && outcome[-1].place > outcome->place)
			wm_decode_fail(decoder, "its outcomes are not in order");
	}
}

bool wm_section_put_source(struct wm_encoder *encoder, const struct wm_function *function)
{
	const struct wm_source_section *source = function->source;
	if (!source)
		return false;
	wm_encode_number(encoder, source->key_count);
	for (uint32_t i = 0; i < source->key_count; i++)
		wm_encode_long(encoder, source->keys[i]);
	put_witnesses(encoder, source);
	put_outcomes(encoder, source);
	return true;
}

void wm_section_get_source(struct wm_decoder *decoder, struct wm_function *function)
{
	struct wm_source_section *source = wm_arena_alloc(decoder->arena, 1, sizeof *source);
	source->key_count = wm_decode_count(decoder, 2);
	source->keys = wm_arena_alloc(decoder->arena, source->key_count, sizeof *source->keys);
	for (uint32_t i = 0; i < source->key_count; i++)
		source->keys[i] = wm_decode_long(decoder);
	get_witnesses(decoder, function, source);
	get_outcomes(decoder, function, source);
	function->source = source;
}

/* Most code neither chooses nor touches memory. */
static void put_work(struct wm_encoder *encoder, const struct wm_work *work)
{
	bool more = work->branches || work->loads || work->stores;
	wm_encode_number(encoder, work->instructions << 1 | more);
	if (!more)
		return;
	wm_encode_number(encoder, work->branches);
	wm_encode_number(encoder, work->loads);
	wm_encode_number(encoder, work->stores);
}

static struct wm_work get_work(struct wm_decoder *decoder)
{
	uint32_t first = wm_decode_number(decoder);
	struct wm_work work = {.instructions = first >> 1};
	if (!(first & 1))
		return work;
	work.branches = wm_decode_number(decoder);
	work.loads = wm_decode_number(decoder);
	work.stores = wm_decode_number(decoder);
	if (work.branches > work.instructions || work.loads > work.instructions ||
		work.stores > work.instructions)
		wm_decode_fail(decoder, "code does more than it has instructions");
	return work;
}

bool wm_section_put_all_work(struct wm_encoder *encoder, const struct wm_function *function)
{
	if (!function->work)
		return false;
	for (uint32_t i = 0; i < function->block_count; i++)
		put_work(encoder, &function->work_elsewhere[i]);
	for (uint32_t i = 0; i < function->position_count; i++)
		put_work(encoder, &function->work[i]);
	return true;
}

/* Everything a block executes is somewhere. */
static void check_work(struct wm_decoder *decoder, const struct wm_function *function)
{
	for (uint32_t i = 0; i < function->block_count; i++) {
		const struct wm_block *block = &function->blocks[i];
		uint64_t sum = function->work_elsewhere[i].instructions;
		for (uint32_t k = 0; k < block->position_count; k++)
			sum += function->work[block->first_position + k].instructions;
		if (sum != block->instructions)
			wm_decode_fail(decoder, "a block's work is not that of its lines");
	}
}

void wm_section_get_all_work(struct wm_decoder *decoder, struct wm_function *function)
{
	if ((size_t)(decoder->end - decoder->next) <
		(size_t)function->block_count + function->position_count) {
		wm_decode_fail(decoder, "the work of some code is missing");
		return;
	}
	struct wm_work *elsewhere =
		wm_arena_alloc(decoder->arena, function->block_count, sizeof *elsewhere);
	struct wm_work *work =
		wm_arena_alloc(decoder->arena, (size_t)function->position_count + 1, sizeof *work);
	for (uint32_t i = 0; i < function->block_count; i++)
		elsewhere[i] = get_work(decoder);
	for (uint32_t i = 0; i < function->position_count; i++)
		work[i] = get_work(decoder);
	function->work_elsewhere = elsewhere;
	function->work = work;
	if (!decoder->failed)
		check_work(decoder, function);
}

bool wm_section_put_marks(struct wm_encoder *encoder, const struct wm_function *function)
{
	if (!function->mark_count)
		return false;
	wm_encode_number(encoder, function->mark_count);
	for (uint32_t i = 0; i < function->mark_count; i++) {
		wm_encode_number(encoder, function->marks[i].block);
		wm_encode_text(encoder, function->marks[i].name);
		wm_encode_number(encoder, function->marks[i].amount);
	}
	return true;
}

void wm_section_get_marks(struct wm_decoder *decoder, struct wm_function *function)
{
	uint32_t count = wm_decode_count(decoder, 3);
	struct wm_block_mark *marks = wm_arena_alloc(decoder->arena, count, sizeof *marks);
	for (uint32_t i = 0; i < count; i++) {
		marks[i].block = wm_decode_below(
			decoder, function->block_count, "a mark stands in no block");
		marks[i].name = wm_decode_text(decoder);
		marks[i].amount = wm_decode_number(decoder);
	}
	if (count == 0)
		wm_decode_fail(decoder, "it has a section of marks without any");
	function->mark_count = count;
	function->marks = marks;
}

bool wm_section_put_mark_sums(struct wm_encoder *encoder, const struct wm_function *function)
{
	if (!function->mark_sum_count)
		return false;
	wm_encode_number(encoder, function->mark_sum_count);
	for (uint32_t i = 0; i < function->mark_sum_count; i++) {
		wm_encode_text(encoder, function->mark_sums[i].name);
		wm_encode_number(encoder, function->mark_sums[i].counter);
	}
	return true;
}

void wm_section_get_mark_sums(struct wm_decoder *decoder, struct wm_function *function)
{
	uint32_t count = wm_decode_count(decoder, 2);
	struct wm_mark_sum *sums = wm_arena_alloc(decoder->arena, count, sizeof *sums);
	for (uint32_t i = 0; i < count; i++) {
		sums[i].name = wm_decode_text(decoder);
		sums[i].counter = wm_decode_below(
			decoder, function->counter_count, "the sum of a mark has no counter");
	}
	function->mark_sum_count = count;
	function->mark_sums = sums;
}
