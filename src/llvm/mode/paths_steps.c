/* Steps of a plan for paths.
 *
 * core/paths/path_steps.h says what registers do on edges and in blocks, and how probes count. Here
 * this becomes steps before instructions. Along an edge first the probe counts, by the history at
 * the source. Then the register changes. Then, in the target, the block's probe counts. Steps are
 * added in this order, class by class, so that they are also in order where several stand before
 * one instruction. */
#include "core/base/none.h"
#include "core/paths/path_steps.h"
#include "llvm/probe/meters.h"
#include "llvm/mode/paths.h"

/* Whether the edge's steps come before those of the target's own block. */
static bool stands_in_target(const struct wm_lowerer *lowerer, uint32_t edge)
{
	return lowerer->subject->capture->sites[edge].kind == WM_SITE_TARGET_START;
}

static enum wm_step_kind step_kind(const struct wm_path_plan *plan, uint32_t k)
{
	switch (wm_path_steps_counting(plan, &plan->probes[k])) {
	case WM_COUNTING_BY_REGISTER:
		return WM_STEP_COUNT_BY_HISTORY;
	case WM_COUNTING_IN_TABLE:
		return WM_STEP_COUNT_IN_TABLE;
	case WM_COUNTING_PLAIN:
		break;
	}
	return WM_STEP_COUNT;
}

static bool tells_routes_apart(const struct wm_path_plan *plan, uint32_t k)
{
	return wm_path_plan_probe_histories(plan, &plan->probes[k]) > 1;
}

/* The number to add to the register, or the number of the counter itself. */
static uint64_t counter_of(const struct wm_path_plan *plan, uint32_t k, uint32_t vertex)
{
	bool indexed = step_kind(plan, k) == WM_STEP_COUNT_BY_HISTORY;
	return plan->first_counter[k] + (indexed ? plan->potential[vertex] : 0);
}

/* A plan, and the counters that its probes have for known keys: by probe, or NULL. */
struct source {
	const struct wm_path_plan *plan;
	const struct wm_probe_keys *const *keys;
	const struct wm_path_meters *meters; /* or NULL */
	bool sentinels;			     /* probes are sentinels */
};

static const struct wm_probe_keys *known_keys(const struct source *source, uint32_t k)
{
	return source->keys ? source->keys[k] : NULL;
}

/* Behind the step that counts a path which ends with this edge: the path gets what was read. Its
 * words are those of its counter, behind all counters. */
static void read_meters(struct wm_lowerer *lowerer, const struct source *from, uint32_t edge)
{
	const struct wm_step *count = &lowerer->pending[lowerer->pending_count - 1];
	if (!from->meters || !from->meters->read[edge] || count->kind == WM_STEP_COUNT_IN_TABLE)
		return;
	wm_lowerer_add(lowerer, (struct wm_step){.kind = WM_STEP_READ_METERS,
					.before = count->before,
					.counter = from->plan->counter_count + count->counter,
					.stride = from->meters->stride,
					.with_route = count->kind == WM_STEP_COUNT_BY_HISTORY,
					.amount = count->amount,
					.weight = count->weight});
}

/* The group gets what passed since it was entered. */
static void leave_groups(struct wm_lowerer *lowerer, const struct source *from, bool in_target)
{
	for (uint32_t e = 0; from->meters && e < from->plan->function->edge_count; e++)
		if (from->meters->left_group[e] != WM_NONE &&
			stands_in_target(lowerer, e) == in_target)
			wm_lowerer_add(
				lowerer, (struct wm_step){.kind = WM_STEP_READ_METERS,
						 .before = wm_lowerer_edge_position(lowerer, e),
						 .counter = 2 * from->plan->counter_count +
							    from->meters->left_group[e],
						 .stride = from->meters->stride,
						 .weight = lowerer->subject->edge_weight[e]});
}

static void enter_meters(struct wm_lowerer *lowerer)
{
	const struct wm_capture *capture = lowerer->subject->capture;
	wm_meters_open(lowerer);
	wm_lowerer_add(lowerer,
		(struct wm_step){.kind = WM_STEP_ENTER_METERS,
			.before = wm_capture_block_start(capture->blocks[capture->cfg->entry])});
}

static void count_edge(struct wm_lowerer *lowerer, const struct source *from, uint32_t k)
{
	const struct wm_path_plan *plan = from->plan;
	uint32_t edge = plan->probes[k].index;
	uint32_t source = plan->function->source[edge];
	wm_lowerer_count_edge(lowerer, step_kind(plan, k), edge, counter_of(plan, k, source));
	struct wm_step *step = &lowerer->pending[lowerer->pending_count - 1];
	step->potential = plan->potential[source];
	step->known = known_keys(from, k);
	step->with_prehistory = wm_path_plan_probe_has_prehistories(plan, &plan->probes[k]);
	step->with_route = tells_routes_apart(plan, k);
	step->table = plan->first_counter[k];
	if (from->sentinels)
		step->kind = WM_STEP_DEPARTURE;
	read_meters(lowerer, from, edge);
}

static void count_vertex(struct wm_lowerer *lowerer, const struct source *from, uint32_t k)
{
	const struct wm_path_plan *plan = from->plan;
	uint32_t vertex = plan->probes[k].index;
	LLVMBasicBlockRef block = lowerer->subject->capture->blocks[vertex];
	wm_lowerer_add(lowerer,
		(struct wm_step){.kind = from->sentinels ? WM_STEP_DEPARTURE : step_kind(plan, k),
			.before = wm_capture_block_start(block),
			.counter = counter_of(plan, k, vertex),
			.weight = lowerer->subject->vertex_weight[vertex],
			.potential = plan->potential[vertex],
			.known = known_keys(from, k),
			.with_prehistory =
				wm_path_plan_probe_has_prehistories(plan, &plan->probes[k]),
			.with_route = tells_routes_apart(plan, k),
			.table = plan->first_counter[k]});
}

/* What is done where a loop is entered. */
struct known_iterations {
	const struct wm_iterations **of_probe; /* by probe: a plain one on a back edge */
	const struct wm_iterations **of_sets;  /* by back edge: what it sets */
};

static struct known_iterations ask_iterations(struct wm_lowerer *lowerer, const struct source *from)
{
	const struct wm_path_plan *plan = from->plan;
	struct known_iterations known = {.of_probe = wm_arena_alloc(lowerer->subject->arena,
						 plan->probe_count, sizeof(*known.of_probe)),
		.of_sets = wm_paths_quiet_loops(lowerer, plan)};
	for (uint32_t k = 0; k < plan->probe_count && !from->sentinels; k++)
		if (wm_probe_is_on_edge(&plan->probes[k]) &&
			!(from->meters && from->meters->read[plan->probes[k].index]) &&
			!wm_path_steps_reads_registers(plan, &plan->probes[k]))
			known.of_probe[k] =
				wm_lowerer_ask_iterations(lowerer, plan->probes[k].index);
	wm_lowerer_compute_iterations(lowerer);
	return known;
}

static void count_iterations(struct wm_lowerer *lowerer, const struct wm_path_plan *plan,
	const struct known_iterations *known)
{
	for (uint32_t k = 0; k < plan->probe_count; k++)
		if (known->of_probe[k])
			wm_lowerer_count_iterations(
				lowerer, known->of_probe[k], plan->first_counter[k], 1);
}

static void count_edges(struct wm_lowerer *lowerer, const struct source *from,
	const struct known_iterations *known, bool in_target)
{
	const struct wm_path_plan *plan = from->plan;
	for (uint32_t k = 0; k < plan->probe_count; k++)
		if (!known->of_probe[k] && wm_probe_is_on_edge(&plan->probes[k]) &&
			stands_in_target(lowerer, plan->probes[k].index) == in_target)
			count_edge(lowerer, from, k);
}

/* Where code stands that changes registers. */
struct change_place {
	LLVMValueRef before;
	double weight;
	LLVMValueRef unless; /* an i1, or NULL: nothing changes if it is true */
};

static struct change_place place_on_edge(struct wm_lowerer *lowerer, uint32_t edge)
{
	return (struct change_place){.before = wm_lowerer_edge_position(lowerer, edge),
		.weight = lowerer->subject->edge_weight[edge]};
}

static void change_prehistory(struct wm_lowerer *lowerer, const struct wm_path_plan *plan,
	uint32_t edge, struct change_place place)
{
	struct wm_prehistory_step change = wm_path_steps_prehistory(plan, edge);
	wm_lowerer_add(
		lowerer, (struct wm_step){.kind = WM_STEP_SET_PREHISTORY,
				 .before = place.before,
				 .counter = change.value,
				 .weight = place.weight,
				 .unless = place.unless,
				 .with_prehistory = change.with_prehistory,
				 .with_route = change.with_route,
				 .routes = change.routes,
				 .potential = plan->potential[plan->function->source[edge]]});
}

/* Where control comes from outside there is no prehistory. That matters if a still edge leads on
 * from there. */
static void enter_without_prehistory(struct wm_lowerer *lowerer, const struct wm_path_plan *plan)
{
	uint32_t entry = plan->function->entry;
	LLVMValueRef start = wm_capture_block_start(lowerer->subject->capture->blocks[entry]);
	if (plan->has_prehistory[entry])
		wm_lowerer_add(
			lowerer, (struct wm_step){.kind = WM_STEP_SET_PREHISTORY, .before = start});
}

static void change_prehistories(struct wm_lowerer *lowerer, const struct wm_path_plan *plan,
	const struct known_iterations *known, bool in_target)
{
	for (uint32_t e = 0; e < plan->function->edge_count; e++)
		if (stands_in_target(lowerer, e) == in_target && !known->of_sets[e] &&
			wm_path_steps_prehistory(plan, e).changes)
			change_prehistory(lowerer, plan, e, place_on_edge(lowerer, e));
}

static void add_change(
	struct wm_lowerer *lowerer, struct wm_register_step change, struct change_place place)
{
	bool set = change.change == WM_REGISTER_SET;
	wm_lowerer_add(
		lowerer, (struct wm_step){.kind = set ? WM_STEP_SET_HISTORY : WM_STEP_MOVE_HISTORY,
				 .before = place.before,
				 .counter = change.value,
				 .weight = place.weight,
				 .unless = place.unless});
}

static void change_on_edges(struct wm_lowerer *lowerer, const struct wm_path_plan *plan,
	const struct known_iterations *known, bool in_target)
{
	for (uint32_t e = 0; e < plan->function->edge_count; e++) {
		struct wm_register_step change = wm_path_steps_on_edge(plan, e);
		if (change.change != WM_REGISTER_KEPT && !known->of_sets[e] &&
			stands_in_target(lowerer, e) == in_target)
			add_change(lowerer, change, place_on_edge(lowerer, e));
	}
}

/* Where a loop is entered: sets what its back edge would set in each iteration. If it will not
 * iterate, the registers stay as they are. */
static void change_before_loops(struct wm_lowerer *lowerer, const struct wm_path_plan *plan,
	const struct known_iterations *known)
{
	for (uint32_t e = 0; e < plan->function->edge_count; e++) {
		const struct wm_iterations *iterations = known->of_sets[e];
		if (!iterations)
			continue;
		LLVMPositionBuilderBefore(lowerer->builder, iterations->before);
		struct change_place place = {iterations->before, iterations->weight,
			LLVMBuildICmp(lowerer->builder, LLVMIntEQ, iterations->number,
				LLVMConstInt(lowerer->i64, 0, false), "")};
		struct wm_register_step change = wm_path_steps_on_edge(plan, e);
		if (wm_path_steps_prehistory(plan, e).changes)
			change_prehistory(lowerer, plan, e, place);
		if (change.change != WM_REGISTER_KEPT)
			add_change(lowerer, change, place);
	}
}

static void change_in_blocks(struct wm_lowerer *lowerer, const struct wm_path_plan *plan)
{
	for (uint32_t v = 0; v < plan->function->exit; v++) {
		struct wm_register_step change = wm_path_steps_in_block(plan, v);
		if (change.change != WM_REGISTER_KEPT)
			add_change(lowerer, change,
				(struct change_place){wm_capture_block_start(
							      lowerer->subject->capture->blocks[v]),
					lowerer->subject->vertex_weight[v], NULL});
	}
}

static bool needs_register(const struct wm_path_plan *plan)
{
	for (uint32_t v = 0; v < plan->function->vertex_count; v++)
		if (plan->has_register[v])
			return true;
	return false;
}

static bool needs_prehistory(const struct wm_path_plan *plan)
{
	for (uint32_t v = 0; v < plan->function->vertex_count; v++)
		if (plan->has_prehistory[v])
			return true;
	return false;
}

/* What happens on edges, in this order: probes count, then prehistory and register change. */
static void take_edges(struct wm_lowerer *lowerer, const struct source *from,
	const struct known_iterations *known, bool in_target)
{
	leave_groups(lowerer, from, in_target);
	count_edges(lowerer, from, known, in_target);
	if (lowerer->prehistory)
		change_prehistories(lowerer, from->plan, known, in_target);
	if (lowerer->history)
		change_on_edges(lowerer, from->plan, known, in_target);
}

static void add_steps(struct wm_lowerer *lowerer, struct source from)
{
	const struct wm_path_plan *plan = from.plan;
	struct known_iterations known = ask_iterations(lowerer, &from);
	if (from.meters)
		enter_meters(lowerer);
	count_iterations(lowerer, plan, &known);
	if (needs_register(plan))
		lowerer->history = wm_lowerer_slot(lowerer, wm_lowerer_history_type(lowerer));
	if (needs_prehistory(plan))
		lowerer->prehistory = wm_lowerer_slot(lowerer, lowerer->i64);
	if (lowerer->prehistory)
		enter_without_prehistory(lowerer, plan);
	take_edges(lowerer, &from, &known, true);
	if (lowerer->history)
		change_in_blocks(lowerer, plan);
	for (uint32_t k = 0; k < plan->probe_count; k++)
		if (!wm_probe_is_on_edge(&plan->probes[k]))
			count_vertex(lowerer, &from, k);
	take_edges(lowerer, &from, &known, false);
	change_before_loops(lowerer, plan, &known);
}

void wm_paths_add_steps(struct wm_lowerer *lowerer, const struct wm_path_plan *plan,
	const struct wm_probe_keys *const *keys, const struct wm_path_meters *meters)
{
	add_steps(lowerer, (struct source){plan, keys, meters, false});
}

void wm_paths_add_sentinel_steps(struct wm_lowerer *lowerer, const struct wm_path_plan *plan)
{
	add_steps(lowerer, (struct source){plan, NULL, NULL, true});
}
