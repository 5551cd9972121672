/* waymark segments: paths that cross calls, and lists of calls to be crossed. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/find_function.h"
#include "cli/find_profiles.h"
#include "cli/options.h"
#include "cli/stale.h"
#include "cli/whole_file.h"
#include "format/segment_sites.h"
#include "names/text_name.h"
#include "core/base/none.h"
#include "profile/call_counts.h"
#include "profile/contexts.h"
#include "report/json.h"
#include "report/listing.h"
#include "report/paint.h"
#include "report/place.h"
#include "report/segments.h"
#include "report/text.h"

/* Characters and rows that a segment gets. */
enum { SEGMENT_WIDE = 84, SEGMENT_ROWS = 8 };

struct call {
	const struct wm_function *caller;
	const struct wm_call_site *site;
	const char *callee;
	uint64_t count;
};

struct calls {
	struct wm_arena *arena;
	size_t count, capacity;
	struct call *list;
	uint64_t sum;
};

static unsigned parse_depth(const char *text)
{
	char *end;
	unsigned long depth = strtoul(text, &end, 10);
	if (text[0] < '1' || text[0] > '9' || *end || depth > WM_SEGMENT_MAX_DEPTH)
		wm_fatal_usage("segments: --depth='%s': a segment crosses 1 to %d calls", text,
			WM_SEGMENT_MAX_DEPTH);
	return (unsigned)depth;
}

/* `executed`, or hot:P% of all calls. */
static double parse_share(const char *sites)
{
	char *end;
	if (strcmp(sites, "executed") == 0)
		return 1;
	double percent = strncmp(sites, "hot:", 4) == 0 ? strtod(sites + 4, &end) : -1;
	if (!(percent > 0 && percent <= 100) || strcmp(end, "%") != 0)
		wm_fatal_usage(
			"segments: --sites='%s' is unknown: use executed, or hot:90%%", sites);
	return percent / 100;
}

static int by_place(const void *left, const void *right)
{
	const struct call *a = left, *b = right;
	if (a->site != b->site)
		return (a->site > b->site) - (a->site < b->site);
	return strcmp(a->callee, b->callee);
}

static int by_count(const void *left, const void *right)
{
	const struct call *a = left, *b = right;
	return a->count != b->count ? (a->count > b->count ? -1 : 1) : by_place(left, right);
}

static void add_call(struct calls *calls, const struct wm_function *caller,
	const struct wm_call_site *site, const char *callee, uint64_t count)
{
	if (!site->line || !callee[0] || count == 0)
		return;
	calls->list = wm_arena_grow(
		calls->arena, calls->list, calls->count, &calls->capacity, sizeof *calls->list);
	calls->list[calls->count++] = (struct call){caller, site, callee, count};
	calls->sum += count;
}

static void add_calls_by_name(struct calls *calls, const struct wm_profile *profile)
{
	for (uint32_t i = 0; i < profile->function_count; i++) {
		const struct wm_function *function = profile->functions[i].function;
		const struct wm_interval *counts =
			wm_call_counts(calls->arena, profile, &profile->functions[i]);
		for (uint32_t k = 0; k < function->call_count; k++)
			if (counts[k].high > 0 && counts[k].high != WM_NO_HIGH)
				add_call(calls, function, &function->calls[k],
					function->calls[k].callee, (uint64_t)counts[k].high);
	}
}

/* What calls through pointers called is known of builds that count calls by context. */
static void add_calls_through_pointers(struct calls *calls, const struct wm_profile *profile)
{
	const struct wm_profile_contexts contexts = wm_profile_contexts_find(calls->arena, profile);
	size_t first = calls->count, kept = first;
	for (uint32_t i = 0; contexts.counted && i < contexts.tree.link_count; i++) {
		const struct wm_context_link *link = &contexts.tree.links[i];
		uint32_t caller = contexts.tree.records[link->source].function;
		uint32_t callee = contexts.tree.records[link->target].function;
		if (caller == WM_NONE || callee == WM_NONE)
			continue;
		const struct wm_function *function = profile->functions[caller].function;
		if (link->site < function->call_count && !function->calls[link->site].callee[0])
			add_call(calls, function, &function->calls[link->site],
				profile->functions[callee].function->name, link->count);
	}
	if (calls->count > first)
		qsort(calls->list + first, calls->count - first, sizeof *calls->list, by_place);
	for (size_t i = first; i < calls->count; i++)
		if (kept > first && by_place(&calls->list[kept - 1], &calls->list[i]) == 0)
			calls->list[kept - 1].count += calls->list[i].count;
		else
			calls->list[kept++] = calls->list[i];
	calls->count = kept;
}

/* Calls that were made and have a line, the most frequent first. */
static struct calls list_calls(struct wm_arena *arena, const struct wm_profile *profile)
{
	struct calls calls = {.arena = arena};
	add_calls_by_name(&calls, profile);
	add_calls_through_pointers(&calls, profile);
	if (calls.count > 0)
		qsort(calls.list, calls.count, sizeof *calls.list, by_count);
	return calls;
}

/* Lists the calls that make up the share, for --segments=K:@FILE. */
static void write_sites(
	struct wm_arena *arena, const struct wm_profile *profile, double share, const char *output)
{
	uint64_t so_far = 0;
	struct wm_whole_file file;
	const struct calls calls = list_calls(arena, profile);
	wm_whole_file_begin(&file, output);
	fputs(WM_SEGMENT_FILE_HEAD "\n", file.stream);
	for (size_t i = 0; i < calls.count && (double)so_far < share * (double)calls.sum; i++) {
		const struct call *call = &calls.list[i];
		fprintf(file.stream, "%s\t%" PRIu32 "\t%s\t%" PRIu64 "\n",
			call->caller->scopes[call->site->scope].file, call->site->line,
			call->callee, call->count);
		so_far += call->count;
	}
	wm_whole_file_end(&file);
}

static void print_heading(struct wm_arena *arena, const struct wm_segment *segment, FILE *out)
{
	const struct wm_place place = {segment->file, segment->line};
	fprintf(out, "%s in %s, called at %s\n",
		wm_text_clean(arena, wm_text_short_name(arena, segment->callee)),
		wm_text_clean(arena, wm_text_short_name(arena, segment->caller)),
		wm_text_clean(arena, wm_place_text(arena, place)));
}

static void print_call(struct wm_arena *arena, const struct wm_segments *all, size_t first,
	size_t end, size_t top, bool colour)
{
	static const struct wm_column columns[] = {{.title = "share", .right = true},
		{.title = "count", .right = true}, {.title = "segment"}};
	struct wm_listing listing = {.arena = arena, .columns = columns, .column_count = 3};
	uint64_t sum = 0;
	for (size_t i = first; i < end; i++)
		sum += all->segments[i].count;
	for (size_t i = first; i < end && i < first + top; i++) {
		const struct wm_segment *segment = &all->segments[i];
		wm_listing_add(&listing, "%s", wm_text_share(segment->count, sum).text);
		wm_listing_add(&listing, "%s", wm_text_count(segment->count).text);
		wm_listing_add_wrapped(&listing, segment->text, SEGMENT_WIDE, SEGMENT_ROWS);
	}
	wm_listing_print(&listing, stdout, colour);
	wm_listing_print_rest(stdout, colour, end - first > top ? end - first - top : 0);
}

static void print_text(struct wm_arena *arena, const struct wm_segments *all, size_t top)
{
	bool colour = wm_paint_wanted(stdout);
	for (size_t i = 0, end; i < all->count; i = end) {
		const struct wm_segment *first = &all->segments[i];
		for (end = i;
			end < all->count && wm_segments_share_call(first, &all->segments[end]);
			end++)
			continue;
		if (i > 0)
			putchar('\n');
		print_heading(arena, first, stdout);
		print_call(arena, all, i, end, top, colour);
	}
}

static void print_json(const struct wm_profile *profile, const struct wm_segments *all)
{
	struct wm_json json = {.out = stdout};
	wm_json_begin_document(&json, "segments");
	wm_json_text(&json, "program", profile->object.path);
	wm_json_begin_array(&json, "segments");
	for (size_t i = 0; i < all->count; i++) {
		const struct wm_segment *segment = &all->segments[i];
		wm_json_begin_object(&json, NULL);
		wm_json_text(&json, "caller", segment->caller);
		wm_json_text(&json, "callee", segment->callee);
		wm_json_text(&json, "file", segment->file);
		wm_json_number(&json, "line", segment->line);
		wm_json_number(&json, "count", segment->count);
		wm_json_text(&json, "segment", segment->text);
		wm_json_text(&json, "inside", segment->inside);
		wm_json_end_object(&json);
	}
	wm_json_end_array(&json);
	wm_json_end_object(&json);
}

/* The word that is no profile names the caller; without one, all are meant. */
static char *take_function(int *words, char **argv)
{
	for (int i = 1; i <= *words; i++) {
		char *word = argv[i];
		if (wm_find_is_profile_word(word))
			continue;
		memmove(&argv[i], &argv[i + 1], (size_t)(*words - i + 1) * sizeof *argv);
		(*words)--;
		return word;
	}
	return NULL;
}

/* Leaves the segments of callers with this name: as the linker knows it, or as the source has it.
 */
static void keep_caller(struct wm_segments *all, const char *name)
{
	size_t kept = 0;
	for (size_t i = 0; i < all->count; i++)
		if (wm_text_name_fit(name, all->segments[i].caller) ||
			wm_text_name_matches(name, all->segments[i].caller))
			all->segments[kept++] = all->segments[i];
	all->count = kept;
}

static struct wm_segments find(struct wm_arena *arena, const struct wm_profile *profile,
	const char *caller, unsigned depth, struct wm_sources *sources)
{
	size_t count;
	const struct wm_profile_function **functions =
		wm_arena_alloc(arena, profile->function_count, sizeof *functions);
	for (uint32_t i = 0; i < profile->function_count; i++)
		functions[i] = &profile->functions[i];
	struct wm_segments all =
		wm_segments_find(arena, functions, profile->function_count, depth, sources);
	if (caller)
		keep_caller(&all, caller);
	if (caller && all.count == 0)
		wm_find_functions(arena, "segments", profile, caller, &count);
	return all;
}

static void print(struct wm_arena *arena, const struct wm_profile *profile, const char *caller,
	unsigned depth, size_t top, bool json)
{
	struct wm_sources sources = wm_sources_of(&profile->object);
	const struct wm_segments all = find(arena, profile, caller, depth, &sources);
	if (json)
		print_json(profile, &all);
	else if (all.count > 0)
		print_text(arena, &all, top);
	else
		printf("no path of %s crosses a call; build with --segments=1 to let paths go on "
		       "through calls\n",
			caller ? caller : profile->object.path);
	if (fflush(stdout) != 0)
		wm_fatal("cannot write the segments: %s", strerror(errno));
	wm_stale_warn("segments", &sources);
	wm_sources_free(&sources);
}

int wm_command_segments(int argc, char **argv)
{
	struct wm_arena arena = {0};
	const char *top = "10", *depth = "1", *binary = NULL, *object = NULL, *output = NULL,
		   *sites = NULL;
	bool json = false;
	const struct wm_option options[] = {{"--top", &top, NULL}, {"--depth", &depth, NULL},
		{"--json", NULL, &json}, {"--binary", &binary, NULL}, {"--object", &object, NULL},
		{"-o", &output, NULL}, {"--sites", &sites, NULL}};
	int words =
		wm_options_parse("segments", argc, argv, options, sizeof options / sizeof *options);
	size_t rows = wm_options_number("segments", "--top", top);
	unsigned calls = parse_depth(depth);
	double share = parse_share(sites ? sites : "hot:90%");
	if (sites && !output)
		wm_fatal_usage("segments: --sites chooses the calls of a list: name it with -o "
			       "FILE.wms");
	char *name = output ? NULL : take_function(&words, argv);
	const struct wm_profile *profile =
		wm_find_profile(&arena, "segments", argv + 1, (size_t)words, binary, object);
	if (output)
		write_sites(&arena, profile, share, output);
	else
		print(&arena, profile, name, calls, rows, json);
	wm_arena_reset(&arena);
	return 0;
}
