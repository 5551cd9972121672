/* A call of the description is a row; equal ones are added up behind sorting. */
#include "profile/inclusive.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/none.h"
#include "core/graph/components.h"

static const struct wm_interval unknown = {WM_NO_LOW, WM_NO_HIGH};

bool wm_inclusive_is_counted(const struct wm_profile *profile)
{
	for (uint32_t i = 0; i < profile->function_count; i++)
		if (profile->functions[i].inclusive)
			return true;
	return false;
}

static size_t count_calls(const struct wm_profile *profile)
{
	size_t count = 0;
	for (uint32_t i = 0; i < profile->function_count; i++)
		if (profile->functions[i].inclusive)
			count += profile->functions[i].function->call_count;
	return count;
}

static struct wm_interval *sums_of(struct wm_arena *arena, const struct wm_event_kinds *kinds,
	const struct wm_inclusive_section *section, const uint64_t *sums, bool seen)
{
	struct wm_interval *counts = wm_arena_alloc(arena, kinds->count, sizeof *counts);
	for (size_t k = 0; k < kinds->count; k++) {
		counts[k] = unknown;
		for (uint32_t own = 0; seen && own < section->kind_count; own++)
			if (strcmp(section->kinds[own], kinds->kinds[k].name) == 0)
				counts[k] = wm_interval_of((int64_t)sums[own]);
	}
	return counts;
}

static struct wm_inclusive_call call_of(struct wm_arena *arena, const struct wm_event_kinds *kinds,
	const struct wm_profile_function *source, uint32_t number)
{
	const struct wm_function *function = source->function;
	const struct wm_inclusive_section *section = function->inclusive;
	const struct wm_call_site *site = &function->calls[number];
	const uint64_t *counters = source->inclusive + (uint64_t)number * (2 + section->kind_count);
	bool seen = section->seen[number];
	return (struct wm_inclusive_call){.caller = function->name,
		.callee = site->callee,
		.file = site->line ? function->scopes[site->scope].file : "",
		.line = site->line,
		.seen = seen,
		.made = counters[0],
		.came_back = counters[1],
		.counts = sums_of(arena, kinds, section, counters + 2, seen)};
}

static int compare(const void *left, const void *right)
{
	const struct wm_inclusive_call *a = left, *b = right;
	int order = strcmp(a->caller, b->caller);
	if (!order)
		order = strcmp(a->file, b->file);
	if (!order)
		order = (a->line > b->line) - (a->line < b->line);
	if (!order)
		order = strcmp(a->callee, b->callee);
	return order ? order : (a->seen > b->seen) - (a->seen < b->seen);
}

static size_t add_up(
	struct wm_inclusive_call *calls, size_t count, const struct wm_event_kinds *kinds)
{
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		if (!kept || compare(&calls[kept - 1], &calls[i])) {
			calls[kept++] = calls[i];
			continue;
		}
		calls[kept - 1].made += calls[i].made;
		calls[kept - 1].came_back += calls[i].came_back;
		for (size_t k = 0; k < kinds->count; k++)
			calls[kept - 1].counts[k] =
				wm_interval_add(calls[kept - 1].counts[k], calls[i].counts[k]);
	}
	return kept;
}

/* The names of callers in order, each once. */
struct names {
	const char **list;
	uint32_t count;
};

static int compare_names(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static uint32_t number_of(const struct names *names, const char *name)
{
	const char **found =
		bsearch(&name, names->list, names->count, sizeof *names->list, compare_names);
	return found ? (uint32_t)(found - names->list) : WM_NONE;
}

/* The calls are sorted by callers. */
static struct names name_callers(
	struct wm_arena *scratch, const struct wm_inclusive_call *calls, size_t count)
{
	struct names names = {.list = wm_arena_alloc(scratch, count, sizeof *names.list)};
	for (size_t i = 0; i < count; i++)
		if (!i || strcmp(calls[i - 1].caller, calls[i].caller))
			names.list[names.count++] = calls[i].caller;
	return names;
}

static void find_recursion(struct wm_inclusive_call *calls, size_t count)
{
	struct wm_arena scratch = {0};
	struct names names = name_callers(&scratch, calls, count);
	uint32_t *caller = wm_arena_alloc(&scratch, count, sizeof *caller);
	uint32_t *callee = wm_arena_alloc(&scratch, count, sizeof *callee), edges = 0, cycles;
	for (size_t i = 0; i < count; i++) {
		caller[edges] = number_of(&names, calls[i].caller);
		callee[edges] = number_of(&names, calls[i].callee);
		edges += callee[edges] != WM_NONE;
	}
	const uint32_t *component =
		wm_components_find(&scratch, names.count, edges, caller, callee, &cycles);
	for (size_t i = 0; i < count; i++) {
		uint32_t to = number_of(&names, calls[i].callee);
		calls[i].recursive = to != WM_NONE &&
				     component[to] == component[number_of(&names, calls[i].caller)];
	}
	wm_arena_reset(&scratch);
}

struct wm_inclusive_call *wm_inclusive_calls(struct wm_arena *arena,
	const struct wm_profile *profile, const struct wm_event_kinds *kinds, size_t *count)
{
	struct wm_inclusive_call *calls =
		wm_arena_alloc(arena, count_calls(profile), sizeof *calls);
	size_t all = 0, made = 0;
	for (uint32_t i = 0; i < profile->function_count; i++) {
		const struct wm_profile_function *source = &profile->functions[i];
		for (uint32_t c = 0; source->inclusive && c < source->function->call_count; c++)
			calls[all++] = call_of(arena, kinds, source, c);
	}
	if (all)
		qsort(calls, all, sizeof *calls, compare);
	all = add_up(calls, all, kinds);
	find_recursion(calls, all);
	for (size_t i = 0; i < all; i++)
		if (calls[i].made || calls[i].came_back)
			calls[made++] = calls[i];
	*count = made;
	return calls;
}
