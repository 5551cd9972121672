/* Interesting paths of a graph for people and programs: core/chosen/select.h and
 * core/chosen/prefer.h. */
#include "cli/plan_interesting.h"

#include <inttypes.h>
#include <string.h>

#include "cli/fatal.h"
#include "cli/graph_paths.h"
#include "core/base/none.h"
#include "core/chosen/prefer.h"
#include "core/chosen/prefer_optimum.h"
#include "core/chosen/scaled_hash.h"
#include "core/chosen/select.h"
#include "report/paint.h"
#include "report/listing.h"

enum { ORDERS_TRIED = 2000, ORDERS_PACKED = 100, OPTIMUM_STEPS = 5000000 };

struct plan {
	struct wm_graph_paths view;
	bool prefer;
	uint32_t count; /* interesting paths */
	uint64_t *numbers;
	struct wm_scaled_hash hash;   /* of their sums, or of their numbers where sums are shared */
	struct wm_selection selected; /* without prefer */
	struct wm_preference preferred;
	struct wm_preference published; /* the same by the thesis */
	const uint64_t *increment;	/* the values, moved off hot edges or pushed together */
	struct wm_prefer_optimum optimum;
};

static uint32_t comma_count(const char *list)
{
	uint32_t count = 0;
	for (; *list; list++)
		count += *list == ',';
	return count;
}

static void read_list(struct plan *plan, const char *list)
{
	char *copy = wm_arena_copy_text(plan->view.arena, list), *rest;
	plan->numbers = wm_arena_alloc(
		plan->view.arena, (size_t)comma_count(list) + 1, sizeof *plan->numbers);
	for (char *name = strtok_r(copy, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
		uint64_t number = wm_graph_paths_find(&plan->view, "--interesting", name, '-');
		for (uint32_t i = 0; i < plan->count; i++)
			if (plan->numbers[i] == number)
				wm_fatal("plan: --interesting: path %" PRIu64
					 " is named twice, the second time as '%s'",
					number, name);
		plan->numbers[plan->count++] = number;
	}
	if (!plan->count)
		wm_fatal("plan: --interesting='%s' names no path; name some, such as 0,2 or A-B-C",
			list);
}

static void prefer(const struct plan *plan, enum wm_prefer_method method, uint32_t effort,
	struct wm_preference *preference)
{
	wm_prefer_plan(plan->view.arena, &plan->view.paths, plan->numbers, plan->count, method,
		effort, preference);
}

static void make_preference(struct plan *plan, const double *weight)
{
	struct wm_arena *arena = plan->view.arena;
	const struct wm_paths *paths = &plan->view.paths;
	struct wm_preference packed;
	prefer(plan, WM_PREFER_INTERVALS, 0, &plan->published);
	prefer(plan, WM_PREFER_INTERVALS, ORDERS_TRIED, &plan->preferred);
	prefer(plan, WM_PREFER_PACKING, ORDERS_PACKED, &packed);
	if (packed.range < plan->preferred.range)
		plan->preferred = packed;
	plan->optimum = wm_prefer_optimum_find(
		arena, paths, plan->numbers, plan->count, plan->preferred.range, OPTIMUM_STEPS);
	struct wm_paths moved = *paths;
	moved.value = (uint64_t *)plan->preferred.value;
	plan->increment = wm_paths_increments(arena, &moved, weight);
	wm_scaled_hash_choose(arena, plan->numbers, NULL, plan->count, &plan->hash);
}

static void make_selection(struct plan *plan, const double *weight)
{
	wm_select_plan(plan->view.arena, &plan->view.paths, weight, plan->numbers, plan->count,
		&plan->selected);
	plan->increment = plan->selected.increment;
	wm_scaled_hash_choose(plan->view.arena, plan->selected.sum, NULL, plan->count, &plan->hash);
}

static int64_t edge_value(const struct plan *plan, uint32_t e)
{
	return plan->prefer ? plan->preferred.value[e] : (int64_t)plan->selected.value[e];
}

static int64_t path_sum(const struct plan *plan, uint32_t i)
{
	return plan->prefer ? plan->preferred.sum[i] : (int64_t)plan->selected.sum[i];
}

static uint32_t ball_larus_probes(const struct plan *plan)
{
	uint32_t count = 0;
	for (uint32_t e = 0; e < plan->view.paths.graph->edge_count; e++)
		count += plan->view.paths.value[e] != 0;
	return count;
}

static void print_edges(const struct plan *plan)
{
	static const struct wm_column columns[] = {
		{.title = "number", .right = true},
		{.title = "value", .right = true},
		{.title = "increment", .right = true},
		{.title = "on"},
		{.title = "kind"},
	};
	const struct wm_graph_paths *view = &plan->view;
	struct wm_listing listing = {.arena = view->arena,
		.columns = columns,
		.column_count = sizeof columns / sizeof *columns};
	for (uint32_t e = 0; e < view->paths.graph->edge_count; e++) {
		wm_listing_add(&listing, "%" PRIu64, view->paths.value[e]);
		wm_listing_add(&listing, "%" PRId64, edge_value(plan, e));
		wm_listing_add(&listing, "%" PRId64, (int64_t)plan->increment[e]);
		wm_listing_add(&listing, "%s -> %s", wm_graph_paths_source(view, e),
			wm_graph_paths_target(view, e));
		wm_listing_add(&listing, "%s", wm_graph_paths_kind(view, e));
	}
	if (view->paths.graph->edge_count)
		wm_listing_print(&listing, stdout, wm_paint_wanted(stdout));
}

static void print_interesting(const struct plan *plan)
{
	static const struct wm_column columns[] = {
		{.title = "path", .right = true},
		{.title = "sum", .right = true},
		{.title = "slot", .right = true},
		{.title = "vertices"},
	};
	struct wm_listing listing = {.arena = plan->view.arena,
		.columns = columns,
		.column_count = sizeof columns / sizeof *columns};
	for (uint32_t i = 0; i < plan->count; i++) {
		wm_listing_add(&listing, "%" PRIu64, plan->numbers[i]);
		wm_listing_add(&listing, "%" PRId64, path_sum(plan, i));
		wm_listing_add(&listing, "%u", plan->hash.slot[i]);
		wm_listing_add(&listing, "%s", wm_graph_paths_spell(&plan->view, plan->numbers[i]));
	}
	putchar('\n');
	wm_listing_print(&listing, stdout, wm_paint_wanted(stdout));
	printf("\nscaled hash of %s: multiplier 0x%" PRIx64 ", %" PRIu64 " slots, %" PRIu64
	       " extra probes\n",
		plan->prefer ? "path numbers" : "sums", plan->hash.multiplier,
		(uint64_t)1 << plan->hash.bits, plan->hash.extra);
}

static void print_listing(const struct plan *plan)
{
	print_edges(plan);
	print_interesting(plan);
	if (plan->prefer)
		printf("delta %.12g for %u of %" PRIu64 " paths, sums %" PRId64 " to %" PRId64
		       "; as published %.12g, optimum %s%.12g\n",
			wm_prefer_delta(&plan->preferred), plan->count, plan->view.paths.count,
			plan->preferred.least,
			plan->preferred.least + (int64_t)plan->preferred.range - 1,
			wm_prefer_delta(&plan->published), plan->optimum.reached ? "" : "at least ",
			(double)plan->optimum.range / plan->count);
	else
		printf("%u probes for %u of %" PRIu64 " paths; %u for all of them\n",
			plan->selected.probe_count, plan->count, plan->view.paths.count,
			ball_larus_probes(plan));
}

static void print_json_edge(const struct plan *plan, struct wm_json *json, uint32_t e)
{
	wm_json_begin_object(json, NULL);
	wm_json_text(json, "from", wm_graph_paths_source(&plan->view, e));
	wm_json_text(json, "to", wm_graph_paths_target(&plan->view, e));
	wm_json_text(json, "kind", wm_graph_paths_kind(&plan->view, e));
	wm_json_number(json, "number", plan->view.paths.value[e]);
	wm_json_signed(json, "value", edge_value(plan, e));
	wm_json_signed(json, "increment", (int64_t)plan->increment[e]);
	wm_json_end_object(json);
}

static void print_json_path(const struct plan *plan, struct wm_json *json, uint32_t i)
{
	wm_json_begin_object(json, NULL);
	wm_json_number(json, "path", plan->numbers[i]);
	wm_json_signed(json, "sum", path_sum(plan, i));
	wm_json_number(json, "slot", plan->hash.slot[i]);
	wm_graph_paths_json(&plan->view, json, plan->numbers[i]);
	wm_json_end_object(json);
}

static void print_json_hash(const struct plan *plan, struct wm_json *json)
{
	char multiplier[19];
	snprintf(multiplier, sizeof multiplier, "0x%" PRIx64, plan->hash.multiplier);
	wm_json_begin_object(json, "hash");
	wm_json_text(json, "multiplier", multiplier);
	wm_json_number(json, "slots", (uint64_t)1 << plan->hash.bits);
	wm_json_number(json, "extra_probes", plan->hash.extra);
	wm_json_end_object(json);
}

static void print_json_result(const struct plan *plan, struct wm_json *json)
{
	wm_json_number(json, "paths", plan->view.paths.count);
	if (!plan->prefer) {
		wm_json_number(json, "probes", plan->selected.probe_count);
		wm_json_number(json, "probes_for_all", ball_larus_probes(plan));
		return;
	}
	wm_json_signed(json, "least", plan->preferred.least);
	wm_json_number(json, "range", plan->preferred.range);
	wm_json_real(json, "delta", wm_prefer_delta(&plan->preferred));
	wm_json_real(json, "delta_as_published", wm_prefer_delta(&plan->published));
	wm_json_real(json, "delta_of_optimum", (double)plan->optimum.range / plan->count);
	wm_json_flag(json, "optimum_found", plan->optimum.reached);
}

static void print_json(const struct plan *plan, struct wm_json *json)
{
	wm_json_begin_document(json, plan->prefer ? "plan-prefer" : "plan-select");
	wm_json_text(json, "problem", plan->prefer ? "prefer" : "select");
	print_json_result(plan, json);
	wm_json_begin_array(json, "edges");
	for (uint32_t e = 0; e < plan->view.paths.graph->edge_count; e++)
		print_json_edge(plan, json, e);
	wm_json_end_array(json);
	wm_json_begin_array(json, "interesting");
	for (uint32_t i = 0; i < plan->count; i++)
		print_json_path(plan, json, i);
	wm_json_end_array(json);
	print_json_hash(plan, json);
	wm_json_end_object(json);
}

/* What the probes add up to on any path of the graph. */
static int64_t encode(const struct plan *plan, uint64_t number)
{
	uint32_t *edges = wm_arena_alloc(
		plan->view.arena, plan->view.paths.graph->vertex_count, sizeof *edges);
	uint32_t length = wm_paths_decode(&plan->view.paths, number, edges);
	int64_t sum = 0;
	for (uint32_t i = 0; i < length; i++)
		sum += plan->prefer ? plan->preferred.value[edges[i]]
				    : (int64_t)plan->increment[edges[i]];
	return sum;
}

static uint32_t decode(const struct plan *plan, int64_t sum)
{
	for (uint32_t i = 0; i < plan->count; i++)
		if (path_sum(plan, i) == sum)
			return i;
	return WM_NONE;
}

static void print_path(const struct plan *plan, uint64_t number, struct wm_json *json, bool as_json)
{
	int64_t sum = encode(plan, number);
	uint32_t decoded = decode(plan, sum);
	bool interesting = decoded != WM_NONE && plan->numbers[decoded] == number;
	if (!as_json) {
		printf("%" PRIu64 ": %s\nsum %" PRId64 ", ", number,
			wm_graph_paths_spell(&plan->view, number), sum);
		if (decoded == WM_NONE)
			puts("which no interesting path has");
		else
			printf("which stands for path %" PRIu64 "%s\n", plan->numbers[decoded],
				interesting ? "" : "; this one is told apart by its number");
		return;
	}
	wm_json_begin_document(json, "plan-path");
	wm_json_number(json, "path", number);
	wm_json_signed(json, "sum", sum);
	wm_json_flag(json, "interesting", interesting);
	if (decoded != WM_NONE)
		wm_json_number(json, "decoded", plan->numbers[decoded]);
	wm_graph_paths_json(&plan->view, json, number);
	wm_json_end_object(json);
}

void wm_plan_interesting_print(struct wm_arena *arena, const struct wm_graph *graph,
	const double *weight, const struct wm_interesting_request *request)
{
	struct plan plan = {
		.view = wm_graph_paths_number(arena, graph, weight), .prefer = request->prefer};
	struct wm_json json = {.out = stdout};
	uint64_t number = 0;
	read_list(&plan, request->list);
	if (request->path)
		number = wm_graph_paths_find(&plan.view, "--path", request->path, ',');
	if (plan.prefer)
		make_preference(&plan, weight);
	else
		make_selection(&plan, weight);
	if (request->path)
		print_path(&plan, number, &json, request->json);
	else if (request->json)
		print_json(&plan, &json);
	else
		print_listing(&plan);
}
