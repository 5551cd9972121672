/* Calls whose return is not seen come last: nothing is known of them but how many they were. */
#include "report/inclusive_view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/listing.h"
#include "report/place.h"
#include "report/text.h"

/* Kinds that stand beside each other in any terminal. */
enum { KINDS_SHOWN = 2 };

static int64_t size_of(const struct wm_inclusive_call *call)
{
	return call->seen ? call->counts[0].low : -1;
}

static int compare(const void *left, const void *right)
{
	const struct wm_inclusive_call *a = *(const struct wm_inclusive_call *const *)left;
	const struct wm_inclusive_call *b = *(const struct wm_inclusive_call *const *)right;
	if (size_of(a) != size_of(b))
		return size_of(a) > size_of(b) ? -1 : 1;
	if (a->made != b->made)
		return a->made > b->made ? -1 : 1;
	return (a > b) - (a < b);
}

static void add_row(struct wm_listing *listing, const struct wm_snapshot *snapshot, size_t kinds,
	const struct wm_inclusive_call *call)
{
	struct wm_arena *arena = listing->arena;
	int64_t all = snapshot->totals[0].low, own = size_of(call);
	struct wm_place place = {call->file, call->line};
	const char *caller = wm_text_short_name(arena, call->caller);
	const char *callee =
		call->callee[0] ? wm_text_short_name(arena, call->callee) : "(a pointer)";
	wm_listing_add(listing, "%s",
		own < 0 || all <= 0 ? "" : wm_text_share((uint64_t)own, (uint64_t)all).text);
	for (size_t k = 0; k < kinds; k++)
		wm_listing_add(listing, "%s", wm_count_text(arena, call->counts[k]));
	wm_listing_add(listing, "%s", wm_text_count(call->made).text);
	wm_listing_add(listing, "%s", call->seen ? wm_text_count(call->came_back).text : "?");
	wm_listing_add(listing, "%s%s", callee, call->recursive ? ", recursive" : "");
	wm_listing_add(listing, "%s in %s", wm_place_text(arena, place), caller);
}

/* Said once, where there is one. */
static void explain(const struct wm_snapshot *snapshot, FILE *out)
{
	bool recursive = false, unseen = false;
	for (size_t i = 0; i < snapshot->inclusive_count; i++) {
		recursive |= snapshot->inclusive[i].recursive;
		unseen |= !snapshot->inclusive[i].seen;
	}
	if (recursive)
		fputs("recursive: what a call inside the same call did is counted in both\n", out);
	if (unseen)
		fputs("?: the call may become a jump, or come back twice; its caller's caller "
		      "includes it\n",
			out);
}

void wm_inclusive_view_print(
	const struct wm_snapshot *snapshot, const struct wm_count_request *request, FILE *out)
{
	struct wm_arena arena = {0};
	struct wm_column columns[KINDS_SHOWN + 5] = {{.title = "share", .right = true}};
	size_t count = snapshot->inclusive_count, column = 1;
	size_t kinds = snapshot->kinds.count < KINDS_SHOWN ? snapshot->kinds.count : KINDS_SHOWN;
	const struct wm_inclusive_call **rows = wm_arena_alloc(&arena, count, sizeof *rows);
	for (size_t k = 0; k < kinds; k++)
		columns[column++] =
			(struct wm_column){.title = snapshot->kinds.kinds[k].name, .right = true};
	columns[column++] = (struct wm_column){.title = "calls", .right = true};
	columns[column++] = (struct wm_column){.title = "came back", .right = true};
	columns[column++] = (struct wm_column){.title = "call of", .widest = 40, .is_name = true};
	columns[column++] = (struct wm_column){.title = "source"};
	struct wm_listing listing = {.arena = &arena, .columns = columns, .column_count = column};
	for (size_t i = 0; i < count; i++)
		rows[i] = &snapshot->inclusive[i];
	if (count)
		qsort(rows, count, sizeof *rows, compare);
	size_t shown = count < request->top ? count : request->top;
	for (size_t i = 0; i < shown; i++)
		add_row(&listing, snapshot, kinds, rows[i]);
	wm_listing_print(&listing, out, request->colour);
	wm_listing_print_rest(out, request->colour, count - shown);
	explain(snapshot, out);
	wm_arena_reset(&arena);
}
