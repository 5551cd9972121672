/* Reading DOT. cgraph numbers nodes and edges from one in the order in which it meets them: these
 * are our numbers, less one. Input is untrusted; the first error is reported and ends reading. */
#include "graph/graph.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <graphviz/cgraph.h>

#include "graph/cgraph_messages.h"

struct reader {
	struct wm_arena *arena;
	const char *path;
	Agraph_t *dot;
	struct wm_graph *graph;
	struct wm_error *error;
};

static int refuse_syntax(const char *path, const char *message, struct wm_error *error)
{
	size_t length = strlen(path);
	if (strncmp(message, path, length) == 0 && strncmp(message + length, ": ", 2) == 0)
		message += length + 2;
	return wm_error_set(error, WM_ERROR_INPUT, "%s: %s", path, message);
}

static int read_only_graph(struct reader *reader, FILE *file)
{
	wm_cgraph_messages_start();
	agsetfile((char *)reader->path);
	reader->dot = agread(file, NULL);
	if (ferror(file))
		return wm_error_set(reader->error, WM_ERROR_SYSTEM, "cannot read '%s': %s",
			reader->path, strerror(errno));
	Agraph_t *second = reader->dot ? agread(file, NULL) : NULL;
	const char *message = wm_cgraph_messages_first();
	if (second)
		agclose(second);
	if (message)
		return refuse_syntax(reader->path, message, reader->error);
	if (!reader->dot)
		return wm_error_set(
			reader->error, WM_ERROR_INPUT, "%s: holds no graph", reader->path);
	if (second)
		return wm_error_set(reader->error, WM_ERROR_INPUT,
			"%s: holds more than one graph; put each into a file of its own",
			reader->path);
	return 0;
}

static int check_kind(const struct reader *reader)
{
	if (!agisdirected(reader->dot))
		return wm_error_set(reader->error, WM_ERROR_INPUT,
			"%s: the graph is undirected; write digraph and ->", reader->path);
	if (agisstrict(reader->dot))
		return wm_error_set(reader->error, WM_ERROR_INPUT,
			"%s: a strict graph has lost its parallel edges; leave out the word strict",
			reader->path);
	return 0;
}

static int find_end(const struct reader *reader, const char *attribute, uint32_t *vertex)
{
	char *name = agget(reader->dot, (char *)attribute);
	if (!name || !*name)
		return wm_error_set(reader->error, WM_ERROR_INPUT,
			"%s: the graph has no attribute %s; write %s=VERTEX; inside its braces",
			reader->path, attribute, attribute);
	Agnode_t *node = agnode(reader->dot, name, 0);
	if (!node)
		return wm_error_set(reader->error, WM_ERROR_INPUT,
			"%s: %s=%s names a vertex that is not in the graph", reader->path,
			attribute, name);
	*vertex = (uint32_t)AGSEQ(node) - 1;
	return 0;
}

static int read_weight(const struct reader *reader, Agedge_t *edge, double *weight, bool *found)
{
	char *text = agget(edge, "weight");
	char *end;
	*found = text && *text;
	if (!*found)
		return 0;
	*weight = strtod(text, &end);
	if (*end || !isfinite(*weight) || *weight < 0)
		return wm_error_set(reader->error, WM_ERROR_INPUT,
			"%s: edge %s -> %s has weight %s; a weight is a number of zero or more",
			reader->path, agnameof(agtail(edge)), agnameof(aghead(edge)), text);
	return 0;
}

static int read_edge(
	const struct reader *reader, Agedge_t *edge, uint32_t *source, uint32_t *target)
{
	struct wm_graph *graph = reader->graph;
	uint32_t number = (uint32_t)AGSEQ(edge) - 1;
	bool has_weight;
	source[number] = (uint32_t)AGSEQ(agtail(edge)) - 1;
	target[number] = (uint32_t)AGSEQ(aghead(edge)) - 1;
	int status = read_weight(reader, edge, &graph->weight[number], &has_weight);
	if (!has_weight && number < graph->unweighted_edge)
		graph->unweighted_edge = number;
	return status;
}

static int build(struct reader *reader, uint32_t entry, uint32_t exit)
{
	struct wm_graph *graph = reader->graph;
	struct wm_arena scratch = {0};
	uint32_t vertices = (uint32_t)agnnodes(reader->dot);
	uint32_t edges = (uint32_t)agnedges(reader->dot);
	uint32_t *source = wm_arena_alloc(&scratch, edges, sizeof *source);
	uint32_t *target = wm_arena_alloc(&scratch, edges, sizeof *target);
	int status = 0;
	graph->vertex_name = wm_arena_alloc(reader->arena, vertices, sizeof *graph->vertex_name);
	graph->weight = wm_arena_alloc(reader->arena, edges, sizeof *graph->weight);
	graph->unweighted_edge = edges;
	for (Agnode_t *node = agfstnode(reader->dot); node; node = agnxtnode(reader->dot, node)) {
		graph->vertex_name[AGSEQ(node) - 1] =
			wm_arena_copy_text(reader->arena, agnameof(node));
		for (Agedge_t *edge = agfstout(reader->dot, node); edge && status == 0;
			edge = agnxtout(reader->dot, edge))
			status = read_edge(reader, edge, source, target);
	}
	if (status == 0)
		graph->cfg =
			wm_cfg_build(reader->arena, vertices, edges, source, target, entry, exit);
	wm_arena_reset(&scratch);
	return status;
}

static uint32_t mark_reached(struct wm_arena *scratch, const struct wm_cfg *cfg, bool *reached)
{
	uint32_t *found = wm_arena_alloc(scratch, cfg->vertex_count, sizeof *found);
	uint32_t count = 0;
	found[count++] = cfg->entry;
	reached[cfg->entry] = true;
	for (uint32_t next = 0; next < count; next++)
		for (uint32_t i = cfg->out_start[found[next]]; i < cfg->out_start[found[next] + 1];
			i++) {
			uint32_t target = cfg->target[cfg->out_edge[i]];
			if (!reached[target])
				found[count++] = target;
			reached[target] = true;
		}
	return count;
}

static int check_reached(const struct reader *reader)
{
	enum { MAX_NAMES = 5 };
	const struct wm_cfg *cfg = reader->graph->cfg;
	struct wm_arena scratch = {0};
	bool *reached = wm_arena_alloc(&scratch, cfg->vertex_count, sizeof *reached);
	uint32_t missing = cfg->vertex_count - mark_reached(&scratch, cfg, reached);
	char names[400] = "";
	uint32_t named = 0;
	for (uint32_t v = 0; v < cfg->vertex_count && named < MAX_NAMES; v++)
		if (!reached[v]) {
			size_t used = strlen(names);
			snprintf(names + used, sizeof names - used, "%s%s", named ? ", " : "",
				reader->graph->vertex_name[v]);
			named++;
		}
	wm_arena_reset(&scratch);
	if (missing == 0)
		return 0;
	return wm_error_set(reader->error, WM_ERROR_INPUT,
		"%s: %u of %u vertices cannot be reached from the entry %s: %s%s", reader->path,
		missing, cfg->vertex_count, reader->graph->vertex_name[cfg->entry], names,
		missing > named ? ", ..." : "");
}

static int read_all(struct reader *reader, FILE *file)
{
	uint32_t entry = 0;
	uint32_t exit = 0;
	int status = read_only_graph(reader, file);
	if (status == 0)
		status = check_kind(reader);
	if (status == 0)
		status = find_end(reader, "entry", &entry);
	if (status == 0)
		status = find_end(reader, "exit", &exit);
	if (status == 0 && entry == exit)
		return wm_error_set(reader->error, WM_ERROR_INPUT,
			"%s: entry and exit are both %s; they must be two vertices", reader->path,
			agget(reader->dot, "entry"));
	if (status == 0)
		status = build(reader, entry, exit);
	return status == 0 ? check_reached(reader) : status;
}

int wm_graph_read(
	struct wm_arena *arena, const char *path, struct wm_graph *graph, struct wm_error *error)
{
	FILE *file = fopen(path, "r");
	if (!file)
		return wm_error_set(
			error, WM_ERROR_SYSTEM, "cannot read '%s': %s", path, strerror(errno));
	*graph = (struct wm_graph){0};
	struct reader reader = {.arena = arena, .path = path, .graph = graph, .error = error};
	int status = read_all(&reader, file);
	fclose(file);
	graph->dot = reader.dot;
	if (status != 0)
		wm_graph_close(graph);
	return status;
}

void wm_graph_close(struct wm_graph *graph)
{
	if (graph->dot)
		agclose(graph->dot);
	graph->dot = NULL;
}

const char *wm_graph_attribute(const struct wm_graph *graph, const char *name)
{
	return agget(graph->dot, (char *)name);
}

/* No attribute is an empty text where other vertices have it. */
static const char *attribute_of(void *object, const char *name)
{
	const char *value = agget(object, (char *)name);
	return value && *value ? value : NULL;
}

const char *wm_graph_vertex_attribute(
	const struct wm_graph *graph, uint32_t vertex, const char *name)
{
	return attribute_of(agnode(graph->dot, (char *)graph->vertex_name[vertex], 0), name);
}

const char *wm_graph_edge_attribute(const struct wm_graph *graph, uint32_t edge, const char *name)
{
	Agnode_t *source =
		agnode(graph->dot, (char *)graph->vertex_name[graph->cfg->source[edge]], 0);
	for (Agedge_t *e = agfstout(graph->dot, source); e; e = agnxtout(graph->dot, e))
		if (AGSEQ(e) == edge + 1)
			return attribute_of(e, name);
	return NULL;
}
