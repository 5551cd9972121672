/* What ran in which runs, out of the derived tables. */
#include <stdlib.h>
#include <string.h>

#include "store/parts.h"

struct reader {
	struct wm_arena *arena;
	struct wm_arena scratch;
	struct wm_store *store;
	const struct wm_store_run *runs; /* by rising id */
	struct wm_store_items *items;
	size_t function_room, item_room;
	struct wm_error *error;
};

static int take_function(void *context, const struct wm_value *row, struct wm_error *error)
{
	struct reader *reader = context;
	struct wm_store_items *items = reader->items;
	if (row[1].kind != WM_VALUE_TEXT || row[2].kind != WM_VALUE_TEXT)
		return wm_store_damaged(reader->store, "a function has no name", error);
	size_t last = items->function_count - 1;
	/* The newest object comes last. */
	if (items->function_count && items->functions[last].id == row[0].number) {
		items->functions[last].object = row[7].number;
		items->functions[last].place = (uint32_t)row[8].number;
		return 0;
	}
	items->functions = wm_arena_grow(reader->arena, items->functions, items->function_count,
		&reader->function_room, sizeof *items->functions);
	items->functions[items->function_count++] = (struct wm_store_function){
		.id = row[0].number,
		.name = wm_arena_copy_text(reader->arena, row[1].bytes),
		.file = wm_arena_copy_text(reader->arena, row[2].bytes),
		.line = (uint32_t)row[3].number,
		.shape = (uint32_t)row[4].number,
		.code = (uint64_t)row[5].number,
		.possible = (uint64_t)row[6].number,
		.object = row[7].number,
		.place = (uint32_t)row[8].number};
	return 0;
}

/* The first of the runs whose id is not below. */
static size_t find_run(const struct reader *reader, int64_t id)
{
	size_t low = 0, high = reader->items->run_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (reader->runs[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The same; at once where no id is missing. */
static size_t guess_run(const struct reader *reader, int64_t id)
{
	size_t count = reader->items->run_count;
	int64_t place = count ? id - reader->runs[0].id : 0;
	if (place < 0)
		return 0;
	if ((uint64_t)place < count && reader->runs[place].id == id)
		return (size_t)place;
	return find_run(reader, id);
}

/* Sets bits from `first` up to before `end`. */
static void set_bits(uint64_t *set, size_t first, size_t end)
{
	while (first < end && first % 64) {
		set[first / 64] |= (uint64_t)1 << first % 64;
		first++;
	}
	for (; first + 64 <= end; first += 64)
		set[first / 64] = UINT64_MAX;
	for (; first < end; first++)
		set[first / 64] |= (uint64_t)1 << first % 64;
}

/* Sets the bits of those runs that were asked for; false if there are none. */
static bool set_runs(const struct reader *reader, const struct wm_run_ranges *ranges, uint64_t *set)
{
	bool any = false;
	for (size_t i = 0; i < ranges->count; i++) {
		const struct wm_run_range *range = &ranges->ranges[i];
		size_t first = guess_run(reader, range->first),
		       end = guess_run(reader, range->last + 1);
		set_bits(set, first, end);
		any |= end > first;
	}
	return any;
}

static int find_part(const struct wm_value *name)
{
	for (int part = 0; part < WM_STORE_PARTS; part++)
		if (name->kind == WM_VALUE_TEXT &&
			strcmp(name->bytes, wm_store_part_names[part]) == 0)
			return part;
	return -1;
}

static int compare_function(const void *key, const void *element)
{
	int64_t id = *(const int64_t *)key;
	const struct wm_store_function *function = element;
	return (id > function->id) - (id < function->id);
}

static int take_item(void *context, const struct wm_value *row, struct wm_error *error)
{
	struct reader *reader = context;
	struct wm_store_items *items = reader->items;
	struct wm_run_ranges ranges;
	int part = find_part(&row[1]);
	const struct wm_store_function *function =
		items->function_count ? bsearch(&row[0].number, items->functions,
						items->function_count, sizeof *items->functions,
						compare_function)
				      : NULL;
	if (part < 0 || !function || row[3].kind != WM_VALUE_BYTES ||
		!wm_run_ranges_decode(&reader->scratch, row[3].bytes, row[3].size, &ranges))
		return wm_store_damaged(reader->store, "a set of runs makes no sense", error);
	items->items = wm_arena_grow(reader->arena, items->items, items->count,
		&reader->item_room, sizeof *items->items);
	struct wm_store_item *item = &items->items[items->count];
	*item = (struct wm_store_item){.function = (size_t)(function - items->functions),
		.part = (enum wm_store_part)part,
		.id = (uint64_t)row[2].number,
		.runs = wm_arena_alloc(reader->arena, items->words, sizeof(uint64_t))};
	items->count += set_runs(reader, &ranges, item->runs);
	wm_arena_reset(&reader->scratch);
	return 0;
}

static int read_objects(struct reader *reader)
{
	struct wm_stored_object *objects;
	struct wm_store_items *items = reader->items;
	int status = wm_store_objects(reader->arena, reader->store, 0, false, &objects,
		&items->object_count, reader->error);
	items->objects =
		wm_arena_alloc(reader->arena, items->object_count, sizeof *items->objects);
	for (size_t i = 0; i < items->object_count; i++)
		items->objects[i] = (struct wm_store_object){
			objects[i].id, objects[i].build_id, objects[i].path};
	return status;
}

int wm_store_items_read(struct wm_arena *arena, struct wm_store *store,
	const struct wm_store_run *runs, size_t run_count,
	const struct wm_store_progress *progress, struct wm_store_items *items,
	struct wm_error *error)
{
	struct reader reader = {
		.arena = arena, .store = store, .runs = runs, .items = items, .error = error};
	*items = (struct wm_store_items){.run_count = run_count, .words = (run_count + 63) / 64};
	int status = wm_store_derive(store, progress, error);
	if (status == 0)
		status = read_objects(&reader);
	if (status == 0)
		status = wm_database_query(store->database,
			"SELECT f.id, f.name, f.file, f.line, f.shape, f.code, f.possible,"
			" m.object, m.place FROM function f, member m WHERE m.function = f.id"
			" ORDER BY f.id, m.object",
			NULL, 0, take_function, &reader, error);
	if (status == 0)
		status = wm_database_query(store->database,
			"SELECT function, part, path, runs FROM taken ORDER BY function, part, path",
			NULL, 0, take_item, &reader, error);
	wm_arena_reset(&reader.scratch);
	return status;
}
