/* Sections of the modes that count what is solved: edges, blocks and paths. A mode's section starts
 * with what is measured and where its counters are; then comes what its solver needs. */
#include "format/section_parts.h"

void wm_section_put_head(struct wm_encoder *encoder, const struct wm_section *head)
{
	wm_encode_number(encoder, head->measure.quantity);
	wm_encode_number(encoder, head->measure.placement);
	wm_encode_number(encoder, head->first_counter);
	wm_encode_number(encoder, head->counter_count);
}

struct wm_section wm_section_get_head(
	struct wm_decoder *decoder, const struct wm_function *function)
{
	struct wm_section head;
	head.measure.quantity = wm_decode_number(decoder);
	head.measure.placement = wm_decode_number(decoder);
	head.first_counter = wm_decode_number(decoder);
	head.counter_count = wm_decode_number(decoder);
	if (!wm_measure_exists(head.measure))
		wm_decode_fail(decoder, "it measures something unknown");
	if (head.first_counter > function->counter_count ||
		head.counter_count > function->counter_count - head.first_counter)
		wm_decode_fail(decoder, "a section has counters that the function does not have");
	return head;
}

static void put_probes(struct wm_encoder *encoder, const struct wm_probe *probes, uint32_t count)
{
	wm_encode_number(encoder, count);
	for (uint32_t i = 0; i < count; i++) {
		wm_encode_number(encoder, probes[i].kind);
		wm_encode_number(encoder, probes[i].index);
	}
}

static struct wm_probe *get_probes(
	struct wm_decoder *decoder, const struct wm_function *function, uint32_t *count)
{
	*count = wm_decode_count(decoder, 2);
	struct wm_probe *probes = wm_arena_alloc(decoder->arena, *count, sizeof(*probes));
	for (uint32_t i = 0; i < *count; i++) {
		probes[i].kind = wm_decode_below(
			decoder, WM_PROBE_VERTEX_BY_HISTORY + 1, "a probe is of an unknown kind");
		probes[i].index = wm_decode_below(decoder,
			wm_probe_is_on_edge(&probes[i]) ? function->edge_count
							: function->block_count,
			"a probe names no edge or block");
	}
	return probes;
}

static void put_keys(struct wm_encoder *encoder, const struct wm_known_key *keys, uint32_t count)
{
	wm_encode_number(encoder, count);
	for (uint32_t i = 0; i < count; i++) {
		wm_encode_number(encoder, keys[i].table);
		wm_encode_number(encoder, keys[i].counter);
		wm_encode_long(encoder, keys[i].key);
	}
}

static struct wm_known_key *get_keys(
	struct wm_decoder *decoder, const struct wm_section *head, uint32_t *count)
{
	*count = wm_decode_count(decoder, 4);
	struct wm_known_key *keys = wm_arena_alloc(decoder->arena, *count, sizeof(*keys));
	for (uint32_t i = 0; i < *count; i++) {
		keys[i].table = wm_decode_below(
			decoder, head->counter_count, "a key belongs to no counter");
		keys[i].counter = wm_decode_below(
			decoder, head->counter_count, "a key belongs to no counter");
		keys[i].key = wm_decode_long(decoder);
	}
	return keys;
}

bool wm_section_put_counters(struct wm_encoder *encoder, const struct wm_function *function)
{
	const struct wm_counters_section *counters = function->counters;
	if (!counters)
		return false;
	wm_section_put_head(encoder, &counters->head);
	put_probes(encoder, counters->probes, counters->probe_count);
	return true;
}

void wm_section_get_counters(struct wm_decoder *decoder, struct wm_function *function)
{
	struct wm_counters_section *counters = wm_arena_alloc(decoder->arena, 1, sizeof *counters);
	counters->head = wm_section_get_head(decoder, function);
	counters->probes = get_probes(decoder, function, &counters->probe_count);
	for (uint32_t i = 0; i < counters->probe_count; i++)
		if (counters->probes[i].kind != WM_PROBE_EDGE &&
			counters->probes[i].kind != WM_PROBE_VERTEX)
			wm_decode_fail(
				decoder, "a probe counts by history where there are no paths");
	if (counters->head.counter_count != counters->probe_count)
		wm_decode_fail(decoder, "it has more or fewer counters than probes");
	function->counters = counters;
}

bool wm_section_put_paths(struct wm_encoder *encoder, const struct wm_function *function)
{
	const struct wm_paths_section *paths = function->paths;
	if (!paths)
		return false;
	wm_section_put_head(encoder, &paths->head);
	wm_encode_number(encoder, paths->max_array);
	put_probes(encoder, paths->probes, paths->probe_count);
	put_keys(encoder, paths->keys, paths->key_count);
	return true;
}

void wm_section_get_paths(struct wm_decoder *decoder, struct wm_function *function)
{
	struct wm_paths_section *paths = wm_arena_alloc(decoder->arena, 1, sizeof *paths);
	paths->head = wm_section_get_head(decoder, function);
	paths->max_array = wm_decode_number(decoder);
	paths->probes = get_probes(decoder, function, &paths->probe_count);
	paths->keys = get_keys(decoder, &paths->head, &paths->key_count);
	function->paths = paths;
}

bool wm_section_put_sums(struct wm_encoder *encoder, const struct wm_function *function)
{
	const struct wm_sums_section *sums = function->sums;
	if (!sums)
		return false;
	wm_section_put_head(encoder, &sums->head);
	wm_encode_number(encoder, sums->lower_bits);
	put_keys(encoder, sums->keys, sums->key_count);
	return true;
}

void wm_section_get_sums(struct wm_decoder *decoder, struct wm_function *function)
{
	struct wm_sums_section *sums = wm_arena_alloc(decoder->arena, 1, sizeof *sums);
	sums->head = wm_section_get_head(decoder, function);
	sums->lower_bits = wm_decode_below(decoder, 64, "a path's number has no bits in a key");
	sums->keys = get_keys(decoder, &sums->head, &sums->key_count);
	if (!sums->head.counter_count)
		wm_decode_fail(decoder, "sums have no counter for other paths");
	function->sums = sums;
}

bool wm_section_put_oracle(struct wm_encoder *encoder, const struct wm_function *function)
{
	if (function->oracle)
		wm_section_put_head(encoder, &function->oracle->head);
	return function->oracle;
}

void wm_section_get_oracle(struct wm_decoder *decoder, struct wm_function *function)
{
	struct wm_oracle_section *oracle = wm_arena_alloc(decoder->arena, 1, sizeof *oracle);
	oracle->head = wm_section_get_head(decoder, function);
	if (oracle->head.counter_count != 1)
		wm_decode_fail(decoder, "the oracle has other than one counter");
	function->oracle = oracle;
}

bool wm_section_put_sentinels(struct wm_encoder *encoder, const struct wm_function *function)
{
	const struct wm_sentinels_section *sentinels = function->sentinels;
	if (!sentinels)
		return false;
	wm_section_put_head(encoder, &sentinels->head);
	wm_encode_long(encoder, sentinels->armed);
	wm_encode_number(encoder, sentinels->fresh_count);
	for (uint32_t i = 0; i < sentinels->fresh_count; i++)
		wm_encode_number(encoder, sentinels->fresh[i]);
	put_probes(encoder, sentinels->probes, sentinels->probe_count);
	return true;
}

void wm_section_get_sentinels(struct wm_decoder *decoder, struct wm_function *function)
{
	struct wm_sentinels_section *sentinels =
		wm_arena_alloc(decoder->arena, 1, sizeof *sentinels);
	sentinels->head = wm_section_get_head(decoder, function);
	sentinels->armed = wm_decode_long(decoder);
	sentinels->fresh_count = wm_decode_count(decoder, 1);
	sentinels->fresh =
		wm_arena_alloc(decoder->arena, sentinels->fresh_count, sizeof *sentinels->fresh);
	for (uint32_t i = 0; i < sentinels->fresh_count; i++)
		sentinels->fresh[i] = wm_decode_below(
			decoder, function->edge_count, "routes start behind no edge");
	sentinels->probes = get_probes(decoder, function, &sentinels->probe_count);
	function->sentinels = sentinels;
}
