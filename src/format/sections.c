/* The text that the code was made from, its calls (format/call_sites.h), then modes. A mode's
 * section starts with what is measured and where its counters are; then comes what its solver
 * needs. */
#include "format/sections.h"

#include <string.h>

#include "core/counters/events.h"
#include "format/meters.h"

static void put_head(struct wm_encoder *encoder, const struct wm_section *head)
{
	wm_encode_number(encoder, head->measure.quantity);
	wm_encode_number(encoder, head->measure.placement);
	wm_encode_number(encoder, head->first_counter);
	wm_encode_number(encoder, head->counter_count);
}

static struct wm_section get_head(struct wm_decoder *decoder, const struct wm_function *function)
{
	struct wm_section head;
	head.measure.quantity = wm_decode_number(decoder);
	head.measure.placement = wm_decode_number(decoder);
	head.first_counter = wm_decode_number(decoder);
	head.counter_count = wm_decode_number(decoder);
	if (!wm_measure_exists(head.measure))
		wm_decode_fail(decoder, "it measures something unknown");
	if (head.first_counter > function->counter_count ||
		head.counter_count > function->counter_count - head.first_counter)
		wm_decode_fail(decoder, "a section has counters that the function does not have");
	return head;
}

static void put_probes(struct wm_encoder *encoder, const struct wm_probe *probes, uint32_t count)
{
	wm_encode_number(encoder, count);
	for (uint32_t i = 0; i < count; i++) {
		wm_encode_number(encoder, probes[i].kind);
		wm_encode_number(encoder, probes[i].index);
	}
}

static struct wm_probe *get_probes(
	struct wm_decoder *decoder, const struct wm_function *function, uint32_t *count)
{
	*count = wm_decode_count(decoder, 2);
	struct wm_probe *probes = wm_arena_alloc(decoder->arena, *count, sizeof(*probes));
	for (uint32_t i = 0; i < *count; i++) {
		probes[i].kind = wm_decode_below(
			decoder, WM_PROBE_VERTEX_BY_HISTORY + 1, "a probe is of an unknown kind");
		probes[i].index = wm_decode_below(decoder,
			wm_probe_is_on_edge(&probes[i]) ? function->edge_count
							: function->block_count,
			"a probe names no edge or block");
	}
	return probes;
}

static void put_keys(struct wm_encoder *encoder, const struct wm_known_key *keys, uint32_t count)
{
	wm_encode_number(encoder, count);
	for (uint32_t i = 0; i < count; i++) {
		wm_encode_number(encoder, keys[i].table);
		wm_encode_number(encoder, keys[i].counter);
		wm_encode_long(encoder, keys[i].key);
	}
}

static struct wm_known_key *get_keys(
	struct wm_decoder *decoder, const struct wm_section *head, uint32_t *count)
{
	*count = wm_decode_count(decoder, 4);
	struct wm_known_key *keys = wm_arena_alloc(decoder->arena, *count, sizeof(*keys));
	for (uint32_t i = 0; i < *count; i++) {
		keys[i].table = wm_decode_below(
			decoder, head->counter_count, "a key belongs to no counter");
		keys[i].counter = wm_decode_below(
			decoder, head->counter_count, "a key belongs to no counter");
		keys[i].key = wm_decode_long(decoder);
	}
	return keys;
}

static bool put_counters(struct wm_encoder *encoder, const struct wm_function *function)
{
	const struct wm_counters_section *counters = function->counters;
	if (!counters)
		return false;
	put_head(encoder, &counters->head);
	put_probes(encoder, counters->probes, counters->probe_count);
	return true;
}

static void get_counters(struct wm_decoder *decoder, struct wm_function *function)
{
	struct wm_counters_section *counters = wm_arena_alloc(decoder->arena, 1, sizeof *counters);
	counters->head = get_head(decoder, function);
	counters->probes = get_probes(decoder, function, &counters->probe_count);
	for (uint32_t i = 0; i < counters->probe_count; i++)
		if (counters->probes[i].kind != WM_PROBE_EDGE &&
			counters->probes[i].kind != WM_PROBE_VERTEX)
			wm_decode_fail(
				decoder, "a probe counts by history where there are no paths");
	if (counters->head.counter_count != counters->probe_count)
		wm_decode_fail(decoder, "it has more or fewer counters than probes");
	function->counters = counters;
}

static bool put_paths(struct wm_encoder *encoder, const struct wm_function *function)
{
	const struct wm_paths_section *paths = function->paths;
	if (!paths)
		return false;
	put_head(encoder, &paths->head);
	wm_encode_number(encoder, paths->max_array);
	put_probes(encoder, paths->probes, paths->probe_count);
	put_keys(encoder, paths->keys, paths->key_count);
	return true;
}

static void get_paths(struct wm_decoder *decoder, struct wm_function *function)
{
	struct wm_paths_section *paths = wm_arena_alloc(decoder->arena, 1, sizeof *paths);
	paths->head = get_head(decoder, function);
	paths->max_array = wm_decode_number(decoder);
	paths->probes = get_probes(decoder, function, &paths->probe_count);
	paths->keys = get_keys(decoder, &paths->head, &paths->key_count);
	function->paths = paths;
}

static bool put_sums(struct wm_encoder *encoder, const struct wm_function *function)
{
	const struct wm_sums_section *sums = function->sums;
	if (!sums)
		return false;
	put_head(encoder, &sums->head);
	wm_encode_number(encoder, sums->lower_bits);
	put_keys(encoder, sums->keys, sums->key_count);
	return true;
}

static void get_sums(struct wm_decoder *decoder, struct wm_function *function)
{
	struct wm_sums_section *sums = wm_arena_alloc(decoder->arena, 1, sizeof *sums);
	sums->head = get_head(decoder, function);
	sums->lower_bits = wm_decode_below(decoder, 64, "a path's number has no bits in a key");
	sums->keys = get_keys(decoder, &sums->head, &sums->key_count);
	if (!sums->head.counter_count)
		wm_decode_fail(decoder, "sums have no counter for other paths");
	function->sums = sums;
}

static bool put_oracle(struct wm_encoder *encoder, const struct wm_function *function)
{
	if (function->oracle)
		put_head(encoder, &function->oracle->head);
	return function->oracle;
}

static void get_oracle(struct wm_decoder *decoder, struct wm_function *function)
{
	struct wm_oracle_section *oracle = wm_arena_alloc(decoder->arena, 1, sizeof *oracle);
	oracle->head = get_head(decoder, function);
	if (oracle->head.counter_count != 1)
		wm_decode_fail(decoder, "the oracle has other than one counter");
	function->oracle = oracle;
}

static bool put_sentinels(struct wm_encoder *encoder, const struct wm_function *function)
{
	const struct wm_sentinels_section *sentinels = function->sentinels;
	if (!sentinels)
		return false;
	put_head(encoder, &sentinels->head);
	wm_encode_long(encoder, sentinels->armed);
	wm_encode_number(encoder, sentinels->fresh_count);
	for (uint32_t i = 0; i < sentinels->fresh_count; i++)
		wm_encode_number(encoder, sentinels->fresh[i]);
	put_probes(encoder, sentinels->probes, sentinels->probe_count);
	return true;
}

static void get_sentinels(struct wm_decoder *decoder, struct wm_function *function)
{
	struct wm_sentinels_section *sentinels =
		wm_arena_alloc(decoder->arena, 1, sizeof *sentinels);
	sentinels->head = get_head(decoder, function);
	sentinels->armed = wm_decode_long(decoder);
	sentinels->fresh_count = wm_decode_count(decoder, 1);
	sentinels->fresh =
		wm_arena_alloc(decoder->arena, sentinels->fresh_count, sizeof *sentinels->fresh);
	for (uint32_t i = 0; i < sentinels->fresh_count; i++)
		sentinels->fresh[i] = wm_decode_below(
			decoder, function->edge_count, "routes start behind no edge");
	sentinels->probes = get_probes(decoder, function, &sentinels->probe_count);
	function->sentinels = sentinels;
}

static bool put_contexts(struct wm_encoder *encoder, const struct wm_function *function)
{
	if (function->has_contexts)
		wm_encode_number(encoder, function->context_counter);
	return function->has_contexts;
}

static void get_contexts(struct wm_decoder *decoder, struct wm_function *function)
{
	function->context_counter = wm_decode_below(
		decoder, function->counter_count, "its contexts belong to no counter");
	function->has_contexts = true;
}

static bool put_code(struct wm_encoder *encoder, const struct wm_function *function)
{
	if (function->code)
		wm_encode_long(encoder, function->code);
	return function->code;
}

static void get_code(struct wm_decoder *decoder, struct wm_function *function)
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

static bool put_source(struct wm_encoder *encoder, const struct wm_function *function)
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

static void get_source(struct wm_decoder *decoder, struct wm_function *function)
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

static bool put_events(struct wm_encoder *encoder, const struct wm_function *function)
{
	const struct wm_events_section *section = function->events;
	if (!section)
		return false;
	put_head(encoder, &section->head);
	wm_encode_number(encoder, section->kind_count);
	for (uint32_t i = 0; i < section->kind_count; i++)
		wm_encode_text(encoder, section->kinds[i]);
	for (uint32_t i = 0; i < section->kind_count; i++)
		wm_encode_long(encoder, section->hashes[i]);
	return true;
}

static void get_events(struct wm_decoder *decoder, struct wm_function *function)
{
	struct wm_events_section *section = wm_arena_alloc(decoder->arena, 1, sizeof *section);
	section->head = get_head(decoder, function);
	section->kind_count = wm_decode_count(decoder, 1);
	if (section->kind_count > WM_MAX_EVENT_KINDS ||
		section->head.counter_count != WM_EVENT_COUNTERS)
		wm_decode_fail(decoder, "it has not the counters of its running sums");
	section->kinds =
		wm_arena_alloc(decoder->arena, section->kind_count, sizeof *section->kinds);
	for (uint32_t i = 0; i < section->kind_count; i++)
		section->kinds[i] = wm_decode_text(decoder);
	section->hashes = wm_arena_alloc(decoder->arena, section->kind_count, sizeof(uint64_t));
	for (uint32_t i = 0; i < section->kind_count; i++)
		section->hashes[i] = wm_decode_long(decoder);
	function->events = section;
}

static bool has_callee(uint8_t class)
{
	return class == WM_CALL_KNOWN || class == WM_CALL_TAIL_KNOWN;
}

static bool put_trace(struct wm_encoder *encoder, const struct wm_function *function)
{
	const struct wm_trace_section *trace = function->trace;
	if (!trace)
		return false;
	put_head(encoder, &trace->head);
	wm_encode_number(encoder, trace->is_inner);
	for (uint32_t i = 0; i < function->call_count; i++) {
		wm_encode_number(encoder, trace->call_class[i]);
		if (trace->call_class[i] == WM_CALL_INVOKE)
			wm_encode_number(encoder, trace->pad[i]);
		if (has_callee(trace->call_class[i]))
			wm_encode_long(encoder, trace->callee[i]);
	}
	for (uint32_t i = 0; i < function->edge_count; i++)
		wm_encode_number(encoder, trace->code[i]);
	return true;
}

/* Comes behind the calls, whose classes it has. */
static void get_trace(struct wm_decoder *decoder, struct wm_function *function)
{
	struct wm_trace_section *trace = wm_arena_alloc(decoder->arena, 1, sizeof *trace);
	trace->head = get_head(decoder, function);
	trace->is_inner = wm_decode_below(decoder, 2, "a trace's flag is neither 0 nor 1");
	size_t calls = function->call_count, edges = function->edge_count;
	if ((size_t)(decoder->end - decoder->next) < calls + edges) {
		wm_decode_fail(decoder, "what a trace tells of some call or edge is missing");
		return;
	}
	trace->call_class = wm_arena_alloc(decoder->arena, calls, sizeof *trace->call_class);
	trace->pad = wm_arena_alloc(decoder->arena, calls, sizeof *trace->pad);
	trace->callee = wm_arena_alloc(decoder->arena, calls, sizeof *trace->callee);
	trace->code = wm_arena_alloc(decoder->arena, edges, sizeof *trace->code);
	for (size_t i = 0; i < calls; i++) {
		trace->call_class[i] = (uint8_t)wm_decode_below(
			decoder, WM_CALL_CLASS_LIMIT, "a call is of an unknown class");
		if (trace->call_class[i] == WM_CALL_INVOKE)
			trace->pad[i] = wm_decode_below(
				decoder, function->block_count, "exceptions land in no block");
		if (has_callee(trace->call_class[i]))
			trace->callee[i] = wm_decode_long(decoder);
	}
	for (size_t i = 0; i < edges; i++)
		trace->code[i] = wm_decode_number(decoder);
	if (trace->head.counter_count != 1)
		wm_decode_fail(decoder, "a traced function has one counter");
	function->trace = trace;
}

static void put_group(struct wm_encoder *encoder, const struct wm_meter_group *group)
{
	wm_encode_number(encoder, group->block);
	wm_encode_number(encoder, group->edge_count);
	for (uint32_t i = 0; i < group->edge_count; i++)
		wm_encode_number(encoder, group->edges[i]);
}

static bool put_meters(struct wm_encoder *encoder, const struct wm_function *function)
{
	const struct wm_meters_section *section = function->meters;
	if (!section)
		return false;
	put_head(encoder, &section->head);
	wm_encode_number(encoder, section->meter_count);
	for (uint32_t i = 0; i < section->meter_count; i++)
		wm_encode_text(encoder, section->meters[i]);
	wm_encode_number(encoder, section->group_count);
	for (uint32_t i = 0; i < section->group_count; i++)
		put_group(encoder, &section->groups[i]);
	return true;
}

static struct wm_meter_group get_group(
	struct wm_decoder *decoder, const struct wm_function *function)
{
	struct wm_meter_group group = {
		.block = wm_decode_below(decoder, function->block_count, "a group has no block")};
	group.edge_count = wm_decode_count(decoder, 1);
	group.edges = wm_arena_alloc(decoder->arena, group.edge_count, sizeof *group.edges);
	for (uint32_t i = 0; i < group.edge_count; i++)
		group.edges[i] =
			wm_decode_below(decoder, function->edge_count, "a group has no edge");
	return group;
}

/* Comes behind the paths, whose counters it has again. */
static void get_meters(struct wm_decoder *decoder, struct wm_function *function)
{
	struct wm_meters_section *section = wm_arena_alloc(decoder->arena, 1, sizeof *section);
	section->head = get_head(decoder, function);
	section->meter_count = wm_decode_count(decoder, 1);
	section->meters = wm_arena_alloc(decoder->arena, section->meter_count, sizeof(char *));
	for (uint32_t i = 0; i < section->meter_count; i++)
		section->meters[i] = wm_decode_text(decoder);
	section->group_count = wm_decode_count(decoder, 2);
	section->groups =
		wm_arena_alloc(decoder->arena, section->group_count, sizeof *section->groups);
	for (uint32_t i = 0; i < section->group_count; i++)
		section->groups[i] = get_group(decoder, function);
	if (decoder->failed)
		return;
	uint64_t each = function->paths ? (uint64_t)function->paths->head.counter_count +
						  section->group_count
					: 0;
	if (!each || !section->meter_count || section->meter_count > WM_MAX_METERS ||
		section->head.counter_count != each * section->meter_count)
		wm_decode_fail(decoder, "its metrics are not those of its paths");
	else
		function->meters = section;
}

static bool put_inclusive(struct wm_encoder *encoder, const struct wm_function *function)
{
	const struct wm_inclusive_section *section = function->inclusive;
	if (!section)
		return false;
	put_head(encoder, &section->head);
	wm_encode_number(encoder, section->kind_count);
	for (uint32_t i = 0; i < section->kind_count; i++)
		wm_encode_text(encoder, section->kinds[i]);
	for (uint32_t i = 0; i < function->call_count; i++)
		wm_encode_number(encoder, section->seen[i]);
	return true;
}

/* Comes behind the calls. */
static void get_inclusive(struct wm_decoder *decoder, struct wm_function *function)
{
	struct wm_inclusive_section *section = wm_arena_alloc(decoder->arena, 1, sizeof *section);
	uint32_t calls = function->call_count;
	section->head = get_head(decoder, function);
	section->kind_count = wm_decode_count(decoder, 1);
	if (section->kind_count > WM_MAX_EVENT_KINDS ||
		section->head.counter_count != (uint64_t)calls * (2 + section->kind_count)) {
		wm_decode_fail(decoder, "it has not the counters of its calls");
		return;
	}
	section->kinds =
		wm_arena_alloc(decoder->arena, section->kind_count, sizeof *section->kinds);
	for (uint32_t i = 0; i < section->kind_count; i++)
		section->kinds[i] = wm_decode_text(decoder);
	uint8_t *seen = wm_arena_alloc(decoder->arena, calls, sizeof *seen);
	for (uint32_t i = 0; i < calls && !decoder->failed; i++)
		seen[i] = (uint8_t)wm_decode_below(
			decoder, 2, "whether a call's return is seen is neither yes nor no");
	section->seen = seen;
	function->inclusive = section;
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

static bool put_all_work(struct wm_encoder *encoder, const struct wm_function *function)
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

static void get_all_work(struct wm_decoder *decoder, struct wm_function *function)
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

static bool put_marks(struct wm_encoder *encoder, const struct wm_function *function)
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

static void get_marks(struct wm_decoder *decoder, struct wm_function *function)
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

static bool put_mark_sums(struct wm_encoder *encoder, const struct wm_function *function)
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

static void get_mark_sums(struct wm_decoder *decoder, struct wm_function *function)
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

const struct wm_section_codec wm_section_codecs[] = {
	{WM_SECTION_SOURCE, put_source, get_source, 0},
	{WM_SECTION_CALLS, wm_call_sites_encode, wm_call_sites_decode, 0},
	{WM_SECTION_CONTEXTS, put_contexts, get_contexts, 0},
	{WM_SECTION_CODE, put_code, get_code, 0},
	{WM_SECTION_WORK, put_all_work, get_all_work, 0},
	{WM_SECTION_MARKS, put_marks, get_marks, 0},
	{WM_SECTION_MARK_SUMS, put_mark_sums, get_mark_sums, 0},
	{WM_SECTION_PSEUDO_PROBES, wm_pseudo_probes_encode, wm_pseudo_probes_decode, 0},
	{WM_SECTION_POINTER_CALLS, wm_pointer_calls_encode, wm_pointer_calls_decode, 0},
	{WM_SECTION_COUNTERS, put_counters, get_counters, offsetof(struct wm_function, counters)},
	{WM_SECTION_PATHS, put_paths, get_paths, offsetof(struct wm_function, paths)},
	{WM_SECTION_SUMS, put_sums, get_sums, offsetof(struct wm_function, sums)},
	{WM_SECTION_ORACLE, put_oracle, get_oracle, offsetof(struct wm_function, oracle)},
	{WM_SECTION_EVENTS, put_events, get_events, offsetof(struct wm_function, events)},
	{WM_SECTION_TRACE, put_trace, get_trace, offsetof(struct wm_function, trace)},
	{WM_SECTION_METERS, put_meters, get_meters, offsetof(struct wm_function, meters)},
	{WM_SECTION_SENTINELS, put_sentinels, get_sentinels,
		offsetof(struct wm_function, sentinels)},
	{WM_SECTION_INCLUSIVE, put_inclusive, get_inclusive,
		offsetof(struct wm_function, inclusive)},
};

const size_t wm_section_codec_count = sizeof wm_section_codecs / sizeof *wm_section_codecs;

/* A mode's section starts with its head. */
static const struct wm_section *head_of(
	const struct wm_function *function, const struct wm_section_codec *codec)
{
	const void *section = NULL;
	if (codec->member)
		memcpy(&section, (const char *)function + codec->member, sizeof section);
	return section;
}

const struct wm_section *wm_function_section(
	const struct wm_function *function, enum wm_section_tag tag)
{
	for (size_t i = 0; i < wm_section_codec_count; i++)
		if (wm_section_codecs[i].tag == tag)
			return head_of(function, &wm_section_codecs[i]);
	return NULL;
}

const struct wm_section *wm_function_measured(const struct wm_function *function)
{
	const struct wm_section *head = NULL;
	for (size_t i = 0; i < wm_section_codec_count && !head; i++)
		head = head_of(function, &wm_section_codecs[i]);
	return head;
}
