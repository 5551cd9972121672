/* Paths of a graph for people and programs; the numbering itself is core/paths/paths.h. */
#include "cli/plan_paths.h"

#include <inttypes.h>

#include "cli/graph_paths.h"
#include "report/paint.h"
#include "report/listing.h"

static uint32_t increment_count(const struct wm_graph_paths *view, const uint64_t *increment)
{
	uint32_t count = 0;
	for (uint32_t e = 0; e < view->paths.graph->edge_count; e++)
		count += increment[e] != 0;
	return count;
}

static void print_listing(const struct wm_graph_paths *view, const uint64_t *increment)
{
	static const struct wm_column columns[] = {
		{.title = "value", .right = true},
		{.title = "increment", .right = true},
		{.title = "on"},
		{.title = "kind"},
	};
	struct wm_listing listing = {.arena = view->arena,
		.columns = columns,
		.column_count = sizeof columns / sizeof *columns};
	for (uint32_t e = 0; e < view->paths.graph->edge_count; e++) {
		wm_listing_add(&listing, "%" PRIu64, view->paths.value[e]);
		wm_listing_add(&listing, "%" PRId64, (int64_t)increment[e]);
		wm_listing_add(&listing, "%s -> %s", wm_graph_paths_source(view, e),
			wm_graph_paths_target(view, e));
		wm_listing_add(&listing, "%s", wm_graph_paths_kind(view, e));
	}
	if (view->paths.graph->edge_count)
		wm_listing_print(&listing, stdout, wm_paint_wanted(stdout));
	printf("%" PRIu64 " paths, %u increments on %u edges\n", view->paths.count,
		increment_count(view, increment), view->paths.graph->edge_count);
}

static void print_json(
	const struct wm_graph_paths *view, const uint64_t *increment, struct wm_json *json)
{
	wm_json_begin_document(json, "plan-paths");
	wm_json_text(json, "problem", "paths");
	wm_json_number(json, "paths", view->paths.count);
	wm_json_number(json, "increments", increment_count(view, increment));
	wm_json_begin_array(json, "edges");
	for (uint32_t e = 0; e < view->paths.graph->edge_count; e++) {
		wm_json_begin_object(json, NULL);
		wm_json_text(json, "from", wm_graph_paths_source(view, e));
		wm_json_text(json, "to", wm_graph_paths_target(view, e));
		wm_json_text(json, "kind", wm_graph_paths_kind(view, e));
		wm_json_number(json, "value", view->paths.value[e]);
		wm_json_signed(json, "increment", (int64_t)increment[e]);
		wm_json_end_object(json);
	}
	wm_json_end_array(json);
	wm_json_end_object(json);
}

static void print_path(
	const struct wm_graph_paths *view, uint64_t number, struct wm_json *json, bool as_json)
{
	if (!as_json) {
		printf("%" PRIu64 ": %s\n", number, wm_graph_paths_spell(view, number));
		return;
	}
	wm_json_begin_document(json, "plan-path");
	wm_json_number(json, "path", number);
	wm_graph_paths_json(view, json, number);
	wm_json_end_object(json);
}

void wm_plan_paths_print(struct wm_arena *arena, const struct wm_graph *graph, const double *weight,
	const char *path, bool json)
{
	struct wm_graph_paths view = wm_graph_paths_number(arena, graph, weight);
	struct wm_json writer = {.out = stdout};
	if (path) {
		print_path(&view, wm_graph_paths_find(&view, "--path", path, ','), &writer, json);
		return;
	}
	const uint64_t *increment = wm_paths_increments(arena, &view.paths, weight);
	if (json)
		print_json(&view, increment, &writer);
	else
		print_listing(&view, increment);
}
