/* A database as the store needs it: SQLite in a file, or PostgreSQL.
 *
 * Statements are the same for every kind of database, with parameters $1, $2, … in the order of their first use. What
 * differs is here: types of the schema, how long to wait for others, and the words of errors. */
#ifndef WM_STORE_DATABASE_H
#define WM_STORE_DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/error.h"

enum wm_value_kind { WM_VALUE_NONE, WM_VALUE_NUMBER, WM_VALUE_TEXT, WM_VALUE_BYTES };

struct wm_value {
	enum wm_value_kind kind;
	int64_t number;
	const void *bytes; /* a text also ends with a zero byte */
	size_t size;
};

struct wm_value wm_value_number(int64_t number);
struct wm_value wm_value_text(const char *text);
struct wm_value wm_value_bytes(const void *bytes, size_t size);

/* Takes a row of a result; the values live until it returns. Not 0: an error that ends the query. */
typedef int wm_row_function(void *context, const struct wm_value *row, struct wm_error *error);

struct wm_statement {
	const char *text; /* constant: what was prepared for it is kept by its address */
	const struct wm_value *values;
	size_t count;
};

struct wm_database {
	const struct wm_database_kind *kind;
	const char *place; /* as the user named it, without a password */
};

/* What a kind of database does. `run` calls `row`, if it is not NULL, for each row of the result,
 * and sets *changed, if it is not NULL, to the number of rows that the statement changed. */
struct wm_database_kind {
	const char *id;	      /* type of a column that numbers its rows by itself */
	const char *bytes;    /* type of a column of bytes */
	const char *by_key;   /* what a table ends with that is kept in the order of its key */
	const char *is_empty; /* a query for the number of tables */
	int (*run)(struct wm_database *, const struct wm_statement *, wm_row_function *row,
		void *context, uint64_t *changed, struct wm_error *);
	int (*begin)(struct wm_database *, bool alone, struct wm_error *);
	int (*end)(struct wm_database *, bool keep, struct wm_error *);
	void (*close)(struct wm_database *);
};

/* Opens the database of a place: a path, or postgresql://…. WM_ERROR_SYSTEM: it cannot be opened,
 * or is not there and not to be made; WM_ERROR_INPUT: it is no database. */
int wm_database_open(
	const char *place, bool make, struct wm_database **database, struct wm_error *error);
int wm_sqlite_open(
	const char *path, bool make, struct wm_database **database, struct wm_error *error);
int wm_postgres_open(const char *place, struct wm_database **database, struct wm_error *error);

void wm_database_close(struct wm_database *database);

/* Runs a statement. WM_ERROR_SYSTEM: the database refuses; the text says why. */
int wm_database_run(struct wm_database *database, const char *text, const struct wm_value *values,
	size_t count, uint64_t *changed, struct wm_error *error);
int wm_database_query(struct wm_database *database, const char *text,
	const struct wm_value *values, size_t count, wm_row_function *row, void *context,
	struct wm_error *error);

/* The first number of the result; 0 if there is none. */
int wm_database_number(struct wm_database *database, const char *text,
	const struct wm_value *values, size_t count, int64_t *number, struct wm_error *error);

/* Starts a transaction that writes; `alone`: no other does the same. */
int wm_database_begin(struct wm_database *database, bool alone, struct wm_error *error);

/* Ends it: keeps what was written if `status` is 0, else drops it. Returns the status, or that of
 * the attempt to keep it. */
int wm_database_end(struct wm_database *database, int status, struct wm_error *error);

#endif
