/* Records: a record is found by the link that leads to it, once. Its function may be active above
 * it already: then that record is the one. Else it is made; and its name says where an earlier
 * process left its counts. Records are never given up: frames hold their addresses across longjmp,
 * switches of stacks and fork. */
#include "runtime/context/tree.h"

#include <string.h>

#include "format/context_key.h"
#include "runtime/context/sink.h"

enum { ROOT_LINKS = 3, FIRST_FOLDED = 64, DEFAULT_LIMIT = 1 << 20 };

/* Records of a thread; beyond it, each function has one more. */
__attribute__((weak, visibility("hidden"))) extern const uint64_t __waymark_context_limit;

extern uint64_t __start_waymark_counters[] __attribute__((weak, visibility("hidden")));

struct wm_context_tree *wm_context_trees;

const struct wm_context_record *wm_context_owner(const struct wm_context_link **link)
{
	if ((*link)->owner & 1)
		*link = (const struct wm_context_link *)((*link)->owner - 1);
	return (const struct wm_context_record *)(*link)->owner;
}

uint32_t wm_context_site(const struct wm_context_link *link)
{
	const struct wm_context_record *record = (const struct wm_context_record *)link->owner;
	return record->layout ? (uint32_t)record->layout->calls[link->number].site
			      : (uint32_t)link->number;
}

uint64_t wm_context_place(const uint64_t *counter)
{
	return wm_table_place((uint64_t)(counter - __start_waymark_counters));
}

static void start_links(
	struct wm_context_record *record, struct wm_context_link *links, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		links[i] = (struct wm_context_link){
			.entries = &wm_no_entry, .owner = (uint64_t)(uintptr_t)record, .number = i};
}

void *wm_context_place_cells(
	struct wm_context_tree *tree, uint64_t place, uint64_t key, uint64_t count)
{
	for (;;) {
		void *found = place ? wm_area_find(tree->areas, place, key, count)
				    : wm_area_find_unnamed(tree->areas);
		if (!found)
			found = wm_area_take(tree->areas, count);
		if (found)
			return found;
		if (wm_area_open(&tree->areas, count))
			return NULL;
	}
}

static void name(struct wm_table_cell *cell, uint64_t place, uint64_t key)
{
	cell->key = key;
	cell->place = place;
}

/* The record's own name comes last: an earlier process may have been killed before. */
static void name_cells(
	struct wm_table_cell *cell, const struct wm_context_layout *layout, uint64_t chain)
{
	for (uint64_t i = 0; i < layout->counter_count; i++)
		name(&cell[1 + i], wm_context_place(layout->counters + i), chain);
	for (uint64_t i = 0; i < layout->call_count; i++) {
		const struct wm_context_layout_call *call = &layout->calls[i];
		uint64_t at = 1 + layout->counter_count + i;
		if (call->place == WM_CONTEXT_UNCOUNTED)
			name(&cell[at], 0, WM_CELL_UNNAMED);
		else
			name(&cell[at], wm_context_place((const uint64_t *)(uintptr_t)call->place),
				wm_context_key(chain, (uint32_t)call->site));
	}
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	name(&cell[0], wm_context_place(layout->counter), chain);
}

static struct wm_context_record *make_record(struct wm_context_tree *tree,
	const struct wm_context_record *parent, const struct wm_context_layout *layout,
	uint64_t chain)
{
	uint64_t count = 1 + layout->counter_count + layout->call_count;
	struct wm_context_record *record =
		wm_context_place_cells(tree, wm_context_place(layout->counter), chain, count);
	if (!record)
		return NULL;
	*record = (struct wm_context_record){parent, layout, chain, tree};
	start_links(record, record->links + layout->counter_count, layout->call_count);
	name_cells(wm_area_cell(tree->areas, record), layout, chain);
	tree->record_count++;
	return record;
}

static struct wm_context_tree *make_tree(const struct wm_key_table *table)
{
	struct wm_context_tree *tree = wm_area_memory(sizeof *tree);
	struct wm_context_record *root =
		wm_area_memory(sizeof *root + ROOT_LINKS * sizeof *root->links);
	if (!tree || !root)
		return NULL;
	*root = (struct wm_context_record){NULL, NULL, WM_CONTEXT_START, tree};
	start_links(root, root->links, ROOT_LINKS);
	*tree = (struct wm_context_tree){.next = wm_context_trees, .table = table, .root = root};
	return wm_context_trees = tree;
}

struct wm_context_tree *wm_context_tree_of_caller(void)
{
	const struct wm_key_table *table = wm_table_origin ? wm_table_of_caller() : NULL;
	struct wm_context_tree *tree = wm_context_trees;
	if (wm_table_origin && !table)
		return NULL;
	while (tree && tree->table != table)
		tree = tree->next;
	return tree ? tree : make_tree(table);
}

static const struct wm_context_record *find_above(
	const struct wm_context_record *record, const struct wm_context_layout *layout)
{
	while (record && record->layout != layout)
		record = record->parent;
	return record;
}

static const struct wm_context_record **folded_place(
	const struct wm_context_tree *tree, const struct wm_context_layout *layout)
{
	uint64_t mask = tree->folded_size - 1;
	uint64_t at = ((uint64_t)(uintptr_t)layout * WM_TABLE_FACTOR >> 32) & mask;
	while (tree->folded[at] && tree->folded[at]->layout != layout)
		at = (at + 1) & mask;
	return &tree->folded[at];
}

static int make_room_for_folded(struct wm_context_tree *tree)
{
	if (tree->folded_count * 2 < tree->folded_size)
		return 1;
	const struct wm_context_record **before = tree->folded;
	uint64_t size = tree->folded_size, larger = size ? 2 * size : FIRST_FOLDED;
	const struct wm_context_record **more = wm_area_memory(larger * sizeof *more);
	if (!more)
		return 0;
	tree->folded = more;
	tree->folded_size = larger;
	for (uint64_t i = 0; i < size; i++)
		if (before[i])
			*folded_place(tree, before[i]->layout) = before[i];
	return 1;
}

static uint64_t chain_behind(uint64_t key, const struct wm_context_layout *layout)
{
	return wm_context_chain(key, (uint64_t)(layout->counter - __start_waymark_counters));
}

/* The one record of the function that stands for all its contexts beyond the limit. */
static const struct wm_context_record *fold(
	struct wm_context_tree *tree, const struct wm_context_layout *layout)
{
	if (!make_room_for_folded(tree))
		return NULL;
	const struct wm_context_record **place = folded_place(tree, layout);
	uint64_t key = wm_context_key(WM_CONTEXT_START, WM_CONTEXT_SITE_FOLDED);
	if (!*place) {
		*place = make_record(tree, tree->root, layout, chain_behind(key, layout));
		tree->folded_count += *place != NULL;
	}
	return *place;
}

static uint64_t limit(void)
{
	return &__waymark_context_limit ? __waymark_context_limit : DEFAULT_LIMIT;
}

struct wm_context_record *wm_context_find_record(
	const struct wm_context_link *link, const struct wm_context_layout *layout)
{
	const struct wm_context_record *parent = wm_context_owner(&link);
	const struct wm_context_record *above = find_above(parent, layout);
	if (above)
		return (struct wm_context_record *)above;
	struct wm_context_tree *tree = parent->tree;
	if (tree->record_count - tree->folded_count >= limit())
		return (struct wm_context_record *)fold(tree, layout);
	uint64_t key = wm_context_key(parent->chain, wm_context_site(link));
	return make_record(tree, parent, layout, chain_behind(key, layout));
}
