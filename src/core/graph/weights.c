/* Weightings: the heuristic of Ball & Larus 1994, section 5, and Goldberg's (their section 7).
 *
 * Rule 1: a vertex weighs the sum of its incoming edges that are not back edges.
 * Rule 2: a loop entry of weight W gives each of the N edges that leave its loop W / N.
 * Rule 3: what is left of the vertex's weight, a loop entry's times ten, is shared evenly by its
 * other outgoing edges. An edge that leaves several loops at once gets its weight from the
 * outermost, whose entry comes first in topological order. A weighting is nonnegative by
 * definition, so where the edges that leave a loop outweigh their source the others get zero.
 */
#include "core/graph/weights.h"

#include "core/graph/depth_first.h"
#include "core/graph/loops.h"

static const double LOOP_MULTIPLIER = 10;

/* Loops nested so deep that their weights would grow beyond all numbers weigh the same. */
static const double GREATEST_WEIGHT = 1e200;

struct weighing {
	const struct wm_cfg *cfg;
	const struct wm_depth_first *order;
	const struct wm_loops *loops;
	uint32_t *left_loop;  /* by edge: entry of the outermost loop that it leaves, or WM_NONE */
	uint32_t *exit_count; /* by loop entry: edges that leave its loop */
	double *exit_weight;  /* by loop entry: weight of each of them */
	double *weight;
};

/* An edge leaves all loops from the innermost of its source up to left_loop: it is added at the
 * lower end of this chain, taken away above its upper end, and summed up the forest. */
static void count_exits(struct weighing *weighing)
{
	const struct wm_cfg *cfg = weighing->cfg;
	const struct wm_loops *loops = weighing->loops;
	uint32_t *count = weighing->exit_count;
	for (uint32_t e = 0; e < cfg->edge_count; e++) {
		uint32_t outermost = weighing->left_loop[e];
		if (outermost == WM_NONE)
			continue;
		count[wm_loops_innermost(loops, cfg->source[e])]++;
		if (loops->place[outermost].enclosing != WM_NONE)
			count[loops->place[outermost].enclosing]--;
	}
	for (uint32_t i = cfg->vertex_count; i-- > 0;) {
		uint32_t v = weighing->order->preorder[i];
		if (loops->place[v].enclosing != WM_NONE)
			count[loops->place[v].enclosing] += count[v];
	}
}

static double arriving(const struct weighing *weighing, uint32_t v)
{
	const struct wm_cfg *cfg = weighing->cfg;
	double sum = 0;
	for (uint32_t i = cfg->in_start[v]; i < cfg->in_start[v + 1]; i++) {
		uint32_t e = cfg->in_edge[i];
		if (e == wm_cfg_closing_edge(cfg))
			sum += 1;
		else if (!weighing->order->back_edge[e])
			sum += weighing->weight[e];
	}
	return sum;
}

static void share_out(struct weighing *weighing, uint32_t v, double vertex_weight)
{
	const struct wm_cfg *cfg = weighing->cfg;
	uint32_t others = 0;
	double rest = vertex_weight;
	for (uint32_t i = cfg->out_start[v]; i < cfg->out_start[v + 1]; i++) {
		uint32_t e = cfg->out_edge[i];
		if (weighing->left_loop[e] == WM_NONE) {
			others++;
			continue;
		}
		weighing->weight[e] = weighing->exit_weight[weighing->left_loop[e]];
		rest -= weighing->weight[e];
	}
	for (uint32_t i = cfg->out_start[v]; i < cfg->out_start[v + 1]; i++) {
		uint32_t e = cfg->out_edge[i];
		if (weighing->left_loop[e] == WM_NONE)
			weighing->weight[e] = rest > 0 ? rest / others : 0;
	}
}

static void weigh(struct weighing *weighing, uint32_t v)
{
	double weight = arriving(weighing, v);
	if (weighing->loops->place[v].is_entry) {
		if (weighing->exit_count[v])
			weighing->exit_weight[v] = weight / weighing->exit_count[v];
		if (weight < GREATEST_WEIGHT)
			weight *= LOOP_MULTIPLIER;
	}
	share_out(weighing, v, weight);
}

/* Re-entries weigh what the closing edge weighs. Their weights are needed before the pass reaches
 * EXIT. */
static void weigh_reentries(const struct wm_cfg *cfg, double *weight)
{
	for (uint32_t i = cfg->out_start[cfg->exit]; i < cfg->out_start[cfg->exit + 1]; i++)
		if (cfg->out_edge[i] != wm_cfg_closing_edge(cfg))
			weight[cfg->out_edge[i]] = 1;
}

void wm_weights_heuristic(const struct wm_cfg *cfg, double *weight)
{
	struct wm_arena scratch = {0};
	struct wm_depth_first order = wm_depth_first_search_meetings(&scratch, cfg);
	struct wm_loops loops = wm_loops_find(&scratch, cfg, &order);
	size_t vertices = cfg->vertex_count;
	struct weighing weighing = {
		.cfg = cfg,
		.order = &order,
		.loops = &loops,
		.left_loop = wm_loops_outermost_left(&scratch, cfg, &loops),
		.exit_count = wm_arena_alloc(&scratch, vertices, sizeof *weighing.exit_count),
		.exit_weight = wm_arena_alloc(&scratch, vertices, sizeof *weighing.exit_weight),
		.weight = weight,
	};
	count_exits(&weighing);
	weigh_reentries(cfg, weight);
	for (uint32_t i = cfg->vertex_count; i-- > 0;)
		if (order.postorder[i] != cfg->exit)
			weigh(&weighing, order.postorder[i]);
	wm_arena_reset(&scratch);
}

void wm_weights_goldberg(const struct wm_cfg *cfg, double *weight)
{
	struct wm_arena scratch = {0};
	struct wm_depth_first order = wm_depth_first_search(&scratch, cfg);
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		weight[e] = order.back_edge[e] ? (double)cfg->vertex_count + 1
					       : order.postorder_number[cfg->source[e]] + 1.0;
	wm_arena_reset(&scratch);
}
