/* The scaled hash on sums of likely paths: chains of conditionals as programs have them, and random
 * graphs. At most 3 slots and 0.25 extra probes per path, up to 1,000 paths. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/base/none.h"
#include "core/chosen/scaled_hash.h"
#include "support/random_paths.h"

enum { MAX_KEYS = 1000, REPETITIONS = 3 };

static const uint64_t no_limit = (uint64_t)1 << 62;

struct worst {
	double slots;
	double extra;
	uint32_t max;
};

/* Looks for the key as the program would. Returns how many slots were in vain. */
static uint32_t look_up(const struct wm_scaled_hash *hash, const uint32_t *owner,
	const uint64_t *keys, uint64_t key)
{
	uint32_t slot = (uint32_t)(key * hash->multiplier >> (64 - hash->bits));
	uint32_t vain = 0;
	while (owner[slot] == WM_NONE || keys[owner[slot]] != key) {
		vain++;
		slot = hash->next[slot];
		if (slot == WM_NONE)
			fail_msg("a key is not found");
	}
	return vain;
}

static struct wm_scaled_hash check_keys(struct wm_arena *arena, const uint64_t *keys,
	const double *weight, uint32_t count, struct worst *worst)
{
	struct wm_scaled_hash hash;
	uint64_t extra = 0;
	wm_scaled_hash_choose(arena, keys, weight, count, &hash);
	uint32_t *owner = wm_none_array(arena, (size_t)1 << hash.bits);
	for (uint32_t i = 0; i < count; i++) {
		assert_true(hash.slot[i] >> hash.bits == 0);
		assert_int_equal(owner[hash.slot[i]], WM_NONE);
		owner[hash.slot[i]] = i;
	}
	for (uint32_t i = 0; i < count; i++)
		extra += look_up(&hash, owner, keys, keys[i]);
	assert_true(hash.multiplier & 1);
	assert_true(extra == hash.extra);
	double slots = (double)((uint64_t)1 << hash.bits) / count, vain = (double)extra / count;
	assert_true(slots <= 3);
	if (vain > 0.25)
		fail_msg("%u keys: %.3f extra probes per key", count, vain);
	worst->slots = slots > worst->slots ? slots : worst->slots;
	worst->extra = vain > worst->extra ? vain : worst->extra;
	return hash;
}

/* Among them are those just below a third of a power of two, which have the fullest tables. */
static const uint32_t counts[] = {1, 2, 5, 10, 21, 42, 85, 100, 170, 300, 341, 682, 683, 1000};
enum { COUNTS = sizeof counts / sizeof *counts };

static void check_likely_paths(struct wm_arena *arena, struct random_source *source,
	const struct wm_cfg *cfg, uint32_t count, struct worst *worst)
{
	struct wm_error error;
	struct wm_paths paths;
	uint64_t numbers[MAX_KEYS];
	assert_int_equal(wm_paths_number(arena, cfg, NULL, no_limit, &paths, &error), 0);
	uint32_t found = likely_paths(arena, source, &paths, count, numbers);
	check_keys(arena, numbers, NULL, found, worst);
	worst->max = found > worst->max ? found : worst->max;
}

static void chains_of_conditionals(void **state)
{
	struct random_source source = random_from_seed(64);
	struct worst worst = {0};
	(void)state;
	for (uint32_t conditionals = 14; conditionals <= 20; conditionals++) {
		for (size_t i = 0; i < REPETITIONS * COUNTS; i++) {
			struct wm_arena arena = {0};
			check_likely_paths(&arena, &source,
				random_chain(&arena, &source, conditionals),
				counts[i / REPETITIONS], &worst);
			wm_arena_reset(&arena);
		}
	}
	print_message("chains: at most %.2f slots and %.3f extra probes per path\n", worst.slots,
		worst.extra);
	assert_int_equal(worst.max, MAX_KEYS);
}

static void random_acyclic_graphs(void **state)
{
	struct random_source source = random_from_seed(65);
	struct worst worst = {0};
	(void)state;
	for (size_t i = 0; i < 10 * REPETITIONS * COUNTS; i++) {
		struct wm_arena arena = {0};
		uint32_t vertices = 20 + random_below(&source, 40);
		check_likely_paths(&arena, &source,
			random_acyclic(&arena, &source, vertices, 2 + random_below(&source, 6)),
			counts[i % COUNTS], &worst);
		wm_arena_reset(&arena);
	}
	print_message("acyclic graphs: at most %.2f slots and %.3f extra probes per path\n",
		worst.slots, worst.extra);
	assert_int_equal(worst.max, MAX_KEYS);
}

/* Weights that fall quickly: nearly all look-ups must find their key at once. */
static void hot_keys_stand_at_home(void **state)
{
	struct random_source source = random_from_seed(67);
	struct worst worst = {0};
	struct wm_arena arena = {0};
	uint64_t keys[MAX_KEYS];
	double weight[MAX_KEYS], all = 0, away = 0;
	(void)state;
	for (uint32_t i = 0; i < MAX_KEYS; i++) {
		keys[i] = (uint64_t)random_below(&source, UINT32_MAX) << 20;
		weight[i] = 1.0 / (1 + (i * 7 % MAX_KEYS));
	}
	struct wm_scaled_hash hash = check_keys(&arena, keys, weight, MAX_KEYS, &worst);
	for (uint32_t i = 0; i < MAX_KEYS; i++) {
		bool at_home = hash.slot[i] == wm_scaled_hash_home(&hash, keys[i]);
		all += weight[i];
		away += at_home ? 0 : weight[i];
		assert_true(at_home || weight[i] < 1);
	}
	print_message("%.4f of the weight is not at home\n", away / all);
	assert_true(away / all < 0.1);
	wm_arena_reset(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chains_of_conditionals),
		cmocka_unit_test(random_acyclic_graphs),
		cmocka_unit_test(hot_keys_stand_at_home),
	};
	return cmocka_run_group_tests_name("scaled_hash", tests, NULL, NULL);
}
