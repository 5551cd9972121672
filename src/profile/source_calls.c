/* Calls name what they call as the linker does; local functions of several units may have one name
 * in common, so all text of a name is judged together.
 *
 * A name is suspect if the text calls it more often than its text was entered: a call is missing. A
 * function that is known to be pure, and is only called by its name, is suspect unless the text
 * called it exactly as often as it was entered; calls by its name and its entries are then all
 * there is. Whatever a pure suspect calls may have been called more often, too.
 */
#include "profile/source_calls.h"

#include <stdlib.h>
#include <string.h>

#include "profile/source_flow.h"

/* All text of one name. */
struct callee {
	const char *name;
	struct wm_interval called;
	struct wm_interval entered;
	bool pure;
	bool suspect;
	uint32_t first_record, record_count; /* in the list of records by name */
};

struct check {
	const struct wm_source_records *records;
	struct wm_source_count *counts;
	uint32_t *by_name; /* records */
	struct callee *callees;
	uint32_t callee_count;
	uint32_t *suspects; /* callees, in the order in which they were found */
	uint32_t suspect_count;
};

struct named {
	const char *name;
	uint32_t record;
};

static int compare_named(const void *left, const void *right)
{
	const struct named *a = left, *b = right;
	int order = strcmp(a->name, b->name);
	return order ? order : (a->record > b->record) - (a->record < b->record);
}

static void gather_callees(struct wm_arena *scratch, struct check *check)
{
	uint32_t count = check->records->count;
	struct named *named = wm_arena_alloc(scratch, count, sizeof *named);
	check->by_name = wm_arena_alloc(scratch, count, sizeof *check->by_name);
	check->callees = wm_arena_alloc(scratch, count, sizeof *check->callees);
	check->suspects = wm_arena_alloc(scratch, count, sizeof *check->suspects);
	for (uint32_t i = 0; i < count; i++)
		named[i] = (struct named){check->records->records[i].name, i};
	if (count)
		qsort(named, count, sizeof *named, compare_named);
	for (uint32_t i = 0; i < count; i++) {
		struct callee *callee = &check->callees[check->callee_count];
		if (i > 0 && strcmp(named[i - 1].name, named[i].name) == 0)
			callee--;
		else
			*callee = (struct callee){.name = named[i].name, .first_record = i};
		check->callee_count = (uint32_t)(callee - check->callees) + 1;
		uint32_t record = check->by_name[i] = named[i].record;
		callee->record_count++;
		callee->pure |= check->records->pure[record];
		callee->entered = wm_interval_add(callee->entered, check->counts[record].entries);
	}
}

static int by_name(const void *name, const void *element)
{
	return strcmp(name, ((const struct callee *)element)->name);
}

static struct callee *find_callee(const struct check *check, const char *name)
{
	return bsearch(name, check->callees, check->callee_count, sizeof *check->callees, by_name);
}

/* How often control came to a call in the block: some that came in may have left in an earlier
 * call, or come out of it twice. */
static struct wm_interval reached(const struct wm_source_count *count, uint32_t block)
{
	struct wm_interval lost = wm_interval_join(wm_interval_of(0), count->left[block]);
	struct wm_interval bounds = wm_interval_subtract(count->block[block], lost);
	return wm_interval_meet(bounds, wm_interval_from(0));
}

static void add_calls(const struct check *check)
{
	for (uint32_t i = 0; i < check->records->count; i++) {
		const struct wm_source *record = &check->records->records[i];
		for (uint32_t k = 0; k < record->call_count; k++) {
			struct callee *callee = find_callee(check, record->calls[k].callee);
			if (callee)
				callee->called = wm_interval_add(callee->called,
					reached(&check->counts[i], record->calls[k].block));
		}
	}
}

static void suspect(struct check *check, struct callee *callee)
{
	if (callee->suspect)
		return;
	callee->suspect = true;
	check->suspects[check->suspect_count++] = (uint32_t)(callee - check->callees);
}

static bool lacks_calls(const struct callee *callee)
{
	return callee->called.low > callee->entered.high ||
	       (callee->pure && callee->called.high > callee->entered.low);
}

static void open_bounds(const struct wm_source *record, struct wm_source_count *count)
{
	for (uint32_t b = 0; b < record->block_count; b++) {
		count->block[b].high = WM_NO_HIGH;
		if (record->may_be_left[b])
			count->left[b].high = WM_NO_HIGH;
	}
	wm_source_flow_tighten(record, count);
}

/* Where calls of a pure function were deleted, so were those that it makes. Code of other functions
 * has runs of its own, or witnesses that leave it open. */
static void open_suspect(struct check *check, const struct callee *callee)
{
	for (uint32_t i = 0; i < callee->record_count; i++) {
		uint32_t number = check->by_name[callee->first_record + i];
		const struct wm_source *record = &check->records->records[number];
		if (check->counts[number].known)
			open_bounds(record, &check->counts[number]);
		for (uint32_t k = 0; callee->pure && k < record->call_count; k++) {
			struct callee *next = find_callee(check, record->calls[k].callee);
			if (next)
				suspect(check, next);
		}
	}
}

void wm_source_calls_check(const struct wm_source_records *records, struct wm_source_count *counts)
{
	struct wm_arena scratch = {0};
	struct check check = {.records = records, .counts = counts};
	gather_callees(&scratch, &check);
	add_calls(&check);
	for (uint32_t i = 0; i < check.callee_count; i++)
		if (lacks_calls(&check.callees[i]))
			suspect(&check, &check.callees[i]);
	for (uint32_t i = 0; i < check.suspect_count; i++)
		open_suspect(&check, &check.callees[check.suspects[i]]);
	wm_arena_reset(&scratch);
}
