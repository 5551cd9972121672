/* How long planning takes in core, by the size of the function; the script of the same name runs
 * it.
 *
 * usage: growth MAX_EDGES
 *
 * Everything that the plug-in does for one function between capture and lowering: weights, and for
 * edges the tree and its probes; for paths cuts, histories, probes, registers, and the numbers of
 * the paths. Of functions as programs have them (nested branches, loops, switches, calls that may
 * not return), and of random graphs, whose loops have many entries. Small functions are planned in
 * batches of different ones.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/counters/plan.h"
#include "core/graph/weights.h"
#include "core/paths/path_plan.h"
#include "core/paths/paths.h"
#include "support/random_graph.h"

enum { MIN_EDGES = 100, EDGES_OF_BATCH = 50000, MAX_CASES = 8, REPETITIONS = 4 };
enum { ARRAY_LIMIT = 256, MAX_ROUTES_INTO_LOOP = 64 };

struct function {
	struct wm_arena arena;
	struct wm_cfg *cfg;
	bool *uncountable;	  /* by edge */
	bool *uncountable_vertex; /* by vertex: none */
	bool *still;		  /* by edge: none */
};

struct drawn_edge {
	uint32_t source;
	uint32_t target;
	bool uncountable;
};

/* Statements that end behind the edge that was to be the last may have any number of further ones.
 */
struct sketch {
	struct wm_arena *arena;
	struct random_source random;
	uint32_t vertices;
	uint32_t edges;
	size_t capacity;
	struct drawn_edge *edge;
};

/* Where EXIT is until its number is known. */
static const uint32_t AT_EXIT = UINT32_MAX;

static void draw_edge(struct sketch *sketch, struct drawn_edge edge)
{
	sketch->edge = wm_arena_grow(
		sketch->arena, sketch->edge, sketch->edges, &sketch->capacity, sizeof(edge));
	sketch->edge[sketch->edges++] = edge;
}

static void draw(struct sketch *sketch, uint32_t source, uint32_t target)
{
	draw_edge(sketch, (struct drawn_edge){source, target, false});
}

static uint32_t draw_new(struct sketch *sketch, uint32_t source)
{
	draw(sketch, source, sketch->vertices);
	return sketch->vertices++;
}

static uint32_t draw_statements(struct sketch *sketch, uint32_t from, uint32_t last_edge);

static uint32_t draw_branch(struct sketch *sketch, uint32_t from, uint32_t ways, uint32_t last_edge)
{
	uint32_t behind = sketch->vertices++;
	uint32_t each = last_edge > sketch->edges ? (last_edge - sketch->edges) / ways : 0;
	for (uint32_t i = 1; i < ways; i++) {
		uint32_t way = draw_new(sketch, from);
		draw(sketch, draw_statements(sketch, way, sketch->edges + each), behind);
	}
	draw(sketch, from, behind);
	return behind;
}

static uint32_t draw_loop(struct sketch *sketch, uint32_t from, uint32_t last_edge)
{
	uint32_t head = draw_new(sketch, from), body = draw_new(sketch, head);
	draw(sketch, draw_statements(sketch, body, last_edge), head);
	return draw_new(sketch, head);
}

static uint32_t draw_call(struct sketch *sketch, uint32_t from)
{
	uint32_t next = draw_new(sketch, from);
	draw_edge(sketch, (struct drawn_edge){next, AT_EXIT, true});
	return draw_new(sketch, next);
}

static uint32_t draw_return(struct sketch *sketch, uint32_t from)
{
	draw(sketch, from, AT_EXIT);
	return draw_new(sketch, from);
}

/* Statements from a vertex on, until there are as many edges; those inside a statement get at most
 * half of the rest. Returns the vertex behind them. */
static uint32_t draw_statements(struct sketch *sketch, uint32_t from, uint32_t last_edge)
{
	while (sketch->edges < last_edge) {
		uint32_t rest = last_edge - sketch->edges;
		uint32_t inner = sketch->edges + random_below(&sketch->random, rest / 2 + 1);
		switch (random_below(&sketch->random, 8)) {
		case 0:
			from = draw_loop(sketch, from, inner);
			break;
		case 1:
			from = draw_branch(sketch, from,
				3 + random_below(&sketch->random, MAX_CASES - 2), inner);
			break;
		case 2:
		case 3:
			from = draw_call(sketch, from);
			break;
		case 4:
			from = draw_return(sketch, from);
			break;
		default:
			from = draw_branch(sketch, from, 2, inner);
		}
	}
	return from;
}

static void draw_function(struct sketch *sketch, uint32_t edges)
{
	draw(sketch, draw_statements(sketch, 0, edges - 1), AT_EXIT);
}

static void draw_random(struct sketch *sketch, uint32_t edges)
{
	uint32_t vertices = edges / 5 * 2;
	for (sketch->vertices = 1; sketch->vertices < vertices;)
		draw_new(sketch, random_below(&sketch->random, sketch->vertices));
	while (sketch->edges + 1 < edges)
		draw(sketch, random_below(&sketch->random, vertices),
			random_below(&sketch->random, vertices));
	draw(sketch, vertices - 1, AT_EXIT);
}

struct shape {
	const char *name;
	void (*draw)(struct sketch *sketch, uint32_t edges);
};

static const struct shape shapes[] = {{"function", draw_function}, {"random", draw_random}};

static void fail(const char *text)
{
	fprintf(stderr, "growth: %s\n", text);
	exit(1);
}

static void must_succeed(int status, const struct wm_error *error)
{
	if (status)
		fail(error->text);
}

/* Every edge joins vertices that were drawn, and only to leave in a call is uncountable. */
static void must_be_sound(const struct sketch *sketch)
{
	for (uint32_t e = 0; e < sketch->edges; e++) {
		const struct drawn_edge *edge = &sketch->edge[e];
		bool leaves = edge->target == AT_EXIT;
		if (edge->source >= sketch->vertices ||
			(edge->target >= sketch->vertices && !leaves) ||
			(edge->uncountable && !leaves))
			fail("an edge is not as it was drawn");
	}
}

static struct function build_function(const struct sketch *sketch)
{
	struct function function = {0};
	uint32_t edges = sketch->edges, exit = sketch->vertices;
	uint32_t *source = wm_arena_alloc(&function.arena, edges, sizeof(*source));
	uint32_t *target = wm_arena_alloc(&function.arena, edges, sizeof(*target));
	function.uncountable = wm_arena_alloc(&function.arena, edges, sizeof(bool));
	function.uncountable_vertex = wm_arena_alloc(&function.arena, exit + 1, sizeof(bool));
	function.still = wm_arena_alloc(&function.arena, edges, sizeof(bool));
	for (uint32_t e = 0; e < edges; e++) {
		source[e] = sketch->edge[e].source;
		target[e] = sketch->edge[e].target == AT_EXIT ? exit : sketch->edge[e].target;
		function.uncountable[e] = sketch->edge[e].uncountable;
	}
	function.cfg = wm_cfg_build(&function.arena, exit + 1, edges, source, target, 0, exit);
	return function;
}

static struct function make_function(const struct shape *shape, uint32_t edges, uint64_t seed)
{
	struct wm_arena of_sketch = {0};
	struct sketch sketch = {
		.arena = &of_sketch, .random = random_from_seed(seed), .vertices = 1};
	shape->draw(&sketch, edges);
	must_be_sound(&sketch);
	struct function function = build_function(&sketch);
	wm_arena_reset(&of_sketch);
	return function;
}

struct weights {
	double *edge;
	double *vertex;
};

static struct weights weigh(struct wm_arena *arena, const struct wm_cfg *cfg)
{
	struct weights weights = {wm_arena_alloc(arena, cfg->edge_count, sizeof(double)),
		wm_arena_alloc(arena, cfg->vertex_count, sizeof(double))};
	wm_weights_heuristic(cfg, weights.edge);
	for (uint32_t v = 0; v < cfg->vertex_count; v++)
		weights.vertex[v] = wm_plan_vertex_weight(cfg, weights.edge, v);
	return weights;
}

static void plan_edges(struct wm_arena *arena, const struct function *function)
{
	struct weights weights = weigh(arena, function->cfg);
	struct wm_plan_request request = {.problem = WM_PROBLEM_EDGES,
		.weight = weights.edge,
		.vertex_weight = weights.vertex,
		.uncountable = function->uncountable};
	struct wm_plan plan;
	struct wm_error error;
	must_succeed(wm_plan_make(arena, function->cfg, &request, &plan, &error), &error);
}

static void plan_paths_between(
	struct wm_arena *arena, const struct function *function, uint64_t max_prehistories)
{
	struct weights weights = weigh(arena, function->cfg);
	struct wm_path_request request = {.cuts = {.at_loop_entries = true,
						  .max_routes = ARRAY_LIMIT,
						  .max_routes_into_loop = MAX_ROUTES_INTO_LOOP,
						  .max_prehistories = max_prehistories},
		.edge_cost = weights.edge,
		.vertex_cost = weights.vertex,
		.plain_vertex_cost = weights.vertex,
		.plain_cost = weights.edge,
		.edge_weight = weights.edge,
		.vertex_weight = weights.vertex,
		.uncountable = function->uncountable,
		.still = function->still,
		.uncountable_vertex = function->uncountable_vertex,
		.array_limit = ARRAY_LIMIT};
	struct wm_path_plan plan;
	struct wm_paths paths;
	struct wm_error error;
	must_succeed(wm_path_plan_make(arena, function->cfg, &request, &plan, &error), &error);
	must_succeed(
		wm_paths_number_regions(arena, function->cfg, plan.cut, &paths, &error), &error);
}

static void plan_paths(struct wm_arena *arena, const struct function *function)
{
	plan_paths_between(arena, function, 0);
}

static void plan_classic(struct wm_arena *arena, const struct function *function)
{
	plan_paths_between(arena, function, (uint64_t)1 << 40);
}

struct planner {
	const char *name;
	void (*plan)(struct wm_arena *arena, const struct function *function);
};

static const struct planner planners[] = {
	{"edges", plan_edges}, {"paths", plan_paths}, {"classic", plan_classic}};

static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double time_of(
	const struct planner *planner, const struct function *functions, uint32_t count)
{
	double start = seconds();
	for (uint32_t i = 0; i < count; i++) {
		struct wm_arena arena = {0};
		planner->plan(&arena, &functions[i]);
		wm_arena_reset(&arena);
	}
	return seconds() - start;
}

/* A row for each planner: shape, planner, edges of one function, functions, seconds for all. */
static void measure(const struct shape *shape, uint32_t edges)
{
	uint32_t count = edges < EDGES_OF_BATCH ? EDGES_OF_BATCH / edges : 1;
	struct function *functions = calloc(count, sizeof *functions);
	uint64_t total = 0;
	if (!functions)
		exit(1);
	for (uint32_t i = 0; i < count; i++) {
		functions[i] = make_function(shape, edges, edges + i);
		total += functions[i].cfg->edge_count;
	}
	for (size_t k = 0; k < sizeof planners / sizeof *planners; k++) {
		double best = time_of(&planners[k], functions, count);
		for (int i = 1; i < REPETITIONS; i++) {
			double again = time_of(&planners[k], functions, count);
			best = again < best ? again : best;
		}
		printf("%s %s %u %.9f\n", shape->name, planners[k].name, edges,
			best / (double)total * edges);
		fflush(stdout);
	}
	for (uint32_t i = 0; i < count; i++)
		wm_arena_reset(&functions[i].arena);
	free(functions);
}

int main(int argc, char **argv)
{
	uint32_t max = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 0;
	if (max < MIN_EDGES) {
		fprintf(stderr, "usage: growth MAX_EDGES\n");
		return 2;
	}
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		for (uint32_t edges = MIN_EDGES; edges <= max; edges *= 10)
			measure(&shapes[i], edges);
	return 0;
}
