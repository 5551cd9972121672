/* Sums over all witnesses. Each says: for n executions of this place, so many of that block. */
#include "profile/source_counts.h"

#include "core/base/none.h"
#include "profile/source_calls.h"
#include "profile/source_flow.h"

static const struct wm_interval anything = {WM_NO_LOW, WM_NO_HIGH};

static struct wm_interval at_least_zero(struct wm_interval interval)
{
	return wm_interval_meet(interval, wm_interval_from(0));
}

/* A function with counts, and how many edges leave and enter each of its vertices. */
struct code {
	const struct wm_profile_function *source;
	uint32_t *leaving;
	uint32_t *entering;
};

static struct code code_of(struct wm_arena *scratch, const struct wm_profile_function *source)
{
	const struct wm_function *function = source->function;
	size_t vertices = (size_t)function->block_count + 1;
	struct code code = {source, wm_arena_alloc(scratch, vertices, sizeof(uint32_t)),
		wm_arena_alloc(scratch, vertices, sizeof(uint32_t))};
	for (uint32_t i = 0; i < function->edge_count; i++) {
		code.leaving[function->edge_source[i]]++;
		code.entering[function->edge_target[i]]++;
	}
	return code;
}

/* Of an edge that was not counted: as often as a block that it alone leaves or enters; otherwise
 * no more often than that which it enters. */
static struct wm_interval bounds_of_edge(const struct code *code, uint32_t edge)
{
	const struct wm_function *function = code->source->function;
	const uint64_t *block = code->source->block;
	uint32_t from = function->edge_source[edge], to = function->edge_target[edge];
	if (!block || (function->edge_flags[edge] & WM_EDGE_ABANDONED))
		return anything;
	if (code->leaving[from] == 1)
		return wm_interval_of((int64_t)block[from]);
	if (to == function->block_count)
		return wm_interval_from(0);
	bool alone = to > 0 && code->entering[to] == 1;
	return (struct wm_interval){alone ? (int64_t)block[to] : 0, (int64_t)block[to]};
}

/* How often a block or edge of the code was executed. A negative count of anything but a call that
 * was left shows that the run was cut short just there. */
static struct wm_interval count_of_place(const struct code *code, uint32_t place)
{
	const struct wm_profile_function *source = code->source;
	const struct wm_function *function = source->function;
	uint32_t edge = place - function->block_count;
	struct wm_interval count;
	if (place < function->block_count)
		count = source->block ? wm_interval_of((int64_t)source->block[place])
				      : wm_interval_from(0);
	else
		count = source->edge ? wm_interval_of((int64_t)source->edge[edge])
				     : bounds_of_edge(code, edge);
	bool abandoned =
		place >= function->block_count && (function->edge_flags[edge] & WM_EDGE_ABANDONED);
	return count.low < 0 && !abandoned ? wm_interval_from(0) : count;
}

static void open_all(const struct wm_source *record, struct wm_source_count *count)
{
	for (uint32_t b = 0; b < record->block_count; b++) {
		count->block[b].high = WM_NO_HIGH;
		if (record->may_be_left[b])
			count->left[b] = anything;
	}
}

static void add_to(struct wm_interval *sum, struct wm_interval addend)
{
	*sum = wm_interval_add(*sum, addend);
}

static void add_witness(const struct wm_source *record, const struct wm_witness *witness,
	struct wm_interval n, struct wm_source_count *count)
{
	static const struct wm_interval zero = {0, 0};
	struct wm_interval *block = &count->block[witness->block];
	bool may_run = n.high > 0;
	switch (witness->kind) {
	case WM_WITNESS_RAN:
		add_to(block, at_least_zero(n));
		break;
	case WM_WITNESS_MAY:
		add_to(block, wm_interval_join(zero, at_least_zero(n)));
		break;
	case WM_WITNESS_REPEATED:
		if (may_run && witness->block == record->block_count)
			open_all(record, count);
		else if (may_run)
			block->high = WM_NO_HIGH;
		break;
	case WM_WITNESS_AT_LEAST:
		if (may_run)
			add_to(block, wm_interval_from(at_least_zero(n).low));
		break;
	case WM_WITNESS_LEFT:
		add_to(&count->left[witness->block], n);
		break;
	case WM_WITNESS_MAY_LEFT:
		add_to(&count->left[witness->block], wm_interval_join(zero, n));
		break;
	}
}

static int add_function(const struct wm_profile *profile, const struct code *code,
	struct wm_source_count *counts, struct wm_error *error)
{
	const struct wm_profile_function *source = code->source;
	const struct wm_source_section *section = source->function->source;
	for (uint32_t i = 0; i < section->witness_count; i++) {
		const struct wm_witness *witness = &section->witnesses[i];
		const struct wm_source *record = source->sources[witness->source];
		if (!record)
			continue;
		if (witness->block >= record->block_count + (witness->kind == WM_WITNESS_REPEATED))
			return wm_error_set(error, WM_ERROR_INPUT,
				"%s: the description of function '%.200s' is damaged: it names a "
				"block that its text does not have; build the program again",
				profile->object.path, source->function->name);
		add_witness(record, witness, count_of_place(code, witness->place),
			&counts[record - profile->object.sources.records]);
	}
	return 0;
}

/* What is not known of the file itself: threads may have counted where nobody looks. */
static bool is_complete(const struct wm_profile *profile)
{
	return !(profile->file.status & (WM_STATUS_THREADS_IN_MEMORY | WM_STATUS_COUNTS_LOST));
}

static struct wm_source_count *make_empty(
	struct wm_arena *arena, const struct wm_source_records *records)
{
	struct wm_source_count *counts = wm_arena_alloc(arena, records->count, sizeof *counts);
	for (uint32_t i = 0; i < records->count; i++) {
		uint32_t blocks = records->records[i].block_count;
		counts[i].block = wm_arena_alloc(arena, blocks, sizeof *counts->block);
		counts[i].left = wm_arena_alloc(arena, blocks, sizeof *counts->left);
		counts[i].known = true;
	}
	return counts;
}

/* Where a count is lost, others that were derived from it may be too high as well as too low. */
static void forget(const struct wm_source *record, struct wm_source_count *count)
{
	for (uint32_t b = 0; b < record->block_count; b++)
		count->block[b].low = 0;
	open_all(record, count);
}

static int add_functions(
	const struct wm_profile *profile, struct wm_source_count *counts, struct wm_error *error)
{
	struct wm_arena scratch = {0};
	int status = 0;
	for (uint32_t i = 0; i < profile->function_count && status == 0; i++) {
		if (!profile->functions[i].sources)
			continue;
		const struct code code = code_of(&scratch, &profile->functions[i]);
		status = add_function(profile, &code, counts, error);
	}
	wm_arena_reset(&scratch);
	return status;
}

int wm_source_counts_make(struct wm_arena *arena, const struct wm_profile *profile,
	struct wm_source_count **counts, struct wm_error *error)
{
	const struct wm_source_records *records = &profile->object.sources;
	*counts = make_empty(arena, records);
	int status = add_functions(profile, *counts, error);
	if (status < 0)
		return status;
	for (uint32_t i = 0; i < records->count; i++) {
		if (!is_complete(profile))
			forget(&records->records[i], &(*counts)[i]);
		if (records->uncounted[i])
			open_all(&records->records[i], &(*counts)[i]);
		wm_source_flow_tighten(&records->records[i], &(*counts)[i]);
	}
	wm_source_calls_check(records, *counts);
	return 0;
}

const struct wm_source_count *wm_source_counts_of(const struct wm_profile *profile,
	const struct wm_source_count *counts, const struct wm_function *function)
{
	if (!function->source || function->source->key_count == 0)
		return NULL;
	uint32_t record =
		wm_source_records_find(&profile->object.sources, function->source->keys[0]);
	return record == WM_NONE ? NULL : &counts[record];
}
