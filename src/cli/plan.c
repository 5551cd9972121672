/* `waymark plan`: where the counters go in any graph, and what they cost. With --compare: what
 * several placements would have cost a program that ran (cli/compare.h). */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/compare.h"
#include "cli/fatal.h"
#include "cli/load.h"
#include "cli/nearest.h"
#include "cli/options.h"
#include "cli/plan_events.h"
#include "cli/plan_interesting.h"
#include "cli/plan_paths.h"
#include "cli/plan_trace.h"
#include "core/counters/plan.h"
#include "core/graph/weights.h"
#include "graph/graph.h"
#include "report/json.h"
#include "report/paint.h"
#include "report/listing.h"
#include "report/text.h"

enum weighting { WEIGHTS_DEFAULT = -1, WEIGHTS_HEURISTIC, WEIGHTS_GIVEN, WEIGHTS_GOLDBERG };

static const char *const weighting_names[] = {
	[WEIGHTS_HEURISTIC] = "heuristic",
	[WEIGHTS_GIVEN] = "given",
	[WEIGHTS_GOLDBERG] = "goldberg",
};

/* What is asked for instead of counters of edges and vertices, in the order of sum_problem_names:
 * sums along paths or of events, or codes that tell the order of execution. */
enum sum_problem {
	PATHS_NUMBERED,
	PATHS_SELECTED,
	PATHS_PREFERRED,
	EVENTS_COUNTED,
	ORDER_TRACED,
	SUM_PROBLEMS,
	NO_SUMS = -1
};

static const char *const sum_problem_names[] = {
	[PATHS_NUMBERED] = "paths",
	[PATHS_SELECTED] = "select",
	[PATHS_PREFERRED] = "prefer",
	[EVENTS_COUNTED] = "events",
	[ORDER_TRACED] = "trace",
};

struct request {
	const char *path;
	enum wm_problem problem; /* which counters; has no meaning where sums are asked for */
	enum sum_problem sums;
	const char *one_path;	 /* with paths */
	const char *interesting; /* with paths selected or preferred */
	const char *sequence;	 /* with traces: codes of an execution */
	enum weighting weighting;
	bool json;
	bool dot;
	bool compare;
	const char *binary; /* with compare */
	char **profiles;    /* with compare */
	size_t profile_count;
};

static size_t choose(
	const char *option, const char *word, const char *const *choices, size_t choice_count)
{
	struct wm_nearest nearest = {.word = word};
	for (size_t i = 0; i < choice_count; i++) {
		if (strcmp(choices[i], word) == 0)
			return i;
		wm_nearest_offer(&nearest, choices[i]);
	}
	if (nearest.best)
		wm_fatal_usage("plan: unknown value %s='%s'; did you mean %s?", option, word,
			nearest.best);
	wm_fatal_usage("plan: unknown value %s='%s'; see `waymark plan --help`", option, word);
}

static void choose_problem(struct request *request, const char *word)
{
	const char *names[WM_PROBLEM_COUNT + SUM_PROBLEMS];
	for (int problem = 0; problem < WM_PROBLEM_COUNT; problem++)
		names[problem] = wm_problem_name((enum wm_problem)problem);
	for (int problem = 0; problem < SUM_PROBLEMS; problem++)
		names[WM_PROBLEM_COUNT + problem] = sum_problem_names[problem];
	size_t chosen = choose("--problem", word, names, WM_PROBLEM_COUNT + SUM_PROBLEMS);
	request->sums = NO_SUMS;
	if (chosen < WM_PROBLEM_COUNT)
		request->problem = (enum wm_problem)chosen;
	else
		request->sums = (enum sum_problem)(chosen - WM_PROBLEM_COUNT);
}

static void check_sum_options(const struct request *request)
{
	bool wants_interesting =
		request->sums == PATHS_SELECTED || request->sums == PATHS_PREFERRED;
	if (request->sums != NO_SUMS && request->dot)
		wm_fatal_usage("plan: --dot draws counters; with --problem=%s use --json",
			sum_problem_names[request->sums]);
	if (request->one_path && (request->sums == NO_SUMS || request->sums >= EVENTS_COUNTED))
		wm_fatal_usage("plan: --path goes with --problem=paths, select or prefer only");
	if (request->sequence && request->sums != ORDER_TRACED)
		wm_fatal_usage("plan: --regenerate goes with --problem=trace only");
	if (request->interesting && !wants_interesting)
		wm_fatal_usage("plan: --interesting goes with --problem=select or prefer only");
	if (wants_interesting && !request->interesting)
		wm_fatal_usage("plan: --problem=%s needs --interesting=PATH,...: numbers, or "
			       "vertices such as A-B-C",
			sum_problem_names[request->sums]);
}

static void read_graph_request(struct request *request, int path_count, char **paths,
	const char *problem, const char *weights)
{
	if (path_count != 1)
		wm_fatal_usage("plan: %s; usage: waymark plan [OPTION...] GRAPH.dot",
			path_count ? "one graph at a time" : "name a graph");
	if (request->json && request->dot)
		wm_fatal_usage("plan: --json and --dot exclude each other");
	if (request->binary)
		wm_fatal_usage("plan: --binary goes with --compare only");
	request->path = paths[0];
	choose_problem(request, problem ? problem : "edges");
	check_sum_options(request);
	if (weights)
		request->weighting = (enum weighting)choose("--weights", weights, weighting_names,
			sizeof weighting_names / sizeof *weighting_names);
}

static struct request parse(int argc, char **argv)
{
	const char *problem = NULL;
	const char *weights = NULL;
	struct request request = {.weighting = WEIGHTS_DEFAULT};
	const struct wm_option options[] = {
		{"--problem", &problem, NULL},
		{"--weights", &weights, NULL},
		{"--json", NULL, &request.json},
		{"--dot", NULL, &request.dot},
		{"--compare", NULL, &request.compare},
		{"--binary", &request.binary, NULL},
		{"--path", &request.one_path, NULL},
		{"--interesting", &request.interesting, NULL},
		{"--regenerate", &request.sequence, NULL},
	};
	int left = wm_options_parse("plan", argc, argv, options, sizeof options / sizeof *options);
	request.profiles = argv + 1;
	request.profile_count = (size_t)left;
	if (!request.compare)
		read_graph_request(&request, left, argv + 1, problem, weights);
	else if (problem || weights || request.dot || request.one_path || request.interesting ||
		 request.sequence)
		wm_fatal_usage("plan: --compare tries several problems and weights, and draws "
			       "nothing: leave out all other options but --json and --binary");
	return request;
}

static const double *weigh(
	struct wm_arena *arena, const struct request *request, const struct wm_graph *graph)
{
	const struct wm_cfg *cfg = graph->cfg;
	uint32_t unweighted = graph->unweighted_edge;
	bool complete = unweighted == cfg->edge_count;
	if (request->weighting == WEIGHTS_GIVEN && !complete)
		wm_fatal("plan: %s: edge %s -> %s has no weight, which --weights=given needs",
			request->path, graph->vertex_name[cfg->source[unweighted]],
			graph->vertex_name[cfg->target[unweighted]]);
	if (request->weighting == WEIGHTS_GIVEN ||
		(request->weighting == WEIGHTS_DEFAULT && complete))
		return graph->weight;
	double *weight = wm_arena_alloc(arena, cfg->edge_count, sizeof *weight);
	if (request->weighting == WEIGHTS_GOLDBERG)
		wm_weights_goldberg(cfg, weight);
	else
		wm_weights_heuristic(cfg, weight);
	return weight;
}

static double probe_weight(
	const struct wm_cfg *cfg, const double *weight, const struct wm_probe *probe)
{
	return probe->kind == WM_PROBE_EDGE ? weight[probe->index]
					    : wm_plan_vertex_weight(cfg, weight, probe->index);
}

static void print_listing(struct wm_arena *arena, const struct wm_graph *graph,
	const double *weight, const struct wm_plan *plan)
{
	static const struct wm_column columns[] = {
		{.title = "counter", .right = true},
		{.title = "weight", .right = true},
		{.title = "on"},
	};
	struct wm_listing listing = {.arena = arena,
		.columns = columns,
		.column_count = sizeof columns / sizeof *columns};
	const struct wm_cfg *cfg = graph->cfg;
	for (uint32_t k = 0; k < plan->probe_count; k++) {
		const struct wm_probe *probe = &plan->probes[k];
		wm_listing_add(&listing, "%u", k);
		wm_listing_add(&listing, "%.12g", probe_weight(cfg, weight, probe));
		if (probe->kind == WM_PROBE_EDGE)
			wm_listing_add(&listing, "%s -> %s",
				graph->vertex_name[cfg->source[probe->index]],
				graph->vertex_name[cfg->target[probe->index]]);
		else
			wm_listing_add(&listing, "%s", graph->vertex_name[probe->index]);
	}
	if (plan->probe_count)
		wm_listing_print(&listing, stdout, wm_paint_wanted(stdout));
	printf("cost %.12g, %u counters on %u edges\n", plan->cost, plan->probe_count,
		cfg->edge_count);
}

static void print_json_probe(struct wm_json *json, const struct wm_graph *graph,
	const double *weight, const struct wm_probe *probe, uint32_t counter)
{
	const struct wm_cfg *cfg = graph->cfg;
	wm_json_begin_object(json, NULL);
	wm_json_number(json, "counter", counter);
	if (probe->kind == WM_PROBE_EDGE) {
		wm_json_text(json, "from", graph->vertex_name[cfg->source[probe->index]]);
		wm_json_text(json, "to", graph->vertex_name[cfg->target[probe->index]]);
	} else {
		wm_json_text(json, "vertex", graph->vertex_name[probe->index]);
	}
	wm_json_real(json, "weight", probe_weight(cfg, weight, probe));
	wm_json_end_object(json);
}

static void print_json(
	const struct wm_graph *graph, const double *weight, const struct wm_plan *plan)
{
	struct wm_json json = {.out = stdout};
	wm_json_begin_document(&json, "plan");
	wm_json_text(&json, "problem", wm_problem_name(plan->problem));
	wm_json_real(&json, "cost", plan->cost);
	wm_json_number(&json, "counters", plan->probe_count);
	wm_json_number(&json, "edges", graph->cfg->edge_count);
	wm_json_begin_array(&json, "probes");
	for (uint32_t k = 0; k < plan->probe_count; k++)
		print_json_probe(&json, graph, weight, &plan->probes[k], k);
	wm_json_end_array(&json);
	wm_json_end_object(&json);
}

static void plan_paths(struct wm_arena *arena, const struct request *request,
	const struct wm_graph *graph, const double *weight)
{
	struct wm_interesting_request interesting = {
		.prefer = request->sums == PATHS_PREFERRED,
		.list = request->interesting,
		.path = request->one_path,
		.json = request->json,
	};
	if (request->sums == PATHS_NUMBERED)
		wm_plan_paths_print(arena, graph, weight, request->one_path, request->json);
	else
		wm_plan_interesting_print(arena, graph, weight, &interesting);
}

static void plan_counters(struct wm_arena *arena, const struct request *request,
	const struct wm_graph *graph, const double *weight)
{
	struct wm_plan_request wanted = {.problem = request->problem, .weight = weight};
	struct wm_error error;
	struct wm_plan plan;
	if (wm_plan_make(arena, graph->cfg, &wanted, &plan, &error) < 0)
		wm_fatal("plan: %s: %s", request->path, error.text);
	if (request->json)
		print_json(graph, weight, &plan);
	else if (request->dot)
		wm_graph_write(graph, &plan, stdout);
	else
		print_listing(arena, graph, weight, &plan);
}

static void plan_graph(struct wm_arena *arena, const struct request *request)
{
	struct wm_error error;
	struct wm_graph graph;
	if (wm_graph_read(arena, request->path, &graph, &error) < 0)
		wm_fatal("plan: %s", wm_text_clean(arena, error.text));
	const double *weight = weigh(arena, request, &graph);
	if (request->sums == NO_SUMS)
		plan_counters(arena, request, &graph, weight);
	else if (request->sums == EVENTS_COUNTED)
		wm_plan_events_print(arena, &graph, weight, request->json);
	else if (request->sums == ORDER_TRACED)
		wm_plan_trace_print(arena, &graph, weight,
			&(struct wm_plan_trace_request){request->sequence, request->json});
	else
		plan_paths(arena, request, &graph, weight);
	wm_graph_close(&graph);
}

int wm_command_plan(int argc, char **argv)
{
	struct request request = parse(argc, argv);
	struct wm_arena arena = {0};
	if (request.compare) {
		struct wm_profile *profiles = wm_load_profiles(
			&arena, "plan", request.profiles, request.binary, &request.profile_count);
		wm_compare_print(&arena, profiles, request.profile_count, request.json);
	} else {
		plan_graph(&arena, &request);
	}
	/* cgraph flushes by itself: its failure shows in the stream only. */
	if (fflush(stdout) != 0 || ferror(stdout))
		wm_fatal("plan: the plan cannot be written to standard output; is the disk full?");
	wm_arena_reset(&arena);
	return 0;
}
