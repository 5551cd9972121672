/* One path: found by its number, and its lines. On walk of synthetic.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/path_find.h"
#include "report/path_source.h"
#include "synthetic.h"

static struct wm_arena arena;
static struct wm_scope scope = {"walk", "walk.c", 19, 0, 0};

static struct wm_profile_function make(struct wm_function *walk)
{
	*walk = synthetic_walk("walk");
	walk->scopes = &scope;
	return synthetic_walk_profile(walk);
}

static void test_paths_that_did_not_run_are_found_too(void **state)
{
	(void)state;
	struct wm_function walk;
	struct wm_profile_function counted = make(&walk);
	struct wm_error error;
	static const uint32_t without[] = {1, 2, 4};
	struct wm_profile_path path;
	assert_int_equal(wm_path_find(&arena, &counted, 3, &path, &error), 0);
	assert_int_equal(path.count, 5);
	assert_int_equal(path.end_edge, 6);
	/* It is left early where path 3 turns. */
	assert_int_equal(wm_path_find(&arena, &counted, 2, &path, &error), 0);
	assert_int_equal(path.id, 2);
	assert_int_equal(path.count, 0);
	assert_int_equal(path.block_count, 3);
	assert_memory_equal(path.blocks, without, sizeof without);
	assert_int_equal(path.end_edge, 7);
	assert_true(path.partial);
	/* Decoded, every path must be what the profile says it is. */
	struct wm_profile_function none = counted;
	none.path_count = 0;
	for (uint32_t i = 0; i < counted.path_count; i++) {
		const struct wm_profile_path *ran = &counted.paths[i];
		assert_int_equal(wm_path_find(&arena, &none, ran->id, &path, &error), 0);
		assert_int_equal(path.block_count, ran->block_count);
		assert_memory_equal(
			path.blocks, ran->blocks, ran->block_count * sizeof *path.blocks);
		assert_int_equal(path.end_edge, ran->end_edge);
		assert_int_equal(path.partial, ran->partial);
	}
	wm_arena_reset(&arena);
}

static void test_paths_that_are_not_there(void **state)
{
	(void)state;
	struct wm_function walk;
	struct wm_profile_function counted = make(&walk);
	struct wm_profile_path path;
	struct wm_error error;
	assert_int_equal(wm_path_find(&arena, &counted, 6, &path, &error), WM_ERROR_INPUT);
	assert_non_null(strstr(error.text, "'walk' has 6 paths, from 0 on: none is 6"));
	counted.paths = NULL;
	assert_int_equal(wm_path_find(&arena, &counted, 1, &path, &error), WM_ERROR_INPUT);
	assert_non_null(strstr(error.text, "--profile=paths"));
	wm_arena_reset(&arena);
}

/* FILE:LINE OUTCOMES, a line for each mark. */
static char *marks_of(const struct wm_function *function,
	const struct wm_profile_path *const *pieces, size_t piece_count)
{
	char *text = NULL;
	size_t bytes = 0, count;
	struct wm_sources sources = wm_sources_of(NULL);
	const struct wm_profile_function source = {.function = function};
	struct wm_path_map map = wm_path_map_make(&arena, &source, &sources);
	const struct wm_path_mark *marks = wm_path_marks(&arena, &map, pieces, piece_count, &count);
	FILE *out = open_memstream(&text, &bytes);
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s:%u %s\n", marks[i].file, (unsigned)marks[i].line,
			marks[i].outcomes);
	fclose(out);
	wm_sources_free(&sources);
	wm_arena_reset(&arena);
	return text;
}

static void test_lines_are_marked(void **state)
{
	(void)state;
	struct wm_function walk;
	struct wm_profile_function counted = make(&walk);
	const struct wm_profile_path *pieces[] = {&counted.paths[2]};
	char *text = marks_of(&walk, pieces, 1);
	assert_string_equal(text, "walk.c:21 → line 22\nwalk.c:22 → line 26\nwalk.c:26 \n");
	free(text);
}

/* The partial path 0 and then, by hand, 4; line 28 is moved to 50. */
static void test_pieces_and_lost_control(void **state)
{
	(void)state;
	struct wm_function walk;
	struct wm_profile_function counted = make(&walk);
	struct wm_position positions[7];
	memcpy(positions, walk.positions, sizeof positions);
	positions[6].line = 50;
	walk.positions = positions;
	const struct wm_profile_path *pieces[] = {&counted.paths[0], &counted.paths[3]};
	char *text = marks_of(&walk, pieces, 2);
	assert_string_equal(text, "walk.c:21 → line 22, → line 50\nwalk.c:22 → line 24\n"
				  "walk.c:23 \nwalk.c:24 \nwalk.c:26 left early\nwalk.c:50 \n");
	free(text);
}

static void test_inlined_code_marks_its_call(void **state)
{
	(void)state;
	struct wm_function walk;
	struct wm_profile_function counted = make(&walk);
	struct wm_scope scopes[] = {scope, {"leap", "absent.h", 3, 0, 24}};
	struct wm_position positions[7];
	memcpy(positions, walk.positions, sizeof positions);
	positions[1] = positions[3] = positions[4] = (struct wm_position){1, 8};
	walk.positions = positions;
	walk.scopes = scopes;
	walk.scope_count = 2;
	const struct wm_profile_path *pieces[] = {&counted.paths[1]};
	char *text = marks_of(&walk, pieces, 1);
	assert_string_equal(text, "walk.c:22 → line 24\nwalk.c:24 \nwalk.c:26 \n"
				  "absent.h:8 → line 22\n");
	free(text);
}

static void test_without_lines(void **state)
{
	(void)state;
	struct wm_function walk;
	struct wm_profile_function counted = make(&walk);
	struct wm_scope unknown = {"walk", "", 0, 0, 0};
	walk.scopes = &unknown;
	const struct wm_profile_path *pieces[] = {&counted.paths[1]};
	char *text = marks_of(&walk, pieces, 1);
	assert_string_equal(text, "");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_paths_that_did_not_run_are_found_too),
		cmocka_unit_test(test_paths_that_are_not_there),
		cmocka_unit_test(test_lines_are_marked),
		cmocka_unit_test(test_pieces_and_lost_control),
		cmocka_unit_test(test_inlined_code_marks_its_call),
		cmocka_unit_test(test_without_lines),
	};
	return cmocka_run_group_tests(tests, synthetic_enter, synthetic_leave);
}
