/* Loops whose trip count is known where they are entered: how often the back edge will be taken is
 * computed there, once per entry, for all who ask.
 *
 * All loops must be asked for before the first number is computed: to find a place for it an edge
 * may be split, and LLVM computes by the function as it is then.
 */
#include "core/cost.h"
#include "llvm/lowerer.h"

/* The loop whose only back edge this is, or NULL. */
static wm_loop_ref loop_of_back_edge(const struct wm_lowering *job, uint32_t edge)
{
	const struct wm_site *site = &job->capture->sites[edge];
	if (!site->source || !site->target)
		return NULL;
	wm_loop_ref loop = wm_bridge_loop_of(job->bridge, site->target);
	bool back_edge = loop && wm_bridge_loop_header(loop) == site->target &&
			 wm_bridge_loop_latch(loop) == site->source;
	return back_edge ? loop : NULL;
}

bool wm_lowerer_is_back_edge(const struct wm_lowerer *lowerer, uint32_t edge)
{
	return loop_of_back_edge(lowerer->job, edge) != NULL;
}

/* The same if its trip count is known at its entry. */
static wm_loop_ref counted_loop(const struct wm_lowering *job, uint32_t edge)
{
	wm_loop_ref loop = job->optimise ? loop_of_back_edge(job, edge) : NULL;
	if (!loop || !wm_bridge_loop_facts(job->bridge, loop).closed ||
		!wm_bridge_loop_is_counted(job->bridge, loop))
		return NULL;
	return loop;
}

/* The one edge by which control comes to the loop, if code fits on it that does not run otherwise.
 */
static bool find_entry(const struct wm_lowering *job, uint32_t back_edge, uint32_t *entry)
{
	const struct wm_cfg *cfg = job->capture->cfg;
	uint32_t header = cfg->target[back_edge];
	const uint32_t *in = &cfg->in_edge[cfg->in_start[header]];
	if (cfg->in_start[header + 1] - cfg->in_start[header] != 2)
		return false;
	*entry = in[0] == back_edge ? in[1] : in[0];
	enum wm_site_kind kind = job->capture->sites[*entry].kind;
	return kind == WM_SITE_SOURCE_END || kind == WM_SITE_SPLIT;
}

static wm_loop_ref find_loop(const struct wm_lowering *job, uint32_t back_edge, uint32_t *entry)
{
	return find_entry(job, back_edge, entry) ? counted_loop(job, back_edge) : NULL;
}

bool wm_lower_cost_outside(const struct wm_lowering *lowering, uint32_t edge, double *cost)
{
	uint32_t entry;
	if (!find_loop(lowering, edge, &entry))
		return false;
	bool split = lowering->capture->sites[entry].kind == WM_SITE_SPLIT;
	*cost = lowering->edge_weight[entry] * (wm_prices.outside + (split ? wm_prices.split : 0));
	return true;
}

const struct wm_turns *wm_lowerer_ask_turns(struct wm_lowerer *lowerer, uint32_t back_edge)
{
	const struct wm_lowering *job = lowerer->job;
	uint32_t entry;
	if (lowerer->turns[back_edge])
		return lowerer->turns[back_edge];
	wm_loop_ref loop = find_loop(job, back_edge, &entry);
	if (!loop)
		return NULL;
	struct wm_turns *turns = wm_arena_alloc(job->arena, 1, sizeof(*turns));
	*turns = (struct wm_turns){.loop = loop,
		.before = wm_lowerer_edge_position(lowerer, entry),
		.weight = job->edge_weight[entry]};
	return lowerer->turns[back_edge] = turns;
}

void wm_lowerer_compute_turns(struct wm_lowerer *lowerer)
{
	const struct wm_cfg *cfg = lowerer->job->capture->cfg;
	for (uint32_t e = 0; e < cfg->edge_count; e++) {
		struct wm_turns *turns = lowerer->turns[e];
		if (turns)
			turns->number = wm_bridge_loop_back_edges(
				lowerer->job->bridge, turns->loop, turns->before);
	}
}
