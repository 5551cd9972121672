#include "store/database.h"

#include <string.h>

#include "store/store.h"

struct wm_value wm_value_number(int64_t number)
{
	return (struct wm_value){.kind = WM_VALUE_NUMBER, .number = number};
}

struct wm_value wm_value_text(const char *text)
{
	return (struct wm_value){.kind = WM_VALUE_TEXT, .bytes = text, .size = strlen(text)};
}

struct wm_value wm_value_bytes(const void *bytes, size_t size)
{
	return (struct wm_value){.kind = WM_VALUE_BYTES, .bytes = bytes, .size = size};
}

int wm_database_open(
	const char *place, bool make, struct wm_database **database, struct wm_error *error)
{
	if (wm_store_is_server(place))
		return wm_postgres_open(place, database, error);
	return wm_sqlite_open(place, make, database, error);
}

void wm_database_close(struct wm_database *database)
{
	if (database)
		database->kind->close(database);
}

int wm_database_run(struct wm_database *database, const char *text, const struct wm_value *values,
	size_t count, uint64_t *changed, struct wm_error *error)
{
	const struct wm_statement statement = {text, values, count};
	return database->kind->run(database, &statement, NULL, NULL, changed, error);
}

int wm_database_query(struct wm_database *database, const char *text,
	const struct wm_value *values, size_t count, wm_row_function *row, void *context,
	struct wm_error *error)
{
	const struct wm_statement statement = {text, values, count};
	return database->kind->run(database, &statement, row, context, NULL, error);
}

static int take_number(void *context, const struct wm_value *row, struct wm_error *error)
{
	(void)error;
	*(int64_t *)context = row[0].number;
	return 0;
}

int wm_database_number(struct wm_database *database, const char *text,
	const struct wm_value *values, size_t count, int64_t *number, struct wm_error *error)
{
	*number = 0;
	return wm_database_query(database, text, values, count, take_number, number, error);
}

int wm_database_begin(struct wm_database *database, bool alone, struct wm_error *error)
{
	return database->kind->begin(database, alone, error);
}

int wm_database_end(struct wm_database *database, int status, struct wm_error *error)
{
	struct wm_error unused;
	if (status == 0)
		status = database->kind->end(database, true, error);
	if (status != 0)
		database->kind->end(database, false, &unused);
	return status;
}
