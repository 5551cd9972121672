/* Event plans of a graph for people and programs; the planning itself is core/counters/events.h. */
#include "cli/plan_events.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/fatal.h"
#include "core/counters/events.h"
#include "report/json.h"
#include "report/listing.h"
#include "report/paint.h"

struct plan {
	struct wm_arena *arena;
	const struct wm_graph *graph;
	const struct wm_anchored_graph *anchored;
	struct wm_events_request request;
	struct wm_events_plan events;
	double by_edges; /* the cost as the plan for edges predicts it */
};

static const char *name_of(const struct plan *plan, uint32_t vertex)
{
	return plan->graph->vertex_name[vertex];
}

static uint32_t count_anchors(const char *text)
{
	uint32_t anchors = 0;
	for (; text && *text; text++)
		anchors += *text == '|';
	return anchors;
}

static void refuse(const char *where, const char *text)
{
	wm_fatal("plan: %s has events=\"%s\"; write numbers of events with | for each anchor "
		 "between them, such as \"3 | 4\"",
		where, text);
}

/* Reads the numbers between the bars; nothing is zero. */
static void read_values(const char *where, const char *text, uint64_t *value)
{
	const char *at = text;
	while (*at) {
		at += strspn(at, " \t");
		if (*at >= '0' && *at <= '9') {
			char *end;
			*value = strtoull(at, &end, 10);
			at = end + strspn(end, " \t");
		}
		if (*at && *at++ != '|')
			refuse(where, text);
		value++;
	}
}

static const uint32_t *read_anchors(struct plan *plan)
{
	const struct wm_cfg *cfg = plan->graph->cfg;
	uint32_t *count = wm_arena_alloc(plan->arena, cfg->vertex_count, sizeof *count);
	for (uint32_t v = 0; v < cfg->vertex_count; v++)
		count[v] = count_anchors(wm_graph_vertex_attribute(plan->graph, v, "events"));
	if (wm_graph_vertex_attribute(plan->graph, cfg->exit, "events"))
		wm_fatal("plan: %s is the exit and can have no events", name_of(plan, cfg->exit));
	return count;
}

static const uint64_t *read_events(struct plan *plan)
{
	const struct wm_anchored_graph *anchored = plan->anchored;
	uint64_t *value = wm_arena_alloc(plan->arena, anchored->graph->edge_count, sizeof *value);
	bool found = false;
	for (uint32_t e = 0; e < anchored->graph->edge_count; e++) {
		const struct wm_anchored_edge *what = &anchored->edge[e];
		const char *text = NULL, *where = "an edge, which has no anchors,";
		if (what->part == WM_ANCHORED_EDGE)
			text = wm_graph_edge_attribute(plan->graph, what->index, "events");
		if (text && strchr(text, '|'))
			refuse(where, text);
		if (what->part == WM_ANCHORED_SEGMENT && !what->segment) {
			text = wm_graph_vertex_attribute(plan->graph, what->index, "events");
			where = name_of(plan, what->index);
		}
		if (text)
			read_values(where, text, &value[e]);
		found |= text != NULL;
	}
	if (!found)
		wm_fatal("plan: no vertex of the graph has events; write events=\"3\", or "
			 "\"3 | 4\" where | is an anchor");
	return value;
}

/* How often the function is called, as its entry runs so much more often than is jumped to. */
static double weigh_calls(const struct wm_cfg *cfg, const double *weight)
{
	double calls = wm_plan_vertex_weight(cfg, weight, cfg->entry);
	for (uint32_t i = cfg->in_start[cfg->entry]; i < cfg->in_start[cfg->entry + 1]; i++)
		if (cfg->in_edge[i] != wm_cfg_closing_edge(cfg))
			calls -= weight[cfg->in_edge[i]];
	return calls > 0 ? calls : 0;
}

static void make(struct plan *plan, const double *weight)
{
	const struct wm_cfg *cfg = plan->graph->cfg;
	struct wm_anchors anchors = {.count = read_anchors(plan)};
	struct wm_error error;
	double *vertex_weight = wm_arena_alloc(plan->arena, cfg->vertex_count, sizeof *weight);
	const uint64_t **value = wm_arena_alloc(plan->arena, 1, sizeof *value);
	for (uint32_t v = 0; v < cfg->vertex_count; v++)
		vertex_weight[v] = wm_plan_vertex_weight(cfg, weight, v);
	double calls = weigh_calls(cfg, weight);
	plan->anchored = wm_anchored_graph_build(plan->arena, cfg, &anchors);
	*value = read_events(plan);
	plan->request = (struct wm_events_request){.anchored = plan->anchored,
		.kind_count = 1,
		.value = value,
		.weight = wm_anchored_weights(
			plan->arena, plan->anchored, weight, vertex_weight, calls)};
	if (wm_events_plan_make(plan->arena, &plan->request, &plan->events, &error) < 0 ||
		wm_events_cost_by_edges(cfg, anchors.count, weight, vertex_weight, calls,
			&plan->by_edges, &error) < 0)
		wm_fatal("plan: %s", error.text);
}

static const char *spell_place(const struct plan *plan, uint32_t edge)
{
	const struct wm_cfg *cfg = plan->graph->cfg;
	const struct wm_anchored_edge *what = &plan->anchored->edge[edge];
	const uint32_t *first = plan->anchored->first_segment;
	const char *one = "entry", *between = "", *two = "";
	if (what->part == WM_ANCHORED_EDGE) {
		one = name_of(plan, cfg->source[what->index]);
		between = " -> ";
		two = name_of(plan, cfg->target[what->index]);
	} else if (what->part == WM_ANCHORED_SEGMENT) {
		bool only = first[what->index + 1] - first[what->index] == 1;
		bool last = edge + 1 == first[what->index + 1];
		one = name_of(plan, what->index);
		between = only ? "" : last ? " behind its anchor" : " before its anchor";
	}
	size_t bytes = strlen(one) + strlen(between) + strlen(two) + 16;
	char *text = wm_arena_alloc(plan->arena, bytes, 1);
	snprintf(text, bytes, "%s%s%s", one, between, two);
	if (what->part == WM_ANCHORED_SEGMENT && *between == ' ' &&
		first[what->index + 1] - first[what->index] > 2)
		snprintf(text + strlen(text), 16, " %u",
			what->segment + (edge + 1 != first[what->index + 1]));
	return text;
}

static void print_probes(const struct plan *plan)
{
	static const struct wm_column columns[] = {
		{.title = "increment", .right = true},
		{.title = "weight", .right = true},
		{.title = "on"},
	};
	struct wm_listing listing = {.arena = plan->arena,
		.columns = columns,
		.column_count = sizeof columns / sizeof *columns};
	for (uint32_t e = 0; e < plan->anchored->graph->edge_count; e++) {
		if (!plan->events.increment[0][e])
			continue;
		wm_listing_add(&listing, "%+" PRId64, (int64_t)plan->events.increment[0][e]);
		wm_listing_add(&listing, "%.12g", plan->request.weight[e]);
		wm_listing_add(&listing, "%s", spell_place(plan, e));
	}
	if (plan->events.probe_count)
		wm_listing_print(&listing, stdout, wm_paint_wanted(stdout));
}

static int64_t potential(const struct plan *plan, uint32_t vertex)
{
	return (int64_t)plan->events.potential[0][vertex];
}

static void print_queries(const struct plan *plan)
{
	static const struct wm_column columns[] = {
		{.title = "vertex"},
		{.title = "at its start", .right = true},
		{.title = "at its end", .right = true},
	};
	struct wm_listing listing = {.arena = plan->arena,
		.columns = columns,
		.column_count = sizeof columns / sizeof *columns};
	const struct wm_cfg *cfg = plan->graph->cfg;
	for (uint32_t v = 0; v < cfg->vertex_count; v++) {
		wm_listing_add(&listing, "%s", name_of(plan, v));
		wm_listing_add(&listing, "%+" PRId64, potential(plan, wm_anchored_arrival(v)));
		wm_listing_add(
			&listing, "%+" PRId64, potential(plan, wm_anchored_departure(cfg, v)));
	}
	wm_listing_print(&listing, stdout, wm_paint_wanted(stdout));
}

static void print_listing(const struct plan *plan)
{
	print_probes(plan);
	printf("\nto be added to the sum for the exact number of events; nothing at anchors\n");
	print_queries(plan);
	printf("\ncost %.12g, %u increments on %u edges; the plan for edges predicts %.12g\n",
		plan->events.cost, plan->events.probe_count, plan->graph->cfg->edge_count,
		plan->by_edges);
}

static void print_json_probe(const struct plan *plan, struct wm_json *json, uint32_t edge)
{
	const struct wm_anchored_edge *what = &plan->anchored->edge[edge];
	const struct wm_cfg *cfg = plan->graph->cfg;
	wm_json_begin_object(json, NULL);
	if (what->part == WM_ANCHORED_EDGE) {
		wm_json_text(json, "from", name_of(plan, cfg->source[what->index]));
		wm_json_text(json, "to", name_of(plan, cfg->target[what->index]));
	} else if (what->part == WM_ANCHORED_SEGMENT) {
		wm_json_text(json, "vertex", name_of(plan, what->index));
		wm_json_number(json, "segment", what->segment);
	}
	wm_json_signed(json, "increment", (int64_t)plan->events.increment[0][edge]);
	wm_json_real(json, "weight", plan->request.weight[edge]);
	wm_json_end_object(json);
}

static void print_json(const struct plan *plan)
{
	struct wm_json json = {.out = stdout};
	const struct wm_cfg *cfg = plan->graph->cfg;
	wm_json_begin_document(&json, "plan-events");
	wm_json_text(&json, "problem", "events");
	wm_json_real(&json, "cost", plan->events.cost);
	wm_json_real(&json, "cost_by_edges", plan->by_edges);
	wm_json_begin_array(&json, "probes");
	for (uint32_t e = 0; e < plan->anchored->graph->edge_count; e++)
		if (plan->events.increment[0][e])
			print_json_probe(plan, &json, e);
	wm_json_end_array(&json);
	wm_json_begin_array(&json, "queries");
	for (uint32_t v = 0; v < cfg->vertex_count; v++) {
		wm_json_begin_object(&json, NULL);
		wm_json_text(&json, "vertex", name_of(plan, v));
		wm_json_signed(&json, "start", potential(plan, wm_anchored_arrival(v)));
		wm_json_signed(&json, "end", potential(plan, wm_anchored_departure(cfg, v)));
		wm_json_end_object(&json);
	}
	wm_json_end_array(&json);
	wm_json_end_object(&json);
}

void wm_plan_events_print(
	struct wm_arena *arena, const struct wm_graph *graph, const double *weight, bool json)
{
	struct plan plan = {.arena = arena, .graph = graph};
	make(&plan, weight);
	if (json)
		print_json(&plan);
	else
		print_listing(&plan);
}
