/* The search for a multiplier: random odd numbers, each abandoned as soon as it costs more than the
 * best so far. A key costs its weight for every key that came to the same slot before it.
 */
#include "core/chosen/scaled_hash.h"

#include <math.h>
#include <stdbool.h>

#include "core/base/none.h"
#include "core/base/order.h"

/* With more keys the multiplier hardly changes how crowded a table is. */
enum { TRIES = 4096, TRIES_IF_CROWDED = 1 << 16, MAX_KEYS_IF_CROWDED = 1024 };

struct trial {
	const uint64_t *keys;
	const double *weight;
	const uint32_t *order; /* keys by falling weight */
	uint32_t count;
	uint32_t *met;	 /* by slot: keys of the present try that came there */
	uint32_t *stamp; /* by slot: the try that `met` belongs to */
	uint32_t now;
};

struct cost {
	bool crowded; /* more than a quarter of an extra slot per key */
	double weighted;
	uint64_t extra;
};

static bool is_less(struct cost a, struct cost b)
{
	return a.crowded != b.crowded ? b.crowded : a.weighted < b.weighted;
}

/* What the multiplier costs, or some cost that is not less than the limit. */
static struct cost try_multiplier(
	struct trial *trial, const struct wm_scaled_hash *hash, struct cost limit)
{
	struct cost cost = {false, 0, 0};
	trial->now++;
	for (uint32_t i = 0; i < trial->count; i++) {
		uint32_t key = trial->order[i];
		uint32_t home = wm_scaled_hash_home(hash, trial->keys[key]);
		if (trial->stamp[home] != trial->now) {
			trial->stamp[home] = trial->now;
			trial->met[home] = 0;
		}
		uint32_t met = trial->met[home]++;
		cost.extra += met;
		cost.weighted += met * (trial->weight ? trial->weight[key] : 1);
		cost.crowded = cost.extra > trial->count / 4;
		if (!is_less(cost, limit))
			break;
	}
	return cost;
}

/* Splitmix64: a bijection of the tries onto well-mixed numbers. */
static uint64_t candidate(uint32_t number)
{
	uint64_t mixed = (number + 1) * 0x9e3779b97f4a7c15u;
	mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
	mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
	return (mixed ^ mixed >> 31) | 1;
}

static void find_multiplier(struct trial *trial, struct wm_scaled_hash *hash)
{
	struct cost best = {true, INFINITY, 0};
	uint64_t chosen = candidate(0);
	uint32_t max = trial->count > MAX_KEYS_IF_CROWDED ? TRIES : TRIES_IF_CROWDED;
	for (uint32_t i = 0; i < (best.crowded ? max : TRIES); i++) {
		hash->multiplier = candidate(i);
		struct cost cost = try_multiplier(trial, hash, best);
		if (!is_less(cost, best))
			continue;
		best = cost;
		chosen = hash->multiplier;
		if (!best.extra)
			break;
	}
	hash->multiplier = chosen;
	hash->extra = best.extra;
}

/* Puts the first key of each home there. */
static void settle_homes(const struct trial *trial, struct wm_scaled_hash *hash, bool *taken)
{
	for (uint32_t i = 0; i < trial->count; i++) {
		uint32_t key = trial->order[i];
		uint32_t home = wm_scaled_hash_home(hash, trial->keys[key]);
		if (!taken[home])
			hash->slot[key] = home;
		taken[home] = true;
	}
}

/* There are at least as many slots as keys, so a free one is left for each key without a home. */
static void settle_others(const struct trial *trial, struct wm_scaled_hash *hash, bool *taken)
{
	uint32_t vacant = 0;
	for (uint32_t i = 0; i < trial->count; i++) {
		uint32_t key = trial->order[i];
		if (hash->slot[key] != WM_NONE)
			continue;
		while (taken[vacant])
			vacant++;
		taken[vacant] = true;
		hash->slot[key] = vacant;
		uint32_t last = wm_scaled_hash_home(hash, trial->keys[key]);
		while (hash->next[last] != WM_NONE)
			last = hash->next[last];
		hash->next[last] = vacant;
	}
}

static uint32_t bits_for(uint32_t count)
{
	uint32_t bits = 1;
	while ((uint64_t)2 << bits <= 3 * (uint64_t)count)
		bits++;
	return bits;
}

void wm_scaled_hash_choose(struct wm_arena *arena, const uint64_t *keys, const double *weight,
	uint32_t count, struct wm_scaled_hash *hash)
{
	hash->bits = bits_for(count);
	size_t slots = (size_t)1 << hash->bits;
	double *even = weight ? NULL : wm_arena_alloc(arena, count, sizeof *even);
	struct trial trial = {
		.keys = keys,
		.weight = weight,
		.order = wm_order_by_weight(arena, weight ? weight : even, count, false),
		.count = count,
		.met = wm_arena_alloc(arena, slots, sizeof(uint32_t)),
		.stamp = wm_arena_alloc(arena, slots, sizeof(uint32_t)),
	};
	bool *taken = wm_arena_alloc(arena, slots, sizeof *taken);
	hash->slot = wm_none_array(arena, count);
	hash->next = wm_none_array(arena, slots);
	find_multiplier(&trial, hash);
	settle_homes(&trial, hash, taken);
	settle_others(&trial, hash, taken);
}
