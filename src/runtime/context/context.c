/* Contexts: which chain of calls leads to each activation, and how often each call was made.
 *
 * A thread has a tree of records in private memory. Code finds its way from record to record by
 * itself and comes here when something is met for the first time (format/context_layout.h). Counts
 * are cells of the thread's tables, by key (format/context_key.h), so the profile has them at every
 * moment, whatever happens to the process, and what a reader finds does not depend on the order in
 * which things were found here. Only their addresses are kept.
 *
 * Records are never given up: frames hold their addresses across longjmp, switches of stacks and
 * fork. The tree of a dead thread goes to the next one together with its tables. When tables are
 * left behind (in a child, in another file, before the library is unloaded), all addresses of cells
 * are forgotten.
 *
 * Before the runtime has started there are no tables. Cells are then private memory, and what they
 * have counted is taken over at the start.
 */
#define _GNU_SOURCE
#include <stddef.h>

#include "format/context_key.h"
#include "format/context_layout.h"
#include "runtime/count/cell.h"
#include "runtime/count/slot.h"
#include "runtime/count/tables.h"
#include "runtime/keep_registers.h"
#include "runtime/state.h"
#include "runtime/store.h"
#include "runtime/system.h"

enum { PIECE_BYTES = 1 << 18, MAX_SLOTS = 1 << 16, ROOT_SLOTS = 3, FIRST_FOLDED = 64 };

enum { RECENT_ENTRIES = 1 << 12 };

struct record {
	struct record *next; /* of the tree */
	struct tree *tree;
	const struct record *parent; /* NULL: the root, which is no function */
	const struct wm_context_layout *layout;
	uint64_t chain;
	struct wm_context_slot slots[];
};

struct tree {
	struct tree *next;
	const struct wm_key_table *table; /* with the cells; NULL: nobody's, or not known yet */
	struct record *records;
	struct record *root;
	uint64_t record_count;
	const struct record **folded; /* by hash of their layouts */
	uint64_t folded_size, folded_count;
	struct wm_table_cell uncounted;			 /* for calls of what is not counted */
	struct wm_context_entry *recent[RECENT_ENTRIES]; /* by hash */
};

/* Whoever passes no link and has set no slot. */
static struct wm_context_entry no_entry;
static struct wm_context_slot nowhere = {.entries = &no_entry};

__thread struct wm_context_slot *__waymark_context_here = &nowhere;

/* Records of a thread; beyond it, each function has one more. */
__attribute__((weak, visibility("hidden"))) extern const uint64_t __waymark_context_limit;

enum { DEFAULT_LIMIT = 1 << 20 };

extern uint64_t __start_waymark_counters[] __attribute__((weak, visibility("hidden")));
extern const struct wm_context_public __start_waymark_entries[]
	__attribute__((weak, visibility("hidden")));
extern const struct wm_context_public __stop_waymark_entries[]
	__attribute__((weak, visibility("hidden")));

static struct tree *trees;
static char *piece;
static size_t piece_left;

/* What counts where nothing can be had: its counts are lost. */
static struct wm_table_cell sink_cell;
static struct wm_context_slot sink[MAX_SLOTS];
static struct wm_context_entry sink_entry = {
	.link = {.cell = &sink_cell, .entries = &no_entry}, .site_cell = &sink_cell};

static void *take(size_t bytes)
{
	if (bytes > piece_left) {
		size_t size = bytes > PIECE_BYTES ? bytes : PIECE_BYTES;
		char *mapped = wm_system_map(NULL, size, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (!mapped)
			return NULL;
		piece = mapped;
		piece_left = size;
	}
	void *taken = piece;
	piece += bytes;
	piece_left -= bytes;
	return taken;
}

static void note_loss(void)
{
	if (wm_state.first)
		wm_slot_header(wm_state.first)->status |= WM_STATUS_COUNTS_LOST;
}

static struct wm_context_slot *sink_slots(void)
{
	note_loss();
	if (!sink[0].entries)
		for (uint64_t i = 0; i < MAX_SLOTS; i++)
			sink[i] =
				(struct wm_context_slot){.cell = &sink_cell, .entries = &no_entry};
	return sink;
}

/* Whose slot the link is, and its number in the record. */
static const struct record *owner_of(const struct wm_context_slot *link, uint64_t *slot)
{
	if (link->owner & 1)
		link = (const struct wm_context_slot *)(link->owner - 1);
	const struct record *record = (const struct record *)link->owner;
	*slot = record ? (uint64_t)(link - record->slots) : 0;
	return record;
}

static uint64_t site_of(const struct record *record, uint64_t slot)
{
	return record->layout ? record->layout->slots[slot].site : slot;
}

static struct wm_table_cell *early_cell(const uint64_t *counter, uint64_t key)
{
	struct wm_table_cell *cell = take(sizeof *cell);
	if (cell)
		*cell = (struct wm_table_cell){.place = (uint64_t)(uintptr_t)counter, .key = key};
	return cell;
}

/* The same cell later, with what the early one has counted. */
static struct wm_table_cell *find_cell(const uint64_t *counter, uint64_t key)
{
	struct wm_table_cell *cell =
		wm_table_origin ? wm_table_lend(counter, key) : early_cell(counter, key);
	if (!cell)
		note_loss();
	return cell ? cell : &sink_cell;
}

static struct record *make_record(struct tree *tree, const struct record *parent,
	const struct wm_context_layout *layout, uint64_t chain)
{
	uint64_t count = layout ? layout->slot_count : ROOT_SLOTS;
	struct record *record = take(sizeof *record + count * sizeof *record->slots);
	if (!record)
		return NULL;
	*record = (struct record){.next = tree->records,
		.tree = tree,
		.parent = parent,
		.layout = layout,
		.chain = chain};
	for (uint64_t i = 0; i < count; i++)
		record->slots[i] = (struct wm_context_slot){
			.entries = &no_entry, .owner = (uint64_t)(uintptr_t)record};
	tree->records = record;
	tree->record_count++;
	return record;
}

static struct tree *make_tree(const struct wm_key_table *table)
{
	struct tree *tree = take(sizeof *tree);
	if (!tree)
		return NULL;
	tree->next = trees;
	tree->table = table;
	tree->root = make_record(tree, NULL, NULL, WM_CONTEXT_START);
	if (!tree->root)
		return NULL;
	return trees = tree;
}

/* One that counts into the caller's tables. Before the start all threads have one together. */
static struct tree *tree_of_caller(void)
{
	const struct wm_key_table *table = wm_table_origin ? wm_table_of_caller() : NULL;
	struct tree *tree = trees;
	if (wm_table_origin && !table)
		return NULL;
	while (tree && tree->table != table)
		tree = tree->next;
	return tree ? tree : make_tree(table);
}

static const struct record *find_above(
	const struct record *record, const struct wm_context_layout *layout)
{
	while (record && record->layout != layout)
		record = record->parent;
	return record;
}

static const struct record **folded_place(
	const struct tree *tree, const struct wm_context_layout *layout)
{
	uint64_t mask = tree->folded_size - 1;
	uint64_t at = ((uint64_t)(uintptr_t)layout * WM_TABLE_FACTOR >> 32) & mask;
	while (tree->folded[at] && tree->folded[at]->layout != layout)
		at = (at + 1) & mask;
	return &tree->folded[at];
}

static int make_room_for_folded(struct tree *tree)
{
	if (tree->folded_count * 2 < tree->folded_size)
		return 1;
	struct tree larger = *tree;
	larger.folded_size = tree->folded_size ? tree->folded_size * 2 : FIRST_FOLDED;
	larger.folded = take(larger.folded_size * sizeof *larger.folded);
	if (!larger.folded)
		return 0;
	for (uint64_t i = 0; i < tree->folded_size; i++)
		if (tree->folded[i])
			*folded_place(&larger, tree->folded[i]->layout) = tree->folded[i];
	tree->folded = larger.folded;
	tree->folded_size = larger.folded_size;
	return 1;
}

static uint64_t chain_behind(uint64_t key, const struct wm_context_layout *layout)
{
	return wm_context_chain(key, (uint64_t)(layout->counter - __start_waymark_counters));
}

/* The one record of the function that stands for all its contexts beyond the limit. */
static const struct record *fold(struct tree *tree, const struct wm_context_layout *layout)
{
	if (!make_room_for_folded(tree))
		return NULL;
	const struct record **place = folded_place(tree, layout);
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

/* Under the lock. */
static const struct record *find_record(
	const struct wm_context_slot *link, const struct wm_context_layout *layout)
{
	uint64_t slot;
	const struct record *parent = owner_of(link, &slot);
	const struct record *above = find_above(parent, layout);
	if (above)
		return above;
	struct tree *tree = parent->tree;
	if (tree->record_count - tree->folded_count > limit())
		return fold(tree, layout);
	uint64_t key = wm_context_key(parent->chain, (uint32_t)site_of(parent, slot));
	return make_record(tree, parent, layout, chain_behind(key, layout));
}

/* The record of the function with this layout behind the link: its slots. */
__attribute__((used)) struct wm_context_slot *wm_context_record(
	struct wm_context_slot *link, const struct wm_context_layout *layout)
{
	uint64_t before;
	if (!link->owner || wm_state_is_held())
		return sink_slots();
	wm_state_lock(&before);
	if (!link->target) {
		const struct record *record = find_record(link, layout);
		link->target = record ? (struct wm_context_slot *)record->slots : sink_slots();
	}
	wm_state_unlock(&before);
	return link->target;
}

/* Where calls at the slot are counted, if it has one callee. */
static struct wm_table_cell *cell_of_slot(const struct wm_context_slot *slot)
{
	uint64_t number;
	const struct record *record = owner_of(slot, &number);
	const struct wm_context_layout *layout = record->layout;
	uint64_t place = layout->slots[number].place;
	uint32_t site = (uint32_t)layout->slots[number].site;
	if (place == WM_CONTEXT_UNCOUNTED)
		return &record->tree->uncounted;
	return find_cell((const uint64_t *)(uintptr_t)place, wm_context_key(record->chain, site));
}

/* Counts a call at the slot. */
__attribute__((used)) void *wm_context_count(struct wm_context_slot *slot)
{
	uint64_t before;
	if (!slot->owner)
		return NULL;
	if (wm_state_is_held()) {
		note_loss();
		return NULL;
	}
	wm_state_lock(&before);
	if (!slot->cell)
		slot->cell = cell_of_slot(slot);
	wm_cell_add(slot->cell, 1);
	wm_state_unlock(&before);
	return NULL;
}

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
	public_functions = take(public_size * sizeof *public_functions);
	for (uint64_t i = 0; public_functions && i < count; i++)
		*public_place(__start_waymark_entries[i].function) = &__start_waymark_entries[i];
}

static const struct wm_context_public *find_public(const void *function)
{
	if (!public_functions)
		fill_public_functions();
	return public_functions ? *public_place(function) : NULL;
}

/* Where the function is counted if it is called at the slot. */
static struct wm_table_cell *cell_of_entry(
	const struct wm_context_slot *slot, const struct wm_context_layout *layout)
{
	uint64_t number;
	const struct record *record = owner_of(slot, &number);
	return find_cell(
		layout->counter, wm_context_key(record->chain, (uint32_t)site_of(record, number)));
}

static struct wm_context_entry **recent_place(
	const struct wm_context_slot *slot, const void *function)
{
	uint64_t number, sum = (uint64_t)(uintptr_t)slot + 4 * (uint64_t)(uintptr_t)function;
	return &owner_of(slot, &number)
			->tree->recent[sum * WM_TABLE_FACTOR >> 40 & (RECENT_ENTRIES - 1)];
}

static int is_entry_of(const struct wm_context_entry *entry, const struct wm_context_slot *slot,
	const void *function)
{
	return entry->function == function && entry->link.owner == (uint64_t)(uintptr_t)slot + 1;
}

/* The valid entry of the function, or NULL. Any handler of signals may do the same meanwhile. */
static inline struct wm_context_entry *find_quickly(
	struct wm_context_slot *slot, const void *function)
{
	struct wm_context_entry *entry = *recent_place(slot, function);
	if (!entry || !is_entry_of(entry, slot, function))
		return NULL;
	slot->entries = entry;
	return entry;
}

/* The entries of a slot are a ring. */
static struct wm_context_entry *find_in_ring(
	const struct wm_context_slot *slot, const void *function)
{
	struct wm_context_entry *entry = slot->entries;
	do {
		if (entry->known == function)
			return entry;
		entry = entry->link.entries;
	} while (entry != slot->entries);
	return NULL;
}

static struct wm_context_entry *make_entry(struct wm_context_slot *slot, const void *function)
{
	struct wm_context_entry *entry = take(sizeof *entry), *last = slot->entries;
	if (!entry)
		return NULL;
	*entry = (struct wm_context_entry){
		.link = {.entries = last == &no_entry ? entry : last->link.entries,
			.owner = (uint64_t)(uintptr_t)slot + 1},
		.known = function};
	if (last != &no_entry)
		last->link.entries = entry;
	return entry;
}

/* A function that finds its link itself counts what enters by it; no caller does. */
static void make_valid(struct wm_context_slot *slot, struct wm_context_entry *entry,
	const struct wm_context_layout *layout, const struct wm_context_public *known)
{
	uint64_t number;
	struct wm_table_cell *uncounted = &owner_of(slot, &number)->tree->uncounted;
	entry->link.cell = layout ? cell_of_entry(slot, layout) : uncounted;
	entry->site_cell = known && known->body ? entry->link.cell : uncounted;
	entry->body = known && known->body ? known->body : entry->known;
	entry->function = entry->known;
}

/* Under the lock. */
static struct wm_context_entry *find_entry(
	struct wm_context_slot *slot, const void *function, const struct wm_context_layout *layout)
{
	struct wm_context_entry *entry = NULL;
	if (slot->entries != &no_entry)
		entry = find_in_ring(slot, function);
	if (!entry)
		entry = make_entry(slot, function);
	if (!entry)
		return NULL;
	if (!entry->function) {
		const struct wm_context_public *known = find_public(function);
		make_valid(slot, entry, known ? known->layout : layout, known);
	}
	*recent_place(slot, function) = slot->entries = entry;
	return entry;
}

/* The function is called at the slot by code that looks for it. Counts that, and returns its entry.
 */
__attribute__((used)) struct wm_context_entry *wm_context_find(
	struct wm_context_slot *slot, const void *function)
{
	uint64_t before;
	struct wm_context_entry *entry = slot->owner ? find_quickly(slot, function) : NULL;
	if (!entry && slot->owner && !wm_state_is_held()) {
		wm_state_lock(&before);
		entry = find_entry(slot, function, NULL);
		wm_state_unlock(&before);
	}
	if (entry) {
		wm_cell_add(entry->site_cell, 1);
	} else {
		note_loss();
		entry = take(sizeof *entry);
		if (entry)
			*entry = sink_entry;
		else
			entry = &sink_entry;
		entry->body = function;
	}
	return entry;
}

/* mov $15,%rax; syscall: what the kernel lets handlers return to. */
static int is_return_from_signal(const unsigned char *code)
{
	static const unsigned char long_form[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
	static const unsigned char short_form[] = {0xb8, 0x0f, 0, 0, 0, 0x0f, 0x05};
	size_t i = 0, k = 0;
	while (i < sizeof long_form && code[i] == long_form[i])
		i++;
	while (k < sizeof short_form && code[k] == short_form[k])
		k++;
	return i == sizeof long_form || k == sizeof short_form;
}

/* The slot of whoever calls, as below, if it can be told without the lock; or NULL. */
static struct wm_context_slot *known_slot_of_caller(const unsigned char *code)
{
	struct wm_context_slot *here = __waymark_context_here;
	uint64_t number;
	if (!here->owner)
		return NULL;
	if (!code || !is_return_from_signal(code))
		return here;
	return &owner_of(here, &number)->tree->root->slots[WM_CONTEXT_SITE_SIGNAL];
}

/* The slot of whoever calls: of the kernel, of code of ours, or of somebody else. */
static struct wm_context_slot *slot_of_caller(const unsigned char *code)
{
	struct wm_context_slot *here = __waymark_context_here;
	uint64_t number;
	int is_signal = code && is_return_from_signal(code);
	if (here != &nowhere && here->owner && !is_signal)
		return here;
	const struct record *caller = here->owner ? owner_of(here, &number) : NULL;
	struct tree *tree = caller ? caller->tree : tree_of_caller();
	if (!tree)
		return NULL;
	if (here == &nowhere)
		__waymark_context_here = &tree->root->slots[WM_CONTEXT_SITE_OUTSIDE];
	return &tree->root->slots[is_signal ? WM_CONTEXT_SITE_SIGNAL : WM_CONTEXT_SITE_OUTSIDE];
}

/* The function is entered by code that gave it no link, and will return to that code address if it
 * may be a handler of signals; else that is NULL. Counts the call and returns its entry. */
__attribute__((used)) struct wm_context_entry *wm_context_enter(
	const struct wm_context_layout *layout, const void *function, const unsigned char *code)
{
	uint64_t before;
	WM_STORE_KEEP("wm_context_store_entry");
	struct wm_context_slot *slot = known_slot_of_caller(code);
	struct wm_context_entry *entry = slot ? find_quickly(slot, function) : NULL;
	if (!entry && !wm_state_is_held()) {
		wm_state_lock(&before);
		slot = slot_of_caller(code);
		entry = slot ? find_entry(slot, function, layout) : NULL;
		wm_state_unlock(&before);
	}
	if (!entry) {
		note_loss();
		return &sink_entry;
	}
	wm_cell_add(entry->link.cell, 1);
	return entry;
}

static void for_each_link(struct tree *tree, void (*visit_slot)(struct wm_context_slot *),
	void (*visit_entry)(struct wm_context_slot *, struct wm_context_entry *))
{
	for (struct record *record = tree->records; record; record = record->next) {
		uint64_t count = record->layout ? record->layout->slot_count : ROOT_SLOTS;
		for (struct wm_context_slot *slot = record->slots; slot < record->slots + count;
			slot++) {
			visit_slot(slot);
			struct wm_context_entry *entry = slot->entries;
			if (entry == &no_entry)
				continue;
			do {
				visit_entry(slot, entry);
				entry = entry->link.entries;
			} while (entry != slot->entries);
		}
	}
}

static void take_over(struct wm_table_cell **cell)
{
	struct wm_table_cell *early = *cell;
	if (!early || !early->place)
		return;
	*cell = find_cell((const uint64_t *)(uintptr_t)early->place, early->key);
	wm_cell_add(*cell, early->count);
}

static void start_slot(struct wm_context_slot *slot)
{
	take_over(&slot->cell);
}

static void start_entry(struct wm_context_slot *slot, struct wm_context_entry *entry)
{
	(void)slot;
	struct wm_table_cell *early = entry->link.cell;
	take_over(&entry->link.cell);
	if (entry->site_cell == early)
		entry->site_cell = entry->link.cell;
}

static void start(void)
{
	wm_table_start();
	for (struct tree *tree = trees; tree; tree = tree->next) {
		for_each_link(tree, start_slot, start_entry);
		tree->table = wm_table_of_caller();
	}
}

static void forget_slot(struct wm_context_slot *slot)
{
	slot->cell = NULL;
}

static void forget_entry(struct wm_context_slot *slot, struct wm_context_entry *entry)
{
	(void)slot;
	entry->function = NULL;
}

static int move(void)
{
	for (struct tree *tree = trees; tree; tree = tree->next)
		for_each_link(tree, forget_slot, forget_entry);
	return 0;
}

/* Tables of other threads are gone: what is at their addresses later is another thread's. */
static void start_in_child(void)
{
	const struct wm_key_table *own = wm_table_current ? wm_table_current->table : NULL;
	move();
	for (struct tree *tree = trees; tree; tree = tree->next)
		if (tree->table != own)
			tree->table = NULL;
}

static void release(void)
{
	move();
	for (struct tree *tree = trees; tree; tree = tree->next)
		tree->table = NULL;
}

static int nothing_to_do(void)
{
	return 0;
}

static uint64_t no_units(void)
{
	return 0;
}

static int write_nothing(void *to, uint64_t units, uint64_t library)
{
	(void)to;
	(void)units;
	(void)library;
	return 0;
}

static const struct wm_store store = {.start = start,
	.needs_saving = nothing_to_do,
	.save = nothing_to_do,
	.reset = nothing_to_do,
	.pause = nothing_to_do,
	.resume = nothing_to_do,
	.move = move,
	.start_in_child = start_in_child,
	.release = release,
	.image_units = no_units,
	.write_image = write_nothing};

WM_STORE_ENTRY const struct wm_store *wm_context_store_entry = &store;

WM_KEEPING_REGISTERS("__waymark_context_record", "wm_context_record");
WM_KEEPING_REGISTERS("__waymark_context_count", "wm_context_count");
WM_KEEPING_REGISTERS("__waymark_context_find", "wm_context_find");
WM_KEEPING_REGISTERS("__waymark_context_enter", "wm_context_enter");
