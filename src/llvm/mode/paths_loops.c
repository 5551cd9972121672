/* Loops that leave the registers of paths alone.
 *
 * A back edge starts a new path and sets the registers, in each iteration to the same. If nothing
 * else in the loop reads or changes them, it only matters behind the loop whether the edge was
 * taken at all. If the iterations are known, that is known at the entry. */
#include "core/paths/path_steps.h"
#include "llvm/mode/paths.h"
#include "llvm/subject/loop_costs.h"

struct search {
	const struct wm_path_plan *plan;
	bool *touched;	    /* by vertex: a register is read or changed there */
	bool *read;	    /* by edge: a register is read there */
	uint32_t *seen_for; /* by vertex: 1 + the back edge it was last looked at for */
	uint32_t *stack;
};

static struct search begin(struct wm_arena *arena, const struct wm_path_plan *plan)
{
	const struct wm_cfg *cfg = plan->function;
	struct search search = {.plan = plan,
		.touched = wm_arena_alloc(arena, cfg->vertex_count, sizeof(bool)),
		.read = wm_arena_alloc(arena, cfg->edge_count, sizeof(bool)),
		.seen_for = wm_arena_alloc(arena, cfg->vertex_count, sizeof(uint32_t)),
		.stack = wm_arena_alloc(arena, cfg->vertex_count, sizeof(uint32_t))};
	for (uint32_t k = 0; k < plan->probe_count; k++) {
		bool *of = wm_probe_is_on_edge(&plan->probes[k]) ? search.read : search.touched;
		of[plan->probes[k].index] |= wm_path_steps_reads_registers(plan, &plan->probes[k]);
	}
	for (uint32_t v = 0; v < cfg->exit; v++)
		search.touched[v] |= wm_path_steps_in_block(plan, v).change != WM_REGISTER_KEPT;
	return search;
}

static bool touches(const struct search *search, uint32_t edge)
{
	return search->read[edge] ||
	       wm_path_steps_on_edge(search->plan, edge).change != WM_REGISTER_KEPT ||
	       wm_path_steps_prehistory(search->plan, edge).changes;
}

/* Whether the edge sets registers to values that do not depend on what they hold. */
static bool sets_registers(const struct search *search, uint32_t edge)
{
	enum wm_register_change change = wm_path_steps_on_edge(search->plan, edge).change;
	struct wm_prehistory_step prehistory = wm_path_steps_prehistory(search->plan, edge);
	bool depends = prehistory.changes && (prehistory.with_route || prehistory.with_prehistory);
	return !search->read[edge] && change != WM_REGISTER_MOVED && !depends &&
	       (change == WM_REGISTER_SET || prehistory.changes);
}

/* Walks the loop from its back edge backwards to its header. */
static bool loop_touches(struct search *search, uint32_t back_edge)
{
	const struct wm_cfg *cfg = search->plan->function;
	uint32_t header = cfg->target[back_edge], depth = 0;
	search->seen_for[header] = search->seen_for[cfg->source[back_edge]] = back_edge + 1;
	if (search->touched[header])
		return true;
	if (cfg->source[back_edge] != header)
		search->stack[depth++] = cfg->source[back_edge];
	while (depth) {
		uint32_t v = search->stack[--depth];
		if (search->touched[v])
			return true;
		for (uint32_t k = cfg->in_start[v]; k < cfg->in_start[v + 1]; k++) {
			uint32_t source = cfg->source[cfg->in_edge[k]];
			if (touches(search, cfg->in_edge[k]))
				return true;
			if (search->seen_for[source] != back_edge + 1)
				search->stack[depth++] = source;
			search->seen_for[source] = back_edge + 1;
		}
	}
	return false;
}

const struct wm_iterations **wm_paths_quiet_loops(
	struct wm_lowerer *lowerer, const struct wm_path_plan *plan)
{
	struct wm_arena *arena = lowerer->subject->arena;
	const struct wm_cfg *cfg = plan->function;
	const struct wm_iterations **iterations =
		wm_arena_alloc(arena, cfg->edge_count, sizeof(*iterations));
	struct search search = begin(arena, plan);
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		if (sets_registers(&search, e) && wm_loop_of_back_edge(lowerer->subject, e) &&
			!loop_touches(&search, e))
			iterations[e] = wm_lowerer_ask_iterations(lowerer, e);
	return iterations;
}
