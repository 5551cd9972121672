/* Plans for traces, for people and programs; placement and codes are core/trace. */
#include "cli/plan_trace.h"

#include <stdlib.h>
#include <string.h>

#include "cli/fatal.h"
#include "core/trace/witness_codes.h"
#include "report/json.h"
#include "report/listing.h"
#include "report/paint.h"

struct plan {
	struct wm_arena *arena;
	const struct wm_graph *graph;
	struct wm_trace_problem problem;
	bool *witness; /* by edge */
	bool given;    /* the file has them */
	struct wm_witness_codes codes;
};

static const char *source_of(const struct plan *plan, uint32_t edge)
{
	return plan->graph->vertex_name[plan->problem.cfg->source[edge]];
}

static const char *target_of(const struct plan *plan, uint32_t edge)
{
	return plan->graph->vertex_name[plan->problem.cfg->target[edge]];
}

/* A graph that writes a trace of its own needs no witness before its end: the trace ends there. */
static bool writes_alone(const struct wm_graph *graph)
{
	const char *word = wm_graph_attribute(graph, "trace");
	if (word && strcmp(word, "alone") != 0)
		wm_fatal("plan: the graph has trace=\"%s\"; write trace=alone if no other function "
			 "writes into its trace, or leave it out",
			word);
	return word;
}

static const bool *read_stops(const struct plan *plan)
{
	const struct wm_cfg *cfg = plan->problem.cfg;
	bool *stop = wm_arena_alloc(plan->arena, cfg->vertex_count, sizeof *stop);
	for (uint32_t v = 0; v < cfg->vertex_count; v++)
		stop[v] = wm_graph_vertex_attribute(plan->graph, v, "call");
	stop[cfg->exit] = !writes_alone(plan->graph);
	return stop;
}

static void read_witnesses(struct plan *plan)
{
	uint32_t count = plan->problem.cfg->edge_count;
	plan->witness = wm_arena_alloc(plan->arena, count, sizeof *plan->witness);
	for (uint32_t e = 0; e < count; e++) {
		plan->witness[e] = wm_graph_edge_attribute(plan->graph, e, "witness");
		plan->given |= plan->witness[e];
	}
}

static void refuse_edges_from_exit(const struct plan *plan)
{
	const struct wm_cfg *cfg = plan->problem.cfg;
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		if (cfg->source[e] == cfg->exit)
			wm_fatal("plan: the edge %s -> %s leaves the exit; a trace has no such "
				 "edges",
				source_of(plan, e), target_of(plan, e));
}

static void make(struct plan *plan, const double *weight)
{
	const struct wm_cfg *cfg = plan->graph->cfg;
	struct wm_error error;
	plan->problem = (struct wm_trace_problem){.cfg = cfg,
		.weight = weight,
		.predicate = wm_trace_predicates(plan->arena, cfg),
		.name = plan->graph->vertex_name};
	refuse_edges_from_exit(plan);
	plan->problem.stop = read_stops(plan);
	read_witnesses(plan);
	if ((!plan->given &&
		    wm_witnesses_place(plan->arena, &plan->problem, &plan->witness, &error) < 0) ||
		wm_witness_codes_make(
			plan->arena, &plan->problem, plan->witness, &plan->codes, &error) < 0)
		wm_fatal("plan: %s", error.text);
}

/* What a code for each way out of each predicate would cost. */
static double weigh_predicates(const struct plan *plan)
{
	double cost = 0;
	for (uint32_t e = 0; e < plan->problem.cfg->edge_count; e++)
		if (plan->problem.predicate[plan->problem.cfg->source[e]])
			cost += plan->problem.weight[e];
	return cost;
}

static double weigh_witnesses(const struct plan *plan, uint32_t *count)
{
	double cost = 0;
	*count = 0;
	for (uint32_t e = 0; e < plan->problem.cfg->edge_count; e++)
		if (plan->witness[e]) {
			cost += plan->problem.weight[e];
			++*count;
		}
	return cost;
}

static void print_listing(const struct plan *plan)
{
	static const struct wm_column columns[] = {
		{.title = "code", .right = true},
		{.title = "weight", .right = true},
		{.title = "on"},
	};
	struct wm_listing listing = {.arena = plan->arena,
		.columns = columns,
		.column_count = sizeof columns / sizeof *columns};
	uint32_t count;
	double cost = weigh_witnesses(plan, &count);
	for (uint32_t e = 0; e < plan->problem.cfg->edge_count; e++) {
		if (!plan->witness[e])
			continue;
		wm_listing_add(&listing, "%u", plan->codes.code[e]);
		wm_listing_add(&listing, "%.12g", plan->problem.weight[e]);
		wm_listing_add(&listing, "%s -> %s", source_of(plan, e), target_of(plan, e));
	}
	if (count)
		wm_listing_print(&listing, stdout, wm_paint_wanted(stdout));
	printf("cost %.12g, %u witnesses with %u codes on %u edges; every branch would cost "
	       "%.12g\n",
		cost, count, plan->codes.max_code, plan->problem.cfg->edge_count,
		weigh_predicates(plan));
}

static void print_json_witness(const struct plan *plan, struct wm_json *json, uint32_t edge)
{
	wm_json_begin_object(json, NULL);
	wm_json_text(json, "from", source_of(plan, edge));
	wm_json_text(json, "to", target_of(plan, edge));
	wm_json_number(json, "code", plan->codes.code[edge]);
	wm_json_real(json, "weight", plan->problem.weight[edge]);
	wm_json_end_object(json);
}

static void print_json(const struct plan *plan)
{
	struct wm_json json = {.out = stdout};
	uint32_t count;
	wm_json_begin_document(&json, "plan-trace");
	wm_json_text(&json, "problem", "trace");
	wm_json_real(&json, "cost", weigh_witnesses(plan, &count));
	wm_json_real(&json, "cost_of_every_branch", weigh_predicates(plan));
	wm_json_number(&json, "codes", plan->codes.max_code);
	wm_json_begin_array(&json, "witnesses");
	for (uint32_t e = 0; e < plan->problem.cfg->edge_count; e++)
		if (plan->witness[e])
			print_json_witness(plan, &json, e);
	wm_json_end_array(&json);
	wm_json_end_object(&json);
}

static uint8_t *read_sequence(const struct plan *plan, const char *text, size_t *length)
{
	uint8_t *sequence = wm_arena_alloc(plan->arena, strlen(text) + 1, sizeof *sequence);
	*length = 0;
	while (*text) {
		char *end;
		unsigned long code = strtoul(text, &end, 10);
		if (end == text || code == 0 || code > WM_WITNESS_MAX_CODE ||
			(*end && (*end != ',' || !end[1])))
			wm_fatal(
				"plan: --regenerate: '%s' is no list of codes such as 1,2,2", text);
		sequence[(*length)++] = (uint8_t)code;
		text = end + (*end == ',');
	}
	return sequence;
}

static void print_execution(const struct plan *plan, const char *text, bool as_json)
{
	struct wm_error error;
	struct wm_json json = {.out = stdout};
	uint32_t *edges;
	size_t length, count;
	uint8_t *sequence = read_sequence(plan, text, &length);
	if (wm_witnesses_regenerate(plan->arena, &plan->problem, &plan->codes, sequence, length,
		    &edges, &count, &error) < 0)
		wm_fatal("plan: --regenerate: %s", error.text);
	if (!as_json) {
		printf("%s", plan->graph->vertex_name[plan->problem.cfg->entry]);
		for (size_t i = 0; i < count; i++)
			printf(" %s", target_of(plan, edges[i]));
		printf("\n");
		return;
	}
	wm_json_begin_document(&json, "plan-execution");
	wm_json_begin_array(&json, "vertices");
	wm_json_text(&json, NULL, plan->graph->vertex_name[plan->problem.cfg->entry]);
	for (size_t i = 0; i < count; i++)
		wm_json_text(&json, NULL, target_of(plan, edges[i]));
	wm_json_end_array(&json);
	wm_json_end_object(&json);
}

void wm_plan_trace_print(struct wm_arena *arena, const struct wm_graph *graph, const double *weight,
	const struct wm_plan_trace_request *request)
{
	struct plan plan = {.arena = arena, .graph = graph};
	make(&plan, weight);
	if (request->sequence)
		print_execution(&plan, request->sequence, request->json);
	else if (request->json)
		print_json(&plan);
	else
		print_listing(&plan);
}
