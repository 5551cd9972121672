/* The store adds counters up; profiles are made of the sums as of any file. */
#include "cli/stored_runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/fatal.h"
#include "format/profile_file.h"
#include "store/store.h"

bool wm_stored_runs_is_store(const char *word)
{
	static const char magic[] = "SQLite format 3";
	char start[sizeof magic] = "";
	size_t length = strlen(word);
	if (length > 3 && strcmp(word + length - 3, ".db") == 0)
		return true;
	FILE *file = fopen(word, "re");
	bool is = file && fread(start, 1, sizeof start, file) == sizeof start &&
		  memcmp(start, magic, sizeof magic) == 0;
	if (file)
		fclose(file);
	return is;
}

static struct wm_store_run *open_runs(struct wm_arena *arena, const char *command,
	const char *place, const char *kind, struct wm_store **store, size_t *count)
{
	struct wm_error error;
	struct wm_store_run *runs;
	const struct wm_store_filter filter = {.kind = kind};
	if (wm_store_open(place, WM_STORE_USE, store, &error) < 0 ||
		wm_store_runs(arena, *store, &filter, &runs, count, &error) < 0)
		wm_fatal("%s: %s", command, error.text);
	if (*count == 0)
		wm_fatal("%s: %s has no runs of kind %s; waymark store ls lists what it has",
			command, place, kind);
	return runs;
}

static void read_runs(struct wm_arena *arena, const char *command, struct wm_store *store,
	const struct wm_store_run *runs, size_t count, struct wm_stored_runs *result)
{
	struct wm_error error;
	struct wm_file *files;
	*result = (struct wm_stored_runs){.label = runs[0].label};
	if (wm_store_files(arena, store, runs, count, &files, &result->count, &error) < 0)
		wm_fatal("%s: %s", command, error.text);
	result->profiles = wm_arena_alloc(arena, result->count, sizeof *result->profiles);
	for (size_t i = 0; i < result->count; i++)
		if (wm_profile_make(arena, &files[i], NULL, &result->profiles[i], &error) < 0)
			wm_fatal("%s: %s", command, error.text);
	for (size_t i = 0; i < count; i++) {
		result->runs += runs[i].executions;
		result->cut_short += runs[i].cut_short;
		result->incomplete |= (runs[i].status & WM_STATUS_COUNTS_LOST) != 0;
	}
}

void wm_stored_runs_all(struct wm_arena *arena, const char *command, const char *place,
	const char *kind, struct wm_stored_runs *all)
{
	struct wm_store *store;
	size_t count;
	const struct wm_store_run *runs = open_runs(arena, command, place, kind, &store, &count);
	read_runs(arena, command, store, runs, count, all);
	wm_store_close(store);
}

static int compare_labels(const void *left, const void *right)
{
	const struct wm_store_run *a = left, *b = right;
	int order = strcmp(a->label, b->label);
	return order ? order : (a->id > b->id) - (a->id < b->id);
}

static int compare_hosts(const void *left, const void *right)
{
	const struct wm_store_run *a = left, *b = right;
	int order = strcmp(a->host ? a->host : "", b->host ? b->host : "");
	return order ? order : (a->id > b->id) - (a->id < b->id);
}

static bool is_of_other_host(const struct wm_store_run *a, const struct wm_store_run *b)
{
	return strcmp(a->host ? a->host : "", b->host ? b->host : "") != 0;
}

void wm_stored_runs_each(const char *command, const char *place, const char *kind, bool by_label,
	void (*take)(void *context, const struct wm_stored_runs *runs), void *context)
{
	struct wm_arena arena = {0};
	struct wm_store *store;
	size_t count;
	struct wm_store_run *runs = open_runs(&arena, command, place, kind, &store, &count);
	uint32_t machine = 0;
	qsort(runs, count, sizeof *runs, by_label ? compare_labels : compare_hosts);
	for (size_t i = 0, end; i < count; i = end) {
		struct wm_arena scratch = {0};
		struct wm_stored_runs some;
		for (end = i + 1; by_label && end < count; end++)
			if (strcmp(runs[end].label, runs[i].label) != 0)
				break;
		read_runs(&scratch, command, store, runs + i, end - i, &some);
		machine += i == 0 || is_of_other_host(&runs[i - 1], &runs[i]);
		some.machine = machine;
		take(context, &some);
		wm_arena_reset(&scratch);
	}
	wm_store_close(store);
	wm_arena_reset(&arena);
}
