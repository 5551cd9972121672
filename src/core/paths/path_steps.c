/* Steps of a path plan. Where a vertex has several histories the register holds the history minus
 * the vertex's potential; where all edges into it are cut or soft it is set in the block, once. */
#include "core/paths/path_steps.h"

enum wm_counting wm_path_steps_counting(
	const struct wm_path_plan *plan, const struct wm_probe *probe)
{
	if (!wm_path_plan_probe_has_array(plan, probe))
		return WM_COUNTING_IN_TABLE;
	return wm_path_plan_probe_histories(plan, probe) > 1 ? WM_COUNTING_BY_REGISTER
							     : WM_COUNTING_PLAIN;
}

bool wm_path_steps_reads_registers(const struct wm_path_plan *plan, const struct wm_probe *probe)
{
	return wm_path_steps_counting(plan, probe) != WM_COUNTING_PLAIN ||
	       wm_path_plan_probe_has_prehistories(plan, probe);
}

/* Whether every edge into the vertex is cut or soft. */
static bool always_starts(const struct wm_path_plan *plan, uint32_t vertex)
{
	return wm_path_plan_histories(plan, vertex) == 1 &&
	       plan->regions.is_start[wm_split_arrival(vertex)];
}

struct wm_register_step wm_path_steps_in_block(const struct wm_path_plan *plan, uint32_t vertex)
{
	if (!plan->has_register[vertex] || !always_starts(plan, vertex))
		return (struct wm_register_step){WM_REGISTER_KEPT, 0};
	return (struct wm_register_step){WM_REGISTER_SET, -plan->potential[vertex]};
}

struct wm_register_step wm_path_steps_on_edge(const struct wm_path_plan *plan, uint32_t edge)
{
	uint32_t source = plan->function->source[edge], target = plan->function->target[edge];
	bool starts = plan->cut[edge] || plan->soft[edge];
	if (!plan->has_register[target] || always_starts(plan, target))
		return (struct wm_register_step){WM_REGISTER_KEPT, 0};
	uint64_t value = (starts ? 0 : plan->regions.offset[edge]) - plan->potential[target];
	if (starts || !plan->has_register[source])
		return (struct wm_register_step){WM_REGISTER_SET, value};
	value += plan->potential[source];
	return (struct wm_register_step){value ? WM_REGISTER_MOVED : WM_REGISTER_KEPT, value};
}

/* A path that starts has no prehistory; on a soft edge what came before becomes one. */
struct wm_prehistory_step wm_path_steps_prehistory(const struct wm_path_plan *plan, uint32_t edge)
{
	uint32_t source = plan->function->source[edge];
	struct wm_prehistory_step step = {
		.changes = plan->has_prehistory[plan->function->target[edge]]};
	if (!step.changes)
		return step;
	if (!plan->soft[edge]) {
		step.changes = plan->cut[edge] || !plan->has_prehistory[source];
		return step;
	}
	step.value = 1 + plan->regions.offset[edge];
	step.routes = wm_path_plan_histories(plan, source);
	step.with_route = plan->has_register[source] && step.routes > 1;
	step.with_prehistory = plan->has_prehistory[source];
	return step;
}
