/* Loops whose trip count is known where they are entered: how often the back edge will be taken is
 * computed there, once per entry, for every probe that asks.
 *
 * All loops must be asked for before the first number is computed. To find a place for a number an
 * edge may be split, and LLVM computes by the function as it is then. */
#include "llvm/probe/lowerer.h"
#include "llvm/subject/loop_costs.h"

const struct wm_iterations *wm_lowerer_ask_iterations(
	struct wm_lowerer *lowerer, uint32_t back_edge)
{
	const struct wm_subject *subject = lowerer->subject;
	uint32_t entry;
	if (lowerer->iterations[back_edge])
		return lowerer->iterations[back_edge];
	wm_loop_ref loop = wm_loop_counted(subject, back_edge, &entry);
	if (!loop)
		return NULL;
	struct wm_iterations *iterations = wm_arena_alloc(subject->arena, 1, sizeof(*iterations));
	*iterations = (struct wm_iterations){.loop = loop,
		.before = wm_lowerer_edge_position(lowerer, entry),
		.weight = subject->edge_weight[entry]};
	return lowerer->iterations[back_edge] = iterations;
}

void wm_lowerer_compute_iterations(struct wm_lowerer *lowerer)
{
	const struct wm_cfg *cfg = lowerer->subject->capture->cfg;
	for (uint32_t e = 0; e < cfg->edge_count; e++) {
		struct wm_iterations *iterations = lowerer->iterations[e];
		if (iterations)
			iterations->number = wm_bridge_loop_back_edges(
				lowerer->subject->bridge, iterations->loop, iterations->before);
	}
}
