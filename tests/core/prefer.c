/* Preferential numbering: the thesis's figures, its view as arithmetic coding, and the distance to
 * the optimum, on random graphs whose paths are enumerated. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/chosen/prefer.h"
#include "core/chosen/prefer_optimum.h"
#include "graph/graph.h"
#include "support/random_paths.h"

enum { GRAPHS = 20000, MAX_INTERESTING = 9, EFFORT = 200, STEP_LIMIT = 200000 };

static int64_t sum_along(const struct listed_path *path, const int64_t *value)
{
	int64_t sum = 0;
	for (uint32_t i = 0; i < path->length; i++)
		sum += value[path->edges[i]];
	return sum;
}

static const struct listed_path *path_numbered(const struct path_list *list, uint64_t number)
{
	for (uint32_t i = 0; i < list->count; i++)
		if (list->path[i].number == number)
			return &list->path[i];
	fail_msg("no path has this number");
	return NULL;
}

/* Distinct sums of interesting paths in least .. least + range - 1, both ends taken. */
static void check_sums(const struct path_list *list, const struct wm_preference *preference)
{
	bool least = false, largest = false;
	assert_int_equal(preference->count, list->interesting_count);
	for (uint32_t i = 0; i < list->interesting_count; i++) {
		int64_t sum = preference->sum[i];
		uint64_t above = (uint64_t)(sum - preference->least);
		assert_true(
			sum_along(path_numbered(list, list->numbers[i]), preference->value) == sum);
		for (uint32_t k = 0; k < i; k++)
			assert_true(preference->sum[k] != sum);
		assert_true(above < preference->range);
		least |= above == 0;
		largest |= above == preference->range - 1;
	}
	assert_true(least && largest);
}

struct interval {
	int64_t low;
	int64_t high;
};

/* Of the sums of interesting paths that begin like this one does up to `length` edges. */
static struct interval interval_of(const struct path_list *list,
	const struct wm_preference *preference, const struct listed_path *path, uint32_t length)
{
	struct interval interval = {INT64_MAX, INT64_MIN};
	for (uint32_t i = 0; i < list->interesting_count; i++) {
		const struct listed_path *other = path_numbered(list, list->numbers[i]);
		if (other->length < length ||
			memcmp(other->edges, path->edges, length * sizeof *path->edges) != 0)
			continue;
		if (preference->sum[i] < interval.low)
			interval.low = preference->sum[i];
		if (preference->sum[i] > interval.high)
			interval.high = preference->sum[i];
	}
	return interval;
}

static int64_t size_of(struct interval interval)
{
	return interval.high - interval.low + 1;
}

/* The encoder begins with the whole range and narrows it with each edge to the share of what it had
 * that the model gives to the edge after this prefix. Intervals of different edges must not overlap
 * (else nothing could be decoded); what comes out is the path's sum; and because shares multiply,
 * every path costs log2(range) bits, of which the thesis's gamma is the power over the number of
 * paths: delta. */
static void check_as_arithmetic_code(
	const struct path_list *list, const struct wm_preference *preference)
{
	for (uint32_t i = 0; i < list->interesting_count; i++) {
		const struct listed_path *path = path_numbered(list, list->numbers[i]);
		struct interval now = interval_of(list, preference, path, 0);
		double bits = 0;
		for (uint32_t k = 1; k <= path->length; k++) {
			struct interval next = interval_of(list, preference, path, k);
			assert_true(next.low >= now.low && next.high <= now.high);
			bits += log2((double)size_of(now) / (double)size_of(next));
			for (uint32_t j = 0; j < list->interesting_count; j++) {
				const struct listed_path *other =
					path_numbered(list, list->numbers[j]);
				bool parts = other->length >= k &&
					     memcmp(other->edges, path->edges,
						     (k - 1) * sizeof *path->edges) == 0 &&
					     other->edges[k - 1] != path->edges[k - 1];
				assert_false(parts && preference->sum[j] >= next.low &&
					     preference->sum[j] <= next.high);
			}
			now = next;
		}
		assert_true(now.low == preference->sum[i] && size_of(now) == 1);
		double gamma = exp2(bits) / list->interesting_count;
		assert_true(fabs(gamma - wm_prefer_delta(preference)) < 1e-6 * gamma);
	}
}

/* Edge values within a box, all of them. A vertex's first edge on interesting paths may be taken as
 * 0: potentials move its value to the others. */
struct brute {
	const struct path_list *list;
	int64_t value[64];
	uint32_t free[64];
	uint32_t free_count;
	int64_t box;
	uint64_t best;
};

static void find_free_edges(struct brute *brute)
{
	bool used[64] = {false}, has_first[MAX_PATH_VERTICES] = {false};
	for (uint32_t i = 0; i < brute->list->interesting_count; i++) {
		const struct listed_path *path =
			path_numbered(brute->list, brute->list->numbers[i]);
		for (uint32_t k = 0; k < path->length; k++)
			used[path->edges[k]] = true;
	}
	for (uint32_t e = 0; e < brute->list->paths.graph->edge_count; e++) {
		uint32_t v = brute->list->paths.graph->source[e];
		if (used[e] && has_first[v])
			brute->free[brute->free_count++] = e;
		has_first[v] |= used[e];
	}
}

static uint64_t range_with(const struct brute *brute)
{
	int64_t sums[MAX_INTERESTING], least = INT64_MAX, largest = INT64_MIN;
	for (uint32_t i = 0; i < brute->list->interesting_count; i++) {
		sums[i] = sum_along(
			path_numbered(brute->list, brute->list->numbers[i]), brute->value);
		least = sums[i] < least ? sums[i] : least;
		largest = sums[i] > largest ? sums[i] : largest;
		for (uint32_t k = 0; k < i; k++)
			if (sums[i] == sums[k])
				return UINT64_MAX;
	}
	return (uint64_t)(largest - least) + 1;
}

static void try_values(struct brute *brute, uint32_t decided)
{
	if (decided == brute->free_count) {
		uint64_t range = range_with(brute);
		brute->best = range < brute->best ? range : brute->best;
		return;
	}
	for (int64_t value = -brute->box; value <= brute->box; value++) {
		brute->value[brute->free[decided]] = value;
		try_values(brute, decided + 1);
	}
}

struct totals {
	uint32_t graphs;
	uint32_t optima;
	uint32_t optimal; /* without search: intervals or packing */
	uint32_t brute_forced;
	double published;
	double ordered;
	double packed;
	double optimum;
};

static void check_by_brute_force(
	const struct path_list *list, uint64_t known, uint64_t optimum, struct totals *totals)
{
	struct brute brute = {.list = list, .box = (int64_t)known, .best = UINT64_MAX};
	find_free_edges(&brute);
	if (brute.free_count > 3 || known > 8)
		return;
	try_values(&brute, 0);
	assert_int_equal(brute.best, optimum);
	totals->brute_forced++;
}

static void check_optimum(struct wm_arena *arena, const struct path_list *list,
	const struct wm_preference *published, const struct wm_preference *ordered,
	const struct wm_preference *packed, struct totals *totals)
{
	uint64_t known = ordered->range < packed->range ? ordered->range : packed->range;
	struct wm_prefer_optimum optimum = wm_prefer_optimum_find(
		arena, &list->paths, list->numbers, list->interesting_count, known, STEP_LIMIT);
	assert_true(optimum.range >= list->interesting_count && optimum.range <= known);
	if (!optimum.reached)
		return;
	check_by_brute_force(list, known, optimum.range, totals);
	totals->optima++;
	totals->optimal += optimum.range == known;
	totals->published += wm_prefer_delta(published);
	totals->ordered += wm_prefer_delta(ordered);
	totals->packed += wm_prefer_delta(packed);
	totals->optimum += (double)optimum.range / list->interesting_count;
}

static void check_graph(struct random_source *source, struct totals *totals)
{
	struct wm_arena arena = {0};
	struct path_list list;
	struct wm_preference published, ordered, packed;
	random_paths(&arena, source, MAX_INTERESTING, &list);
	uint32_t count = list.interesting_count;
	wm_prefer_plan(
		&arena, &list.paths, list.numbers, count, WM_PREFER_INTERVALS, 0, &published);
	wm_prefer_plan(
		&arena, &list.paths, list.numbers, count, WM_PREFER_INTERVALS, EFFORT, &ordered);
	wm_prefer_plan(
		&arena, &list.paths, list.numbers, count, WM_PREFER_PACKING, EFFORT, &packed);
	check_sums(&list, &published);
	check_sums(&list, &ordered);
	check_sums(&list, &packed);
	check_as_arithmetic_code(&list, &published);
	check_as_arithmetic_code(&list, &ordered);
	assert_true(ordered.range <= published.range);
	check_optimum(&arena, &list, &published, &ordered, &packed, totals);
	totals->graphs++;
	wm_arena_reset(&arena);
}

static void interesting_paths_are_told_apart(void **state)
{
	struct random_source source = random_from_seed(2007);
	struct totals totals = {0};
	(void)state;
	while (totals.graphs < GRAPHS)
		check_graph(&source, &totals);
	print_message("%u graphs, %u optima found; mean delta: published order %.4f, best order "
		      "%.4f, packed %.4f, optimum %.4f; the better one optimal in %u; %u optima by "
		      "brute force\n",
		totals.graphs, totals.optima, totals.published / totals.optima,
		totals.ordered / totals.optima, totals.packed / totals.optima,
		totals.optimum / totals.optima, totals.optimal, totals.brute_forced);
	assert_true(totals.optima > totals.graphs / 2 && totals.brute_forced > totals.graphs / 10);
	assert_true(totals.ordered < totals.published && totals.packed < totals.published);
}

static int by_size(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
	return (a > b) - (a < b);
}

/* Of many paths: distinct, and all within the range. Returns delta. */
static double check_many(const struct wm_preference *preference)
{
	qsort(preference->sum, preference->count, sizeof *preference->sum, by_size);
	for (uint32_t i = 1; i < preference->count; i++)
		assert_true(preference->sum[i - 1] < preference->sum[i]);
	assert_true(preference->sum[0] == preference->least);
	assert_true((uint64_t)(preference->sum[preference->count - 1] - preference->least) + 1 ==
		    preference->range);
	return wm_prefer_delta(preference);
}

static void packing_fills_the_holes(void **state)
{
	enum { PATHS = 300, CHAINS = 20, CONDITIONALS = 20 };
	struct random_source source = random_from_seed(20);
	double ordered = 0, packed = 0;
	(void)state;
	for (uint32_t i = 0; i < CHAINS; i++) {
		struct wm_arena arena = {0};
		struct wm_error error;
		struct wm_paths paths;
		struct wm_preference preference;
		uint64_t numbers[PATHS];
		struct wm_cfg *cfg = random_chain(&arena, &source, CONDITIONALS);
		assert_int_equal(
			wm_paths_number(&arena, cfg, NULL, UINT64_C(1) << 40, &paths, &error), 0);
		assert_int_equal(likely_paths(&arena, &source, &paths, PATHS, numbers), PATHS);
		wm_prefer_plan(
			&arena, &paths, numbers, PATHS, WM_PREFER_INTERVALS, 20, &preference);
		ordered += check_many(&preference) / CHAINS;
		wm_prefer_plan(&arena, &paths, numbers, PATHS, WM_PREFER_PACKING, 20, &preference);
		packed += check_many(&preference) / CHAINS;
		wm_arena_reset(&arena);
	}
	print_message("%d likely paths of chains: mean delta of intervals %.1f, packed %.1f\n",
		PATHS, ordered, packed);
	assert_true(packed < ordered / 10);
}

static void too_many_paths_to_pack_get_intervals(void **state)
{
	enum { PATHS = WM_PREFER_PACKING_LIMIT + 1, CONDITIONALS = 13 };
	struct random_source source = random_from_seed(13);
	struct wm_arena arena = {0};
	struct wm_error error;
	struct wm_paths paths;
	struct wm_preference intervals, packed;
	uint64_t numbers[PATHS];
	(void)state;
	struct wm_cfg *cfg = random_chain(&arena, &source, CONDITIONALS);
	assert_int_equal(wm_paths_number(&arena, cfg, NULL, UINT64_C(1) << 40, &paths, &error), 0);
	assert_true(paths.count > 3 * PATHS);
	for (uint32_t i = 0; i < PATHS; i++)
		numbers[i] = 3 * i;
	wm_prefer_plan(&arena, &paths, numbers, PATHS, WM_PREFER_INTERVALS, 0, &intervals);
	wm_prefer_plan(&arena, &paths, numbers, PATHS, WM_PREFER_PACKING, 0, &packed);
	check_many(&packed);
	assert_true(packed.range == intervals.range);
	wm_arena_reset(&arena);
}

/* With all paths interesting and intervals side by side nothing can beat Ball and Larus, and
 * nothing is lost against them. */
static void all_paths_are_as_compact_as_ball_larus(void **state)
{
	struct random_source source = random_from_seed(1996);
	(void)state;
	for (uint32_t i = 0; i < GRAPHS / 10; i++) {
		struct wm_arena arena = {0};
		struct path_list list;
		struct wm_preference preference;
		random_paths(&arena, &source, 1, &list);
		for (uint32_t k = 0; k < list.count; k++)
			list.numbers[k] = list.path[k].number;
		list.interesting_count = list.count;
		wm_prefer_plan(&arena, &list.paths, list.numbers, list.count, WM_PREFER_INTERVALS,
			0, &preference);
		check_sums(&list, &preference);
		assert_true(preference.range == list.count);
		wm_arena_reset(&arena);
	}
}

/* Ball and Larus as an arithmetic coder. The model gives an edge the share of its vertex's paths
 * that go along it, counted here by enumeration; the encoder narrows [0, N). Its output is the
 * path's number, and every path has the probability 1 / N: the entropy is log2 N. */
static void ball_larus_is_an_arithmetic_code(void **state)
{
	struct random_source source = random_from_seed(1997);
	(void)state;
	for (uint32_t i = 0; i < GRAPHS / 10; i++) {
		struct wm_arena arena = {0};
		struct path_list list;
		double entropy = 0;
		random_paths(&arena, &source, 1, &list);
		for (uint32_t p = 0; p < list.count; p++) {
			const struct listed_path *path = &list.path[p];
			uint64_t start = 0, size = list.count;
			double probability = 1;
			for (uint32_t k = 0; k < path->length; k++) {
				uint64_t all = 0, along = 0, before = 0;
				for (uint32_t q = 0; q < list.count; q++) {
					const struct listed_path *other = &list.path[q];
					if (other->length <= k ||
						memcmp(other->edges, path->edges,
							k * sizeof *path->edges) != 0)
						continue;
					all++;
					along += other->edges[k] == path->edges[k];
					before += other->edges[k] < path->edges[k];
				}
				start += size * before / all;
				size = size * along / all;
				probability *= (double)along / (double)all;
			}
			assert_true(start == path->number && size == 1);
			entropy -= probability * log2(probability);
		}
		assert_true(fabs(entropy - log2(list.count)) < 1e-9);
		wm_arena_reset(&arena);
	}
}

struct figure {
	struct wm_arena arena;
	struct wm_graph graph;
	struct path_list list;
};

static void open_figure(struct figure *figure, const char *file)
{
	struct wm_error error;
	char path[512];
	snprintf(path, sizeof path, "%s/%s", WM_VECTOR_FOLDER, file);
	assert_int_equal(wm_graph_read(&figure->arena, path, &figure->graph, &error), 0);
	assert_true(list_paths(&figure->arena, figure->graph.cfg, &figure->list));
}

static void close_figure(struct figure *figure)
{
	wm_graph_close(&figure->graph);
	wm_arena_reset(&figure->arena);
}

/* Adds the path through these vertices, which have names of one letter. */
static void add_interesting(struct figure *figure, const char *names)
{
	struct path_list *list = &figure->list;
	const struct wm_cfg *cfg = list->paths.graph;
	for (uint32_t i = 0; i < list->count; i++) {
		char spelled[MAX_PATH_VERTICES + 2] = {figure->graph.vertex_name[cfg->entry][0]};
		for (uint32_t k = 0; k < list->path[i].length; k++)
			spelled[k + 1] =
				figure->graph.vertex_name[cfg->target[list->path[i].edges[k]]][0];
		if (strcmp(spelled, names) == 0)
			list->numbers[list->interesting_count++] = list->path[i].number;
	}
}

static void figure_3_4_has_the_published_values(void **state)
{
	static const char *const names[] = {"sacdt", "sact", "sbct"};
	static const struct {
		const char *edge;
		int64_t value;
	} expected[] = {
		{"sa", 0}, {"sb", 2}, {"ac", 0}, {"bc", -1}, {"cd", 0}, {"ct", 1}, {"dt", 0}};
	struct figure figure = {0};
	struct wm_preference preference;
	(void)state;
	open_figure(&figure, "ppp07-fig3-4.dot");
	for (uint32_t i = 0; i < 3; i++)
		add_interesting(&figure, names[i]);
	wm_prefer_plan(&figure.arena, &figure.list.paths, figure.list.numbers, 3,
		WM_PREFER_INTERVALS, 0, &preference);
	check_sums(&figure.list, &preference);
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(preference.sum[i], i);
	assert_int_equal(preference.range, 3);
	const struct wm_cfg *cfg = figure.list.paths.graph;
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
		for (uint32_t e = 0; e < cfg->edge_count; e++)
			if (figure.graph.vertex_name[cfg->source[e]][0] == expected[i].edge[0] &&
				figure.graph.vertex_name[cfg->target[e]][0] == expected[i].edge[1])
				assert_int_equal(preference.value[e], expected[i].value);
	close_figure(&figure);
}

/* Six sums that always add up to an even number cannot be 0 .. 5; that they can lie within seven
 * is shown by 0, -1, 1 for the ways over a, b, c and -1, 1, 4 for those over e, f, g. */
static void figure_3_6_has_no_perfect_values(void **state)
{
	static const char *const names[] = {"sadft", "sadgt", "sbdet", "sbdgt", "scdet", "scdft"};
	struct figure figure = {0};
	struct wm_preference preference;
	(void)state;
	open_figure(&figure, "ppp07-fig3-6.dot");
	for (uint32_t i = 0; i < 6; i++)
		add_interesting(&figure, names[i]);
	assert_int_equal(figure.list.interesting_count, 6);
	wm_prefer_plan(&figure.arena, &figure.list.paths, figure.list.numbers, 6,
		WM_PREFER_INTERVALS, EFFORT, &preference);
	check_sums(&figure.list, &preference);
	struct wm_prefer_optimum optimum = wm_prefer_optimum_find(&figure.arena, &figure.list.paths,
		figure.list.numbers, 6, preference.range, STEP_LIMIT);
	print_message("figure 3.6: range %llu, optimum %llu\n",
		(unsigned long long)preference.range, (unsigned long long)optimum.range);
	assert_true(optimum.reached);
	assert_int_equal(optimum.range, 7);
	close_figure(&figure);
}

/* The sums of the two interesting paths add up to what those of the two others do, so others cannot
 * all be larger: a threshold does not tell them apart. */
static void figure_3_5_has_no_threshold(void **state)
{
	struct figure figure = {0};
	struct wm_preference preference;
	int64_t all = 0, interesting;
	(void)state;
	open_figure(&figure, "ppp07-fig3-5.dot");
	add_interesting(&figure, "sacet");
	add_interesting(&figure, "sbcdt");
	assert_int_equal(figure.list.count, 4);
	wm_prefer_plan(&figure.arena, &figure.list.paths, figure.list.numbers, 2, WM_PREFER_PACKING,
		EFFORT, &preference);
	assert_int_equal(preference.range, 2);
	for (uint32_t i = 0; i < 4; i++)
		all += sum_along(&figure.list.path[i], preference.value);
	interesting = preference.sum[0] + preference.sum[1];
	assert_int_equal(all, 2 * interesting);
	close_figure(&figure);
}

static int64_t published_value(char source, char target)
{
	static const struct {
		const char *edge;
		int64_t value;
	} values[] = {{"sb", -1}, {"sc", 1}, {"de", -1}, {"df", 1}, {"dg", 4}, {"sx", -1}};
	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		if (values[i].edge[0] == source && values[i].edge[1] == target)
			return values[i].value;
	return 0;
}

/* Seven sums in a row are possible, but intervals need eight entries whatever the order is. */
static void figure_3_11_is_not_found_by_intervals(void **state)
{
	static const char *const names[] = {
		"sadft", "sadgt", "sbdet", "sbdgt", "scdet", "scdft", "sxt"};
	struct figure figure = {0};
	struct wm_preference preference;
	int64_t value[32] = {0};
	uint32_t seen = 0;
	(void)state;
	open_figure(&figure, "ppp07-fig3-11.dot");
	const struct wm_cfg *cfg = figure.list.paths.graph;
	for (uint32_t i = 0; i < 7; i++)
		add_interesting(&figure, names[i]);
	assert_int_equal(figure.list.interesting_count, 7);
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		value[e] = published_value(figure.graph.vertex_name[cfg->source[e]][0],
			figure.graph.vertex_name[cfg->target[e]][0]);
	for (uint32_t i = 0; i < figure.list.count; i++)
		for (uint32_t k = 0; k < 7; k++)
			if (figure.list.path[i].number == figure.list.numbers[k])
				seen |= 1u << (2 + sum_along(&figure.list.path[i], value));
	assert_int_equal(seen, 0x7f); /* -2 .. 4 */
	for (uint32_t effort = 0; effort <= EFFORT; effort += EFFORT) {
		wm_prefer_plan(&figure.arena, &figure.list.paths, figure.list.numbers, 7,
			WM_PREFER_INTERVALS, effort, &preference);
		check_sums(&figure.list, &preference);
		assert_int_equal(preference.range, 8);
	}
	struct wm_prefer_optimum optimum = wm_prefer_optimum_find(
		&figure.arena, &figure.list.paths, figure.list.numbers, 7, 8, STEP_LIMIT);
	assert_true(optimum.reached);
	assert_int_equal(optimum.range, 7);
	close_figure(&figure);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figure_3_4_has_the_published_values),
		cmocka_unit_test(figure_3_5_has_no_threshold),
		cmocka_unit_test(figure_3_6_has_no_perfect_values),
		cmocka_unit_test(figure_3_11_is_not_found_by_intervals),
		cmocka_unit_test(all_paths_are_as_compact_as_ball_larus),
		cmocka_unit_test(ball_larus_is_an_arithmetic_code),
		cmocka_unit_test(interesting_paths_are_told_apart),
		cmocka_unit_test(packing_fills_the_holes),
		cmocka_unit_test(too_many_paths_to_pack_get_intervals),
	};
	return cmocka_run_group_tests_name("prefer", tests, NULL, NULL);
}
