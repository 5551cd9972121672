/* Contexts: which chain of calls leads to each activation, and how often each call was made.
 *
 * A thread has a tree of records. Code finds its way from record to record by itself, counts beside
 * them, and comes here when something is met for the first time (format/context_layout.h). Counts
 * are cells with a key (format/context_key.h), so the profile has them at every moment, whatever
 * happens to the process, and what a reader finds does not depend on the order in which things were
 * found here.
 *
 * The tree of a dead thread goes to the next one together with its tables. When counts are left
 * behind (in a child, in another file), all areas get others at their addresses. Before the runtime
 * has started areas are in memory, and what they have counted is taken over at the start.
 */
#define _GNU_SOURCE
#include <stddef.h>

#include "format/context_key.h"
#include "runtime/context/entry.h"
#include "runtime/context/sink.h"
#include "runtime/count/cell.h"
#include "runtime/file/name.h"
#include "runtime/keep_registers.h"
#include "runtime/state.h"
#include "runtime/store.h"

/* Whoever passes no link and has set none. */
static struct wm_context_link nowhere = {.entries = &wm_no_entry};

__thread struct wm_context_link *__waymark_context_here = &nowhere;

static void count_beside(void *half, uint64_t number)
{
	wm_cell_add((struct wm_table_cell *)((char *)half + WM_CONTEXT_DISTANCE) + number, 1);
}

/* The record of the function with this layout behind the link. */
__attribute__((used)) struct wm_context_record *wm_context_record(
	struct wm_context_link *link, const struct wm_context_layout *layout)
{
	uint64_t before;
	WM_STORE_KEEP("wm_context_store_entry");
	if (!link->owner || wm_state_is_held())
		return wm_sink_record();
	wm_state_lock(&before);
	if (!link->target)
		link->target = wm_context_find_record(link, layout);
	if (!link->target)
		link->target = wm_sink_record();
	wm_state_unlock(&before);
	return link->target;
}

/* The function is called at the link by code that looks for it. Counts that, and returns its entry.
 */
__attribute__((used)) struct wm_context_entry *wm_context_find(
	struct wm_context_link *link, const void *function)
{
	uint64_t before;
	struct wm_context_entry *entry =
		link->owner ? wm_context_find_quickly(link, function) : NULL;
	if (!entry && link->owner && !wm_state_is_held()) {
		wm_state_lock(&before);
		entry = wm_context_find_entry(link, function, NULL);
		wm_state_unlock(&before);
	}
	if (!entry)
		entry = wm_sink_entry(function);
	count_beside(entry, 1);
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

static struct wm_context_link *link_of_root(struct wm_context_tree *tree, int is_signal)
{
	return &tree->root->links[is_signal ? WM_CONTEXT_SITE_SIGNAL : WM_CONTEXT_SITE_OUTSIDE];
}

static struct wm_context_tree *tree_of(const struct wm_context_link *link)
{
	return wm_context_owner(&link)->tree;
}

/* The link of whoever calls, as below, if it can be told without the lock; or NULL. */
static struct wm_context_link *known_link_of_caller(const unsigned char *code)
{
	struct wm_context_link *here = __waymark_context_here;
	if (!here->owner)
		return NULL;
	if (!code || !is_return_from_signal(code))
		return here;
	return link_of_root(tree_of(here), 1);
}

/* The link of whoever calls: of the kernel, of code of ours, or of somebody else. */
static struct wm_context_link *link_of_caller(const unsigned char *code)
{
	struct wm_context_link *known = known_link_of_caller(code);
	struct wm_context_link *here = __waymark_context_here;
	if (known)
		return known;
	struct wm_context_tree *tree = wm_context_tree_of_caller();
	if (!tree)
		return NULL;
	if (here == &nowhere)
		__waymark_context_here = link_of_root(tree, 0);
	return link_of_root(tree, code && is_return_from_signal(code));
}

/* The function is entered by code that gave it no link, and will return to that code address if it
 * may be a handler of signals; else that is NULL. Counts the call and returns its entry. */
__attribute__((used)) struct wm_context_entry *wm_context_enter(
	const struct wm_context_layout *layout, const void *function, const unsigned char *code)
{
	uint64_t before;
	WM_STORE_KEEP("wm_context_store_entry");
	struct wm_context_link *link = known_link_of_caller(code);
	struct wm_context_entry *entry = link ? wm_context_find_quickly(link, function) : NULL;
	if (!entry && !wm_state_is_held()) {
		wm_state_lock(&before);
		link = link_of_caller(code);
		entry = link ? wm_context_find_entry(link, function, layout) : NULL;
		wm_state_unlock(&before);
	}
	if (!entry)
		return wm_sink_entry(NULL);
	count_beside(entry, 0);
	return entry;
}

static int for_each_area(int (*function)(struct wm_area *))
{
	int status = 0;
	for (struct wm_context_tree *tree = wm_context_trees; tree; tree = tree->next)
		for (struct wm_area *area = tree->areas; area; area = area->next)
			status |= area->extent.parked ? 0 : function(area);
	return status;
}

static int (*visit_cells)(const struct wm_table_cell *cells, uint64_t count);

static int visit_area(struct wm_area *area)
{
	return visit_cells(wm_extent_cells(&area->extent), area->used);
}

static int visit_others(int (*visit)(const struct wm_table_cell *cells, uint64_t count))
{
	visit_cells = visit;
	return for_each_area(visit_area);
}

static int start_area(struct wm_area *area)
{
	return wm_area_renew(area, 1, 0);
}

static void start(void)
{
	wm_table_start();
	wm_table_others = visit_others;
	for_each_area(start_area);
	for (struct wm_context_tree *tree = wm_context_trees; tree; tree = tree->next)
		tree->table = wm_table_of_caller();
}

static int is_in_memory(struct wm_area *area)
{
	return !area->extent.number;
}

static int needs_saving(void)
{
	return for_each_area(is_in_memory);
}

static int save_area(struct wm_area *area)
{
	static char name[PATH_MAX];
	if (area->extent.number)
		return 0;
	if (!wm_name_expand(wm_state.object.host, wm_state.pattern, name) &&
		!wm_extent_save(&wm_state.object, name, &area->extent))
		return 0;
	return wm_table_receive(wm_extent_cells(&area->extent), area->used);
}

static int save(void)
{
	return for_each_area(save_area);
}

/* The sum of all tables has what records count. */
static int nothing_to_reset(void)
{
	return 0;
}

static int pause_area(struct wm_area *area)
{
	return area->extent.kept ? 0 : wm_extent_pause(&area->extent);
}

static int pause_all(void)
{
	return for_each_area(pause_area);
}

static int resume_area(struct wm_area *area)
{
	return wm_extent_resume(&area->extent);
}

static int resume_all(void)
{
	return for_each_area(resume_area);
}

static int move_area(struct wm_area *area)
{
	return wm_area_renew(area, 0, 1);
}

static int move(void)
{
	wm_extent_search_again();
	return for_each_area(move_area);
}

static int renew_area(struct wm_area *area)
{
	return wm_area_renew(area, 0, 0);
}

/* Frames of the one thread may hold records of any tree. Tables of others are gone: what is at
 * their addresses later is another thread's. */
static void start_in_child(void)
{
	const struct wm_key_table *own = wm_table_current ? wm_table_current->table : NULL;
	wm_extent_search_again();
	for_each_area(renew_area);
	for (struct wm_context_tree *tree = wm_context_trees; tree; tree = tree->next)
		if (tree->table != own)
			tree->table = NULL;
}

static void park_areas(struct wm_context_tree *tree)
{
	for (struct wm_area *area = tree->areas; area; area = area->next)
		if (!area->extent.parked)
			wm_extent_park(&area->extent, 1);
	tree->table = NULL;
}

/* Others' threads may go on. If the caller comes again, it gets another tree. */
static void release(void)
{
	struct wm_context_link *here = __waymark_context_here;
	if (here->owner)
		park_areas(tree_of(here));
	__waymark_context_here = &nowhere;
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
	.needs_saving = needs_saving,
	.save = save,
	.reset = nothing_to_reset,
	.pause = pause_all,
	.resume = resume_all,
	.move = move,
	.start_in_child = start_in_child,
	.release = release,
	.image_units = no_units,
	.write_image = write_nothing};

WM_STORE_ENTRY const struct wm_store *wm_context_store_entry = &store;

WM_KEEPING_REGISTERS("__waymark_context_record", "wm_context_record");
WM_KEEPING_REGISTERS("__waymark_context_find", "wm_context_find");
WM_KEEPING_REGISTERS("__waymark_context_enter", "wm_context_enter");
