/* waymark tests: what each test covers, which are not needed, and which to run after a change. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/changes.h"
#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/nearest.h"
#include "cli/options.h"
#include "cli/run_words.h"
#include "cli/stored.h"
#include "cli/touched.h"
#include "core/chosen/cover_sets.h"
#include "names/block_lines.h"
#include "names/text_name.h"
#include "report/json.h"
#include "report/listing.h"
#include "report/paint.h"
#include "report/text.h"

enum format { FORMAT_TABLE, FORMAT_NAMES, FORMAT_CTEST, FORMAT_GTEST };

struct request {
	struct wm_stored stored;
	const char *store, *covers, *range, *changed, *ignore, *max_age, *format_word;
	enum format format;
	bool redundant, json;
};

/* A test that is listed. */
struct row {
	size_t label;
	size_t paths;	      /* that it takes, or takes through the change */
	const char *because; /* or NULL */
};

struct rows {
	size_t count;
	struct row *list;
	double seconds;
};

static enum format parse_format(const char *word)
{
	static const char *const words[] = {
		[FORMAT_NAMES] = "names", [FORMAT_CTEST] = "ctest", [FORMAT_GTEST] = "gtest"};
	for (size_t i = FORMAT_NAMES; i < sizeof words / sizeof *words; i++)
		if (strcmp(word, words[i]) == 0)
			return (enum format)i;
	wm_fatal_usage("tests: --format='%s' is unknown: use names, ctest or gtest", word);
}

static void parse(int argc, char **argv, struct request *request)
{
	const struct wm_option options[] = {{"--store", &request->store, NULL},
		{"--covers", &request->covers, NULL}, {"--for", &request->range, NULL},
		{"--changed", &request->changed, NULL}, {"--ignore", &request->ignore, NULL},
		{"--max-age", &request->max_age, NULL},
		{"--format", &request->format_word, NULL},
		{"--redundant", NULL, &request->redundant}, {"--json", NULL, &request->json}};
	int left = wm_options_parse(
		"tests", argc, argv, options, sizeof options / sizeof *options);
	if (left > 0)
		wm_fatal_usage("tests: '%s' is one word too many", argv[1]);
	if ((request->covers != NULL) + (request->range != NULL) + (request->changed != NULL) +
			request->redundant >
		1)
		wm_fatal_usage("tests: --covers, --for, --changed and --redundant are asked one at "
			       "a time");
	request->format = request->format_word ? parse_format(request->format_word) : FORMAT_TABLE;
}

static bool has(const uint64_t *set, size_t i)
{
	return set[i / 64] >> i % 64 & 1;
}

static void make_cover(struct request *request, const size_t *items, size_t count,
	bool by_cost, const bool *first, struct wm_set_cover *cover)
{
	struct wm_stored *stored = &request->stored;
	struct wm_arena *arena = &stored->arena;
	const uint64_t **elements = wm_arena_alloc(arena, count, sizeof *elements);
	double *costs = wm_arena_alloc(arena, stored->label_count, sizeof *costs);
	for (size_t i = 0; i < count; i++)
		elements[i] = wm_stored_labels(stored, items ? items[i] : i);
	for (size_t i = 0; i < stored->label_count; i++)
		costs[i] = stored->labels[i].seconds;
	const struct wm_set_cover_request wanted = {.set_count = stored->label_count,
		.element_count = count,
		.elements = elements,
		.costs = costs,
		.by_cost = by_cost,
		.first = first};
	wm_set_cover_make(arena, &wanted, cover);
}

static void add_row(struct request *request, struct rows *rows, struct row row)
{
	rows->list[rows->count++] = row;
	rows->seconds += request->stored.labels[row.label].seconds;
}

static struct rows new_rows(struct request *request)
{
	return (struct rows){.list = wm_arena_alloc(&request->stored.arena,
				     request->stored.label_count, sizeof(struct row))};
}

/* A regular expression for ctest -R, or a filter of GoogleTest. */
static void print_pattern(const struct request *request, const struct rows *rows)
{
	bool ctest = request->format == FORMAT_CTEST;
	fputs(ctest ? "^(" : "", stdout);
	for (size_t i = 0; i < rows->count; i++) {
		fputs(i == 0 ? "" : ctest ? "|" : ":", stdout);
		for (const char *c = request->stored.labels[rows->list[i].label].name; *c; c++)
			printf("%s%c", ctest && strchr("\\^$.|?*+()[]{}", *c) ? "\\" : "", *c);
	}
	puts(ctest ? ")$" : "");
}

static bool print_formatted(const struct request *request, const struct rows *rows)
{
	if (request->format == FORMAT_NAMES)
		for (size_t i = 0; i < rows->count; i++)
			puts(request->stored.labels[rows->list[i].label].name);
	else if (request->format != FORMAT_TABLE)
		print_pattern(request, rows);
	return request->format != FORMAT_TABLE;
}

static void json_begin(struct wm_json *json, const struct request *request, const char *kind)
{
	*json = (struct wm_json){.out = stdout};
	wm_json_begin_document(json, "tests");
	wm_json_text(json, "store", wm_store_place(request->stored.store));
	wm_json_text(json, "asked", kind);
	wm_json_begin_array(json, "tests");
}

static void json_label(struct wm_json *json, const struct wm_stored_label *label)
{
	wm_json_begin_object(json, NULL);
	wm_json_text(json, "label", label->name);
	wm_json_number(json, "runs", label->runs);
	wm_json_real(json, "seconds", label->seconds);
	wm_json_text(json, "outcome", label->outcome);
}

static void print_rows_json(const struct request *request, const struct rows *rows, const char *kind)
{
	struct wm_json json;
	json_begin(&json, request, kind);
	for (size_t i = 0; i < rows->count; i++) {
		json_label(&json, &request->stored.labels[rows->list[i].label]);
		wm_json_number(&json, "paths", rows->list[i].paths);
		wm_json_text(&json, "because", rows->list[i].because);
		wm_json_end_object(&json);
	}
	wm_json_end_array(&json);
	wm_json_end_object(&json);
}

static void print_rows(struct request *request, const struct rows *rows)
{
	static const struct wm_column columns[] = {{.title = "seconds", .right = true},
		{.title = "paths", .right = true}, {.title = "test"}, {.title = "because"}};
	struct wm_listing listing = {
		.arena = &request->stored.arena, .columns = columns, .column_count = 4};
	for (size_t i = 0; i < rows->count; i++) {
		const struct row *row = &rows->list[i];
		const struct wm_stored_label *label = &request->stored.labels[row->label];
		wm_listing_add(&listing, "%.2f", label->seconds);
		wm_listing_add(&listing, "%s", wm_text_count(row->paths).text);
		wm_listing_add(&listing, "%s", label->name);
		wm_listing_add(&listing, "%s", row->because);
	}
	if (rows->count)
		wm_listing_print(&listing, stdout, wm_paint_wanted(stdout));
}

static double all_seconds(const struct wm_stored *stored)
{
	double sum = 0;
	for (size_t i = 0; i < stored->label_count; i++)
		sum += stored->labels[i].seconds;
	return sum;
}

/* What each test covers, alone and together. */
static void show_all(struct request *request)
{
	struct wm_stored *stored = &request->stored;
	struct wm_set_cover cover;
	struct rows rows = new_rows(request);
	struct wm_json json;
	static const struct wm_column columns[] = {{.title = "runs", .right = true},
		{.title = "seconds", .right = true}, {.title = "paths", .right = true},
		{.title = "of its own", .right = true}, {.title = "ended"}, {.title = "test"}};
	struct wm_listing listing = {
		.arena = &stored->arena, .columns = columns, .column_count = 6};
	make_cover(request, NULL, stored->items.count, false, NULL, &cover);
	for (size_t i = 0; i < stored->label_count; i++)
		add_row(request, &rows, (struct row){.label = i});
	if (print_formatted(request, &rows))
		return;
	if (request->json)
		json_begin(&json, request, "all");
	for (size_t i = 0; i < stored->label_count; i++) {
		const struct wm_stored_label *label = &stored->labels[i];
		if (request->json) {
			json_label(&json, label);
			wm_json_number(&json, "paths", cover.sizes[i]);
			wm_json_number(&json, "own_paths", cover.own[i]);
			wm_json_end_object(&json);
			continue;
		}
		wm_listing_add(&listing, "%s", wm_text_count(label->runs).text);
		wm_listing_add(&listing, "%.2f", label->seconds);
		wm_listing_add(&listing, "%s", wm_text_count(cover.sizes[i]).text);
		wm_listing_add(&listing, "%s", wm_text_count(cover.own[i]).text);
		wm_listing_add(&listing, "%s", label->outcome);
		wm_listing_add(&listing, "%s", label->name);
	}
	if (request->json) {
		wm_json_end_array(&json);
		wm_json_end_object(&json);
		return;
	}
	printf("%zu tests took %s paths in %.1f seconds\n", stored->label_count,
		wm_text_count(stored->items.count).text, rows.seconds);
	if (stored->label_count)
		wm_listing_print(&listing, stdout, wm_paint_wanted(stdout));
}

/* A smallest set that takes all paths, found greedily; what is not in it can go together. */
static void show_redundant(struct request *request)
{
	struct wm_stored *stored = &request->stored;
	struct wm_set_cover cover;
	struct rows rows = new_rows(request);
	size_t alone = 0;
	bool *kept = wm_arena_alloc(&stored->arena, stored->label_count, sizeof *kept);
	make_cover(request, NULL, stored->items.count, false, NULL, &cover);
	for (size_t i = 0; i < cover.kept_count; i++)
		kept[cover.kept[i]] = true;
	for (size_t i = 0; i < stored->label_count; i++) {
		alone += cover.own[i] == 0;
		if (!kept[i])
			add_row(request, &rows,
				(struct row){i, cover.sizes[i], "other tests take all its paths"});
	}
	if (request->json)
		print_rows_json(request, &rows, "redundant");
	if (request->json || print_formatted(request, &rows))
		return;
	printf("%zu of %zu tests take no path of their own: each of them alone could go\n", alone,
		stored->label_count);
	printf("%zu can go together; the other %zu take all %s paths and need %.1f of %.1f "
	       "seconds\n",
		rows.count, cover.kept_count, wm_text_count(stored->items.count).text,
		all_seconds(stored) - rows.seconds, all_seconds(stored));
	print_rows(request, &rows);
}

static bool names_function(const struct request *request, const char *word, size_t function)
{
	return wm_text_name_fit(word, request->stored.items.functions[function].name) !=
	       WM_TEXT_NAME_NONE;
}

/* Reasons why items are covered: by the name of their function. */
static size_t cover_by_name(struct request *request, const char **because)
{
	size_t found = 0;
	for (size_t i = 0; i < request->stored.items.count; i++)
		if (names_function(request, request->covers,
			    request->stored.items.items[i].function)) {
			because[i] = "runs it";
			found++;
		}
	return found;
}

static bool has_function(const struct request *request)
{
	for (size_t i = 0; i < request->stored.items.function_count; i++)
		if (names_function(request, request->covers, i))
			return true;
	return false;
}

/* Tests with an item for which there is a reason. */
static void collect(struct request *request, const char *const *because, const bool *always,
	const char *const *why_always, struct rows *rows)
{
	struct wm_stored *stored = &request->stored;
	size_t count = 0;
	size_t *items = wm_arena_alloc(&stored->arena, stored->items.count, sizeof *items);
	size_t *paths = wm_arena_alloc(&stored->arena, stored->label_count, sizeof *paths);
	const char **reasons =
		wm_arena_alloc(&stored->arena, stored->label_count, sizeof *reasons);
	bool *done = wm_arena_alloc(&stored->arena, stored->label_count, sizeof *done);
	struct wm_set_cover cover;
	for (size_t i = 0; i < stored->items.count; i++) {
		if (!because[i])
			continue;
		items[count++] = i;
		const uint64_t *labels = wm_stored_labels(stored, i);
		for (size_t label = 0; label < stored->label_count; label++) {
			bool takes = has(labels, label);
			paths[label] += takes;
			if (takes && !reasons[label])
				reasons[label] = because[i];
		}
	}
	make_cover(request, items, count, true, always, &cover);
	for (size_t i = 0; i < cover.kept_count + stored->label_count; i++) {
		size_t label = i < cover.kept_count ? cover.kept[i] : i - cover.kept_count;
		if (done[label] || (!paths[label] && !(always && always[label])))
			continue;
		char text[512];
		done[label] = true;
		bool both = reasons[label] && always && always[label];
		snprintf(text, sizeof text, "%s%s%s", reasons[label] ? reasons[label] : "",
			both ? ", " : "", always && always[label] ? why_always[label] : "");
		add_row(request, rows,
			(struct row){label, paths[label],
				wm_arena_copy_text(&stored->arena, text)});
	}
}

static void show_covers(struct request *request)
{
	struct wm_stored *stored = &request->stored;
	struct rows rows = new_rows(request);
	struct wm_touched touched;
	struct wm_changes changes = {.count = 0};
	const char **because =
		wm_arena_alloc(&stored->arena, stored->items.count, sizeof *because);
	const char *colon = strrchr(request->covers, ':');
	bool is_line = colon && colon > request->covers && colon[-1] != ':' && colon[1] >= '0' &&
		       colon[1] <= '9';
	if (is_line) {
		wm_changes_parse(&stored->arena, "tests", request->covers, &changes);
		wm_touched_find(stored, &changes, NULL, &touched);
		if (touched.everything)
			wm_fatal("tests: %s", touched.everything);
		because = touched.because;
	} else if (!cover_by_name(request, because) && !has_function(request)) {
		wm_fatal("tests: no program in the store has a function '%s'", request->covers);
	}
	collect(request, because, NULL, NULL, &rows);
	if (request->json)
		print_rows_json(request, &rows, "covers");
	if (request->json || print_formatted(request, &rows))
		return;
	printf("%zu of %zu tests run %s\n", rows.count, stored->label_count, request->covers);
	print_rows(request, &rows);
}

/* Tests that are run whatever changed. */
static bool *find_always(
	struct request *request, const struct wm_touched *touched, const char **why)
{
	struct wm_stored *stored = &request->stored;
	bool *always = wm_arena_alloc(&stored->arena, stored->label_count, sizeof *always);
	int64_t oldest = INT64_MIN;
	if (request->max_age)
		oldest = wm_run_words_now() -
			 (int64_t)wm_options_number("tests", "--max-age", request->max_age) *
				 86400 * 1000000;
	for (size_t i = 0; i < stored->label_count; i++) {
		const struct wm_stored_label *label = &stored->labels[i];
		why[i] = wm_stored_failed(label->outcome) ? "failed last time"
			 : label->last < oldest		  ? "ran too long ago"
							  : touched->everything;
		always[i] = why[i] != NULL;
	}
	return always;
}

static void print_changes(const struct wm_changes *changes)
{
	enum { SHOWN = 6 };
	for (size_t i = 0; i < changes->count && i < SHOWN; i++) {
		const struct wm_change *change = &changes->list[i];
		printf("%s%s", i ? ", " : " (", change->file);
		if (change->last)
			printf(":%u", change->first);
		if (change->last > change->first)
			printf("-%u", change->last);
	}
	if (changes->count > SHOWN)
		printf(" and %zu more", changes->count - SHOWN);
	printf("%s", changes->count ? ")" : "");
}

static void show_changed(struct request *request)
{
	struct wm_stored *stored = &request->stored;
	struct rows rows = new_rows(request);
	struct wm_changes changes = {.count = 0};
	struct wm_touched touched;
	if (request->range)
		wm_changes_of_git(&stored->arena, "tests", request->range, &changes);
	else
		wm_changes_parse(&stored->arena, "tests", request->changed, &changes);
	wm_touched_find(stored, &changes, request->ignore, &touched);
	const char **why = wm_arena_alloc(&stored->arena, stored->label_count, sizeof *why);
	const bool *always = find_always(request, &touched, why);
	collect(request, touched.because, always, why, &rows);
	if (request->json)
		print_rows_json(request, &rows, "changed");
	if (request->json || print_formatted(request, &rows))
		return;
	printf("%zu of %zu tests are to run after the change", rows.count, stored->label_count);
	print_changes(&changes);
	printf("; %.1f of %.1f seconds\n", rows.seconds, all_seconds(stored));
	print_rows(request, &rows);
}

int wm_command_tests(int argc, char **argv)
{
	struct request request = {.store = NULL};
	parse(argc, argv, &request);
	wm_stored_open(&request.stored, request.store, "test");
	if (request.stored.run_count == 0)
		wm_fatal("%s: has no run of a test; `waymark run -- COMMAND` adds one",
			wm_store_place(request.stored.store));
	if (request.redundant)
		show_redundant(&request);
	else if (request.covers)
		show_covers(&request);
	else if (request.range || request.changed)
		show_changed(&request);
	else
		show_all(&request);
	if (fflush(stdout) != 0)
		wm_fatal("cannot write: %s", strerror(errno));
	wm_stored_close(&request.stored);
	return 0;
}
