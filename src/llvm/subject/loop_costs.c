/* Two ways to count in a loop for less than an increment in each iteration: compute the count where
 * the loop is entered, if its trip count is known there; or keep the counter in a register, which
 * is added to memory where the loop is left.
 *
 * In memory a count takes three places of the processor's pipeline and makes the next one wait for
 * its store; in a register it takes one. A register costs its flush at the exit, and maybe another
 * value's place.
 */
#include "llvm/subject/loop_costs.h"

#include "core/cost/prices.h"
#include "llvm/tuning.h"

wm_loop_ref wm_loop_of_back_edge(const struct wm_subject *subject, uint32_t edge)
{
	const struct wm_site *site = &subject->capture->sites[edge];
	if (!site->source || !site->target)
		return NULL;
	wm_loop_ref loop = wm_bridge_loop_of(subject->bridge, site->target);
	bool back_edge = loop && wm_bridge_loop_header(loop) == site->target &&
			 wm_bridge_loop_latch(loop) == site->source;
	return back_edge ? loop : NULL;
}

/* The same if its trip count is known at its entry. */
static wm_loop_ref counted_loop(const struct wm_subject *subject, uint32_t edge)
{
	wm_loop_ref loop = subject->optimise ? wm_loop_of_back_edge(subject, edge) : NULL;
	if (!loop || !wm_bridge_loop_facts(subject->bridge, loop).closed ||
		!wm_bridge_loop_is_counted(subject->bridge, loop))
		return NULL;
	return loop;
}

/* The one edge by which control comes to the loop, if code fits on it that does not run otherwise.
 */
static bool find_entry(const struct wm_subject *subject, uint32_t back_edge, uint32_t *entry)
{
	const struct wm_cfg *cfg = subject->capture->cfg;
	uint32_t header = cfg->target[back_edge];
	const uint32_t *in = &cfg->in_edge[cfg->in_start[header]];
	if (cfg->in_start[header + 1] - cfg->in_start[header] != 2)
		return false;
	*entry = in[0] == back_edge ? in[1] : in[0];
	enum wm_site_kind kind = subject->capture->sites[*entry].kind;
	return kind == WM_SITE_SOURCE_END || kind == WM_SITE_SPLIT;
}

wm_loop_ref wm_loop_counted(const struct wm_subject *subject, uint32_t back_edge, uint32_t *entry)
{
	return find_entry(subject, back_edge, entry) ? counted_loop(subject, back_edge) : NULL;
}

bool wm_loop_cost_outside(const struct wm_subject *subject, uint32_t edge, double *cost)
{
	uint32_t entry;
	if (!wm_loop_counted(subject, edge, &entry))
		return false;
	bool split = subject->capture->sites[entry].kind == WM_SITE_SPLIT;
	*cost = subject->edge_weight[entry] * (wm_prices.outside + (split ? wm_prices.split : 0));
	return true;
}

/* Loops around others, or with calls, have time for a store, and their values need registers more.
 */
bool wm_loop_is_tight(const struct wm_subject *subject, wm_loop_ref loop)
{
	struct wm_loop_facts facts = wm_bridge_loop_facts(subject->bridge, loop);
	return facts.innermost && !facts.has_calls;
}

static bool is_short(const struct wm_loop_facts *facts)
{
	return facts->instructions <= (facts->left_at_one_place ? WM_SHORT_LOOP_WITH_ONE_EXIT
								: WM_SHORT_LOOP_WITH_SEVERAL_EXITS);
}

static bool loop_pays(const struct wm_subject *subject, wm_loop_ref loop)
{
	struct wm_loop_facts facts = wm_bridge_loop_facts(subject->bridge, loop);
	double iterations = facts.entries > 0 ? facts.iterations / facts.entries : 0;
	if (!facts.closed || !wm_loop_is_tight(subject, loop) ||
		iterations < wm_min_iterations_of_short_loop)
		return false;
	if (is_short(&facts))
		return true;
	if (subject->capture->block_count > WM_MAX_BLOCKS_WITH_LOOP_REGISTERS)
		return false;
	return (subject->measured && iterations >= wm_min_iterations_measured) ||
	       (iterations >= wm_min_iterations_expected &&
		       wm_bridge_loop_is_stepped(subject->bridge, loop));
}

bool wm_loop_keeps_in_register(const struct wm_subject *subject, wm_loop_ref loop, double weight)
{
	return loop && subject->optimise &&
	       weight * 2 >= wm_bridge_loop_facts(subject->bridge, loop).iterations &&
	       loop_pays(subject, loop);
}

double wm_loop_cost_inside(const struct wm_subject *subject, wm_loop_ref loop, double weight)
{
	if (!wm_loop_keeps_in_register(subject, loop, weight))
		return weight * wm_prices.increment;
	return weight * wm_prices.in_register +
	       wm_bridge_loop_facts(subject->bridge, loop).entries * wm_prices.flush;
}
