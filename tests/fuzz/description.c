/* The body of a description record: decoded, encoded again, and solved.
 *
 * Encoding what was decoded gives a canonical record: decoding it succeeds and encoding that gives
 * the same bytes.
 */
#include <string.h>

#include "core/counters/propagate.h"
#include "core/graph/weights.h"
#include "format/description.h"
#include "fuzz.h"

static void require_round_trip(struct wm_arena *arena, const struct wm_function *function)
{
	struct wm_function again;
	struct wm_error error;
	size_t bytes, bytes_again;
	const uint8_t *body = wm_description_encode(arena, function, &bytes);
	WM_FUZZ_REQUIRE(wm_description_decode(arena, body, bytes, &again, &error) == 0);
	const uint8_t *body_again = wm_description_encode(arena, &again, &bytes_again);
	WM_FUZZ_REQUIRE(bytes == bytes_again && memcmp(body, body_again, bytes) == 0);
	WM_FUZZ_REQUIRE(again.hash == wm_description_hash(body, bytes));
}

static void solve(struct wm_arena *arena, const struct wm_function *function)
{
	const struct wm_counters_section *section = function->counters;
	struct wm_counts counts;
	struct wm_error error;
	struct wm_cfg *cfg = wm_function_graph(arena, function);
	uint64_t *counter = wm_arena_alloc(arena, section->probe_count, sizeof *counter);
	double *weight = wm_arena_alloc(arena, function->edge_count, sizeof *weight);
	for (uint32_t k = 0; k < section->probe_count; k++)
		counter[k] = wm_fuzz_counter(k);
	int status = wm_propagate(
		arena, cfg, section->probes, section->probe_count, counter, NULL, &counts, &error);
	wm_fuzz_require_text(status, error.text);
	wm_weights_heuristic(cfg, weight);
	wm_fuzz_plan(cfg, weight);
}

int wm_fuzz_try(const uint8_t *data, size_t bytes)
{
	struct wm_arena arena = {0};
	struct wm_function function;
	struct wm_error error;
	int status = wm_description_decode(&arena, data, bytes, &function, &error);
	wm_fuzz_require_text(status, error.text);
	if (status == 0) {
		require_round_trip(&arena, &function);
		if (function.counters)
			solve(&arena, &function);
	}
	wm_arena_reset(&arena);
	return status;
}
