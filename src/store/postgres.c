/* PostgreSQL: many machines add to one store at the same time, and the server adds up.
 *
 * Results come as bytes in the order of the network. A transaction that must be alone takes a lock
 * of the server's; adding runs needs none, so hosts do not wait for each other. */
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/database.h"

enum { STATEMENTS = 256, COLUMNS = 16, PARAMETERS = 16, NUMBER_BYTES = 24 };
enum { TYPE_BYTES = 17, TYPE_LONG = 20, TYPE_SHORT = 21, TYPE_INT = 23, TYPE_TEXT = 25 };

struct postgres {
	struct wm_database database;
	PGconn *connection;
	size_t prepared_count;
	const char *prepared[STATEMENTS];
};

/* The server's words without the end of the line; only the first line. */
static void copy_reason(char *text, size_t bytes, const char *reason)
{
	while (*reason == ' ' || *reason == '\n')
		reason++;
	snprintf(text, bytes, "%.*s", (int)strcspn(reason, "\n"), reason);
}

static int refuse(struct postgres *postgres, const char *told, struct wm_error *error)
{
	char reason[512];
	copy_reason(reason, sizeof reason, told && *told ? told : PQerrorMessage(postgres->connection));
	if (PQstatus(postgres->connection) == CONNECTION_BAD)
		return wm_error_set(error, WM_ERROR_SYSTEM,
			"the connection to the store '%s' is lost (%s); what was not added yet "
			"can be added again",
			postgres->database.place, reason);
	return wm_error_set(error, WM_ERROR_SYSTEM, "the store '%s' refuses: %s; nothing was added",
		postgres->database.place, reason);
}

static int check(struct postgres *postgres, PGresult *result, struct wm_error *error)
{
	ExecStatusType status = PQresultStatus(result);
	if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK)
		return 0;
	return refuse(postgres, result ? PQresultErrorMessage(result) : NULL, error);
}

static int prepare(struct postgres *postgres, const char *text, size_t *number,
	struct wm_error *error)
{
	char name[32];
	for (*number = 0; *number < postgres->prepared_count; ++*number)
		if (postgres->prepared[*number] == text)
			return 0;
	if (postgres->prepared_count == STATEMENTS)
		return wm_error_set(error, WM_ERROR_SYSTEM, "too many statements");
	snprintf(name, sizeof name, "s%zu", *number);
	PGresult *result = PQprepare(postgres->connection, name, text, 0, NULL);
	int status = check(postgres, result, error);
	PQclear(result);
	if (status == 0)
		postgres->prepared[postgres->prepared_count++] = text;
	return status;
}

static struct wm_value column(const PGresult *result, int row, int i)
{
	uint64_t bits = 0;
	const char *bytes = PQgetvalue(result, row, i);
	size_t size = (size_t)PQgetlength(result, row, i);
	if (PQgetisnull(result, row, i))
		return (struct wm_value){.kind = WM_VALUE_NONE};
	switch (PQftype(result, i)) {
	case TYPE_LONG:
	case TYPE_INT:
	case TYPE_SHORT:
		for (size_t k = 0; k < size && k < 8; k++)
			bits = bits << 8 | (unsigned char)bytes[k];
		if (size == 4)
			return wm_value_number((int32_t)bits);
		return wm_value_number(size == 2 ? (int16_t)bits : (int64_t)bits);
	case TYPE_BYTES:
		return wm_value_bytes(bytes, size);
	default:
		return (struct wm_value){.kind = WM_VALUE_TEXT, .bytes = bytes, .size = size};
	}
}

static int give_rows(
	const PGresult *result, wm_row_function *row, void *context, struct wm_error *error)
{
	int status = 0, columns = PQnfields(result);
	for (int i = 0; i < PQntuples(result) && status == 0; i++) {
		struct wm_value values[COLUMNS];
		for (int k = 0; k < columns && k < COLUMNS; k++)
			values[k] = column(result, i, k);
		status = row(context, values, error);
	}
	return status;
}

static PGresult *execute(
	struct postgres *postgres, size_t number, const struct wm_statement *statement)
{
	char name[32], numbers[PARAMETERS][NUMBER_BYTES];
	const char *texts[PARAMETERS];
	int sizes[PARAMETERS], formats[PARAMETERS];
	for (size_t i = 0; i < statement->count && i < PARAMETERS; i++) {
		const struct wm_value *value = &statement->values[i];
		texts[i] = value->kind == WM_VALUE_NONE ? NULL : value->bytes;
		if (value->kind == WM_VALUE_NUMBER) {
			snprintf(numbers[i], NUMBER_BYTES, "%lld", (long long)value->number);
			texts[i] = numbers[i];
		} else if (value->kind == WM_VALUE_BYTES && !texts[i]) {
			texts[i] = "";
		}
		sizes[i] = (int)value->size;
		formats[i] = value->kind == WM_VALUE_BYTES;
	}
	snprintf(name, sizeof name, "s%zu", number);
	return PQexecPrepared(postgres->connection, name, (int)statement->count, texts, sizes,
		formats, 1);
}

static int run(struct wm_database *database, const struct wm_statement *statement,
	wm_row_function *row, void *context, uint64_t *changed, struct wm_error *error)
{
	struct postgres *postgres = (struct postgres *)database;
	size_t number;
	int status = prepare(postgres, statement->text, &number, error);
	if (status < 0)
		return status;
	PGresult *result = execute(postgres, number, statement);
	status = check(postgres, result, error);
	if (status == 0 && row)
		status = give_rows(result, row, context, error);
	if (changed)
		*changed = strtoull(PQcmdTuples(result), NULL, 10);
	PQclear(result);
	return status;
}

static int run_text(struct postgres *postgres, const char *text, struct wm_error *error)
{
	PGresult *result = PQexec(postgres->connection, text);
	int status = check(postgres, result, error);
	PQclear(result);
	return status;
}

static int begin(struct wm_database *database, bool alone, struct wm_error *error)
{
	struct postgres *postgres = (struct postgres *)database;
	int status = run_text(postgres, "BEGIN", error);
	if (status == 0 && alone)
		status = run_text(postgres, "SELECT pg_advisory_xact_lock(6290833150174229)", error);
	if (status < 0) {
		struct wm_error unused;
		run_text(postgres, "ROLLBACK", &unused);
	}
	return status;
}

static int end(struct wm_database *database, bool keep, struct wm_error *error)
{
	return run_text((struct postgres *)database, keep ? "COMMIT" : "ROLLBACK", error);
}

static void close_database(struct wm_database *database)
{
	struct postgres *postgres = (struct postgres *)database;
	PQfinish(postgres->connection);
	free((char *)database->place);
	free(postgres);
}

static const struct wm_database_kind kind = {
	.id = "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY",
	.bytes = "BYTEA",
	.by_key = "",
	.is_empty = "SELECT count(*) FROM information_schema.tables"
		    " WHERE table_schema = current_schema()",
	.run = run,
	.begin = begin,
	.end = end,
	.close = close_database,
};

/* What the server says of its own accord stands in the errors, too. */
static void take_notice(void *context, const char *text)
{
	(void)context;
	(void)text;
}

/* For messages: without user and password. */
static char *name_of(const char *place, PGconn *connection)
{
	const char *host = PQhost(connection), *name = PQdb(connection);
	size_t bytes = strlen(place) + (host ? strlen(host) : 0) + (name ? strlen(name) : 0) + 64;
	char *text = malloc(bytes);
	if (text)
		snprintf(text, bytes, "postgresql://%s/%s", host ? host : "", name ? name : "");
	return text;
}

int wm_postgres_open(const char *place, struct wm_database **database, struct wm_error *error)
{
	struct postgres *postgres = calloc(1, sizeof *postgres);
	if (!postgres)
		return wm_error_set(error, WM_ERROR_SYSTEM, "out of memory");
	postgres->connection = PQconnectdb(place);
	postgres->database = (struct wm_database){
		.kind = &kind, .place = name_of(place, postgres->connection)};
	int status = 0;
	PQsetNoticeProcessor(postgres->connection, take_notice, NULL);
	if (PQstatus(postgres->connection) != CONNECTION_OK) {
		char reason[512];
		copy_reason(reason, sizeof reason, PQerrorMessage(postgres->connection));
		status = wm_error_set(error, WM_ERROR_SYSTEM,
			"cannot open the store '%s': %s", postgres->database.place, reason);
	}
	if (status == 0)
		status = run_text(postgres,
			"SET client_min_messages = warning; SET lock_timeout = '60s';"
			" SET client_encoding = 'UTF8'",
			error);
	if (status == 0)
		*database = &postgres->database;
	else
		close_database(&postgres->database);
	return status;
}
