/* A sorted array: sets are complete before anything is looked up. */
#include "report/key_set.h"

#include <stdlib.h>

uint64_t wm_key_mix(uint64_t hash, uint64_t number)
{
	hash = (hash ^ number) * 0x9e3779b97f4a7c15u;
	return hash ^ (hash >> 29);
}

uint64_t wm_key_mix_text(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	return wm_key_mix(hash, 0);
}

void wm_key_set_add(struct wm_arena *arena, struct wm_key_set *set, uint64_t key)
{
	set->list = wm_arena_grow(arena, set->list, set->count, &set->capacity, sizeof key);
	set->list[set->count++] = key;
}

static int compare_keys(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;
	return (*a > *b) - (*a < *b);
}

void wm_key_set_sort(struct wm_key_set *set)
{
	size_t kept = 0;
	if (set->count > 0)
		qsort(set->list, set->count, sizeof *set->list, compare_keys);
	for (size_t i = 0; i < set->count; i++)
		if (kept == 0 || set->list[kept - 1] != set->list[i])
			set->list[kept++] = set->list[i];
	set->count = kept;
}

bool wm_key_set_has(const struct wm_key_set *set, uint64_t key)
{
	return set->count > 0 &&
	       bsearch(&key, set->list, set->count, sizeof key, compare_keys) != NULL;
}
