/* A table of strings by content. Hot ones are looked for by rising length, so that a string which
 * holds a hot one is seen to do so. */
#include "trace/strings.h"

#include <stdlib.h>
#include <string.h>

struct table {
	struct wm_arena arena;
	struct wm_whole_string *slots; /* count 0: free */
	uint64_t size, used;
};

static uint64_t hash_of(const uint32_t *elements, uint32_t count)
{
	uint64_t hash = count;
	for (uint32_t i = 0; i < count; i++)
		hash = (hash ^ elements[i]) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 31;
}

static struct wm_whole_string *find(
	const struct table *table, const uint32_t *elements, uint32_t count)
{
	uint64_t at = hash_of(elements, count) & (table->size - 1);
	while (table->slots[at].count &&
		(table->slots[at].count != count ||
			memcmp(table->slots[at].elements, elements, count * sizeof *elements) != 0))
		at = (at + 1) & (table->size - 1);
	return &table->slots[at];
}

static void grow(struct table *table)
{
	struct table larger = *table;
	if (table->used * 2 < table->size)
		return;
	larger.size = table->size ? table->size * 2 : 1024;
	larger.slots = wm_arena_alloc(&larger.arena, larger.size, sizeof *larger.slots);
	for (uint64_t i = 0; i < table->size; i++)
		if (table->slots[i].count)
			*find(&larger, table->slots[i].elements, table->slots[i].count) =
				table->slots[i];
	*table = larger;
}

static void count_string(
	struct table *table, const uint32_t *elements, uint32_t count, uint64_t times)
{
	grow(table);
	struct wm_whole_string *slot = find(table, elements, count);
	if (!slot->count) {
		uint32_t *copy = wm_arena_alloc(&table->arena, count, sizeof *copy);
		memcpy(copy, elements, count * sizeof *copy);
		*slot = (struct wm_whole_string){.elements = copy, .count = count};
		table->used++;
	}
	slot->times += times;
}

static uint64_t cost_once(const struct wm_whole_path *whole, const struct wm_whole_string *string)
{
	uint64_t cost = 0;
	for (uint32_t i = 0; i < string->count; i++)
		cost += whole->elements[string->elements[i]].cost;
	return cost;
}

static int by_falling_cost(const void *left, const void *right)
{
	const struct wm_whole_string *a = left, *b = right;
	if (a->cost != b->cost)
		return a->cost > b->cost ? -1 : 1;
	if (a->times != b->times)
		return a->times > b->times ? -1 : 1;
	if (a->count != b->count)
		return a->count < b->count ? -1 : 1;
	return memcmp(a->elements, b->elements, a->count * sizeof *a->elements);
}

static void keep(struct wm_arena *arena, struct wm_whole_strings *kept, size_t *capacity,
	const struct wm_whole_string *string)
{
	uint32_t *copy = wm_arena_alloc(arena, string->count, sizeof *copy);
	memcpy(copy, string->elements, string->count * sizeof *copy);
	kept->strings =
		wm_arena_grow(arena, kept->strings, kept->count, capacity, sizeof *kept->strings);
	kept->strings[kept->count] = *string;
	kept->strings[kept->count++].elements = copy;
}

struct counting {
	struct table *table;
	uint32_t length;
};

/* Strings of one length, each in the one window whose border it crosses. */
static void count_in_window(void *context, const struct wm_grammar_window *window)
{
	struct counting *counting = context;
	uint32_t length = counting->length, left = window->left;
	if (length == 1) {
		if (window->has_single)
			count_string(counting->table, window->text + left - 1, 1, window->times);
		return;
	}
	for (uint32_t start = left >= length ? left - length + 1 : 0;
		start < left && start + length <= window->count; start++)
		if (start + length > left)
			count_string(counting->table, window->text + start, length, window->times);
}

static bool holds_hot(const struct table *hot, const struct wm_whole_string *string)
{
	for (uint32_t start = 0; start < string->count; start++)
		for (uint32_t count = 1; start + count <= string->count && count < string->count;
			count++)
			if (hot->size && find(hot, string->elements + start, count)->count)
				return true;
	return false;
}

static bool holds_end(const struct wm_whole_string *string)
{
	return string->elements[string->count - 1] == WM_ELEMENT_END;
}

struct wm_whole_strings wm_whole_hot(
	struct wm_arena *arena, const struct wm_whole_path *whole, uint32_t length, double share)
{
	struct wm_whole_strings kept = {.count = 0};
	struct table hot = {.size = 0};
	size_t capacity = 0;
	double least = share * (double)wm_whole_cost(whole);
	for (uint32_t n = 1; n <= length; n++) {
		struct table table = {.size = 0};
		struct counting counting = {&table, n};
		size_t before = kept.count;
		wm_grammar_windows(&whole->grammar, n < 2 ? 2 : n, count_in_window, &counting);
		for (uint64_t i = 0; i < table.size; i++) {
			struct wm_whole_string *string = &table.slots[i];
			if (!string->count)
				continue;
			string->cost = string->times * cost_once(whole, string);
			if (string->cost && (double)string->cost >= least && !holds_end(string) &&
				!holds_hot(&hot, string))
				keep(arena, &kept, &capacity, string);
		}
		for (size_t i = before; i < kept.count; i++)
			count_string(&hot, kept.strings[i].elements, n, 1);
		struct wm_arena own = table.arena;
		wm_arena_reset(&own);
	}
	if (kept.count > 0)
		qsort(kept.strings, kept.count, sizeof *kept.strings, by_falling_cost);
	struct wm_arena own = hot.arena;
	wm_arena_reset(&own);
	return kept;
}

struct segments {
	struct table *table;
	uint32_t depth;
};

enum ending { ENDS_IN_CALL, ENDS_IN_RETURN, ENDS_IN_CUT, ENDS_UNKNOWN };

static enum ending ending_of(const struct wm_grammar_window *window, uint32_t at)
{
	if (at + 1 >= window->count)
		return ENDS_UNKNOWN;
	uint32_t next = window->text[at + 1];
	return next == WM_ELEMENT_CALL				     ? ENDS_IN_CALL
	       : next == WM_ELEMENT_RETURN || next == WM_ELEMENT_END ? ENDS_IN_RETURN
								     : ENDS_IN_CUT;
}

/* The segment that starts at a place of the window: its length, and *behind, the index behind what
 * says where it ends. 0: none starts there, or the window does not hold it. */
static uint32_t segment_at(
	const struct wm_grammar_window *window, uint32_t start, uint32_t depth, uint32_t *behind)
{
	uint32_t calls = 0, open = 0, at = start;
	if (window->text[start] < WM_ELEMENT_PATH || ending_of(window, start) != ENDS_IN_CALL)
		return 0;
	for (; at < window->count; at++) {
		uint32_t element = window->text[at];
		if (element == WM_ELEMENT_END)
			break;
		if (element == WM_ELEMENT_CALL) {
			if (calls++ == depth)
				break;
			open++;
		} else if (element == WM_ELEMENT_RETURN) {
			if (open-- == 0)
				break;
		} else if (ending_of(window, at) == ENDS_UNKNOWN) {
			return 0;
		} else if (ending_of(window, at) == ENDS_IN_CUT) {
			at++;
			break;
		}
	}
	if (at == window->count)
		return 0;
	*behind = at + 1;
	return at - start;
}

static void count_segments(void *context, const struct wm_grammar_window *window)
{
	struct segments *segments = context;
	for (uint32_t start = 0; start < window->left; start++) {
		uint32_t behind = 0;
		uint32_t length = segment_at(window, start, segments->depth, &behind);
		if (length && behind > window->left)
			count_string(segments->table, window->text + start, length, window->times);
	}
}

struct wm_whole_strings wm_whole_segments(
	struct wm_arena *arena, const struct wm_whole_path *whole, uint32_t depth)
{
	struct wm_whole_strings kept = {.count = 0};
	struct table table = {.size = 0};
	struct segments segments = {&table, depth};
	size_t capacity = 0;
	wm_grammar_windows(&whole->grammar, 4 * depth + 2, count_segments, &segments);
	for (uint64_t i = 0; i < table.size; i++)
		if (table.slots[i].count) {
			table.slots[i].cost =
				table.slots[i].times * cost_once(whole, &table.slots[i]);
			keep(arena, &kept, &capacity, &table.slots[i]);
		}
	if (kept.count > 0)
		qsort(kept.strings, kept.count, sizeof *kept.strings, by_falling_cost);
	struct wm_arena own = table.arena;
	wm_arena_reset(&own);
	return kept;
}

uint64_t wm_whole_cost(const struct wm_whole_path *whole)
{
	struct wm_arena arena = {0};
	const struct wm_grammar *grammar = &whole->grammar;
	const uint64_t *times = wm_grammar_occurrences(&arena, grammar);
	uint64_t cost = 0;
	for (uint32_t rule = 0; rule < grammar->rule_count; rule++)
		for (uint64_t i = grammar->first_symbol[rule]; i < grammar->first_symbol[rule + 1];
			i++)
			if (!wm_grammar_is_rule(grammar->symbols[i]))
				cost += times[rule] * whole->elements[grammar->symbols[i]].cost;
	wm_arena_reset(&arena);
	return cost;
}
