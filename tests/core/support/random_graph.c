/* Random graphs: a random tree from the entry or nothing, then random edges, some of them repeated.
 */
#include "random_graph.h"

struct random_source random_from_seed(uint64_t seed)
{
	return (struct random_source){seed * 0x9e3779b97f4a7c15u + 1};
}

uint32_t random_below(struct random_source *source, uint32_t limit)
{
	source->state ^= source->state << 13;
	source->state ^= source->state >> 7;
	source->state ^= source->state << 17;
	return (uint32_t)((source->state >> 32) * limit >> 32);
}

enum { MAX_EDGES = 40 };

struct sketch {
	uint32_t source[MAX_EDGES];
	uint32_t target[MAX_EDGES];
	uint32_t edges;
};

static void draw_edge(struct sketch *sketch, uint32_t source, uint32_t target)
{
	if (sketch->edges == MAX_EDGES)
		return;
	sketch->source[sketch->edges] = source;
	sketch->target[sketch->edges++] = target;
}

struct wm_cfg *random_graph(
	struct wm_arena *arena, struct random_source *source, uint32_t max_vertices)
{
	uint32_t vertices = 2 + random_below(source, max_vertices - 1);
	uint32_t exit = vertices - 1;
	struct sketch sketch = {.edges = 0};
	bool connected = random_below(source, 4) != 0;
	bool reentry = random_below(source, 8) == 0;
	for (uint32_t v = 1; connected && v < vertices; v++)
		draw_edge(&sketch, random_below(source, v), v);
	for (uint32_t extra = random_below(source, vertices + 4); extra > 0; extra--) {
		uint32_t from = random_below(source, reentry ? vertices : exit);
		uint32_t to = random_below(source, vertices);
		draw_edge(&sketch, from, to);
		if (random_below(source, 6) == 0)
			draw_edge(&sketch, from, to);
	}
	return wm_cfg_build(arena, vertices, sketch.edges, sketch.source, sketch.target, 0, exit);
}

struct walk_counts random_walk(
	struct wm_arena *arena, struct random_source *source, const struct wm_cfg *cfg)
{
	struct walk_counts counts = {
		.edge = wm_arena_alloc(arena, cfg->edge_count + 1, sizeof(uint64_t)),
		.vertex = wm_arena_alloc(arena, cfg->vertex_count, sizeof(uint64_t)),
		.left_early = wm_arena_alloc(arena, cfg->vertex_count, sizeof(uint64_t)),
	};
	uint32_t steps = random_below(source, 200);
	uint32_t v = cfg->exit;
	while (steps || v != cfg->exit) {
		counts.vertex[v]++;
		uint32_t choices = cfg->out_start[v + 1] - cfg->out_start[v];
		bool early = !choices || !steps || random_below(source, 30) == 0;
		steps -= steps > 0;
		if (early && v != cfg->exit) {
			counts.left_early[v]++;
			v = cfg->exit;
			continue;
		}
		uint32_t e = cfg->out_edge[cfg->out_start[v] + random_below(source, choices)];
		counts.edge[e]++;
		v = cfg->target[e];
	}
	return counts;
}
