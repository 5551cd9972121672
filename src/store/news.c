/* What ran in the field for the first time: a question to the derived totals. */
#include <string.h>

#include "store/parts.h"

struct list {
	struct wm_arena *arena;
	struct wm_store *store;
	struct wm_store_news *news;
	size_t count, capacity;
};

static int take(void *context, const struct wm_value *row, struct wm_error *error)
{
	struct list *list = context;
	int part = 0;
	if (row[0].kind != WM_VALUE_TEXT || row[1].kind != WM_VALUE_TEXT ||
		row[4].kind != WM_VALUE_TEXT)
		return wm_store_damaged(list->store, "a function has no name", error);
	while (part < WM_STORE_PARTS && strcmp(row[4].bytes, wm_store_part_names[part]) != 0)
		part++;
	if (part == WM_STORE_PARTS)
		return wm_store_damaged(list->store, "a part of a function is unknown", error);
	list->news = wm_arena_grow(
		list->arena, list->news, list->count, &list->capacity, sizeof *list->news);
	list->news[list->count++] = (struct wm_store_news){
		.function = {.name = wm_arena_copy_text(list->arena, row[0].bytes),
			.file = wm_arena_copy_text(list->arena, row[1].bytes),
			.line = (uint32_t)row[2].number,
			.shape = (uint32_t)row[3].number},
		.part = (enum wm_store_part)part,
		.id = (uint64_t)row[5].number,
		.count = row[6].number,
		.first = row[7].number};
	return 0;
}

int wm_store_news(struct wm_arena *arena, struct wm_store *store, int64_t since,
	struct wm_store_news **news, size_t *count, struct wm_error *error)
{
	struct list list = {.arena = arena, .store = store};
	const struct wm_value value = wm_value_number(since);
	int status = wm_store_derive(store, NULL, error);
	if (status == 0)
		status = wm_database_query(store->database,
			"SELECT f.name, f.file, f.line, f.shape, t.part, t.path, t.count, t.first"
			" FROM total t, function f WHERE f.id = t.function AND t.kind = 'field'"
			" AND t.runs > 0 AND t.first >= $1 AND NOT EXISTS (SELECT 1 FROM total u"
			" WHERE u.function = t.function AND u.part = t.part AND u.path = t.path"
			" AND u.kind = 'test' AND u.runs > 0) ORDER BY f.name, t.part, t.path",
			&value, 1, take, &list, error);
	*news = list.news;
	*count = list.count;
	return status;
}
