/* The tables of a store. People may query them: `total` says how often each path was taken.
 *
 * `raw` is all that runs counted. `total` and `taken` follow from it; a run with derived = 0 is not
 * in them yet. `part` is one of: path, early (a path that was left in a call), block (functions of
 * which only blocks were counted), others (paths that a build did not tell apart). */
#include <stdio.h>
#include <string.h>

#include "store/parts.h"

/* ID, BYTES and BY_KEY become words of the database. */
static const char *const tables[] = {
	"CREATE TABLE waymark(version BIGINT NOT NULL)",
	"CREATE TABLE object(id ID, build_id BYTES NOT NULL UNIQUE, path TEXT NOT NULL,"
	" counters BIGINT NOT NULL, record BYTES NOT NULL)",
	"CREATE TABLE function(id ID, name TEXT NOT NULL, file TEXT NOT NULL, line BIGINT NOT NULL,"
	" shape BIGINT NOT NULL, code BIGINT NOT NULL, possible BIGINT NOT NULL,"
	" UNIQUE(name, file, shape, code))",
	"CREATE TABLE member(object BIGINT NOT NULL, place BIGINT NOT NULL,"
	" function BIGINT NOT NULL, PRIMARY KEY(object, place))BY_KEY",
	"CREATE TABLE run(id ID, uuid BYTES NOT NULL UNIQUE, kind TEXT NOT NULL"
	" CHECK(kind IN ('test', 'field')), label TEXT NOT NULL, host TEXT NOT NULL,"
	" outcome TEXT NOT NULL, started BIGINT NOT NULL, cpu_us BIGINT NOT NULL,"
	" executions BIGINT NOT NULL, cut_short BIGINT NOT NULL, status BIGINT NOT NULL,"
	" derived BIGINT NOT NULL DEFAULT 0)",
	"CREATE TABLE raw(run BIGINT NOT NULL, object BIGINT NOT NULL,"
	" executions BIGINT NOT NULL, counters BYTES NOT NULL, PRIMARY KEY(run, object))BY_KEY",
	"CREATE TABLE total(function BIGINT NOT NULL, part TEXT NOT NULL, path BIGINT NOT NULL,"
	" kind TEXT NOT NULL, count BIGINT NOT NULL, runs BIGINT NOT NULL,"
	" first BIGINT NOT NULL, last BIGINT NOT NULL,"
	" PRIMARY KEY(function, part, path, kind))BY_KEY",
	"CREATE TABLE taken(function BIGINT NOT NULL, part TEXT NOT NULL, path BIGINT NOT NULL,"
	" runs BYTES NOT NULL, PRIMARY KEY(function, part, path))BY_KEY",
	"CREATE TABLE source(host TEXT NOT NULL, path TEXT NOT NULL, build_id BYTES NOT NULL,"
	" executions BIGINT NOT NULL, counters BYTES NOT NULL,"
	" PRIMARY KEY(host, path, build_id))BY_KEY",
	"CREATE INDEX run_by_label ON run(label)",
	"CREATE INDEX run_by_derived ON run(derived)",
	"INSERT INTO waymark VALUES(1)",
};

static const char *word_for(const struct wm_database_kind *kind, const char *text, size_t *length)
{
	const struct {
		const char *token, *word;
	} words[] = {{" ID", kind->id}, {" BYTES", kind->bytes}, {"BY_KEY", kind->by_key}};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		*length = strlen(words[i].token);
		char next = strncmp(text, words[i].token, *length) == 0 ? text[*length] : 'x';
		if (next == ' ' || next == ',' || next == '\0')
			return words[i].word;
	}
	return NULL;
}

static int make_table(struct wm_store *store, const char *table, struct wm_error *error)
{
	char text[1024], *to = text;
	for (const char *from = table; *from;) {
		size_t length;
		const char *word = word_for(store->database->kind, from, &length);
		if (!word) {
			*to++ = *from++;
			continue;
		}
		to += sprintf(to, "%s%s", *from == ' ' ? " " : "", word);
		from += length;
	}
	*to = '\0';
	/* Statements are known by their address, which must stay. */
	const char *kept = wm_arena_copy_text(&store->arena, text);
	return wm_database_run(store->database, kept, NULL, 0, NULL, error);
}

static int count_tables(struct wm_store *store, int64_t *count, struct wm_error *error)
{
	return wm_database_number(
		store->database, store->database->kind->is_empty, NULL, 0, count, error);
}

/* Another process may have made them since they were looked for. */
static int make_tables(struct wm_store *store, struct wm_error *error)
{
	int64_t count = 0;
	int status = wm_database_begin(store->database, true, error);
	if (status < 0)
		return status;
	status = count_tables(store, &count, error);
	for (size_t i = 0; i < sizeof tables / sizeof *tables && status == 0 && count == 0; i++)
		status = make_table(store, tables[i], error);
	return wm_database_end(store->database, status, error);
}

static int check_version(struct wm_store *store, struct wm_error *error)
{
	struct wm_error reason;
	int64_t version = 0;
	if (wm_database_number(store->database, "SELECT version FROM waymark", NULL, 0, &version,
		    &reason) < 0)
		return wm_error_set(error, WM_ERROR_INPUT,
			"%s: is a database, but no store of Waymark; name another place",
			wm_store_place(store));
	if (version != WM_STORE_VERSION)
		return wm_error_set(error, WM_ERROR_INPUT,
			"%s: is a store of version %lld, and this waymark uses version %d; make a "
			"new one",
			wm_store_place(store), (long long)version, WM_STORE_VERSION);
	return 0;
}

int wm_schema_open(struct wm_store *store, enum wm_store_access access, struct wm_error *error)
{
	int64_t count = 0;
	int status = count_tables(store, &count, error);
	if (status == 0 && count == 0 && access != WM_STORE_MAKE)
		return wm_error_set(error, WM_ERROR_INPUT,
			"%s: is empty; `waymark run --store=%s -- COMMAND` adds a run to it",
			wm_store_place(store), wm_store_place(store));
	if (status == 0 && count == 0)
		status = make_tables(store, error);
	return status < 0 ? status : check_version(store, error);
}
