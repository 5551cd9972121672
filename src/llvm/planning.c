/* Planning: costs and obstacles of the captured function go to the planners of core. */
#include "llvm/planning.h"

#include <stdlib.h>

#include "core/cost.h"
#include "core/disjoint_sets.h"
#include "llvm/asm_goto.h"

/* Histories of a probe that have a counter each; where more ways meet, paths are cut, and classic
 * paths go on in a context. */
enum { ARRAY_LIMIT = 256, CLASSIC_ARRAY_LIMIT = 512 };

/* Ways into a loop that are still told apart by the one register in all of its turns. */
enum { MOST_INTO_LOOP = 256 };

/* The counters of a function are to take no more room than its code: so many for each of its
 * instructions, of which the code takes about six bytes; and a few for small functions. Classic
 * paths would go to tables instead, which costs too much time. */
static const double counters_per_instruction = 1.5;
enum { MIN_COUNTERS = 512 };

/* Classic paths go on at loop entries and where very many ways meet, but in a context, which is
 * kept in a register of its own and counted in tables; where there would be more of these they are
 * cut. Paths that are longer still hardly ever run twice. */
static const uint64_t most_contexts = (uint64_t)1 << 28;

/* The costs and obstacles of a function. */
struct terms {
	double *edge_cost; /* in place */
	double *vertex_cost;
	double *plain_cost; /* where a loop may help */
	double *plain_vertex_cost;
	bool *uncountable;
	bool *uncountable_vertex;
	bool *still;
	bool *must_start;
	bool *no_context;
};

bool wm_planning_is_countable(const struct wm_site *site)
{
	return site->kind != WM_SITE_NOWHERE && site->kind != WM_SITE_ABANDONED;
}

static enum wm_place place_of(const struct wm_site *site)
{
	return site->kind == WM_SITE_SPLIT	? WM_PLACE_SPLIT
	       : site->kind == WM_SITE_COMPARED ? WM_PLACE_COMPARED
						: WM_PLACE_IN_BLOCK;
}

/* How much more than elsewhere a count costs in the block. Where weights were measured they decide
 * alone: the factor was found to help only between blocks that are expected to run alike. */
static double block_factor(const struct wm_lowering *lowering, LLVMBasicBlockRef block)
{
	bool branches = LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(block)) > 1;
	return branches || lowering->measured ? 1 : wm_prices.without_branch;
}

/* What a probe on the edge is expected to cost, in executed instructions per call, if `size` is the
 * price of a block that it needs for itself. */
static double cost_in_place(const struct wm_lowering *lowering, uint32_t edge, double size)
{
	const struct wm_site *site = &lowering->capture->sites[edge];
	enum wm_place place = place_of(site);
	double factor = site->kind == WM_SITE_TARGET_START ? block_factor(lowering, site->target)
			: site->kind == WM_SITE_SOURCE_END ? block_factor(lowering, site->source)
							   : 1;
	double source_weight = place == WM_PLACE_COMPARED
				       ? wm_bridge_block_frequency(lowering->bridge, site->source)
				       : 0;
	return factor * wm_cost_on_edge(place, lowering->edge_weight[edge], source_weight) +
	       (place == WM_PLACE_SPLIT ? size : 0);
}

/* The loop in which the probe would stand. */
static wm_loop_ref loop_of_probe(const struct wm_lowering *lowering, uint32_t edge)
{
	const struct wm_site *site = &lowering->capture->sites[edge];
	if (site->kind == WM_SITE_SPLIT)
		return wm_bridge_loop_around(lowering->bridge, site->source, site->target);
	if (site->kind == WM_SITE_TARGET_START)
		return wm_bridge_loop_of(lowering->bridge, site->target);
	return site->kind == WM_SITE_SOURCE_END ? wm_bridge_loop_of(lowering->bridge, site->source)
						: NULL;
}

/* The same where the count may be computed outside of a loop, or kept in a register of it. */
static double plain_cost(const struct wm_lowering *lowering, uint32_t edge, double in_place)
{
	double weight = lowering->edge_weight[edge], outside;
	if (wm_lower_cost_outside(lowering, edge, &outside))
		return outside;
	wm_loop_ref loop = loop_of_probe(lowering, edge);
	return in_place + wm_lower_cost_in_loop(lowering, loop, weight) -
	       wm_lower_cost_in_loop(lowering, NULL, weight);
}

struct weighted_probe {
	struct wm_probe probe;
	double weight;
};

static int by_falling_weight(const void *left, const void *right)
{
	const struct weighted_probe *a = left, *b = right;
	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	if (a->probe.kind != b->probe.kind)
		return a->probe.kind < b->probe.kind ? -1 : 1;
	return (a->probe.index > b->probe.index) - (a->probe.index < b->probe.index);
}

/* Counters that run often stand side by side, so that they fill few cache lines. */
static void put_hot_counters_first(
	struct wm_arena *arena, const struct wm_lowering *lowering, struct wm_plan *plan)
{
	struct weighted_probe *order = wm_arena_alloc(arena, plan->probe_count, sizeof(*order));
	for (uint32_t k = 0; k < plan->probe_count; k++) {
		struct wm_probe probe = plan->probes[k];
		order[k] = (struct weighted_probe){
			probe, probe.kind == WM_PROBE_EDGE ? lowering->edge_weight[probe.index]
							   : lowering->vertex_weight[probe.index]};
	}
	qsort(order, plan->probe_count, sizeof(*order), by_falling_weight);
	for (uint32_t k = 0; k < plan->probe_count; k++)
		plan->probes[k] = order[k].probe;
}

/* Nothing fits on an edge from an indirect jump to a block that others lead to; the register that
 * holds the history can yet go along it unchanged, unless several such jumps share targets. */
static void find_still_edges(
	struct wm_arena *arena, const struct wm_capture *capture, struct terms *terms)
{
	const struct wm_cfg *cfg = capture->cfg;
	struct wm_disjoint_sets sets = wm_disjoint_sets_make(arena, cfg->vertex_count);
	bool in_the_way = false;
	for (uint32_t edge = 0; edge < cfg->edge_count; edge++) {
		terms->still[edge] = capture->sites[edge].kind == WM_SITE_COMPARED;
		terms->no_context[cfg->target[edge]] |= terms->still[edge];
		if (terms->still[edge])
			in_the_way |=
				!wm_disjoint_sets_join(&sets, cfg->source[edge], cfg->target[edge]);
	}
	for (uint32_t edge = 0; edge < cfg->edge_count; edge++) {
		bool nowhere = capture->sites[edge].kind == WM_SITE_NOWHERE;
		if (cfg->target[edge] != cfg->exit &&
			(nowhere || (in_the_way && terms->still[edge])))
			terms->must_start[cfg->target[edge]] = true;
	}
	wm_asm_goto_find_merges(capture, terms->must_start);
}

/* Classic paths lose more by it than they gain: what they then count elsewhere goes to tables. */
static double price_of_size(const struct wm_plugin_options *options)
{
	bool paths = options->problem == WM_PROBLEM_PATHS ||
		     options->problem == WM_PROBLEM_PATHS_AT_ENDS;
	return paths && !options->classic_paths ? wm_prices.size_among_paths : wm_prices.size;
}

static struct terms make_terms(
	struct wm_arena *arena, const struct wm_lowering *lowering, double size)
{
	const struct wm_capture *capture = lowering->capture;
	const struct wm_cfg *cfg = capture->cfg;
	struct terms terms = {
		.edge_cost = wm_arena_alloc(arena, cfg->edge_count, sizeof(double)),
		.vertex_cost = wm_arena_alloc(arena, cfg->vertex_count, sizeof(double)),
		.plain_cost = wm_arena_alloc(arena, cfg->edge_count, sizeof(double)),
		.plain_vertex_cost = wm_arena_alloc(arena, cfg->vertex_count, sizeof(double)),
		.uncountable = wm_arena_alloc(arena, cfg->edge_count, sizeof(bool)),
		.uncountable_vertex = wm_arena_alloc(arena, cfg->vertex_count, sizeof(bool)),
		.still = wm_arena_alloc(arena, cfg->edge_count, sizeof(bool)),
		.must_start = wm_arena_alloc(arena, cfg->vertex_count, sizeof(bool)),
		.no_context = wm_arena_alloc(arena, cfg->vertex_count, sizeof(bool)),
	};
	for (uint32_t edge = 0; edge < cfg->edge_count; edge++) {
		terms.edge_cost[edge] = cost_in_place(lowering, edge, size);
		terms.plain_cost[edge] = plain_cost(lowering, edge, terms.edge_cost[edge]);
		terms.uncountable[edge] = !wm_planning_is_countable(&capture->sites[edge]);
	}
	for (uint32_t i = 0; i < capture->block_count; i++) {
		wm_loop_ref loop = wm_bridge_loop_of(lowering->bridge, capture->blocks[i]);
		double weight = lowering->vertex_weight[i],
		       factor = block_factor(lowering, capture->blocks[i]);
		terms.vertex_cost[i] = factor * wm_lower_cost_in_loop(lowering, NULL, weight);
		terms.plain_vertex_cost[i] = factor * wm_lower_cost_in_loop(lowering, loop, weight);
		terms.uncountable_vertex[i] =
			wm_capture_is_shared_return(capture, capture->blocks[i]);
		terms.must_start[i] = wm_bridge_is_peeled(lowering->bridge, capture->blocks[i]);
	}
	find_still_edges(arena, capture, &terms);
	return terms;
}

static int plan_counters(struct wm_arena *arena, const struct terms *terms,
	const struct wm_lowering *lowering, struct wm_planned *planned, struct wm_error *error)
{
	struct wm_plan_request request = {.problem = planned->problem,
		.weight = terms->plain_cost,
		.vertex_weight = terms->plain_vertex_cost,
		.uncountable = terms->uncountable};
	int status = wm_plan_make(arena, lowering->capture->cfg, &request, &planned->plan, error);
	if (status)
		return status;
	put_hot_counters_first(arena, lowering, &planned->plan);
	planned->counter_count = planned->probe_count = planned->plan.probe_count;
	planned->probes = planned->plan.probes;
	return 0;
}

static int plan_paths(struct wm_arena *arena, const struct terms *terms,
	const struct wm_regions_request *cuts, const struct wm_lowering *lowering,
	struct wm_planned *planned, struct wm_error *error)
{
	struct wm_path_request request = {.cuts = *cuts,
		.edge_cost = terms->edge_cost,
		.vertex_cost = terms->vertex_cost,
		.plain_cost = terms->plain_cost,
		.plain_vertex_cost = terms->plain_vertex_cost,
		.edge_weight = lowering->edge_weight,
		.vertex_weight = lowering->vertex_weight,
		.uncountable = terms->uncountable,
		.still = terms->still,
		.uncountable_vertex = terms->uncountable_vertex,
		.at_ends = planned->problem == WM_PROBLEM_PATHS_AT_ENDS,
		.array_limit = (uint32_t)cuts->most_prefixes};
	int status =
		wm_path_plan_make(arena, lowering->capture->cfg, &request, &planned->paths, error);
	if (status)
		return status;
	planned->cut = planned->paths.cut;
	planned->soft = planned->paths.soft;
	planned->array_limit = (uint32_t)cuts->most_prefixes;
	planned->counter_count = (uint32_t)planned->paths.counter_count;
	planned->probe_count = planned->paths.probe_count;
	planned->probes = planned->paths.probes;
	return 0;
}

/* The oracle keeps everything in one table, which one counter names. */
static void plan_trace(struct wm_arena *arena, const struct wm_regions_request *cuts,
	const struct wm_lowering *lowering, struct wm_planned *planned)
{
	struct wm_cuts chosen = wm_regions_cut(arena, lowering->capture->cfg, cuts);
	planned->cut = chosen.cut;
	planned->soft = chosen.soft;
	planned->counter_count = 1;
}

static uint64_t max_counters(const struct wm_capture *capture)
{
	uint64_t instructions = 0;
	for (uint32_t i = 0; i < capture->block_count; i++)
		for (LLVMValueRef at = LLVMGetFirstInstruction(capture->blocks[i]); at;
			at = LLVMGetNextInstruction(at))
			instructions++;
	double wanted = counters_per_instruction * (double)instructions;
	return wanted > MIN_COUNTERS ? (uint64_t)wanted : MIN_COUNTERS;
}

int wm_planning_make(struct wm_arena *arena, const struct wm_plugin_options *options,
	const struct wm_lowering *lowering, struct wm_planned *planned, struct wm_error *error)
{
	struct terms terms = make_terms(arena, lowering, price_of_size(options));
	struct wm_regions_request cuts = {.at_loop_entries = true,
		.must_start = terms.must_start,
		.no_context = terms.no_context,
		.most_prefixes = options->classic_paths ? CLASSIC_ARRAY_LIMIT : ARRAY_LIMIT,
		.max_counters = options->classic_paths ? 0 : max_counters(lowering->capture),
		.most_into_loop = MOST_INTO_LOOP,
		.most_contexts = options->classic_paths ? most_contexts : 0};
	*planned = (struct wm_planned){.problem = options->problem};
	switch (options->problem) {
	case WM_PROBLEM_PATHS:
	case WM_PROBLEM_PATHS_AT_ENDS:
		if (!plan_paths(arena, &terms, &cuts, lowering, planned, error))
			return 0;
		planned->problem = WM_PROBLEM_EDGES;
		break;
	case WM_PROBLEM_REDUNDANT_PATHS:
		plan_trace(arena, &cuts, lowering, planned);
		return 0;
	default:
		break;
	}
	return plan_counters(arena, &terms, lowering, planned, error);
}
