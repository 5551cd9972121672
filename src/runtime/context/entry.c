/* The entries of a link are a ring, and those of a tree that were found last are in a table. */
#include "runtime/context/entry.h"

#include "format/context_key.h"
#include "runtime/context/sink.h"

extern const struct wm_context_public __start_waymark_entries[]
	__attribute__((weak, visibility("hidden")));
extern const struct wm_context_public __stop_waymark_entries[]
	__attribute__((weak, visibility("hidden")));

/* Functions whose addresses may be called, by hash: filled once. */
static const struct wm_context_public **public_functions;
static uint64_t public_size;

static const struct wm_context_public **public_place(const void *function)
{
	uint64_t at = (uint64_t)(uintptr_t)function * WM_TABLE_FACTOR >> 32;
	for (at &= public_size - 1;
		public_functions[at] && public_functions[at]->function != function;
		at = (at + 1) & (public_size - 1))
		;
	return &public_functions[at];
}

static void fill_public_functions(void)
{
	uint64_t count = (uint64_t)(__stop_waymark_entries - __start_waymark_entries);
	public_size = 2;
	while (public_size < 2 * count)
		public_size *= 2;
	public_functions = wm_area_memory(public_size * sizeof *public_functions);
	for (uint64_t i = 0; public_functions && i < count; i++)
		*public_place(__start_waymark_entries[i].function) = &__start_waymark_entries[i];
}

static const struct wm_context_public *find_public(const void *function)
{
	if (!public_functions)
		fill_public_functions();
	return public_functions ? *public_place(function) : NULL;
}

static struct wm_context_entry **recent_place(
	const struct wm_context_link *link, const void *function)
{
	const struct wm_context_link *own = link;
	uint64_t sum = (uint64_t)(uintptr_t)link + 4 * (uint64_t)(uintptr_t)function;
	return &wm_context_owner(&own)
			->tree->recent[sum * WM_TABLE_FACTOR >> 40 & (WM_RECENT_ENTRIES - 1)];
}

struct wm_context_entry *wm_context_find_quickly(struct wm_context_link *link, const void *function)
{
	struct wm_context_entry *entry = *recent_place(link, function);
	if (!entry || entry->function != function ||
		entry->link.owner != (uint64_t)(uintptr_t)link + 1)
		return NULL;
	link->entries = entry;
	return entry;
}

static struct wm_context_entry *find_in_ring(
	const struct wm_context_link *link, const void *function)
{
	struct wm_context_entry *entry = link->entries;
	do {
		if (entry->function == function)
			return entry;
		entry = entry->link.entries;
	} while (entry != link->entries);
	return NULL;
}

/* A function that finds its link itself counts what enters by it; no caller does. */
static struct wm_context_entry *place_entry(
	struct wm_context_link *link, const struct wm_context_layout *layout, int has_body)
{
	const struct wm_context_link *own = link;
	const struct wm_context_record *record = wm_context_owner(&own);
	uint64_t place = layout ? wm_context_place(layout->counter) : 0;
	uint64_t key = layout ? wm_context_key(record->chain, wm_context_site(own))
			      : WM_CELL_UNNAMED_ENTRY;
	struct wm_context_entry *entry = wm_context_place_cells(record->tree, place, key, 2);
	if (!entry)
		return NULL;
	struct wm_table_cell *cell = wm_area_cell(record->tree->areas, entry);
	int is_found = layout && has_body;
	cell[1].key = is_found ? key : WM_CELL_UNNAMED_FOUND;
	cell[1].place = is_found ? place : 0;
	cell[0].key = key;
	cell[0].place = place;
	return entry;
}

static struct wm_context_entry *make_entry(
	struct wm_context_link *link, const void *function, const struct wm_context_layout *layout)
{
	const struct wm_context_public *known = find_public(function);
	const void *body = known ? known->body : NULL;
	struct wm_context_entry *last = link->entries;
	struct wm_context_entry *entry =
		place_entry(link, known ? known->layout : layout, body != NULL);
	if (!entry)
		return NULL;
	*entry = (struct wm_context_entry){
		.link = {.entries = last == &wm_no_entry ? entry : last->link.entries,
			.owner = (uint64_t)(uintptr_t)link + 1},
		.function = function,
		.body = body ? body : function};
	if (last != &wm_no_entry)
		last->link.entries = entry;
	return entry;
}

struct wm_context_entry *wm_context_find_entry(
	struct wm_context_link *link, const void *function, const struct wm_context_layout *layout)
{
	struct wm_context_entry *entry = NULL;
	if (link->entries != &wm_no_entry)
		entry = find_in_ring(link, function);
	if (!entry)
		entry = make_entry(link, function, layout);
	if (entry)
		*recent_place(link, function) = link->entries = entry;
	return entry;
}
