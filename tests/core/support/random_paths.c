/* Paths of random graphs: drawn, listed, and some of them chosen as interesting. */
#include "support/random_paths.h"

#include "core/graph/weights.h"

static const uint64_t no_limit = (uint64_t)1 << 62;

struct walk {
	struct path_list *list;
	uint32_t edges[MAX_PATH_VERTICES];
	bool too_many;
};

static void keep(struct walk *walk, uint32_t length)
{
	struct path_list *list = walk->list;
	walk->too_many |= list->count == MAX_PATHS;
	if (walk->too_many)
		return;
	struct listed_path *path = &list->path[list->count++];
	*path = (struct listed_path){.length = length};
	for (uint32_t i = 0; i < length; i++) {
		path->edges[i] = walk->edges[i];
		path->number += list->paths.value[walk->edges[i]];
	}
}

static void walk_on(struct walk *walk, uint32_t v, uint32_t length)
{
	const struct wm_cfg *graph = walk->list->paths.graph;
	bool ends = true;
	for (uint32_t i = graph->out_start[v]; i < graph->out_start[v + 1] && !walk->too_many;
		i++) {
		uint32_t e = graph->out_edge[i];
		if (e == wm_cfg_closing_edge(graph))
			continue;
		ends = false;
		walk->edges[length] = e;
		walk_on(walk, graph->target[e], length + 1);
	}
	if (ends)
		keep(walk, length);
}

bool list_paths(struct wm_arena *arena, const struct wm_cfg *cfg, struct path_list *list)
{
	struct wm_error error;
	struct walk walk = {.list = list};
	list->count = list->interesting_count = 0;
	list->weight = wm_arena_alloc(arena, (size_t)cfg->edge_count + 1, sizeof *list->weight);
	wm_weights_heuristic(cfg, list->weight);
	if (wm_paths_number(arena, cfg, list->weight, no_limit, &list->paths, &error) < 0)
		return false;
	walk_on(&walk, cfg->entry, 0);
	return !walk.too_many;
}

struct wm_cfg *random_acyclic(
	struct wm_arena *arena, struct random_source *source, uint32_t vertices, uint32_t reach)
{
	uint32_t *from = wm_arena_alloc(arena, 3 * (size_t)vertices, sizeof *from);
	uint32_t *to = wm_arena_alloc(arena, 3 * (size_t)vertices, sizeof *to);
	uint32_t edges = 0;
	for (uint32_t v = 0; v + 1 < vertices; v++) {
		uint32_t later = vertices - 1 - v;
		for (uint32_t left = 1 + random_below(source, 3); left > 0; left--) {
			from[edges] = v;
			to[edges++] = v + 1 + random_below(source, reach < later ? reach : later);
		}
	}
	return wm_cfg_build(arena, vertices, edges, from, to, 0, vertices - 1);
}

static void choose_interesting(struct random_source *source, uint32_t max, struct path_list *list)
{
	uint32_t wanted = 1 + random_below(source, max < list->count ? max : list->count);
	while (list->interesting_count < wanted) {
		struct listed_path *path = &list->path[random_below(source, list->count)];
		if (path->interesting)
			continue;
		path->interesting = true;
		list->numbers[list->interesting_count++] = path->number;
	}
}

void random_paths(
	struct wm_arena *arena, struct random_source *source, uint32_t max, struct path_list *list)
{
	const struct wm_cfg *cfg;
	do
		cfg = random_below(source, 2)
			      ? random_acyclic(arena, source, 4 + random_below(source, 6),
					MAX_PATH_VERTICES)
			      : random_graph(arena, source, MAX_PATH_VERTICES);
	while (!list_paths(arena, cfg, list) || list->count < 2);
	choose_interesting(source, max, list);
}

struct wm_cfg *random_chain(
	struct wm_arena *arena, struct random_source *source, uint32_t conditionals)
{
	uint32_t *from = wm_arena_alloc(arena, 4 * (size_t)conditionals + 1, sizeof *from);
	uint32_t *to = wm_arena_alloc(arena, 4 * (size_t)conditionals + 1, sizeof *to);
	uint32_t edges = 0, next = 1, at = 0;
	for (uint32_t i = 0; i < conditionals; i++) {
		bool has_else = random_below(source, 2);
		uint32_t then = next++, other = next++, join = has_else ? next++ : other;
		from[edges] = from[edges + 1] = at;
		to[edges++] = then;
		to[edges++] = other;
		from[edges] = then;
		to[edges++] = join;
		if (has_else) {
			from[edges] = other;
			to[edges++] = join;
		}
		at = join;
	}
	from[edges] = at;
	to[edges++] = next;
	return wm_cfg_build(arena, next + 1, edges, from, to, 0, next);
}

uint64_t likely_path(
	struct random_source *source, const struct wm_paths *paths, const uint32_t *habit)
{
	const struct wm_cfg *graph = paths->graph;
	uint64_t number = 0;
	uint32_t v = graph->entry;
	while (v != graph->exit && graph->out_start[v] != graph->out_start[v + 1]) {
		uint32_t choices = graph->out_start[v + 1] - graph->out_start[v];
		uint32_t choice = random_below(source, 100) < 85 ? habit[v] % choices
								 : random_below(source, choices);
		uint32_t e = graph->out_edge[graph->out_start[v] + choice];
		number += paths->value[e];
		v = graph->target[e];
	}
	return number;
}

static bool is_among(const uint64_t *numbers, uint32_t count, uint64_t number)
{
	for (uint32_t i = 0; i < count; i++)
		if (numbers[i] == number)
			return true;
	return false;
}

uint32_t likely_paths(struct wm_arena *arena, struct random_source *source,
	const struct wm_paths *paths, uint32_t count, uint64_t *numbers)
{
	uint32_t *habit = wm_arena_alloc(arena, paths->graph->vertex_count, sizeof *habit);
	uint32_t found = 0;
	for (uint32_t v = 0; v < paths->graph->vertex_count; v++)
		habit[v] = random_below(source, 1 << 16);
	for (uint32_t tries = 0; found < count && tries < 20 * count + 1000; tries++) {
		uint64_t number = likely_path(source, paths, habit);
		if (!is_among(numbers, found, number))
			numbers[found++] = number;
	}
	return found;
}
