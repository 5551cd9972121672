/* Path numbering: the figures of the papers, and random graphs whose paths are enumerated. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/graph/weights.h"
#include "core/paths/paths.h"
#include "graph/graph.h"
#include "support/random_graph.h"

enum { GRAPHS = 20000, MAX_VERTICES = 12, MAX_ENUMERATED = 200, NO_LIMIT_BITS = 62 };

static const uint64_t no_limit = (uint64_t)1 << NO_LIMIT_BITS;

/* The names of the path's vertices, which are single letters in the figures. */
static void spell(
	const struct wm_graph *graph, const struct wm_paths *paths, uint64_t number, char *text)
{
	uint32_t edges[MAX_VERTICES];
	uint32_t count = wm_paths_decode(paths, number, edges);
	char *end = text;
	*end++ = graph->vertex_name[graph->cfg->entry][0];
	for (uint32_t i = 0; i < count; i++)
		*end++ = graph->vertex_name[paths->graph->target[edges[i]]][0];
	*end = 0;
}

static void check_figure(const char *file, const char *const *expected, uint64_t count)
{
	struct wm_arena arena = {0};
	struct wm_error error = {""};
	struct wm_graph graph;
	struct wm_paths paths;
	char path[512], text[MAX_VERTICES + 2];
	snprintf(path, sizeof path, "%s/%s", WM_VECTOR_FOLDER, file);
	assert_int_equal(wm_graph_read(&arena, path, &graph, &error), 0);
	assert_int_equal(wm_paths_number(&arena, graph.cfg, NULL, no_limit, &paths, &error), 0);
	assert_int_equal(paths.count, count);
	for (uint64_t i = 0; i < count; i++) {
		spell(&graph, &paths, i, text);
		assert_string_equal(text, expected[i]);
	}
	wm_graph_close(&graph);
	wm_arena_reset(&arena);
}

static void test_figures_of_the_papers(void **state)
{
	static const char *const ammons[] = {"ACDF", "ACDEF", "ABCDF", "ABCDEF", "ABDF", "ABDEF"};
	static const char *const vaswani[] = {"sacdt", "sact", "sabcdt", "sabct", "sbcdt", "sbct"};
	(void)state;
	check_figure("pp97-fig1.dot", ammons, 6);
	check_figure("ppp07-fig3-4.dot", vaswani, 6);
}

/* Enumeration by backtracking, which knows nothing of values. */
struct enumeration {
	const struct wm_paths *paths;
	const uint64_t *increment;
	uint32_t edges[MAX_VERTICES];
	uint64_t found;
	bool seen[MAX_ENUMERATED];
};

static void check_path(struct enumeration *enumeration, uint32_t length)
{
	const struct wm_paths *paths = enumeration->paths;
	uint32_t decoded[MAX_VERTICES];
	uint64_t number = 0, sum = 0;
	for (uint32_t i = 0; i < length; i++) {
		number += paths->value[enumeration->edges[i]];
		sum += enumeration->increment[enumeration->edges[i]];
	}
	enumeration->found++;
	assert_true(number < paths->count);
	assert_false(enumeration->seen[number]);
	enumeration->seen[number] = true;
	uint32_t last =
		length ? paths->graph->target[enumeration->edges[length - 1]] : paths->graph->entry;
	if (last == paths->graph->exit)
		assert_true(sum == number);
	assert_int_equal(wm_paths_decode(paths, number, decoded), length);
	assert_memory_equal(decoded, enumeration->edges, length * sizeof *decoded);
}

static void enumerate(struct enumeration *enumeration, uint32_t v, uint32_t length)
{
	const struct wm_cfg *graph = enumeration->paths->graph;
	bool ends = true;
	for (uint32_t i = graph->out_start[v]; i < graph->out_start[v + 1]; i++) {
		uint32_t e = graph->out_edge[i];
		if (e == wm_cfg_closing_edge(graph))
			continue;
		assert_true(length < MAX_VERTICES); /* acyclic */
		ends = false;
		enumeration->edges[length] = e;
		enumerate(enumeration, graph->target[e], length + 1);
	}
	if (ends)
		check_path(enumeration, length);
}

static bool check_graph(struct wm_arena *arena, struct random_source *source, uint64_t limit)
{
	struct wm_cfg *cfg = random_graph(arena, source, MAX_VERTICES);
	double *weight = wm_arena_alloc(arena, cfg->edge_count + 1, sizeof *weight);
	struct wm_paths paths;
	struct wm_error error;
	wm_weights_heuristic(cfg, weight);
	assert_int_equal(wm_paths_number(arena, cfg, weight, limit, &paths, &error), 0);
	for (uint32_t v = 0; v < cfg->vertex_count; v++)
		assert_true(v == cfg->entry || paths.from[v] <= limit);
	if (paths.count > MAX_ENUMERATED)
		return false;
	struct enumeration enumeration = {
		.paths = &paths, .increment = wm_paths_increments(arena, &paths, weight)};
	enumerate(&enumeration, cfg->entry, 0);
	assert_true(enumeration.found == paths.count);
	return true;
}

static void check_graphs(uint64_t seed, uint64_t limit)
{
	struct random_source source = random_from_seed(seed);
	unsigned checked = 0;
	for (unsigned tried = 0; checked < GRAPHS; tried++) {
		struct wm_arena arena = {0};
		checked += check_graph(&arena, &source, limit);
		wm_arena_reset(&arena);
		assert_true(tried < 3 * GRAPHS);
	}
}

static void test_numbers_are_a_bijection_onto_all_paths(void **state)
{
	(void)state;
	check_graphs(1996, no_limit);
}

static void test_edges_are_cut_where_there_are_too_many_paths(void **state)
{
	(void)state;
	check_graphs(1997, 16); /* more than any vertex has edges */
}

/* A chain of 200 choices has 2^200 paths. */
static void test_more_paths_than_numbers(void **state)
{
	enum { CHOICES = 200 };
	uint32_t source[3 * CHOICES + 1], target[3 * CHOICES + 1];
	struct wm_arena arena = {0};
	struct wm_paths paths;
	struct wm_error error;
	(void)state;
	for (uint32_t i = 0; i < CHOICES; i++) {
		const uint32_t from[] = {2 * i, 2 * i, 2 * i + 1};
		const uint32_t to[] = {2 * i + 1, 2 * i + 2, 2 * i + 2};
		memcpy(source + 3 * i, from, sizeof from);
		memcpy(target + 3 * i, to, sizeof to);
	}
	source[3 * CHOICES] = 2 * CHOICES;
	target[3 * CHOICES] = 2 * CHOICES + 1;
	struct wm_cfg *cfg = wm_cfg_build(
		&arena, 2 * CHOICES + 2, 3 * CHOICES + 1, source, target, 0, 2 * CHOICES + 1);
	uint64_t limit = (uint64_t)1 << 40;
	assert_int_equal(wm_paths_number(&arena, cfg, NULL, limit, &paths, &error), 0);
	assert_true(paths.count > limit / 4 && paths.count <= (uint64_t)CHOICES * limit);
	wm_arena_reset(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_figures_of_the_papers),
		cmocka_unit_test(test_numbers_are_a_bijection_onto_all_paths),
		cmocka_unit_test(test_edges_are_cut_where_there_are_too_many_paths),
		cmocka_unit_test(test_more_paths_than_numbers),
	};
	return cmocka_run_group_tests_name("paths", tests, NULL, NULL);
}
