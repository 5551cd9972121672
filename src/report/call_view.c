/* Each call in the code is a row. Where only bounds of its count are known, it is shown and ranked
 * by the upper one; where not even they are, by how often its block was entered. */
#include "report/call_view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "profile/call_counts.h"
#include "report/listing.h"
#include "report/paint.h"
#include "report/place.h"
#include "report/text.h"

/* Callers that a sentence names. */
enum { MAX_CALLERS = 4 };

struct row {
	uint64_t weight;
	size_t order;
	const struct wm_profile_function *caller;
	const struct wm_call_site *call;
	struct wm_interval count;
};

static bool is_known(struct wm_interval count)
{
	return count.high != WM_NO_HIGH;
}

static int compare_rows(const void *left, const void *right)
{
	const struct row *a = left, *b = right;
	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

static bool is_wanted(const struct wm_view_request *request, const char *name)
{
	for (size_t i = 0; request->callees && i < request->callee_count; i++)
		if (strcmp(request->callees[i], name) == 0)
			return true;
	return !request->callees;
}

static size_t add_rows(struct wm_arena *arena, const struct wm_profile *profile,
	const struct wm_view_request *request, const struct wm_profile_function *caller,
	struct row *rows, size_t count)
{
	const struct wm_function *function = caller->function;
	const struct wm_interval *counts = wm_call_counts(arena, profile, caller);
	for (uint32_t i = 0; caller->block && i < function->call_count; i++) {
		const struct wm_call_site *call = &function->calls[i];
		uint64_t weight =
			is_known(counts[i]) ? (uint64_t)counts[i].high : caller->block[call->block];
		if (weight && is_wanted(request, call->callee))
			rows[count++] = (struct row){weight, count, caller, call, counts[i]};
	}
	return count;
}

/* The rows of calls that were made, or may have been, most frequent first. */
static size_t collect(struct wm_arena *arena, const struct wm_profile *profile,
	const struct wm_view_request *request, struct row **rows)
{
	size_t max = 0, count = 0;
	for (uint32_t i = 0; i < profile->function_count; i++)
		max += profile->functions[i].function->call_count;
	*rows = wm_arena_alloc(arena, max, sizeof **rows);
	for (uint32_t i = 0; i < profile->function_count; i++)
		count = add_rows(arena, profile, request, &profile->functions[i], *rows, count);
	if (count)
		qsort(*rows, count, sizeof **rows, compare_rows);
	return count;
}

static void add_count(struct wm_listing *listing, struct wm_interval count)
{
	if (!is_known(count))
		wm_listing_add(listing, "not known");
	else if (wm_interval_is_exact(count))
		wm_listing_add(listing, "%s", wm_text_count((uint64_t)count.high).text);
	else if (count.low <= 0)
		wm_listing_add(listing, "at most %s", wm_text_count((uint64_t)count.high).text);
	else
		wm_listing_add(listing, "%s to %s", wm_text_count((uint64_t)count.low).text,
			wm_text_count((uint64_t)count.high).text);
}

static struct wm_place place_of(
	const struct wm_profile_function *caller, const struct wm_call_site *call)
{
	return (struct wm_place){
		call->line ? caller->function->scopes[call->scope].file : "", call->line};
}

static void add_row(struct wm_listing *listing, const struct row *row, struct wm_sources *sources)
{
	struct wm_place place = place_of(row->caller, row->call);
	const char *callee = row->call->callee;
	add_count(listing, row->count);
	wm_listing_add(listing, "%s", wm_text_name(listing->arena, row->caller->function->name));
	wm_listing_add(
		listing, "%s", callee[0] ? wm_text_name(listing->arena, callee) : "(by a pointer)");
	wm_listing_add(listing, "%s", wm_place_text(listing->arena, place));
	wm_listing_add(listing, "%s",
		sources && place.file[0] ? wm_sources_line(sources, place.file, place.line) : "");
}

/* How often the wanted functions were entered; false if that is not known. */
static bool count_entries(
	const struct wm_profile *profile, const struct wm_view_request *request, uint64_t *entries)
{
	bool known = false, missing = false;
	*entries = 0;
	for (uint32_t i = 0; i < profile->function_count; i++) {
		const struct wm_profile_function *function = &profile->functions[i];
		if (!is_wanted(request, function->function->name))
			continue;
		known = true;
		missing |= !function->block;
		*entries += function->calls;
	}
	return known && !missing;
}

/* The sum of the rows; false if one of them is not exact. */
static bool sum_rows(const struct row *rows, size_t count, uint64_t *sum)
{
	*sum = 0;
	for (size_t i = 0; i < count; i++) {
		if (!wm_interval_is_exact(rows[i].count))
			return false;
		*sum += (uint64_t)rows[i].count.high;
	}
	return true;
}

/* A function of this name may also stand in another object, which some of the calls mean. */
static void print_entries(const struct wm_profile *profile, const struct wm_view_request *request,
	const struct row *rows, size_t count, FILE *out)
{
	uint64_t entries, sum;
	if (!count_entries(profile, request, &entries))
		return;
	fprintf(out, "  entered %s time%s", wm_text_count(entries).text, entries == 1 ? "" : "s");
	bool exact = sum_rows(rows, count, &sum);
	if (exact && sum == entries && sum > 0)
		fputs(", always by name", out);
	else if (exact && sum < entries)
		fprintf(out,
			": %s by name, %s by a pointer, from another object, or from code that is "
			"not counted",
			wm_text_count(sum).text, wm_text_count(entries - sum).text);
	fputc('\n', out);
}

void wm_call_view_print(
	const struct wm_profile *profile, const struct wm_view_request *request, FILE *out)
{
	static const struct wm_column columns[] = {{.title = "calls", .right = true},
		{.title = "caller", .widest = 24}, {.title = "callee", .widest = 24},
		{.title = "source", .widest = 20, .keep_end = true}, {.title = "text"}};
	struct wm_arena arena = {0};
	struct wm_listing listing = {.arena = &arena, .columns = columns, .column_count = 5};
	struct row *rows;
	size_t count = collect(&arena, profile, request, &rows);
	size_t shown = count < request->top ? count : request->top;
	for (size_t i = 0; i < shown; i++)
		add_row(&listing, &rows[i], request->sources);
	wm_paint_title(out, request->colour, "Calls, by how often they were made");
	if (shown || !request->callees)
		wm_listing_print(&listing, out, request->colour);
	else
		fputs("  none by name\n", out);
	wm_listing_print_rest(out, request->colour, count - shown);
	if (request->callees)
		print_entries(profile, request, rows, count, out);
	wm_arena_reset(&arena);
}

/* Adds up the rows of each caller: the first of them gets the sum, which is returned in order. */
static size_t join_callers(struct row *rows, size_t count)
{
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		size_t k = 0;
		while (k < kept && rows[k].caller != rows[i].caller)
			k++;
		if (k == kept)
			rows[kept++] = rows[i];
		else
			rows[k].weight += rows[i].weight;
	}
	if (kept)
		qsort(rows, kept, sizeof *rows, compare_rows);
	return kept;
}

static void put_callers(
	struct wm_arena *arena, const struct row *rows, size_t count, uint64_t others, FILE *text)
{
	size_t shown = count < MAX_CALLERS ? count : MAX_CALLERS;
	for (size_t i = 0; i < count; i++)
		if (i >= shown)
			others += rows[i].weight;
	for (size_t i = 0; i < shown; i++)
		fprintf(text, "%s %s from %s", i ? "," : ":", wm_text_count(rows[i].weight).text,
			wm_text_clean(
				arena, wm_text_short_name(arena, rows[i].caller->function->name)));
	if (others)
		fprintf(text, "%s %s otherwise", shown ? "," : ":", wm_text_count(others).text);
}

void wm_call_view_print_callers(
	const struct wm_profile *profile, const struct wm_profile_function *callee, FILE *out)
{
	struct wm_arena arena = {0};
	struct wm_view_request request = {.callees = &callee->function->name, .callee_count = 1};
	char *sentence;
	size_t bytes;
	struct row *rows;
	uint64_t entries, sum;
	size_t count = collect(&arena, profile, &request, &rows);
	if (count_entries(profile, &request, &entries)) {
		const char *name =
			wm_text_clean(&arena, wm_text_short_name(&arena, callee->function->name));
		FILE *text = open_memstream(&sentence, &bytes);
		fprintf(text, "%s was entered %s time%s", name, wm_text_count(entries).text,
			entries == 1 ? "" : "s");
		if (sum_rows(rows, count, &sum) && sum <= entries)
			put_callers(&arena, rows, join_callers(rows, count), entries - sum, text);
		fputc('\n', text);
		fclose(text);
		wm_text_print_wrapped(sentence, out);
		free(sentence);
	}
	wm_arena_reset(&arena);
}

static void write_count(struct wm_json *json, struct wm_interval count)
{
	if (wm_interval_is_exact(count))
		wm_json_signed(json, "count", count.low);
	else if (is_known(count)) {
		wm_json_signed(json, "at_least", count.low);
		wm_json_signed(json, "at_most", count.high);
	}
}

void wm_call_json_member(struct wm_json *json, const struct wm_profile *profile,
	const struct wm_profile_function *source)
{
	struct wm_arena arena = {0};
	const struct wm_function *function = source->function;
	const struct wm_interval *counts = wm_call_counts(&arena, profile, source);
	wm_json_begin_array(json, "calls");
	for (uint32_t i = 0; i < function->call_count; i++) {
		const struct wm_call_site *call = &function->calls[i];
		wm_json_begin_object(json, NULL);
		wm_json_text(json, "callee", call->callee);
		wm_json_number(json, "block", call->block);
		wm_json_number(json, "line", call->line);
		if (call->line && call->scope)
			wm_json_text(json, "file", function->scopes[call->scope].file);
		wm_json_flag(json, "tail", call->flags & WM_CALL_TAIL);
		write_count(json, counts[i]);
		wm_json_end_object(json);
	}
	wm_json_end_array(json);
	wm_arena_reset(&arena);
}
