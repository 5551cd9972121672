/* Path names: numbers are core/paths/paths.h's; a list of vertices is encoded edge by edge. */
#include "cli/graph_paths.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/fatal.h"
#include "core/base/none.h"

static const uint64_t MAX_FROM_A_VERTEX = (uint64_t)1 << 48;

struct wm_graph_paths wm_graph_paths_number(
	struct wm_arena *arena, const struct wm_graph *graph, const double *weight)
{
	struct wm_graph_paths paths = {.arena = arena, .graph = graph};
	struct wm_error error;
	if (wm_paths_number(arena, graph->cfg, weight, MAX_FROM_A_VERTEX, &paths.paths, &error) < 0)
		wm_fatal("plan: %s", error.text);
	return paths;
}

const char *wm_graph_paths_source(const struct wm_graph_paths *paths, uint32_t edge)
{
	return paths->graph->vertex_name[paths->paths.graph->source[edge]];
}

const char *wm_graph_paths_target(const struct wm_graph_paths *paths, uint32_t edge)
{
	return paths->graph->vertex_name[paths->paths.graph->target[edge]];
}

const char *wm_graph_paths_kind(const struct wm_graph_paths *paths, uint32_t edge)
{
	static const char *const names[] = {
		[WM_PATH_EDGE_INNER] = "edge",
		[WM_PATH_EDGE_START] = "start behind a cut edge",
		[WM_PATH_EDGE_END] = "end at a cut edge",
	};
	return names[paths->paths.kind[edge]];
}

/* Not the vertices of an edge that stands for a cut one. */
static const char **names_on_path(
	const struct wm_graph_paths *paths, uint64_t number, uint32_t *name_count)
{
	uint32_t room = paths->paths.graph->vertex_count;
	uint32_t *edges = wm_arena_alloc(paths->arena, room, sizeof *edges);
	const char **names = wm_arena_alloc(paths->arena, (size_t)room + 1, sizeof *names);
	uint32_t count = wm_paths_decode(&paths->paths, number, edges), next = 0;
	names[next++] = paths->graph->vertex_name[paths->paths.graph->entry];
	for (uint32_t i = 0; i < count; i++) {
		if (paths->paths.kind[edges[i]] == WM_PATH_EDGE_START)
			next = 0;
		if (paths->paths.kind[edges[i]] != WM_PATH_EDGE_END)
			names[next++] = wm_graph_paths_target(paths, edges[i]);
	}
	*name_count = next;
	return names;
}

const char *wm_graph_paths_spell(const struct wm_graph_paths *paths, uint64_t number)
{
	uint32_t count;
	const char **names = names_on_path(paths, number, &count);
	size_t bytes = 1;
	for (uint32_t i = 0; i < count; i++)
		bytes += strlen(names[i]) + 1;
	char *text = wm_arena_alloc(paths->arena, bytes, 1), *end = text;
	for (uint32_t i = 0; i < count; i++) {
		if (i)
			*end++ = ' ';
		end = stpcpy(end, names[i]);
	}
	return text;
}

void wm_graph_paths_json(const struct wm_graph_paths *paths, struct wm_json *json, uint64_t number)
{
	uint32_t count;
	const char **names = names_on_path(paths, number, &count);
	wm_json_begin_array(json, "vertices");
	for (uint32_t i = 0; i < count; i++)
		wm_json_text(json, NULL, names[i]);
	wm_json_end_array(json);
}

static uint32_t vertex_named(
	const struct wm_graph_paths *paths, const char *option, const char *name)
{
	for (uint32_t v = 0; v < paths->paths.graph->vertex_count; v++)
		if (strcmp(paths->graph->vertex_name[v], name) == 0)
			return v;
	wm_fatal("plan: %s: the graph has no vertex '%s'", option, name);
}

static uint32_t edge_between(
	const struct wm_graph_paths *paths, uint32_t from, uint32_t to, int kind)
{
	const struct wm_cfg *graph = paths->paths.graph;
	for (uint32_t e = 0; e < graph->edge_count; e++)
		if (graph->source[e] == from && graph->target[e] == to &&
			paths->paths.kind[e] == kind)
			return e;
	return WM_NONE;
}

/* The edge's value; a missing edge ends the program. */
static uint64_t value_between(const struct wm_graph_paths *paths, const char *option, uint32_t from,
	uint32_t to, int kind)
{
	const char *const *name = paths->graph->vertex_name;
	uint32_t edge = edge_between(paths, from, to, kind);
	if (edge != WM_NONE)
		return paths->paths.value[edge];
	switch (kind) {
	case WM_PATH_EDGE_START:
		wm_fatal("plan: %s: no path starts at %s", option, name[to]);
	case WM_PATH_EDGE_END:
		wm_fatal("plan: %s: no path ends at %s", option, name[from]);
	default:
		wm_fatal("plan: %s: no path goes from %s straight to %s", option, name[from],
			name[to]);
	}
}

static uint64_t encode(
	const struct wm_graph_paths *paths, const char *option, const char *text, char separator)
{
	const struct wm_cfg *graph = paths->paths.graph;
	const char between[] = {separator, '\0'};
	char *names = wm_arena_copy_text(paths->arena, text), *rest;
	uint32_t at = vertex_named(paths, option, strtok_r(names, between, &rest));
	uint64_t number = 0;
	if (at != graph->entry)
		number += value_between(paths, option, graph->entry, at, WM_PATH_EDGE_START);
	for (char *name; (name = strtok_r(NULL, between, &rest));) {
		uint32_t next = vertex_named(paths, option, name);
		number += value_between(paths, option, at, next, WM_PATH_EDGE_INNER);
		at = next;
	}
	if (at != graph->exit && graph->out_start[at] != graph->out_start[at + 1])
		number += value_between(paths, option, at, graph->exit, WM_PATH_EDGE_END);
	return number;
}

/* UINT64_MAX, which is no path's number, if the text names nothing at all. */
static uint64_t read_number(
	const struct wm_graph_paths *paths, const char *option, const char *text, char separator)
{
	char *end;
	errno = 0;
	uint64_t number = strtoull(text, &end, 10);
	if (*end || text[0] < '0' || text[0] > '9') {
		while (*text == separator)
			text++;
		return *text ? encode(paths, option, text, separator) : UINT64_MAX;
	}
	return errno ? UINT64_MAX : number;
}

uint64_t wm_graph_paths_find(
	const struct wm_graph_paths *paths, const char *option, const char *text, char separator)
{
	uint64_t number = read_number(paths, option, text, separator);
	if (number >= paths->paths.count)
		wm_fatal("plan: %s='%s': the graph has %" PRIu64
			 " paths, from 0 on; name a number or vertices such as A%cB%cC",
			option, text, paths->paths.count, separator, separator);
	return number;
}
