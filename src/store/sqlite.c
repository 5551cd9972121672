/* SQLite: one file, which any number of processes on this machine may write to.
 *
 * The log is written ahead (WAL), so readers never wait for writers. Only one process writes at a
 * time: each transaction takes the lock when it begins, and waits for it up to a minute. */
#include <sqlite3.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "store/database.h"

enum { STATEMENTS = 64, COLUMNS = 16, WAIT_SECONDS = 60, NAP_NANOSECONDS = 2000000, NAPS = 16 };

struct sqlite {
	struct wm_database database;
	sqlite3 *connection;
	struct {
		const char *text;
		sqlite3_stmt *statement;
	} prepared[STATEMENTS];
};

static int refuse(struct sqlite *sqlite, int code, struct wm_error *error)
{
	const char *place = sqlite->database.place, *reason = sqlite3_errmsg(sqlite->connection);
	switch (code & 0xff) {
	case SQLITE_NOTADB:
	case SQLITE_CORRUPT:
		return wm_error_set(error, WM_ERROR_INPUT,
			"%s: not a store of Waymark, or damaged (%s); `waymark run` makes one",
			place, reason);
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return wm_error_set(error, WM_ERROR_SYSTEM,
			"%s: another program has locked the store for %d seconds; try again when "
			"it has ended",
			place, WAIT_SECONDS);
	case SQLITE_FULL:
		return wm_error_set(error, WM_ERROR_SYSTEM,
			"%s: there is no space for the store; nothing was added", place);
	case SQLITE_READONLY:
		return wm_error_set(error, WM_ERROR_SYSTEM,
			"%s: the store cannot be written; readers also need the right to", place);
	default:
		return wm_error_set(
			error, WM_ERROR_SYSTEM, "cannot use the store '%s': %s", place, reason);
	}
}

/* Sleeps a little longer each time, each process for another time, so that none waits for ever. */
static int wait_for_others(void *context, int attempts)
{
	struct timespec now;
	(void)context;
	clock_gettime(CLOCK_MONOTONIC, &now);
	static __thread time_t started;
	if (attempts == 0)
		started = now.tv_sec;
	if (now.tv_sec - started >= WAIT_SECONDS)
		return 0;
	long longest = NAP_NANOSECONDS * (attempts < NAPS ? attempts + 1L : (long)NAPS);
	struct timespec nap = {0, 1 + (now.tv_nsec ^ ((long)getpid() << 10)) % longest};
	nanosleep(&nap, NULL);
	return 1;
}

static sqlite3_stmt *find_prepared(struct sqlite *sqlite, const char *text, int *code)
{
	size_t i = 0;
	while (i < STATEMENTS && sqlite->prepared[i].text && sqlite->prepared[i].text != text)
		i++;
	if (i < STATEMENTS && sqlite->prepared[i].text)
		return sqlite->prepared[i].statement;
	if (i == STATEMENTS) {
		sqlite3_finalize(sqlite->prepared[--i].statement);
		sqlite->prepared[i].text = NULL;
	}
	sqlite3_stmt *statement = NULL;
	*code = sqlite3_prepare_v2(sqlite->connection, text, -1, &statement, NULL);
	if (*code != SQLITE_OK)
		return NULL;
	sqlite->prepared[i].text = text;
	sqlite->prepared[i].statement = statement;
	return statement;
}

static void bind(sqlite3_stmt *statement, const struct wm_statement *given)
{
	for (size_t i = 0; i < given->count; i++) {
		const struct wm_value *value = &given->values[i];
		int place = (int)i + 1;
		if (value->kind == WM_VALUE_NUMBER)
			sqlite3_bind_int64(statement, place, value->number);
		else if (value->kind == WM_VALUE_TEXT)
			sqlite3_bind_text64(statement, place, value->bytes, value->size,
				SQLITE_STATIC, SQLITE_UTF8);
		else if (value->kind == WM_VALUE_BYTES)
			sqlite3_bind_blob64(statement, place, value->size ? value->bytes : "",
				value->size, SQLITE_STATIC);
		else
			sqlite3_bind_null(statement, place);
	}
}

static struct wm_value column(sqlite3_stmt *statement, int i)
{
	switch (sqlite3_column_type(statement, i)) {
	case SQLITE_INTEGER:
		return wm_value_number(sqlite3_column_int64(statement, i));
	case SQLITE_TEXT: {
		const void *text = sqlite3_column_text(statement, i);
		return (struct wm_value){.kind = WM_VALUE_TEXT,
			.bytes = text,
			.size = (size_t)sqlite3_column_bytes(statement, i)};
	}
	case SQLITE_BLOB: {
		const void *bytes = sqlite3_column_blob(statement, i);
		return (struct wm_value){.kind = WM_VALUE_BYTES,
			.bytes = bytes,
			.size = (size_t)sqlite3_column_bytes(statement, i)};
	}
	default:
		return (struct wm_value){.kind = WM_VALUE_NONE};
	}
}

static int give_row(
	sqlite3_stmt *statement, wm_row_function *row, void *context, struct wm_error *error)
{
	struct wm_value values[COLUMNS];
	int columns = sqlite3_column_count(statement);
	for (int i = 0; i < columns && i < COLUMNS; i++)
		values[i] = column(statement, i);
	return row(context, values, error);
}

static int run(struct wm_database *database, const struct wm_statement *given,
	wm_row_function *row, void *context, uint64_t *changed, struct wm_error *error)
{
	struct sqlite *sqlite = (struct sqlite *)database;
	int code = SQLITE_OK, status = 0;
	sqlite3_stmt *statement = find_prepared(sqlite, given->text, &code);
	if (!statement)
		return refuse(sqlite, code, error);
	bind(statement, given);
	while (status == 0 && (code = sqlite3_step(statement)) == SQLITE_ROW)
		if (row)
			status = give_row(statement, row, context, error);
	if (status == 0 && code != SQLITE_DONE)
		status = refuse(sqlite, code, error);
	if (changed)
		*changed = (uint64_t)sqlite3_changes64(sqlite->connection);
	sqlite3_reset(statement);
	sqlite3_clear_bindings(statement);
	return status;
}

static int run_text(struct sqlite *sqlite, const char *text, struct wm_error *error)
{
	return run(&sqlite->database, &(struct wm_statement){.text = text}, NULL, NULL, NULL,
		error);
}

/* Every transaction that writes has the file alone. */
static int begin(struct wm_database *database, bool alone, struct wm_error *error)
{
	(void)alone;
	return run_text((struct sqlite *)database, "BEGIN IMMEDIATE", error);
}

static int end(struct wm_database *database, bool keep, struct wm_error *error)
{
	struct sqlite *sqlite = (struct sqlite *)database;
	if (!keep && sqlite3_get_autocommit(sqlite->connection))
		return 0;
	return run_text(sqlite, keep ? "COMMIT" : "ROLLBACK", error);
}

static void close_database(struct wm_database *database)
{
	struct sqlite *sqlite = (struct sqlite *)database;
	for (size_t i = 0; i < STATEMENTS; i++)
		sqlite3_finalize(sqlite->prepared[i].statement);
	sqlite3_close(sqlite->connection);
	free((char *)database->place);
	free(sqlite);
}

static const struct wm_database_kind kind = {
	.id = "INTEGER PRIMARY KEY",
	.bytes = "BLOB",
	.by_key = " WITHOUT ROWID",
	.is_empty = "SELECT count(*) FROM sqlite_master",
	.run = run,
	.begin = begin,
	.end = end,
	.close = close_database,
};

/* The change to a log is no transaction: it does not wait for others by itself. */
static int write_ahead(struct sqlite *sqlite, struct wm_error *error)
{
	int code = SQLITE_BUSY;
	for (int attempt = 0; (code & 0xff) == SQLITE_BUSY; attempt++) {
		code = sqlite3_exec(sqlite->connection,
			"PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL", NULL, NULL, NULL);
		if ((code & 0xff) == SQLITE_BUSY && !wait_for_others(NULL, attempt))
			break;
	}
	return code == SQLITE_OK ? 0 : refuse(sqlite, code, error);
}

int wm_sqlite_open(
	const char *path, bool make, struct wm_database **database, struct wm_error *error)
{
	if (!make && access(path, F_OK) != 0)
		return wm_error_set(error, WM_ERROR_SYSTEM,
			"there is no store '%s'; `waymark run --store=%s -- COMMAND` makes it",
			path, path);
	struct sqlite *sqlite = calloc(1, sizeof *sqlite);
	char *place = strdup(path);
	if (!sqlite || !place)
		abort();
	sqlite->database = (struct wm_database){.kind = &kind, .place = place};
	int code = sqlite3_open_v2(path, &sqlite->connection,
		SQLITE_OPEN_READWRITE | (make ? SQLITE_OPEN_CREATE : 0), NULL);
	if (code == SQLITE_OK)
		code = sqlite3_extended_result_codes(sqlite->connection, 1);
	int status = code == SQLITE_OK ? 0 : refuse(sqlite, code, error);
	if (status == 0) {
		sqlite3_busy_handler(sqlite->connection, wait_for_others, NULL);
		status = write_ahead(sqlite, error);
	}
	if (status == 0)
		*database = &sqlite->database;
	else
		close_database(&sqlite->database);
	return status;
}
