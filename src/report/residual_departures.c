/* Function by function; the departures of the most processes first. */
#include "report/residual_departures.h"

#include <stdlib.h>

#include "report/residual_kind.h"

static int compare(const void *left, const void *right)
{
	const struct wm_residual_departure *a = left, *b = right;
	uint64_t runs = a->departure->path.count, other = b->departure->path.count;
	if (runs != other)
		return runs > other ? -1 : 1;
	if (a->function != b->function)
		return a->function < b->function ? -1 : 1;
	return (a->departure > b->departure) - (a->departure < b->departure);
}

static size_t count_all(const struct wm_residual *result)
{
	size_t count = 0;
	for (size_t i = 0; i < result->function_count; i++)
		count += result->functions[i].function->departure_count;
	return count;
}

void wm_residual_departures(
	struct wm_arena *arena, const struct wm_tested_code *tested, struct wm_residual *result)
{
	result->departures = wm_arena_alloc(arena, count_all(result), sizeof *result->departures);
	for (size_t i = 0; i < result->function_count; i++) {
		const struct wm_residual_function *entry = &result->functions[i];
		if (entry->function->departure_count == 0)
			continue;
		struct wm_judged judged = wm_judge(tested, entry);
		for (uint32_t k = 0; k < entry->function->departure_count; k++) {
			const struct wm_profile_departure *departure =
				&entry->function->departures[k];
			enum wm_residual_kind kind = wm_judged_departure(&judged, &departure->path);
			result->departures[result->departure_count++] =
				(struct wm_residual_departure){entry, departure, kind};
			result->kinds[kind]++;
		}
		wm_arena_reset(&judged.arena);
	}
	if (result->departure_count > 0)
		qsort(result->departures, result->departure_count, sizeof *result->departures,
			compare);
}
