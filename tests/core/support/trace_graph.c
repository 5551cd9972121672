#include "trace_graph.h"

#include <stdio.h>
#include <string.h>

#include "core/base/none.h"

enum { MAX_VERTICES = 16, MAX_EDGES = 64, WALKS = 30, PATIENCE = 40 };

/* Vertices in the order in which the text names them, EXIT last. */
struct naming {
	char name[MAX_VERTICES + 1];
};

static struct naming name_vertices(const char *text)
{
	struct naming naming = {""};
	size_t count = 0;
	for (const char *c = text; *c; c++)
		if (*c >= 'A' && *c != 'X' && !strchr(naming.name, *c))
			naming.name[count++] = *c;
	naming.name[count] = 'X';
	return naming;
}

static uint32_t vertex_of(const struct naming *naming, char name)
{
	return (uint32_t)(strchr(naming->name, name) - naming->name);
}

char trace_vertex_name(const char *text, uint32_t vertex)
{
	return name_vertices(text).name[vertex];
}

static struct wm_trace_problem frame_problem(
	struct wm_arena *arena, struct wm_cfg *cfg, double *weight, bool *stop)
{
	return (struct wm_trace_problem){
		.cfg = cfg,
		.weight = weight,
		.predicate = wm_trace_predicates(arena, cfg),
		.stop = stop,
	};
}

struct wm_trace_problem trace_graph(
	struct wm_arena *arena, const char *text, const char *calls, bool exit_stops)
{
	struct naming naming = name_vertices(text);
	uint32_t source[MAX_EDGES], target[MAX_EDGES], edges = 0;
	uint32_t exit = (uint32_t)strlen(naming.name) - 1;
	double *weight = wm_arena_alloc(arena, MAX_EDGES, sizeof *weight);
	bool *stop = wm_arena_alloc(arena, exit + 1, sizeof *stop);
	char from, to;
	int length;
	while (sscanf(text, " %c %c %lf%n", &from, &to, &weight[edges], &length) == 3) {
		source[edges] = vertex_of(&naming, from);
		target[edges++] = vertex_of(&naming, to);
		text += length;
		text += *text == ',';
	}
	for (const char *call = calls; *call; call++)
		stop[vertex_of(&naming, *call)] = true;
	stop[exit] = exit_stops;
	struct wm_cfg *cfg = wm_cfg_build(arena, exit + 1, edges, source, target, 0, exit);
	return frame_problem(arena, cfg, weight, stop);
}

/* By vertex: edges to EXIT on the shortest route; WM_NONE if there is none. */
static void measure_distance(const struct wm_cfg *cfg, uint32_t *distance)
{
	for (uint32_t v = 0; v < cfg->vertex_count; v++)
		distance[v] = v == cfg->exit ? 0 : WM_NONE;
	for (uint32_t round = 0; round < cfg->vertex_count; round++)
		for (uint32_t e = 0; e < cfg->edge_count; e++) {
			uint32_t behind = distance[cfg->target[e]];
			if (behind != WM_NONE && behind + 1 < distance[cfg->source[e]])
				distance[cfg->source[e]] = behind + 1;
		}
}

static uint32_t edge_homewards(const struct wm_cfg *cfg, const uint32_t *distance, uint32_t v)
{
	uint32_t best = cfg->out_edge[cfg->out_start[v]];
	for (uint32_t i = cfg->out_start[v]; i < cfg->out_start[v + 1]; i++)
		if (distance[cfg->target[cfg->out_edge[i]]] < distance[cfg->target[best]])
			best = cfg->out_edge[i];
	return best;
}

uint32_t random_trace_walk(struct random_source *source, const struct wm_cfg *cfg, uint32_t *edges)
{
	uint32_t distance[MAX_VERTICES];
	uint32_t length = 0;
	measure_distance(cfg, distance);
	for (uint32_t v = cfg->entry; v != cfg->exit; v = cfg->target[edges[length++]]) {
		uint32_t choices = cfg->out_start[v + 1] - cfg->out_start[v];
		edges[length] =
			length < PATIENCE
				? cfg->out_edge[cfg->out_start[v] + random_below(source, choices)]
				: edge_homewards(cfg, distance, v);
	}
	return length;
}

static struct wm_cfg *draw_graph(struct wm_arena *arena, struct random_source *source, uint32_t max)
{
	uint32_t from[MAX_EDGES], to[MAX_EDGES], edges = 0;
	uint32_t exit = 1 + random_below(source, max - 1);
	for (uint32_t v = 0; v < exit; v++) {
		uint32_t branches = 1 + random_below(source, 3);
		for (uint32_t i = 0; i < branches; i++) {
			from[edges] = v;
			to[edges++] = i == 0 ? v + 1 : 1 + random_below(source, exit);
		}
	}
	return wm_cfg_build(arena, exit + 1, edges, from, to, 0, exit);
}

struct wm_trace_problem random_trace_graph(
	struct wm_arena *arena, struct random_source *source, uint32_t max_vertices)
{
	struct wm_cfg *cfg = draw_graph(arena, source, max_vertices);
	double *weight = wm_arena_alloc(arena, cfg->edge_count, sizeof *weight);
	bool *stop = wm_arena_alloc(arena, cfg->vertex_count, sizeof *stop);
	uint32_t edges[MAX_TRACE_WALK];
	for (uint32_t walk = 0; walk < WALKS; walk++)
		for (uint32_t length = random_trace_walk(source, cfg, edges); length > 0; length--)
			weight[edges[length - 1]]++;
	for (uint32_t v = 0; v < cfg->exit; v++)
		stop[v] = random_below(source, 3) == 0;
	stop[cfg->exit] = true;
	return frame_problem(arena, cfg, weight, stop);
}
