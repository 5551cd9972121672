/* The tree grows call by call. A link is searched by hash; only where it is made are the records
 * above searched for the function. */
#include "core/contexts/contexts.h"

#include "core/base/none.h"

enum { FIRST_TABLE = 64 };

static uint32_t hash_of(uint32_t record, uint32_t site, uint32_t function)
{
	uint64_t hash = record * 0x9e3779b97f4a7c15u;
	hash = (hash ^ site) * 0xc2b2ae3d27d4eb4fu;
	hash = (hash ^ (hash >> 29) ^ function) * 0x9e3779b97f4a7c15u;
	return (uint32_t)(hash >> 32);
}

static uint32_t function_of(const struct wm_contexts *contexts, const struct wm_context_link *link)
{
	return contexts->records[link->target].function;
}

/* The place of the link in the table, or the empty one where it belongs. */
static uint32_t *find_slot(
	const struct wm_contexts *contexts, uint32_t record, uint32_t site, uint32_t function)
{
	uint32_t mask = contexts->table_size - 1;
	uint32_t slot = hash_of(record, site, function) & mask;
	for (; contexts->table[slot]; slot = (slot + 1) & mask) {
		const struct wm_context_link *link = &contexts->links[contexts->table[slot] - 1];
		if (link->source == record && link->site == site &&
			function_of(contexts, link) == function)
			break;
	}
	return &contexts->table[slot];
}

static void grow_table(struct wm_contexts *contexts)
{
	contexts->table_size = contexts->table_size ? contexts->table_size * 2 : FIRST_TABLE;
	contexts->table = wm_arena_alloc(contexts->arena, contexts->table_size, sizeof(uint32_t));
	for (uint32_t i = 0; i < contexts->link_count; i++) {
		const struct wm_context_link *link = &contexts->links[i];
		*find_slot(contexts, link->source, link->site, function_of(contexts, link)) = i + 1;
	}
}

static uint32_t add_record(
	struct wm_contexts *contexts, uint32_t parent, uint32_t site, uint32_t function)
{
	contexts->records = wm_arena_grow(contexts->arena, contexts->records,
		contexts->record_count, &contexts->record_capacity, sizeof *contexts->records);
	contexts->records[contexts->record_count] =
		(struct wm_context_record){function, parent, site};
	return contexts->record_count++;
}

struct wm_contexts wm_contexts_make(struct wm_arena *arena)
{
	struct wm_contexts contexts = {.arena = arena};
	add_record(&contexts, WM_NONE, 0, WM_NONE);
	grow_table(&contexts);
	return contexts;
}

/* The record of the function that the chain of the record holds, or WM_NONE. */
static uint32_t find_above(const struct wm_contexts *contexts, uint32_t record, uint32_t function)
{
	while (record != WM_NONE && contexts->records[record].function != function)
		record = contexts->records[record].parent;
	return record;
}

uint32_t wm_contexts_link(
	struct wm_contexts *contexts, uint32_t record, uint32_t site, uint32_t function)
{
	if (contexts->link_count * 2 >= contexts->table_size)
		grow_table(contexts);
	uint32_t *slot = find_slot(contexts, record, site, function);
	if (*slot)
		return *slot - 1;
	uint32_t target = find_above(contexts, record, function);
	if (target == WM_NONE)
		target = add_record(contexts, record, site, function);
	contexts->links = wm_arena_grow(contexts->arena, contexts->links, contexts->link_count,
		&contexts->link_capacity, sizeof *contexts->links);
	contexts->links[contexts->link_count] =
		(struct wm_context_link){.source = record, .site = site, .target = target};
	*slot = ++contexts->link_count;
	return contexts->link_count - 1;
}

bool wm_contexts_link_is_recursion(const struct wm_contexts *contexts, uint32_t link)
{
	return contexts->links[link].target <= contexts->links[link].source;
}

uint64_t *wm_contexts_entries(struct wm_arena *arena, const struct wm_contexts *contexts)
{
	uint64_t *entries = wm_arena_alloc(arena, contexts->record_count, sizeof *entries);
	for (uint32_t i = 0; i < contexts->link_count; i++)
		entries[contexts->links[i].target] += contexts->links[i].count;
	return entries;
}

uint64_t *wm_contexts_recursion(struct wm_arena *arena, const struct wm_contexts *contexts)
{
	uint64_t *recursion = wm_arena_alloc(arena, contexts->record_count, sizeof *recursion);
	for (uint32_t i = 0; i < contexts->link_count; i++)
		if (wm_contexts_link_is_recursion(contexts, i))
			recursion[contexts->links[i].target] += contexts->links[i].count;
	return recursion;
}
