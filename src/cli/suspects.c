/* waymark suspects: paths that failing runs take and passing ones do not. */
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/options.h"
#include "cli/stored.h"
#include "core/chosen/suspicion.h"
#include "profile/path_find.h"
#include "report/json.h"
#include "report/listing.h"
#include "report/paint.h"
#include "report/path_form.h"
#include "report/text.h"

/* Paths with the same runs: one suspect. */
struct suspect {
	size_t item;   /* the first of them */
	size_t others; /* how many more */
	struct wm_suspicion_counts counts;
	struct wm_suspicion suspicion;
	uint64_t runs_hash;
};

struct request {
	struct wm_stored stored;
	const char *store, *fail, *top_word;
	size_t top;
	bool json;
	size_t fails, passes;
	uint64_t *failing, *passing; /* a bit for each run */
	size_t count;
	struct suspect *suspects;
	const struct wm_profile *profiles;
	size_t profile_count;
};

static void parse(int argc, char **argv, struct request *request)
{
	const struct wm_option options[] = {{"--store", &request->store, NULL},
		{"--fail", &request->fail, NULL}, {"--top", &request->top_word, NULL},
		{"--json", NULL, &request->json}};
	int left = wm_options_parse(
		"suspects", argc, argv, options, sizeof options / sizeof *options);
	if (left > 0)
		wm_fatal_usage("suspects: '%s' is one word too many", argv[1]);
	request->top = wm_options_number(
		"suspects", "--top", request->top_word ? request->top_word : "10");
}

/* --fail=GLOB is about labels, --fail=outcome:GLOB about outcomes. Runs of which it is not known how
 * they ended are neither, unless --fail says what failing is. */
static void tell_apart(struct request *request)
{
	static const char by_outcome[] = "outcome:";
	const struct wm_stored *stored = &request->stored;
	size_t words = stored->items.words;
	struct wm_arena *arena = &request->stored.arena;
	const char *fail = request->fail;
	bool outcome = fail && strncmp(fail, by_outcome, sizeof by_outcome - 1) == 0;
	request->failing = wm_arena_alloc(arena, words, sizeof *request->failing);
	request->passing = wm_arena_alloc(arena, words, sizeof *request->passing);
	for (size_t i = 0; i < stored->run_count; i++) {
		const struct wm_store_run *run = &stored->runs[i];
		bool fails = !fail     ? wm_stored_failed(run->outcome)
			     : outcome ? fnmatch(fail + sizeof by_outcome - 1, run->outcome, 0) == 0
				       : fnmatch(fail, run->label, 0) == 0;
		bool passes = !fails && (fail || strcmp(run->outcome, "pass") == 0);
		request->fails += fails;
		request->passes += passes;
		request->failing[i / 64] |= (uint64_t)fails << i % 64;
		request->passing[i / 64] |= (uint64_t)passes << i % 64;
	}
}

static size_t count_common(const uint64_t *set, const uint64_t *other, size_t words)
{
	size_t count = 0;
	for (size_t i = 0; i < words; i++)
		count += (size_t)__builtin_popcountll(set[i] & other[i]);
	return count;
}

static uint32_t start_of(struct wm_arena *scratch, const struct wm_stored_blocks *blocks,
	const struct wm_store_item *item)
{
	uint32_t count;
	const uint32_t *list = wm_stored_item_blocks(scratch, blocks, item, &count);
	return item->part == WM_PART_BLOCK || count == 0 ? 0 : list[0];
}

static uint64_t hash_runs(const uint64_t *runs, size_t words)
{
	uint64_t hash = 0xcbf29ce484222325u;
	for (size_t i = 0; i < words; i++)
		hash = (hash ^ runs[i]) * 0x100000001b3u ^ hash >> 31;
	return hash;
}

static void judge(struct request *request, size_t item, const uint64_t *reached)
{
	const struct wm_store_items *items = &request->stored.items;
	const uint64_t *runs = items->items[item].runs;
	struct suspect *suspect = &request->suspects[request->count];
	*suspect = (struct suspect){.item = item,
		.runs_hash = hash_runs(runs, items->words),
		.counts = {.fails = count_common(runs, request->failing, items->words),
			.passes = count_common(runs, request->passing, items->words),
			.reached_fails = count_common(reached, request->failing, items->words),
			.reached_passes = count_common(reached, request->passing, items->words),
			.all_fails = request->fails}};
	suspect->suspicion = wm_suspicion_of(&suspect->counts);
	/* Where a whole function runs in failing runs only, its paths do not lead there: nothing
	 * passes to compare with. It is a suspect all the same. */
	bool only_fails = suspect->counts.fails > 0 && suspect->counts.passes == 0;
	request->count += only_fails || suspect->suspicion.increase > 0;
}

/* The items of one function: a start is reached by the runs of all paths from there. */
static void judge_function(struct request *request, size_t first, size_t last)
{
	struct wm_arena scratch = {0};
	const struct wm_store_items *items = &request->stored.items;
	const struct wm_stored_blocks blocks =
		wm_stored_blocks(&scratch, &request->stored, items->items[first].function);
	uint32_t *starts = wm_arena_alloc(&scratch, last - first, sizeof *starts);
	uint64_t **reached =
		wm_arena_alloc(&scratch, blocks.function->block_count + 1, sizeof *reached);
	for (size_t i = first; i < last; i++) {
		uint32_t start = starts[i - first] =
			start_of(&scratch, &blocks, &items->items[i]);
		if (!reached[start])
			reached[start] = wm_arena_alloc(&scratch, items->words, sizeof(uint64_t));
		for (size_t word = 0; word < items->words; word++)
			reached[start][word] |= items->items[i].runs[word];
	}
	for (size_t i = first; i < last; i++)
		judge(request, i, reached[starts[i - first]]);
	wm_arena_reset(&scratch);
}

static int by_rank(const void *left, const void *right)
{
	const struct suspect *a = left, *b = right;
	bool a_only = a->counts.passes == 0, b_only = b->counts.passes == 0;
	if (a_only != b_only)
		return a_only ? -1 : 1;
	if (a_only && a->counts.fails != b->counts.fails)
		return a->counts.fails > b->counts.fails ? -1 : 1;
	if (a->suspicion.importance != b->suspicion.importance)
		return a->suspicion.importance > b->suspicion.importance ? -1 : 1;
	if (a->suspicion.increase != b->suspicion.increase)
		return a->suspicion.increase > b->suspicion.increase ? -1 : 1;
	if (a->runs_hash != b->runs_hash)
		return a->runs_hash < b->runs_hash ? -1 : 1;
	return (a->item > b->item) - (a->item < b->item);
}

static int by_runs(const void *left, const void *right)
{
	const struct suspect *a = left, *b = right;
	if (a->runs_hash != b->runs_hash)
		return a->runs_hash < b->runs_hash ? -1 : 1;
	return (a->item > b->item) - (a->item < b->item);
}

static size_t reached(const struct suspect *suspect)
{
	return suspect->counts.reached_fails + suspect->counts.reached_passes;
}

/* Paths with the same runs become one row. The path whose start the fewest runs reached stands for
 * them: it is nearest to what these runs have in common, and callers that were left with it are
 * not. */
static void join_same(struct request *request)
{
	size_t kept = 0;
	const struct wm_store_items *items = &request->stored.items;
	if (request->count)
		qsort(request->suspects, request->count, sizeof *request->suspects, by_runs);
	for (size_t i = 0; i < request->count; i++) {
		const struct suspect *suspect = &request->suspects[i];
		bool same = kept > 0 && request->suspects[kept - 1].runs_hash == suspect->runs_hash &&
			    memcmp(items->items[request->suspects[kept - 1].item].runs,
				    items->items[suspect->item].runs,
				    items->words * sizeof(uint64_t)) == 0;
		struct suspect *row = same ? &request->suspects[kept - 1] : NULL;
		size_t others = same ? row->others + 1 : 0;
		if (!same)
			row = &request->suspects[kept++];
		if (!same || reached(suspect) < reached(row))
			*row = *suspect;
		row->others = others;
	}
	request->count = kept;
}

static void find_suspects(struct request *request)
{
	const struct wm_store_items *items = &request->stored.items;
	request->suspects = wm_arena_alloc(
		&request->stored.arena, items->count + 1, sizeof *request->suspects);
	for (size_t first = 0, last; first < items->count; first = last) {
		for (last = first; last < items->count &&
				   items->items[last].function == items->items[first].function;)
			last++;
		judge_function(request, first, last);
	}
	join_same(request);
	if (request->count)
		qsort(request->suspects, request->count, sizeof *request->suspects, by_rank);
}

/* The profile of the failing runs shows the paths. */
static void read_profiles(struct request *request)
{
	struct wm_error error;
	struct wm_file *files;
	struct wm_stored *stored = &request->stored;
	struct wm_store_run *runs =
		wm_arena_alloc(&stored->arena, stored->run_count, sizeof *runs);
	size_t count = 0;
	for (size_t i = 0; i < stored->run_count; i++)
		if (request->failing[i / 64] >> i % 64 & 1)
			runs[count++] = stored->runs[i];
	if (wm_store_files(&stored->arena, stored->store, runs, count, &files,
		    &request->profile_count, &error) < 0)
		wm_fatal("%s", error.text);
	struct wm_profile *profiles =
		wm_arena_alloc(&stored->arena, request->profile_count, sizeof *profiles);
	for (size_t i = 0; i < request->profile_count; i++)
		if (wm_profile_make(&stored->arena, &files[i], NULL, &profiles[i], &error) < 0)
			wm_fatal("%s", error.text);
	request->profiles = profiles;
}

/* The function in the profile of a program; NULL if no failing run is of one that has it. */
static const struct wm_profile_function *find_function(
	const struct request *request, size_t number, const struct wm_profile **profile)
{
	const struct wm_store_function *wanted = &request->stored.items.functions[number];
	for (size_t i = request->profile_count; i-- > 0;)
		for (uint32_t k = 0; k < request->profiles[i].function_count; k++) {
			const struct wm_profile_function *function =
				&request->profiles[i].functions[k];
			if (function->function->code != wanted->code ||
				strcmp(function->function->name, wanted->name) != 0)
				continue;
			*profile = &request->profiles[i];
			return function;
		}
	return NULL;
}

static const char *name_of(struct wm_arena *arena, const struct wm_store_function *function,
	const struct wm_store_item *item)
{
	enum { EXTRA = 48 };
	const char *name = wm_text_short_name(arena, function->name);
	char *text = wm_arena_alloc(arena, strlen(name) + EXTRA, 1);
	if (item->part == WM_PART_BLOCK)
		sprintf(text, "%s, block %" PRIu64, name, item->id);
	else if (item->part == WM_PART_OTHERS)
		sprintf(text, "%s, paths that were not told apart", name);
	else
		sprintf(text, "%s:%08" PRIx32 ":%" PRIu64, name, function->shape, item->id);
	return text;
}

static const char *form_of(
	struct wm_arena *arena, const struct request *request, const struct wm_store_item *item)
{
	struct wm_error unused;
	struct wm_profile_path path;
	const struct wm_profile *profile;
	const struct wm_profile_path *pieces = &path;
	const struct wm_profile_function *function =
		find_function(request, item->function, &profile);
	bool is_path = item->part == WM_PART_PATH || item->part == WM_PART_EARLY;
	if (!function || !is_path || wm_path_find(arena, function, item->id, &path, &unused) < 0)
		return "";
	struct wm_sources sources = wm_sources_of(&profile->object);
	struct wm_path_map map = wm_path_map_make(arena, function, &sources);
	const char *form =
		wm_arena_copy_text(arena, wm_path_form(arena, &map, &pieces, 1, "\n"));
	wm_sources_free(&sources);
	return form;
}

static void print_json(struct request *request)
{
	struct wm_json json = {.out = stdout};
	const struct wm_store_items *items = &request->stored.items;
	wm_json_begin_document(&json, "suspects");
	wm_json_text(&json, "store", wm_store_place(request->stored.store));
	wm_json_number(&json, "failing_runs", request->fails);
	wm_json_number(&json, "passing_runs", request->passes);
	wm_json_number(&json, "left_out",
		request->count > request->top ? request->count - request->top : 0);
	wm_json_begin_array(&json, "suspects");
	for (size_t i = 0; i < request->count && i < request->top; i++) {
		struct wm_arena arena = {0};
		const struct suspect *suspect = &request->suspects[i];
		const struct wm_store_item *item = &items->items[suspect->item];
		const struct wm_store_function *function = &items->functions[item->function];
		wm_json_begin_object(&json, NULL);
		wm_json_text(&json, "function", function->name);
		wm_json_text(&json, "name", name_of(&arena, function, item));
		wm_json_number(&json, "id", item->id);
		wm_json_number(&json, "fails", suspect->counts.fails);
		wm_json_number(&json, "passes", suspect->counts.passes);
		wm_json_real(&json, "increase", suspect->suspicion.increase);
		wm_json_real(&json, "importance", suspect->suspicion.importance);
		wm_json_real(&json, "ochiai", suspect->suspicion.ochiai);
		wm_json_number(&json, "others_with_these_runs", suspect->others);
		wm_json_text(&json, "source", form_of(&arena, request, item));
		wm_json_end_object(&json);
		wm_arena_reset(&arena);
	}
	wm_json_end_array(&json);
	wm_json_end_object(&json);
}

static void add_row(
	struct request *request, struct wm_listing *listing, const struct suspect *suspect)
{
	enum { WIDE = 62 };
	struct wm_arena *arena = listing->arena;
	const struct wm_store_items *items = &request->stored.items;
	const struct wm_store_item *item = &items->items[suspect->item];
	const char *name = name_of(arena, &items->functions[item->function], item);
	const char *form = form_of(arena, request, item);
	size_t bytes = strlen(name) + strlen(form) + 128;
	char *text = wm_arena_alloc(arena, bytes, 1), more[64] = "";
	if (suspect->others)
		snprintf(more, sizeof more, "\nand %zu more path%s of the same runs",
			suspect->others, suspect->others == 1 ? "" : "s");
	snprintf(text, bytes, "%s%s%s%s", name, form[0] ? "\n" : "", form, more);
	wm_listing_add(listing, "%s", wm_text_count(suspect->counts.fails).text);
	wm_listing_add(listing, "%s", wm_text_count(suspect->counts.passes).text);
	wm_listing_add(listing, "%.2f", suspect->suspicion.importance);
	wm_listing_add_wrapped(listing, text, WIDE, 0);
}

static void print(struct request *request)
{
	static const struct wm_column columns[] = {{.title = "fails", .right = true},
		{.title = "passes", .right = true}, {.title = "importance", .right = true},
		{.title = "path"}};
	struct wm_arena arena = {0};
	struct wm_listing listing = {.arena = &arena, .columns = columns, .column_count = 4};
	bool colour = wm_paint_wanted(stdout);
	printf("%zu failing and %zu passing runs\n", request->fails, request->passes);
	for (size_t i = 0; i < request->count && i < request->top; i++)
		add_row(request, &listing, &request->suspects[i]);
	if (request->count == 0)
		puts("No path is taken by failing runs more than by passing ones.");
	else
		wm_listing_print(&listing, stdout, colour);
	if (request->count > request->top)
		wm_listing_print_rest(stdout, colour, request->count - request->top);
	wm_arena_reset(&arena);
}

int wm_command_suspects(int argc, char **argv)
{
	struct request request = {.store = NULL};
	parse(argc, argv, &request);
	wm_stored_open(&request.stored, request.store, NULL);
	tell_apart(&request);
	if (request.fails == 0 || request.passes == 0)
		wm_fatal("%s: %s; suspects are found by comparing failing runs with passing ones",
			wm_store_place(request.stored.store),
			request.fails ? "no run passed" : "no run failed");
	find_suspects(&request);
	read_profiles(&request);
	if (request.json)
		print_json(&request);
	else
		print(&request);
	if (fflush(stdout) != 0)
		wm_fatal("cannot write: %s", strerror(errno));
	wm_stored_close(&request.stored);
	return 0;
}
