/* Events by function, line and block: sums over the blocks of a description. */
#include "profile/tally.h"

#include <stdlib.h>
#include <string.h>

#include "core/counters/events.h"
#include "names/text_name.h"
#include "profile/call_counts.h"

const char *const wm_event_names[WM_EVENT_COUNT] = {
	"instructions", "blocks", "branches", "loads", "stores", "calls"};

static const struct wm_interval unknown = {WM_NO_LOW, WM_NO_HIGH};

static bool is_summed(const char *word)
{
	static const char *const prefixes[] = {"region:", "weights:"};
	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
		if (strncmp(word, prefixes[i], strlen(prefixes[i])) == 0 &&
			word[strlen(prefixes[i])])
			return true;
	return strcmp(word, "steps") == 0;
}

bool wm_event_kind_parse(struct wm_arena *arena, const char *word, struct wm_event_kind *kind)
{
	static const char calls_of[] = "calls:";
	size_t bytes = sizeof calls_of - 1;
	for (int event = 0; event < WM_EVENT_COUNT; event++)
		if (strcmp(word, wm_event_names[event]) == 0) {
			*kind = (struct wm_event_kind){
				wm_event_names[event], (enum wm_event)event, NULL};
			return true;
		}
	if (is_summed(word)) {
		*kind = (struct wm_event_kind){
			wm_arena_copy_text(arena, word), WM_EVENT_SUMMED, NULL};
		return true;
	}
	static const char mark[] = "mark:";
	if (strncmp(word, mark, sizeof mark - 1) == 0 && word[sizeof mark - 1]) {
		const char *copy = wm_arena_copy_text(arena, word);
		*kind = (struct wm_event_kind){copy, WM_EVENT_MARKS, copy + sizeof mark - 1};
		return true;
	}
	if (strncmp(word, calls_of, bytes) != 0 || !word[bytes])
		return false;
	const char *name = wm_arena_copy_text(arena, word);
	*kind = (struct wm_event_kind){name, WM_EVENT_CALLS, name + bytes};
	return true;
}

/* Of kinds that need no more than the work of the code. */
static uint32_t amount_of(const struct wm_work *work, enum wm_event event)
{
	switch (event) {
	case WM_EVENT_INSTRUCTIONS:
		return work->instructions;
	case WM_EVENT_BRANCHES:
		return work->branches;
	case WM_EVENT_LOADS:
		return work->loads;
	case WM_EVENT_STORES:
		return work->stores;
	case WM_EVENT_BLOCKS:
	case WM_EVENT_CALLS:
	case WM_EVENT_MARKS:
	case WM_EVENT_SUMMED:
		break;
	}
	return 0;
}

static bool is_of(const struct wm_event_kind *kind, const struct wm_call_site *call)
{
	return !kind->callees ||
	       (call->callee[0] && wm_text_name_matches(kind->callees, call->callee));
}

static bool is_mark(const struct wm_event_kind *kind, const struct wm_block_mark *mark)
{
	return kind->event == WM_EVENT_MARKS && strcmp(kind->callees, mark->name) == 0;
}

/* What one execution does, `count` times. */
static struct wm_interval times(uint64_t count, uint32_t amount)
{
	int64_t product;
	if (__builtin_mul_overflow((int64_t)count, (int64_t)amount, &product))
		return unknown;
	return wm_interval_of(product);
}

static void add(struct wm_interval *sum, struct wm_interval more)
{
	*sum = wm_interval_add(*sum, more);
}

static bool is_of_work(enum wm_event event)
{
	return event == WM_EVENT_BRANCHES || event == WM_EVENT_LOADS || event == WM_EVENT_STORES;
}

/* Whether the description says enough. */
static bool knows(const struct wm_function *function, enum wm_event event)
{
	return event != WM_EVENT_SUMMED && (function->work || !is_of_work(event));
}

static void add_block(uint32_t *amounts, const struct wm_event_kinds *kinds,
	const struct wm_function *function, uint32_t block)
{
	const struct wm_block *source = &function->blocks[block];
	for (size_t k = 0; k < kinds->count; k++) {
		enum wm_event event = kinds->kinds[k].event;
		if (event == WM_EVENT_BLOCKS)
			amounts[k] = 1;
		if (event == WM_EVENT_INSTRUCTIONS)
			amounts[k] = source->instructions;
		if (!is_of_work(event) || !function->work)
			continue;
		amounts[k] = amount_of(&function->work_elsewhere[block], event);
		for (uint32_t i = 0; i < source->position_count; i++)
			amounts[k] += amount_of(&function->work[source->first_position + i], event);
	}
}

uint32_t *wm_tally_blocks(struct wm_arena *arena, const struct wm_event_kinds *kinds,
	const struct wm_function *function)
{
	size_t count = kinds->count;
	uint32_t *amounts = wm_arena_alloc(arena, function->block_count, count * sizeof *amounts);
	for (uint32_t block = 0; block < function->block_count; block++)
		add_block(&amounts[block * count], kinds, function, block);
	for (uint32_t i = 0; i < function->mark_count; i++)
		for (size_t k = 0; k < count; k++)
			if (is_mark(&kinds->kinds[k], &function->marks[i]))
				amounts[function->marks[i].block * count + k] +=
					function->marks[i].amount;
	for (uint32_t i = 0; i < function->call_count; i++)
		for (size_t k = 0; k < count; k++)
			amounts[function->calls[i].block * count + k] +=
				kinds->kinds[k].event == WM_EVENT_CALLS &&
				is_of(&kinds->kinds[k], &function->calls[i]);
	return amounts;
}

static void add_calls(struct wm_interval *counts, const struct wm_event_kinds *kinds,
	const struct wm_call_site *call, struct wm_interval count)
{
	for (size_t k = 0; k < kinds->count; k++)
		if (kinds->kinds[k].event == WM_EVENT_CALLS && is_of(&kinds->kinds[k], call))
			add(&counts[k], count);
}

static void add_mark_sums(struct wm_interval *counts, const struct wm_event_kinds *kinds,
	const struct wm_profile_function *source)
{
	const struct wm_function *function = source->function;
	for (uint32_t i = 0; source->mark_sums && i < function->mark_sum_count; i++)
		for (size_t k = 0; k < kinds->count; k++)
			if (kinds->kinds[k].event == WM_EVENT_MARKS &&
				strcmp(kinds->kinds[k].callees, function->mark_sums[i].name) == 0)
				add(&counts[k], wm_interval_of((int64_t)source->mark_sums[i]));
}

struct wm_interval *wm_tally_function(struct wm_arena *arena, const struct wm_profile *profile,
	const struct wm_event_kinds *kinds, const struct wm_profile_function *source)
{
	struct wm_arena scratch = {0};
	const struct wm_function *function = source->function;
	struct wm_interval *counts = wm_arena_alloc(arena, kinds->count, sizeof *counts);
	const uint32_t *amounts = wm_tally_blocks(&scratch, kinds, function);
	const struct wm_interval *calls = wm_call_counts(&scratch, profile, source);
	for (size_t k = 0; k < kinds->count; k++) {
		enum wm_event event = kinds->kinds[k].event;
		if (!source->block || !knows(function, event))
			counts[k] = unknown;
		else if (event != WM_EVENT_CALLS)
			for (uint32_t i = 0; i < function->block_count; i++)
				add(&counts[k],
					times(source->block[i], amounts[i * kinds->count + k]));
	}
	for (uint32_t i = 0; source->block && i < function->call_count; i++)
		add_calls(counts, kinds, &function->calls[i], calls[i]);
	if (source->block)
		add_mark_sums(counts, kinds, source);
	wm_arena_reset(&scratch);
	return counts;
}

/* What one place of the code adds to its line. */
struct part {
	const char *file;
	uint32_t line;
	const struct wm_work *work;	 /* of code; NULL: of a call */
	const struct wm_call_site *call; /* or NULL */
	bool begins;			 /* the block belongs to this line */
	uint64_t entered;		 /* the block */
	struct wm_interval made;	 /* the call */
};

struct parts {
	size_t count;
	struct part *list;
};

static size_t count_parts(const struct wm_profile *profile)
{
	size_t count = 0;
	for (uint32_t i = 0; i < profile->function_count; i++) {
		const struct wm_function *function = profile->functions[i].function;
		count += (size_t)function->position_count + function->block_count +
			 function->call_count;
	}
	return count;
}

static const char *file_of(const struct wm_function *function, uint32_t scope, uint32_t line)
{
	const char *file = function->scopes[line ? scope : 0].file;
	return file[0] ? file : "-";
}

static void add_code(struct parts *parts, const struct wm_profile_function *source, uint32_t block)
{
	const struct wm_function *function = source->function;
	const struct wm_block *code = &function->blocks[block];
	parts->list[parts->count++] = (struct part){.file = file_of(function, 0, 0),
		.work = &function->work_elsewhere[block],
		.begins = code->position_count == 0,
		.entered = source->block[block]};
	for (uint32_t i = 0; i < code->position_count; i++) {
		const struct wm_position *position = &function->positions[code->first_position + i];
		parts->list[parts->count++] =
			(struct part){.file = file_of(function, position->scope, position->line),
				.line = position->line,
				.work = &function->work[code->first_position + i],
				.begins = i == 0,
				.entered = source->block[block]};
	}
}

static void add_function(struct wm_arena *arena, struct parts *parts,
	const struct wm_profile *profile, const struct wm_profile_function *source)
{
	const struct wm_function *function = source->function;
	const struct wm_interval *calls = wm_call_counts(arena, profile, source);
	if (!source->block || !function->work)
		return;
	for (uint32_t block = 0; block < function->block_count; block++)
		add_code(parts, source, block);
	for (uint32_t i = 0; i < function->call_count; i++) {
		const struct wm_call_site *call = &function->calls[i];
		parts->list[parts->count++] =
			(struct part){.file = file_of(function, call->scope, call->line),
				.line = call->line,
				.call = call,
				.made = calls[i]};
	}
}

static int compare_parts(const void *left, const void *right)
{
	const struct part *a = left, *b = right;
	int order = strcmp(a->file, b->file);
	return order ? order : (a->line > b->line) - (a->line < b->line);
}

static void add_part(
	struct wm_interval *counts, const struct wm_event_kinds *kinds, const struct part *part)
{
	if (part->call) {
		add_calls(counts, kinds, part->call, part->made);
		return;
	}
	for (size_t k = 0; k < kinds->count; k++) {
		enum wm_event event = kinds->kinds[k].event;
		uint32_t amount =
			event == WM_EVENT_BLOCKS ? part->begins : amount_of(part->work, event);
		add(&counts[k],
			event >= WM_EVENT_MARKS ? unknown : times(part->entered, amount));
	}
}

struct wm_tally_line *wm_tally_lines(struct wm_arena *arena, const struct wm_profile *profile,
	const struct wm_event_kinds *kinds, size_t *count)
{
	struct wm_arena scratch = {0};
	size_t room = count_parts(profile);
	struct parts parts = {.list = wm_arena_alloc(&scratch, room, sizeof *parts.list)};
	struct wm_tally_line *lines = wm_arena_alloc(arena, room, sizeof *lines);
	for (uint32_t i = 0; i < profile->function_count; i++)
		add_function(&scratch, &parts, profile, &profile->functions[i]);
	if (parts.count > 0)
		qsort(parts.list, parts.count, sizeof *parts.list, compare_parts);
	*count = 0;
	for (size_t i = 0; i < parts.count; i++) {
		if (i == 0 || compare_parts(&parts.list[i - 1], &parts.list[i]) != 0)
			lines[(*count)++] =
				(struct wm_tally_line){parts.list[i].file, parts.list[i].line,
					wm_arena_alloc(arena, kinds->count, sizeof *lines->counts)};
		add_part(lines[*count - 1].counts, kinds, &parts.list[i]);
	}
	wm_arena_reset(&scratch);
	return lines;
}

bool wm_tally_is_sums(const struct wm_profile *profile)
{
	for (uint32_t i = 0; i < profile->function_count; i++)
		if (profile->functions[i].events)
			return true;
	return false;
}

static size_t find(const struct wm_event_kinds *kinds, const char *name)
{
	size_t k = 0;
	while (k < kinds->count && strcmp(kinds->kinds[k].name, name) != 0)
		k++;
	return k;
}

struct wm_event_kinds wm_tally_kinds_of_sums(
	struct wm_arena *arena, const struct wm_profile *profile)
{
	struct wm_event_kinds kinds = {0};
	size_t capacity = 0;
	for (uint32_t i = 0; i < profile->function_count; i++) {
		const struct wm_events_section *section = profile->functions[i].function->events;
		for (uint32_t k = 0; section && k < section->kind_count; k++) {
			if (find(&kinds, section->kinds[k]) < kinds.count)
				continue;
			kinds.kinds = wm_arena_grow(arena, kinds.kinds, kinds.count, &capacity,
				sizeof *kinds.kinds);
			kinds.count += wm_event_kind_parse(
				arena, section->kinds[k], &kinds.kinds[kinds.count]);
		}
	}
	return kinds;
}

/* Whether an earlier function has the same words: they are one object's. */
static bool is_seen(const struct wm_profile *profile, uint32_t function)
{
	for (uint32_t i = function; i-- > 0;)
		if (profile->functions[i].events == profile->functions[function].events)
			return true;
	return false;
}

struct wm_interval *wm_tally_sums(struct wm_arena *arena, const struct wm_profile *profile,
	const struct wm_event_kinds *kinds)
{
	struct wm_interval *sums = wm_arena_alloc(arena, kinds->count, sizeof *sums);
	bool *known = wm_arena_alloc(arena, kinds->count, sizeof *known);
	for (uint32_t i = 0; i < profile->function_count; i++) {
		const struct wm_profile_function *function = &profile->functions[i];
		const struct wm_events_section *section = function->function->events;
		if (!function->events || is_seen(profile, i))
			continue;
		for (uint32_t k = 0; k < section->kind_count; k++) {
			size_t at = find(kinds, section->kinds[k]);
			if (at == kinds->count)
				continue;
			known[at] = true;
			add(&sums[at],
				wm_interval_of((int64_t)(function->events[k] +
							 function->events[k + WM_MAX_EVENT_KINDS])));
		}
	}
	for (size_t k = 0; k < kinds->count; k++)
		if (!known[k])
			sums[k] = unknown;
	return sums;
}
