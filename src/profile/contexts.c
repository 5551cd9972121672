/* The file knows chains by key only. From each chain that is known, and each site of its function,
 * the search asks which functions were counted there, which makes more chains known: whatever was
 * called was called by somebody who was called. */
#include "profile/contexts.h"

#include "core/base/none.h"
#include "profile/context_counts.h"
#include "profile/entry_order.h"
#include "profile/solve.h"

struct search {
	struct wm_arena scratch;
	const struct wm_profile *profile;
	uint64_t *counter;	       /* by function: the object's counter with its contexts */
	uint32_t *function_of;	       /* by counter: the function, or WM_NONE */
	struct wm_file_entry *entries; /* those of contexts, by key */
	bool *found;		       /* by entry */
	uint64_t entry_count;
	uint64_t *chain; /* by record */
	size_t chain_capacity;
	struct wm_contexts *tree;
};

static bool find_functions(struct search *search)
{
	const struct wm_profile *profile = search->profile;
	uint64_t counters = profile->file.counter_count;
	bool any = false;
	search->counter =
		wm_arena_alloc(&search->scratch, profile->function_count, sizeof *search->counter);
	search->function_of =
		wm_arena_alloc(&search->scratch, counters, sizeof *search->function_of);
	for (uint64_t i = 0; i < counters; i++)
		search->function_of[i] = WM_NONE;
	for (uint32_t i = 0; i < profile->function_count; i++) {
		const struct wm_object_function *function = &profile->object.functions[i];
		if (!function->function.has_contexts)
			continue;
		any = true;
		search->counter[i] = function->first_counter + function->function.context_counter;
		search->function_of[search->counter[i]] = i;
	}
	return any;
}

static void find_entries(struct search *search)
{
	const struct wm_file *file = &search->profile->file;
	search->entries =
		wm_arena_alloc(&search->scratch, file->entry_count, sizeof *search->entries);
	search->found = wm_arena_alloc(&search->scratch, file->entry_count, sizeof(bool));
	for (uint64_t i = 0; i < file->entry_count; i++)
		if (search->function_of[file->entries[i].counter] != WM_NONE)
			search->entries[search->entry_count++] = file->entries[i];
	wm_entries_order_by_key(search->entries, search->entry_count);
}

static uint64_t first_with(const struct search *search, uint64_t key)
{
	uint64_t low = 0, high = search->entry_count;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		if (search->entries[middle].key < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void link(
	struct search *search, uint32_t record, uint32_t site, uint32_t function, uint64_t count)
{
	uint32_t known = search->tree->record_count;
	uint64_t key = wm_context_key(search->chain[record], site);
	uint32_t at = wm_contexts_link(search->tree, record, site, function);
	search->tree->links[at].count += count;
	if (search->tree->record_count == known)
		return;
	search->chain = wm_arena_grow(&search->scratch, search->chain, known,
		&search->chain_capacity, sizeof *search->chain);
	search->chain[known] = wm_context_chain(key, search->counter[function]);
}

static void follow_site(struct search *search, uint32_t record, uint32_t site)
{
	uint64_t key = wm_context_key(search->chain[record], site);
	for (uint64_t i = first_with(search, key);
		i < search->entry_count && search->entries[i].key == key; i++) {
		const struct wm_file_entry *entry = &search->entries[i];
		search->found[i] = true;
		link(search, record, site, search->function_of[entry->counter], entry->count);
	}
}

/* From the first record that was not followed yet. */
static void follow(struct search *search, uint32_t record)
{
	for (; record < search->tree->record_count; record++) {
		uint32_t function = search->tree->records[record].function;
		uint32_t sites =
			record == WM_CONTEXT_OUTSIDE
				? WM_CONTEXT_SITE_UNKNOWN
				: search->profile->functions[function].function->call_count;
		for (uint32_t site = 0; site < sites; site++)
			follow_site(search, record, site);
	}
}

/* Of one function: the entries of its counters. */
struct own_entries {
	uint64_t first, end;
};

static struct own_entries own_entries(const struct search *search, uint32_t function)
{
	const struct wm_object_function *source = &search->profile->object.functions[function];
	const struct wm_file *file = &search->profile->file;
	if (!wm_profile_contexts_count(&source->function))
		return (struct own_entries){0, 0};
	const struct wm_counters_section *section = source->function.counters;
	uint64_t first = source->first_counter + section->head.first_counter;
	return (struct own_entries){wm_file_first_entry(file, first),
		wm_file_first_entry(file, first + section->probe_count)};
}

/* Whether every counter by context is of a record that was found. */
static bool has_all_chains(
	const struct search *search, const struct wm_context_chains *chains, uint32_t function)
{
	struct own_entries own = own_entries(search, function);
	for (uint64_t i = own.first; i < own.end; i++)
		if (wm_context_chains_find(chains, search->profile->file.entries[i].key) == WM_NONE)
			return false;
	return true;
}

static struct wm_context_chains chains_of(struct search *search)
{
	return wm_context_chains_make(&search->scratch, search->chain, search->tree->record_count);
}

static bool is_complete(struct search *search)
{
	const struct wm_context_chains chains = chains_of(search);
	for (uint64_t i = 0; i < search->entry_count; i++)
		if (!search->found[i])
			return false;
	for (uint32_t i = 0; i < search->profile->function_count; i++)
		if (!has_all_chains(search, &chains, i))
			return false;
	return true;
}

/* Calls of a folded record are counted, but not what leads to it. */
static void follow_folded(struct search *search)
{
	uint32_t first = search->tree->record_count;
	for (uint32_t i = 0; i < search->profile->function_count; i++)
		if (search->profile->functions[i].function->has_contexts)
			link(search, WM_CONTEXT_OUTSIDE, WM_CONTEXT_SITE_FOLDED, i, 0);
	follow(search, first);
}

/* A function with very many counters counts them for all its contexts together. */
static bool counts_flat(const struct search *search, uint32_t function)
{
	const struct wm_object_function *source = &search->profile->object.functions[function];
	const uint64_t *counter = search->profile->file.counter + source->first_counter;
	for (uint32_t i = 0; wm_profile_contexts_count(&source->function) &&
			     i < source->function.counters->probe_count;
		i++)
		if (counter[source->function.counters->head.first_counter + i])
			return true;
	return false;
}

static void add_unknown(struct search *search)
{
	for (uint64_t i = 0; i < search->entry_count; i++)
		if (!search->found[i])
			link(search, WM_CONTEXT_OUTSIDE, WM_CONTEXT_SITE_UNKNOWN,
				search->function_of[search->entries[i].counter],
				search->entries[i].count);
	const struct wm_context_chains chains = chains_of(search);
	for (uint32_t i = 0; i < search->profile->function_count; i++)
		if (counts_flat(search, i) || !has_all_chains(search, &chains, i))
			link(search, WM_CONTEXT_OUTSIDE, WM_CONTEXT_SITE_UNKNOWN, i, 0);
}

static const uint32_t *list_unknown(struct wm_arena *arena, const struct search *search)
{
	const struct wm_contexts *tree = search->tree;
	uint32_t count = search->profile->function_count;
	uint32_t *unknown = wm_arena_alloc(arena, count, sizeof *unknown);
	for (uint32_t i = 0; i < count; i++)
		unknown[i] = WM_NONE;
	for (uint32_t i = 1; i < tree->record_count; i++)
		if (tree->records[i].parent == WM_CONTEXT_OUTSIDE &&
			tree->records[i].site == WM_CONTEXT_SITE_UNKNOWN)
			unknown[tree->records[i].function] = i;
	return unknown;
}

static const bool *list_flat(struct wm_arena *arena, const struct search *search)
{
	bool *flat = wm_arena_alloc(arena, search->profile->function_count, sizeof *flat);
	for (uint32_t i = 0; i < search->profile->function_count; i++)
		flat[i] = counts_flat(search, i);
	return flat;
}

struct wm_profile_contexts wm_profile_contexts_find(
	struct wm_arena *arena, const struct wm_profile *profile)
{
	struct wm_profile_contexts contexts = {.tree = wm_contexts_make(arena)};
	struct search search = {.profile = profile, .tree = &contexts.tree};
	contexts.counted = find_functions(&search);
	if (contexts.counted) {
		search.chain = wm_arena_grow(
			&search.scratch, NULL, 0, &search.chain_capacity, sizeof *search.chain);
		search.chain[0] = WM_CONTEXT_START;
		find_entries(&search);
		follow(&search, WM_CONTEXT_OUTSIDE);
		if (!is_complete(&search))
			follow_folded(&search);
		add_unknown(&search);
		contexts.chain = wm_solve_copy(arena, search.chain, contexts.tree.record_count);
		contexts.unknown = list_unknown(arena, &search);
		contexts.flat = list_flat(arena, &search);
	}
	wm_arena_reset(&search.scratch);
	return contexts;
}
