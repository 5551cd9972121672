/* Counts of blocks are sums of counters, and so is whatever blocks spend. So each counter has a
 * weight: what it adds to the cost of its function. A record's cost is the sum of its counters,
 * each times its weight, and no record needs to be solved by itself. */
#include "profile/context_counts.h"

#include <string.h>

#include "core/base/none.h"
#include "core/counters/propagate.h"
#include "profile/tally.h"

const uint64_t *wm_context_counts_sum(
	struct wm_arena *arena, const struct wm_file *file, uint64_t first, uint32_t count)
{
	uint64_t at = wm_file_first_entry(file, first);
	if (at == file->entry_count || file->entries[at].counter - first >= count)
		return file->counter + first;
	uint64_t *sum = wm_arena_alloc(arena, count, sizeof *sum);
	memcpy(sum, file->counter + first, count * sizeof *sum);
	for (; at < file->entry_count && file->entries[at].counter - first < count; at++)
		sum[file->entries[at].counter - first] += file->entries[at].count;
	return sum;
}

struct wm_context_chains wm_context_chains_make(
	struct wm_arena *arena, const uint64_t *chain, uint32_t record_count)
{
	uint64_t size = 16;
	while (size < 2 * (uint64_t)record_count)
		size *= 2;
	struct wm_context_chains chains = {.chain = chain,
		.table = wm_arena_alloc(arena, size, sizeof *chains.table),
		.mask = size - 1};
	for (uint32_t i = 0; i < record_count; i++) {
		uint64_t at = chain[i] & chains.mask;
		while (chains.table[at])
			at = (at + 1) & chains.mask;
		chains.table[at] = i + 1;
	}
	return chains;
}

uint32_t wm_context_chains_find(const struct wm_context_chains *chains, uint64_t chain)
{
	uint64_t at = chain & chains->mask;
	while (chains->table[at] && chains->chain[chains->table[at] - 1] != chain)
		at = (at + 1) & chains->mask;
	return chains->table[at] ? chains->table[at] - 1 : WM_NONE;
}

struct weigher {
	struct wm_arena arena;
	const struct wm_profile *profile;
	const struct wm_profile_contexts *contexts;
	struct wm_context_chains chains;
	const struct wm_event_kinds *kinds; /* one */
	uint64_t *own;
};

/* What the blocks spend if only this counter is 1: modulo 2^64, as all counts. */
static uint64_t weigh(const struct wm_function *function, const struct wm_cfg *cfg,
	const uint32_t *amounts, uint32_t counter)
{
	struct wm_arena scratch = {0};
	struct wm_counts counts;
	struct wm_error error;
	const struct wm_counters_section *section = function->counters;
	uint64_t *unit = wm_arena_alloc(&scratch, section->probe_count, sizeof *unit), weight = 0;
	unit[counter] = 1;
	if (!wm_propagate(&scratch, cfg, section->probes, section->probe_count, unit, NULL, &counts,
		    &error))
		for (uint32_t i = 0; i < function->block_count; i++)
			weight += counts.vertex[i] * amounts[i];
	wm_arena_reset(&scratch);
	return weight;
}

/* Each counter of the function in each context. */
static void add_entries(struct weigher *weigher, const struct wm_object_function *source,
	const uint32_t *amounts, uint32_t unknown)
{
	struct wm_arena scratch = {0};
	const struct wm_file *file = &weigher->profile->file;
	const struct wm_counters_section *section = source->function.counters;
	const struct wm_cfg *cfg = wm_function_graph(&scratch, &source->function);
	uint64_t first = source->first_counter + section->head.first_counter;
	uint64_t at = wm_file_first_entry(file, first);
	for (uint32_t k = 0; k < section->probe_count; k++) {
		if (at == file->entry_count || file->entries[at].counter != first + k)
			continue;
		uint64_t weight = weigh(&source->function, cfg, amounts, k);
		for (; at < file->entry_count && file->entries[at].counter == first + k; at++) {
			uint32_t record =
				wm_context_chains_find(&weigher->chains, file->entries[at].key);
			record = record == WM_NONE ? unknown : record;
			weigher->own[record] += weight * file->entries[at].count;
		}
	}
	wm_arena_reset(&scratch);
}

/* Functions count in each context, or in none. */
static void add_function(struct weigher *weigher, uint32_t number)
{
	struct wm_arena scratch = {0};
	const struct wm_profile_function *solved = &weigher->profile->functions[number];
	const uint32_t *amounts = wm_tally_blocks(&scratch, weigher->kinds, solved->function);
	uint32_t unknown = weigher->contexts->unknown[number];
	if (!weigher->contexts->flat[number])
		add_entries(weigher, &weigher->profile->object.functions[number], amounts, unknown);
	else
		for (uint32_t i = 0; i < solved->function->block_count; i++)
			weigher->own[unknown] += solved->block[i] * amounts[i];
	wm_arena_reset(&scratch);
}

bool wm_profile_contexts_count(const struct wm_function *function)
{
	return function->has_contexts && function->counters && function->counters->probe_count > 0;
}

const uint64_t *wm_profile_contexts_own(struct wm_arena *arena, const struct wm_profile *profile,
	const struct wm_profile_contexts *contexts, const struct wm_event_kind *kind)
{
	struct wm_event_kind one = *kind;
	const struct wm_event_kinds kinds = {.count = 1, .kinds = &one};
	struct weigher weigher = {.profile = profile, .contexts = contexts, .kinds = &kinds};
	bool any = false;
	weigher.own = wm_arena_alloc(arena, contexts->tree.record_count, sizeof *weigher.own);
	weigher.chains = wm_context_chains_make(
		&weigher.arena, contexts->chain, contexts->tree.record_count);
	for (uint32_t i = 0; i < profile->function_count; i++) {
		if (!wm_profile_contexts_count(&profile->object.functions[i].function))
			continue;
		any = true;
		add_function(&weigher, i);
	}
	wm_arena_reset(&weigher.arena);
	return any ? weigher.own : NULL;
}
