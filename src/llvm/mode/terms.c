/* The prices of core/cost/prices.h applied to a subject. */
#include "llvm/mode/terms.h"

#include "core/base/disjoint_sets.h"
#include "core/cost/prices.h"
#include "llvm/subject/asm_goto.h"
#include "llvm/subject/loop_costs.h"

static enum wm_place place_of(const struct wm_site *site)
{
	return site->kind == WM_SITE_SPLIT	? WM_PLACE_SPLIT
	       : site->kind == WM_SITE_COMPARED ? WM_PLACE_COMPARED
						: WM_PLACE_IN_BLOCK;
}

/* How much more than elsewhere a count costs in the block. Where weights were measured they decide
 * alone: the factor was found to help only between blocks that are expected to run alike. */
static double block_factor(const struct wm_subject *subject, LLVMBasicBlockRef block)
{
	bool branches = LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(block)) > 1;
	return branches || subject->measured ? 1 : wm_prices.without_branch;
}

/* What a probe on the edge is expected to cost, in executed instructions per call, if `size` is the
 * price of a block that it needs for itself. */
static double cost_in_place(const struct wm_subject *subject, uint32_t edge, double size)
{
	const struct wm_site *site = &subject->capture->sites[edge];
	enum wm_place place = place_of(site);
	double factor = site->kind == WM_SITE_TARGET_START ? block_factor(subject, site->target)
			: site->kind == WM_SITE_SOURCE_END ? block_factor(subject, site->source)
							   : 1;
	double source_weight = place == WM_PLACE_COMPARED
				       ? wm_bridge_block_frequency(subject->bridge, site->source)
				       : 0;
	return factor * wm_cost_on_edge(place, subject->edge_weight[edge], source_weight) +
	       (place == WM_PLACE_SPLIT ? size : 0);
}

/* The loop in which the probe would stand. */
static wm_loop_ref loop_of_probe(const struct wm_subject *subject, uint32_t edge)
{
	const struct wm_site *site = &subject->capture->sites[edge];
	if (site->kind == WM_SITE_SPLIT)
		return wm_bridge_loop_around(subject->bridge, site->source, site->target);
	if (site->kind == WM_SITE_TARGET_START)
		return wm_bridge_loop_of(subject->bridge, site->target);
	return site->kind == WM_SITE_SOURCE_END ? wm_bridge_loop_of(subject->bridge, site->source)
						: NULL;
}

/* The same if the count may be computed outside of a loop, or kept in a register of the loop. */
static double plain_cost(const struct wm_subject *subject, uint32_t edge, double in_place)
{
	double weight = subject->edge_weight[edge], outside;
	if (wm_loop_cost_outside(subject, edge, &outside))
		return outside;
	wm_loop_ref loop = loop_of_probe(subject, edge);
	return in_place + wm_loop_cost_inside(subject, loop, weight) -
	       wm_loop_cost_inside(subject, NULL, weight);
}

/* Nothing fits on an edge from an indirect jump to a block that other edges also lead to. The
 * register that holds the history can go along it unchanged, unless several such jumps share
 * targets. */
static void find_still_edges(
	struct wm_arena *arena, const struct wm_capture *capture, struct wm_terms *terms)
{
	const struct wm_cfg *cfg = capture->cfg;
	struct wm_disjoint_sets sets = wm_disjoint_sets_make(arena, cfg->vertex_count);
	bool in_the_way = false;
	for (uint32_t edge = 0; edge < cfg->edge_count; edge++) {
		terms->still[edge] = capture->sites[edge].kind == WM_SITE_COMPARED;
		terms->no_prehistory[cfg->target[edge]] |= terms->still[edge];
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

/* The higher price loses classic paths more than it gains them: what they then count elsewhere goes
 * to tables. */
static double price_of_size(const struct wm_plugin_options *options)
{
	bool paths = options->measure.quantity == WM_QUANTITY_PATHS &&
		     options->measure.placement != WM_PLACEMENT_REDUNDANT;
	return paths && !options->classic_paths ? wm_prices.size_among_paths : wm_prices.size;
}

struct wm_terms wm_terms_make(const struct wm_subject *subject)
{
	double size = price_of_size(subject->options);
	struct wm_arena *arena = subject->arena;
	const struct wm_capture *capture = subject->capture;
	const struct wm_cfg *cfg = capture->cfg;
	struct wm_terms terms = {
		.edge_cost = wm_arena_alloc(arena, cfg->edge_count, sizeof(double)),
		.vertex_cost = wm_arena_alloc(arena, cfg->vertex_count, sizeof(double)),
		.plain_cost = wm_arena_alloc(arena, cfg->edge_count, sizeof(double)),
		.plain_vertex_cost = wm_arena_alloc(arena, cfg->vertex_count, sizeof(double)),
		.uncountable = wm_arena_alloc(arena, cfg->edge_count, sizeof(bool)),
		.uncountable_vertex = wm_arena_alloc(arena, cfg->vertex_count, sizeof(bool)),
		.still = wm_arena_alloc(arena, cfg->edge_count, sizeof(bool)),
		.must_start = wm_arena_alloc(arena, cfg->vertex_count, sizeof(bool)),
		.no_prehistory = wm_arena_alloc(arena, cfg->vertex_count, sizeof(bool)),
	};
	for (uint32_t edge = 0; edge < cfg->edge_count; edge++) {
		terms.edge_cost[edge] = cost_in_place(subject, edge, size);
		terms.plain_cost[edge] = plain_cost(subject, edge, terms.edge_cost[edge]);
		terms.uncountable[edge] = !wm_site_is_countable(&capture->sites[edge]);
	}
	for (uint32_t i = 0; i < capture->block_count; i++) {
		wm_loop_ref loop = wm_bridge_loop_of(subject->bridge, capture->blocks[i]);
		double weight = subject->vertex_weight[i],
		       factor = block_factor(subject, capture->blocks[i]);
		terms.vertex_cost[i] = factor * wm_loop_cost_inside(subject, NULL, weight);
		terms.plain_vertex_cost[i] = factor * wm_loop_cost_inside(subject, loop, weight);
		terms.uncountable_vertex[i] =
			wm_capture_is_shared_return(capture, capture->blocks[i]);
		terms.must_start[i] = wm_bridge_is_peeled(subject->bridge, capture->blocks[i]);
	}
	find_still_edges(arena, capture, &terms);
	return terms;
}
