/* One store out of many: runs are copied as they are, those that are there already are left. */
#include <string.h>

#include "store/parts.h"

struct merge {
	struct wm_store *to;
	struct wm_store *from;
	size_t object_count;
	struct wm_stored_object *objects; /* of `from` */
	int64_t *ids;			  /* what these are in `to`; 0: not there yet */
	int64_t run;			  /* in `to` */
};

/* A program is taken along with its first run. */
static int put_object(struct merge *merge, int64_t id, int64_t *there, struct wm_error *error)
{
	struct wm_arena arena = {0};
	struct wm_stored_object *object;
	size_t count, i = 0;
	int64_t counters;
	const struct wm_value value = wm_value_number(id);
	while (i < merge->object_count && merge->objects[i].id != id)
		i++;
	if (i == merge->object_count)
		return wm_store_damaged(merge->from, "a run is of no program", error);
	*there = merge->ids[i];
	if (*there)
		return 0;
	int status = wm_store_objects(&arena, merge->from, id, true, &object, &count, error);
	if (status == 0)
		status = wm_database_number(merge->from->database,
			"SELECT counters FROM object WHERE id = $1", &value, 1, &counters, error);
	if (status == 0)
		status = wm_store_put_object(
			merge->to, object, (uint64_t)counters, &merge->ids[i], error);
	*there = merge->ids[i];
	wm_arena_reset(&arena);
	return status;
}

static int take_raw(void *context, const struct wm_value *row, struct wm_error *error)
{
	struct merge *merge = context;
	int64_t object = 0;
	const struct wm_bytes pressed = {row[3].bytes, row[3].size};
	int status = put_object(merge, row[1].number, &object, error);
	return status < 0 ? status
			  : wm_store_put_raw(merge->to, merge->run, object,
				    (uint64_t)row[2].number, &pressed, error);
}

static int copy_run(struct merge *merge, const struct wm_store_run *run, size_t *added,
	struct wm_error *error)
{
	bool is_new;
	const struct wm_value value = wm_value_number(run->id);
	int status = wm_store_put_run(merge->to, run, &merge->run, &is_new, error);
	if (status < 0 || !is_new)
		return status;
	++*added;
	return wm_database_query(merge->from->database,
		"SELECT run, object, executions, counters FROM raw WHERE run = $1", &value, 1,
		take_raw, merge, error);
}

int wm_store_merge(struct wm_store *store, struct wm_store *other, size_t *added,
	struct wm_error *error)
{
	struct wm_arena arena = {0};
	struct merge merge = {.to = store, .from = other};
	struct wm_store_run *runs;
	size_t count;
	*added = 0;
	int status = wm_store_runs(&arena, other, NULL, &runs, &count, error);
	if (status == 0)
		status = wm_store_objects(&arena, other, 0, false, &merge.objects,
			&merge.object_count, error);
	merge.ids = wm_arena_alloc(&arena, merge.object_count, sizeof *merge.ids);
	if (status == 0)
		status = wm_database_begin(store->database, true, error);
	if (status == 0) {
		for (size_t i = 0; i < count && status == 0; i++)
			status = copy_run(&merge, &runs[i], added, error);
		status = wm_database_end(store->database, status, error);
	}
	wm_arena_reset(&arena);
	return status;
}
