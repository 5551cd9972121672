/* Priors: what is written is found again by name, and nothing that is damaged is taken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "format/prior.h"

static struct wm_arena arena;

static int reset(void **state)
{
	(void)state;
	wm_arena_reset(&arena);
	return 0;
}

static const uint64_t blocks[] = {3, UINT64_MAX}, edges[] = {1, 2, UINT64_C(1) << 40}, zeros[3];
static const struct wm_prior_path paths[] = {{0, 7}, {UINT64_C(1) << 62, 1}};

static const struct wm_prior_function functions[] = {{.name = "zed",
							     .file = "z.c",
							     .block_count = 2,
							     .edge_count = 3,
							     .graph = 5,
							     .block = zeros,
							     .edge = zeros},
	{.name = "both",
		.file = "first.c",
		.block_count = 2,
		.edge_count = 3,
		.graph = 6,
		.cfg_hash = 8,
		.block = blocks,
		.edge = edges,
		.path_count = 2,
		.paths = paths},
	{.name = "a", .file = "", .block_count = 2, .edge_count = 3, .block = blocks},
	{.name = "both",
		.file = "second.c",
		.flags = WM_PRIOR_PEELED,
		.block_count = 9,
		.edge_count = 9,
		.path_count = 0,
		.paths = paths}};
enum { FUNCTION_COUNT = sizeof functions / sizeof *functions };

static const uint8_t *write_all(struct wm_prior_content content, size_t *bytes)
{
	content.function_count = FUNCTION_COUNT;
	content.functions = functions;
	return wm_prior_encode(&arena, 77, &content, bytes);
}

static struct wm_prior read_back(struct wm_prior_content content)
{
	size_t bytes;
	struct wm_prior prior;
	struct wm_error error;
	const uint8_t *file = write_all(content, &bytes);
	assert_int_equal(wm_prior_read(&arena, file, bytes, &prior, &error), 0);
	assert_int_equal(prior.key, 77);
	return prior;
}

/* The function of this name and source file. */
static struct wm_prior_function find(
	const struct wm_prior *prior, const char *name, const char *file)
{
	struct wm_prior_record record;
	uint32_t number = wm_prior_first(prior, name);
	do
		assert_true(wm_prior_next(&arena, prior, name, &number, &record));
	while (strcmp(record.function.file, file));
	assert_true(wm_prior_counts(&arena, &record));
	return record.function;
}

static void test_counts_are_found_by_name(void **state)
{
	(void)state;
	struct wm_prior prior = read_back((struct wm_prior_content){0});
	struct wm_prior_function both = find(&prior, "both", "first.c");
	assert_int_equal(both.graph, 6);
	assert_int_equal(both.cfg_hash, 8);
	assert_memory_equal(both.block, blocks, sizeof blocks);
	assert_memory_equal(both.edge, edges, sizeof edges);
	assert_int_equal(both.path_count, 2);
	assert_memory_equal(both.paths, paths, sizeof paths);
	assert_false(both.flags & WM_PRIOR_PEELED);
	struct wm_prior_function a = find(&prior, "a", "");
	assert_memory_equal(a.block, blocks, sizeof blocks);
	assert_null(a.edge);
	assert_null(a.paths);
}

/* Counts of zero take no room, but are known. */
static void test_what_never_ran_is_known(void **state)
{
	(void)state;
	struct wm_prior prior = read_back((struct wm_prior_content){0});
	struct wm_prior_function zed = find(&prior, "zed", "z.c");
	assert_memory_equal(zed.block, zeros, 2 * sizeof *zeros);
	assert_memory_equal(zed.edge, zeros, sizeof zeros);
	struct wm_prior_function second = find(&prior, "both", "second.c");
	assert_null(second.block);
	assert_non_null(second.paths);
	assert_int_equal(second.path_count, 0);
	assert_true(second.flags & WM_PRIOR_PEELED);
}

/* In the order in which they were written, and nothing else. */
static void test_namesakes_stand_together(void **state)
{
	(void)state;
	struct wm_prior prior = read_back((struct wm_prior_content){0});
	struct wm_prior_record record;
	uint32_t number = wm_prior_first(&prior, "both");
	assert_true(wm_prior_next(&arena, &prior, "both", &number, &record));
	assert_string_equal(record.function.file, "first.c");
	assert_true(wm_prior_next(&arena, &prior, "both", &number, &record));
	assert_string_equal(record.function.file, "second.c");
	assert_false(wm_prior_next(&arena, &prior, "both", &number, &record));
	static const char *const absent[] = {"", "bot", "both2", "zee"};
	for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) {
		number = wm_prior_first(&prior, absent[i]);
		assert_false(wm_prior_next(&arena, &prior, absent[i], &number, &record));
	}
}

static void test_hot_paths_and_failures(void **state)
{
	(void)state;
	uint64_t ids[] = {4, UINT64_C(1) << 50};
	const struct wm_prior_hot_function hot[] = {{"both", 8, 2, ids}, {"a", 9, 1, ids}};
	const struct wm_prior_share shares[] = {{90, 2, hot}, {0.25, 0, NULL}};
	struct wm_prior prior =
		read_back((struct wm_prior_content){.share_count = 2, .shares = shares});
	assert_null(prior.failure);
	assert_null(prior.without_hot);
	assert_int_equal(prior.share_count, 2);
	assert_true(prior.shares[0].percent == 90 && prior.shares[1].percent == 0.25);
	assert_int_equal(prior.shares[0].function_count, 2);
	assert_string_equal(prior.shares[0].functions[0].name, "both");
	assert_int_equal(prior.shares[0].functions[0].cfg_hash, 8);
	assert_memory_equal(prior.shares[0].functions[0].ids, ids, sizeof ids);
	assert_int_equal(prior.shares[0].functions[1].id_count, 1);
	assert_int_equal(prior.shares[1].function_count, 0);
	prior = read_back(
		(struct wm_prior_content){.failure = "no file", .without_hot = "no path"});
	assert_string_equal(prior.failure, "no file");
	assert_string_equal(prior.without_hot, "no path");
}

/* Cut anywhere, or with any bit changed, it is refused. */
static void test_damage_is_seen(void **state)
{
	(void)state;
	size_t bytes;
	struct wm_prior prior;
	struct wm_error error;
	const uint8_t *file = write_all((struct wm_prior_content){0}, &bytes);
	uint8_t *copy = wm_arena_alloc(&arena, bytes, 1);
	for (size_t i = 0; i < bytes; i++)
		assert_int_equal(wm_prior_read(&arena, file, i, &prior, &error), WM_ERROR_INPUT);
	for (size_t bit = 0; bit < 8 * bytes; bit++) {
		memcpy(copy, file, bytes);
		copy[bit / 8] ^= (uint8_t)(1 << bit % 8);
		int status = wm_prior_read(&arena, copy, bytes, &prior, &error);
		bool of_the_key = bit / 8 >= offsetof(struct wm_prior_head, key) &&
				  bit / 8 < offsetof(struct wm_prior_head, checksum);
		assert_int_equal(status, of_the_key ? 0 : WM_ERROR_INPUT);
	}
}

static struct wm_function diamond(uint32_t *sources, uint32_t *targets, uint8_t *flags)
{
	static const uint32_t from[] = {0, 0, 1, 2, 3}, to[] = {1, 2, 3, 3, 4};
	memcpy(sources, from, sizeof from);
	memcpy(targets, to, sizeof to);
	memset(flags, 0, 5);
	return (struct wm_function){.block_count = 4,
		.edge_count = 5,
		.edge_source = sources,
		.edge_target = targets,
		.edge_flags = flags};
}

static void test_graph_is_its_edges(void **state)
{
	(void)state;
	uint32_t sources[5], targets[5];
	uint8_t flags[5];
	struct wm_function function = diamond(sources, targets, flags);
	uint64_t hash = wm_prior_graph_hash(&function);
	flags[4] = WM_EDGE_CUT | WM_EDGE_SOFT | WM_EDGE_UNCOUNTABLE | WM_EDGE_NO_RETURN;
	assert_true(wm_prior_graph_hash(&function) == hash);
	flags[4] = WM_EDGE_ABANDONED;
	assert_false(wm_prior_graph_hash(&function) == hash);
	function = diamond(sources, targets, flags);
	targets[1] = 3;
	assert_false(wm_prior_graph_hash(&function) == hash);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_counts_are_found_by_name, reset),
		cmocka_unit_test_teardown(test_what_never_ran_is_known, reset),
		cmocka_unit_test_teardown(test_namesakes_stand_together, reset),
		cmocka_unit_test_teardown(test_hot_paths_and_failures, reset),
		cmocka_unit_test_teardown(test_damage_is_seen, reset),
		cmocka_unit_test_teardown(test_graph_is_its_edges, reset),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
