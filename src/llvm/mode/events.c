/* Running sums of events: increments on the chords of the anchored graph (core/counters/events.h).
 *
 * Anchors are the calls that may not come back or in which a sum may be asked for, and what may
 * trap. The graph is that of the capture without abandoned edges, which anchors make unnecessary;
 * a call that returns twice is an anchor like others, so control goes on behind it by one edge. A
 * call in tail position is the last that its block does: what follows is summed before it. */
#include "core/counters/events.h"

#include <string.h>

#include "core/graph/depth_first.h"
#include "llvm/emit/record.h"
#include "llvm/mode/events_values.h"
#include "llvm/mode/mode.h"
#include "llvm/mode/terms.h"
#include "llvm/probe/lowerer.h"
#include "llvm/subject/user_marks.h"

struct events_plan {
	struct wm_events_request request;
	struct wm_events_plan plan;
	const uint32_t *edge; /* by edge of the graph: that of the capture */
	const struct wm_segments *segments;
};

/* The capture's graph without what anchors make unnecessary. */
struct plain {
	struct wm_cfg *cfg;
	uint32_t *edge; /* by edge: that of the capture */
};

static bool is_abandoned(const struct wm_subject *subject, uint32_t edge)
{
	enum wm_site_kind kind = subject->capture->sites[edge].kind;
	return kind == WM_SITE_ABANDONED || kind == WM_SITE_BEFORE_SETJMP;
}

/* Behind an anchor that ends its block, control leaves the function by edges without events, of
 * which a return that others also jump to is one. */
static bool leaves_at_anchor(
	const struct wm_subject *subject, const struct wm_segments *segments, uint32_t edge)
{
	const struct wm_cfg *cfg = subject->capture->cfg;
	uint32_t source = cfg->source[edge], target = cfg->target[edge];
	if (source == cfg->exit || !segments->at_end[source])
		return false;
	return target == cfg->exit || segments->return_of[source] == target;
}

static struct plain draw(const struct wm_subject *subject, const struct wm_segments *segments)
{
	struct wm_arena *arena = subject->arena;
	const struct wm_cfg *cfg = subject->capture->cfg;
	uint32_t *source = wm_arena_alloc(arena, cfg->edge_count, sizeof *source);
	uint32_t *target = wm_arena_alloc(arena, cfg->edge_count, sizeof *target);
	struct plain plain = {.edge = wm_arena_alloc(arena, cfg->edge_count, sizeof *plain.edge)};
	uint32_t count = 0;
	for (uint32_t e = 0; e < cfg->edge_count; e++) {
		if (is_abandoned(subject, e) || leaves_at_anchor(subject, segments, e))
			continue;
		/* The edge from EXIT stands behind the one before the call that returns twice. */
		source[count] = cfg->source[e] == cfg->exit ? cfg->source[e - 1] : cfg->source[e];
		target[count] = cfg->target[e];
		plain.edge[count++] = e;
	}
	plain.cfg = wm_cfg_build(
		arena, cfg->vertex_count, count, source, target, cfg->entry, cfg->exit);
	return plain;
}

static double *weigh(const struct wm_subject *subject, const struct wm_anchored_graph *anchored,
	const struct plain *plain, const struct wm_terms *terms)
{
	double *edge_cost =
		wm_arena_alloc(subject->arena, plain->cfg->edge_count, sizeof *edge_cost);
	double *vertex_cost =
		wm_arena_alloc(subject->arena, plain->cfg->vertex_count, sizeof *vertex_cost);
	for (uint32_t e = 0; e < plain->cfg->edge_count; e++)
		edge_cost[e] = terms->plain_cost[plain->edge[e]];
	for (uint32_t v = 0; v < subject->capture->block_count; v++)
		vertex_cost[v] = terms->plain_vertex_cost[v];
	return wm_anchored_weights(
		subject->arena, anchored, edge_cost, vertex_cost, subject->vertex_weight[0]);
}

/* What is jumped to from calls in tail position holds no probe. */
static bool *find_uncountable(const struct wm_subject *subject, const struct plain *plain,
	const struct wm_anchored_graph *anchored, const struct wm_terms *terms)
{
	const struct wm_capture *capture = subject->capture;
	uint32_t count = anchored->graph->edge_count;
	bool *uncountable = wm_arena_alloc(subject->arena, (size_t)count + 1, sizeof *uncountable);
	for (uint32_t e = 0; e < count; e++) {
		const struct wm_anchored_edge *what = &anchored->edge[e];
		if (what->part == WM_ANCHORED_EDGE)
			uncountable[e] = terms->uncountable[plain->edge[what->index]];
		if (what->part == WM_ANCHORED_SEGMENT)
			uncountable[e] =
				wm_capture_is_shared_return(capture, capture->blocks[what->index]);
	}
	return uncountable;
}

/* What holds no probe hands its events to the edges to it. */
static void hand_on(const struct plain *plain, const struct wm_anchored_graph *anchored,
	const bool *uncountable, uint64_t *value)
{
	for (uint32_t e = 0; e < anchored->graph->edge_count; e++) {
		const struct wm_anchored_edge *what = &anchored->edge[e];
		if (what->part != WM_ANCHORED_SEGMENT || !uncountable[e])
			continue;
		for (uint32_t i = 0; i < plain->cfg->edge_count; i++)
			if (plain->cfg->target[i] == what->index)
				value[1 + i] += value[e]; /* behind the entry's edge */
		value[e] = 0;
	}
}

static const uint64_t *const *find_values(const struct wm_subject *subject,
	const struct plain *plain, const struct wm_anchored_graph *anchored,
	const struct wm_segments *segments, const bool *uncountable)
{
	struct wm_arena *arena = subject->arena;
	const struct wm_summed_kinds *kinds = &subject->options->events;
	uint32_t edges = anchored->graph->edge_count;
	const uint64_t **values = wm_arena_alloc(arena, kinds->count, sizeof *values);
	struct wm_depth_first search = wm_depth_first_search(arena, plain->cfg);
	for (uint32_t k = 0; k < kinds->count; k++) {
		uint64_t *value = wm_arena_alloc(arena, (size_t)edges + 1, sizeof *value);
		for (uint32_t e = 0; e < edges; e++) {
			const struct wm_anchored_edge *what = &anchored->edge[e];
			if (what->part == WM_ANCHORED_EDGE)
				value[e] = kinds->list[k].summed == WM_SUMMED_STEPS &&
					   search.back_edge[what->index];
			if (what->part == WM_ANCHORED_SEGMENT)
				value[e] = segments->value[k][segments->first[what->index] +
							      what->segment];
		}
		hand_on(plain, anchored, uncountable, value);
		values[k] = value;
	}
	return values;
}

static int plan(const struct wm_mode *mode, const struct wm_subject *subject, void **result,
	struct wm_error *error)
{
	struct events_plan *made = wm_arena_alloc(subject->arena, 1, sizeof *made);
	const struct wm_segments *segments = wm_segments_find(subject);
	struct wm_terms terms = wm_terms_make(subject);
	struct plain plain = draw(subject, segments);
	struct wm_anchors anchors = {.count = segments->anchor_count, .at_end = segments->at_end};
	const struct wm_anchored_graph *anchored =
		wm_anchored_graph_build(subject->arena, plain.cfg, &anchors);
	const bool *uncountable = find_uncountable(subject, &plain, anchored, &terms);
	*made = (struct events_plan){.edge = plain.edge, .segments = segments};
	made->request = (struct wm_events_request){.anchored = anchored,
		.kind_count = subject->options->events.count,
		.value = find_values(subject, &plain, anchored, segments, uncountable),
		.weight = weigh(subject, anchored, &plain, &terms),
		.uncountable = uncountable,
		.redundant = mode->measure.placement == WM_PLACEMENT_REDUNDANT};
	*result = made;
	return wm_events_plan_make(subject->arena, &made->request, &made->plan, error);
}

static uint32_t describe(const struct wm_mode *mode, const struct wm_subject *subject,
	const void *made, uint32_t first, struct wm_function *described)
{
	const struct wm_summed_kinds *kinds = &subject->options->events;
	struct wm_events_section *section = wm_arena_alloc(subject->arena, 1, sizeof *section);
	(void)made;
	*section = (struct wm_events_section){.head = {mode->measure, first, WM_EVENT_COUNTERS},
		.kind_count = kinds->count,
		.kinds = wm_arena_alloc(subject->arena, kinds->count, sizeof *section->kinds),
		.hashes = wm_arena_alloc(subject->arena, kinds->count, sizeof *section->hashes)};
	for (uint32_t k = 0; k < kinds->count; k++) {
		section->kinds[k] = kinds->list[k].word;
		section->hashes[k] = kinds->list[k].weights.hash;
	}
	described->events = section;
	return WM_EVENT_COUNTERS;
}

static void add_on_edge(struct wm_lowerer *lowerer, const struct wm_iterations *iterations,
	uint32_t edge, uint64_t kind, uint64_t increment)
{
	if (iterations)
		wm_lowerer_count_iterations(lowerer, iterations, kind, increment);
	else
		wm_lowerer_add_on_edge(lowerer, edge, kind, increment);
}

/* The increment on the edge that was added last also looks for the limit. Behind it the potential
 * is that of the edge's target. */
static void look_for_limit(
	struct wm_lowerer *lowerer, const struct events_plan *made, uint32_t edge, uint32_t kind)
{
	uint32_t target = made->request.anchored->graph->target[edge];
	struct wm_step *last = &lowerer->pending[lowerer->pending_count - 1];
	last->kind = WM_STEP_CHECK;
	last->potential = made->plan.potential[kind][target];
}

static LLVMValueRef start_of(const struct wm_lowerer *lowerer)
{
	return wm_capture_block_start(lowerer->subject->capture->blocks[0]);
}

/* Where the increments of a segment or of the entry stand. */
static LLVMValueRef place_of(const struct wm_lowerer *lowerer, const struct events_plan *made,
	const struct wm_anchored_edge *what)
{
	const struct wm_segments *segments = made->segments;
	return what->part == WM_ANCHORED_ENTRY
		       ? start_of(lowerer)
		       : segments->place[segments->first[what->index] + what->segment];
}

/* A sum has two words. Increments of one word wait for each other, so neighbours take turns, unless
 * other code compares the first word by itself. */
static uint32_t word_of(const struct wm_subject *subject, uint32_t edge, uint32_t kind)
{
	bool alone = subject->options->stops || subject->options->inclusive;
	return alone || edge % 2 == 0 ? kind : kind + WM_MAX_EVENT_KINDS;
}

static void add_increments(struct wm_lowerer *lowerer, const struct events_plan *made,
	uint32_t edge, const struct wm_iterations *iterations)
{
	const struct wm_anchored_edge *what = &made->request.anchored->edge[edge];
	const double *weight = lowerer->subject->vertex_weight;
	for (uint32_t k = 0; k < made->request.kind_count; k++) {
		uint64_t increment = made->plan.increment[k][edge];
		uint32_t word = word_of(lowerer->subject, edge, k);
		if (!increment)
			continue;
		if (what->part == WM_ANCHORED_EDGE)
			add_on_edge(lowerer, iterations, made->edge[what->index], word, increment);
		else
			wm_lowerer_count(lowerer, place_of(lowerer, made, what), word,
				LLVMConstInt(lowerer->i64, increment, false),
				weight[what->part == WM_ANCHORED_ENTRY ? 0 : what->index]);
		if (lowerer->subject->options->stops)
			look_for_limit(lowerer, made, edge, k);
	}
}

/* Marks with a number that only the running code knows: an addition on the spot. */
static void add_variable_marks(struct wm_lowerer *lowerer)
{
	const struct wm_summed_kinds *kinds = &lowerer->subject->options->events;
	const struct wm_capture *capture = lowerer->subject->capture;
	for (uint32_t v = 0; v < capture->block_count; v++)
		for (LLVMValueRef at = LLVMGetFirstInstruction(capture->blocks[v]); at;
			at = LLVMGetNextInstruction(at)) {
			const char *name = wm_user_mark_is(at) ? wm_user_mark_name(at) : NULL;
			if (!name || !wm_user_mark_variable(at))
				continue;
			for (uint32_t k = 0; k < kinds->count; k++)
				if (kinds->list[k].summed == WM_SUMMED_MARK &&
					strcmp(kinds->list[k].detail, name) == 0)
					wm_lowerer_count(lowerer, at, k, wm_user_mark_variable(at),
						lowerer->subject->vertex_weight[v]);
		}
}

/* Where a loop's trip count is asked for, nothing in the loop is an anchor. */
static void lower(struct wm_lowerer *lowerer, const void *plan)
{
	const struct events_plan *made = plan;
	const struct wm_anchored_graph *anchored = made->request.anchored;
	uint32_t edges = anchored->graph->edge_count;
	const struct wm_iterations **iterations =
		wm_arena_alloc(lowerer->subject->arena, edges, sizeof *iterations);
	for (uint32_t e = 0; e < edges; e++)
		if (anchored->edge[e].part == WM_ANCHORED_EDGE &&
			wm_events_is_counted(&made->request, &made->plan, e))
			iterations[e] = wm_lowerer_ask_iterations(
				lowerer, made->edge[anchored->edge[e].index]);
	wm_lowerer_compute_iterations(lowerer);
	for (uint32_t e = 0; e < edges; e++)
		add_increments(lowerer, made, e, iterations[e]);
	add_variable_marks(lowerer);
}

/* Counters that left a loop are stale, or ahead, for as long as it runs. */
static bool left_loops(const struct wm_lowerer *lowerer)
{
	if (lowerer->counts_in_registers)
		return true;
	for (uint32_t e = 0; e < lowerer->subject->capture->cfg->edge_count; e++)
		if (lowerer->iterations[e])
			return true;
	return false;
}

static void finish(struct wm_lowerer *lowerer, const void *plan)
{
	const struct events_plan *made = plan;
	bool stale = left_loops(lowerer);
	uint64_t bound[WM_MAX_EVENT_KINDS] = {0};
	for (uint32_t k = 0; k < made->request.kind_count; k++)
		bound[k] = stale ? UINT64_MAX : wm_events_bound(&made->request, &made->plan, k);
	wm_record_event_bounds(lowerer->subject->module, bound);
}

const struct wm_mode_functions wm_events_mode = {plan, describe, lower, finish};
