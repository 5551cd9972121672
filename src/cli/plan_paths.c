/* Paths of a graph for people and programs; the numbering itself is core/paths.h. */
#include "cli/plan_paths.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/fatal.h"
#include "core/depth_first.h"
#include "core/paths.h"
#include "report/json.h"
#include "report/paint.h"
#include "report/table.h"

static const uint64_t MOST_FROM_A_VERTEX = (uint64_t)1 << 48;

static const char *const kind_names[] = {
	[WM_PATH_EDGE_INNER] = "edge",
	[WM_PATH_EDGE_START] = "start behind a cut edge",
	[WM_PATH_EDGE_END] = "end at a cut edge",
};

struct view {
	struct wm_arena *arena;
	const struct wm_graph *graph;
	struct wm_paths paths;
	const uint64_t *increment;
	struct wm_json json;
};

static const char *source_name(const struct view *view, uint32_t edge)
{
	return view->graph->vertex_name[view->paths.graph->source[edge]];
}

static const char *target_name(const struct view *view, uint32_t edge)
{
	return view->graph->vertex_name[view->paths.graph->target[edge]];
}

static uint32_t increment_count(const struct view *view)
{
	uint32_t count = 0;
	for (uint32_t e = 0; e < view->paths.graph->edge_count; e++)
		count += view->increment[e] != 0;
	return count;
}

static void print_table(const struct view *view)
{
	static const struct wm_column columns[] = {
		{.title = "value", .right = true},
		{.title = "increment", .right = true},
		{.title = "on"},
		{.title = "kind"},
	};
	struct wm_table table = {.arena = view->arena,
		.columns = columns,
		.column_count = sizeof columns / sizeof *columns};
	for (uint32_t e = 0; e < view->paths.graph->edge_count; e++) {
		wm_table_add(&table, "%" PRIu64, view->paths.value[e]);
		wm_table_add(&table, "%" PRId64, (int64_t)view->increment[e]);
		wm_table_add(&table, "%s -> %s", source_name(view, e), target_name(view, e));
		wm_table_add(&table, "%s", kind_names[view->paths.kind[e]]);
	}
	if (view->paths.graph->edge_count)
		wm_table_print(&table, stdout, wm_paint_wanted(stdout));
	printf("%" PRIu64 " paths, %u increments on %u edges\n", view->paths.count,
		increment_count(view), view->paths.graph->edge_count);
}

static void print_json(struct view *view)
{
	struct wm_json *json = &view->json;
	wm_json_begin_object(json, NULL);
	wm_json_text(json, "problem", "paths");
	wm_json_number(json, "paths", view->paths.count);
	wm_json_number(json, "increments", increment_count(view));
	wm_json_begin_array(json, "edges");
	for (uint32_t e = 0; e < view->paths.graph->edge_count; e++) {
		wm_json_begin_object(json, NULL);
		wm_json_text(json, "from", source_name(view, e));
		wm_json_text(json, "to", target_name(view, e));
		wm_json_text(json, "kind", kind_names[view->paths.kind[e]]);
		wm_json_number(json, "value", view->paths.value[e]);
		wm_json_signed(json, "increment", (int64_t)view->increment[e]);
		wm_json_end_object(json);
	}
	wm_json_end_array(json);
	wm_json_end_object(json);
}

/* The vertices that the program passes: not those of an edge that stands for a cut one. */
static const char **names_on_path(struct view *view, uint64_t number, uint32_t *name_count)
{
	uint32_t room = view->paths.graph->vertex_count;
	uint32_t *edges = wm_arena_alloc(view->arena, room, sizeof *edges);
	const char **names = wm_arena_alloc(view->arena, (size_t)room + 1, sizeof *names);
	uint32_t count = wm_paths_decode(&view->paths, number, edges), next = 0;
	names[next++] = view->graph->vertex_name[view->paths.graph->entry];
	for (uint32_t i = 0; i < count; i++) {
		if (view->paths.kind[edges[i]] == WM_PATH_EDGE_START)
			next = 0;
		if (view->paths.kind[edges[i]] != WM_PATH_EDGE_END)
			names[next++] = target_name(view, edges[i]);
	}
	*name_count = next;
	return names;
}

static void print_path(struct view *view, uint64_t number, bool as_json)
{
	struct wm_json *json = &view->json;
	uint32_t count;
	const char **names = names_on_path(view, number, &count);
	if (!as_json) {
		printf("%" PRIu64 ":", number);
		for (uint32_t i = 0; i < count; i++)
			printf(" %s", names[i]);
		putchar('\n');
		return;
	}
	wm_json_begin_object(json, NULL);
	wm_json_number(json, "path", number);
	wm_json_begin_array(json, "vertices");
	for (uint32_t i = 0; i < count; i++)
		wm_json_text(json, NULL, names[i]);
	wm_json_end_array(json);
	wm_json_end_object(json);
}

static uint32_t vertex_named(const struct view *view, const char *name)
{
	for (uint32_t v = 0; v < view->paths.graph->vertex_count; v++)
		if (strcmp(view->graph->vertex_name[v], name) == 0)
			return v;
	wm_fatal("plan: --path: the graph has no vertex %s", name);
}

static uint32_t edge_between(const struct view *view, uint32_t from, uint32_t to, int kind)
{
	const struct wm_cfg *graph = view->paths.graph;
	for (uint32_t e = 0; e < graph->edge_count; e++)
		if (graph->source[e] == from && graph->target[e] == to &&
			view->paths.kind[e] == kind)
			return e;
	return WM_NONE;
}

/* The edge's value; a missing edge ends the program. */
static uint64_t value_between(const struct view *view, uint32_t from, uint32_t to, int kind)
{
	const char *const *name = view->graph->vertex_name;
	uint32_t edge = edge_between(view, from, to, kind);
	if (edge != WM_NONE)
		return view->paths.value[edge];
	switch (kind) {
	case WM_PATH_EDGE_START:
		wm_fatal("plan: --path: no path starts at %s", name[to]);
	case WM_PATH_EDGE_END:
		wm_fatal("plan: --path: no path ends at %s", name[from]);
	default:
		wm_fatal("plan: --path: no path goes from %s straight to %s", name[from], name[to]);
	}
}

static uint64_t encode(const struct view *view, const char *path)
{
	const struct wm_cfg *graph = view->paths.graph;
	char *names = wm_arena_copy_text(view->arena, path), *rest;
	uint32_t at = vertex_named(view, strtok_r(names, ",", &rest));
	uint64_t number = 0;
	if (at != graph->entry)
		number += value_between(view, graph->entry, at, WM_PATH_EDGE_START);
	for (char *name = strtok_r(NULL, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
		uint32_t next = vertex_named(view, name);
		number += value_between(view, at, next, WM_PATH_EDGE_INNER);
		at = next;
	}
	if (at != graph->exit && graph->out_start[at] != graph->out_start[at + 1])
		number += value_between(view, at, graph->exit, WM_PATH_EDGE_END);
	return number;
}

static uint64_t number_of(const struct view *view, const char *path)
{
	char *end;
	errno = 0;
	uint64_t number = strtoull(path, &end, 10);
	if (*end || path[0] < '0' || path[0] > '9')
		return path[strspn(path, ",")] ? encode(view, path) : UINT64_MAX;
	return errno ? UINT64_MAX : number;
}

void wm_plan_paths_print(struct wm_arena *arena, const struct wm_graph *graph, const double *weight,
	const char *path, bool json)
{
	struct view view = {.arena = arena, .graph = graph, .json = {.out = stdout}};
	struct wm_error error;
	if (wm_paths_number(arena, graph->cfg, weight, MOST_FROM_A_VERTEX, &view.paths, &error) < 0)
		wm_fatal("plan: %s", error.text);
	view.increment = wm_paths_increments(arena, &view.paths, weight);
	if (path) {
		uint64_t number = number_of(&view, path);
		if (number >= view.paths.count)
			wm_fatal("plan: --path=%s: the graph has %" PRIu64
				 " paths, from 0 on; name a number or vertices such as A,B,C",
				path, view.paths.count);
		print_path(&view, number, json);
	} else if (json) {
		print_json(&view);
	} else {
		print_table(&view);
	}
}
