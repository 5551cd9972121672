/* Each call in the code is a row. Where only bounds of its count are known, it is shown and ranked
 * by the upper one; where not even they are, by how often its block was entered. */
#include "report/call_view.h"

#include <inttypes.h>
#include <stdlib.h>

#include "profile/call_counts.h"
#include "report/listing.h"
#include "report/paint.h"
#include "report/place.h"
#include "report/text.h"

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

static size_t add_rows(struct wm_arena *arena, const struct wm_profile *profile,
	const struct wm_profile_function *caller, struct row *rows, size_t count)
{
	const struct wm_function *function = caller->function;
	const struct wm_interval *counts = wm_call_counts(arena, profile, caller);
	for (uint32_t i = 0; caller->block && i < function->call_count; i++) {
		const struct wm_call_site *call = &function->calls[i];
		uint64_t weight =
			is_known(counts[i]) ? (uint64_t)counts[i].high : caller->block[call->block];
		if (weight)
			rows[count] = (struct row){weight, count, caller, call, counts[i]};
		count += weight > 0;
	}
	return count;
}

/* The rows of calls that were made, or may have been, most frequent first. */
static size_t collect(struct wm_arena *arena, const struct wm_profile *profile, struct row **rows)
{
	size_t max = 0, count = 0;
	for (uint32_t i = 0; i < profile->function_count; i++)
		max += profile->functions[i].function->call_count;
	*rows = wm_arena_alloc(arena, max, sizeof **rows);
	for (uint32_t i = 0; i < profile->function_count; i++)
		count = add_rows(arena, profile, &profile->functions[i], *rows, count);
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

void wm_call_view_print(
	const struct wm_profile *profile, const struct wm_view_request *request, FILE *out)
{
	static const struct wm_column columns[] = {{.title = "calls", .right = true},
		{.title = "caller", .widest = 24}, {.title = "callee", .widest = 24},
		{.title = "source", .widest = 20, .keep_end = true}, {.title = "text"}};
	struct wm_arena arena = {0};
	struct wm_listing listing = {.arena = &arena, .columns = columns, .column_count = 5};
	struct row *rows;
	size_t count = collect(&arena, profile, &rows);
	size_t shown = count < request->top ? count : request->top;
	for (size_t i = 0; i < shown; i++)
		add_row(&listing, &rows[i], request->sources);
	wm_paint_title(out, request->colour, "Calls, by how often they were made");
	wm_listing_print(&listing, out, request->colour);
	wm_listing_print_rest(out, request->colour, count - shown);
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
