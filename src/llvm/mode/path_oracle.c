/* The oracle for paths: every block entered is a call of the runtime, which keeps the sequence.
 *
 * The state of the sequence lies in a slot of the frame. A block all of whose in-edges are cut
 * starts a path itself; where only some are cut, the path ends on these edges. A block that only
 * returns behind tail calls is reported on the edges that lead to it, before those calls. */
#include "llvm/mode/paths.h"

#include "format/oracle_key.h"
#include "llvm/emit/record.h"
#include "llvm/mode/terms.h"

struct tracer {
	struct wm_lowerer *lowerer;
	const struct wm_capture *capture;
	const bool *cut;
	LLVMTypeRef i32;
	LLVMTypeRef step_type, end_type;
	LLVMValueRef step, end; /* functions of the runtime */
	LLVMValueRef state;	/* slot */
	LLVMValueRef *on_edge;	/* by edge: before what its calls stand; NULL: it has none */
	LLVMValueRef *in_block; /* by block, likewise */
	LLVMValueRef site;
};

static LLVMValueRef number(LLVMTypeRef type, uint64_t value)
{
	return LLVMConstInt(type, value, false);
}

static LLVMValueRef load_state(struct tracer *tracer, LLVMValueRef before)
{
	LLVMPositionBuilderBefore(tracer->lowerer->builder, before);
	return LLVMBuildLoad2(tracer->lowerer->builder, tracer->lowerer->i64, tracer->state, "");
}

static void restart(struct tracer *tracer, LLVMValueRef before)
{
	LLVMPositionBuilderBefore(tracer->lowerer->builder, before);
	LLVMBuildStore(tracer->lowerer->builder, number(tracer->lowerer->i64, WM_ORACLE_START),
		tracer->state);
}

static void enter(struct tracer *tracer, LLVMValueRef before, uint32_t vertex, bool cut)
{
	LLVMBuilderRef builder = tracer->lowerer->builder;
	LLVMValueRef arguments[] = {tracer->site, load_state(tracer, before),
		number(tracer->i32, vertex), number(tracer->i32, cut)};
	LLVMValueRef state =
		LLVMBuildCall2(builder, tracer->step_type, tracer->step, arguments, 4, "");
	LLVMBuildStore(builder, state, tracer->state);
}

static void end_path(struct tracer *tracer, LLVMValueRef before, uint32_t vertex)
{
	LLVMValueRef arguments[] = {
		tracer->site, load_state(tracer, before), number(tracer->i32, vertex)};
	LLVMBuildCall2(tracer->lowerer->builder, tracer->end_type, tracer->end, arguments, 3, "");
}

static uint32_t cut_edges_into(const struct tracer *tracer, uint32_t vertex)
{
	const struct wm_cfg *cfg = tracer->capture->cfg;
	uint32_t count = 0;
	for (uint32_t k = cfg->in_start[vertex]; k < cfg->in_start[vertex + 1]; k++)
		count += tracer->cut[cfg->in_edge[k]];
	return count;
}

static bool is_shared_return(const struct tracer *tracer, uint32_t vertex)
{
	return vertex < tracer->capture->block_count &&
	       wm_capture_is_shared_return(tracer->capture, tracer->capture->blocks[vertex]);
}

static bool comes_from_exit(const struct tracer *tracer, uint32_t vertex)
{
	const struct wm_cfg *cfg = tracer->capture->cfg;
	for (uint32_t k = cfg->in_start[vertex]; k < cfg->in_start[vertex + 1]; k++)
		if (cfg->source[cfg->in_edge[k]] == cfg->exit)
			return true;
	return false;
}

static void trace_block(struct tracer *tracer, uint32_t vertex)
{
	const struct wm_cfg *cfg = tracer->capture->cfg;
	uint32_t in_edges = cfg->in_start[vertex + 1] - cfg->in_start[vertex];
	bool from_outside = comes_from_exit(tracer, vertex);
	if (from_outside)
		restart(tracer, tracer->in_block[vertex]);
	enter(tracer, tracer->in_block[vertex], vertex,
		!from_outside && cut_edges_into(tracer, vertex) == in_edges);
}

/* Whether something happens on the edge that its target cannot report. */
static bool is_traced(const struct tracer *tracer, uint32_t edge)
{
	const struct wm_cfg *cfg = tracer->capture->cfg;
	uint32_t source = cfg->source[edge], target = cfg->target[edge];
	uint32_t in_edges = cfg->in_start[target + 1] - cfg->in_start[target];
	if (tracer->capture->sites[edge].kind == WM_SITE_ABANDONED || source == cfg->exit ||
		is_shared_return(tracer, source))
		return false;
	bool mixed = tracer->cut[edge] && cut_edges_into(tracer, target) < in_edges;
	return target == cfg->exit || mixed || is_shared_return(tracer, target);
}

static void trace_edge(struct tracer *tracer, uint32_t edge)
{
	const struct wm_cfg *cfg = tracer->capture->cfg;
	uint32_t target = cfg->target[edge];
	LLVMValueRef before = tracer->on_edge[edge];
	if (is_shared_return(tracer, target)) {
		enter(tracer, before, target, tracer->cut[edge]);
		end_path(tracer, before, cfg->exit);
		return;
	}
	end_path(tracer, before, target);
	if (target != cfg->exit)
		restart(tracer, before);
}

/* All places are found before the first call is there. */
static void find_places(struct tracer *tracer, struct wm_arena *arena)
{
	const struct wm_capture *capture = tracer->capture;
	tracer->on_edge = wm_arena_alloc(arena, capture->cfg->edge_count, sizeof(*tracer->on_edge));
	tracer->in_block = wm_arena_alloc(arena, capture->block_count, sizeof(*tracer->in_block));
	for (uint32_t e = 0; e < capture->cfg->edge_count; e++)
		if (is_traced(tracer, e))
			tracer->on_edge[e] = wm_lowerer_edge_position(tracer->lowerer, e);
	for (uint32_t v = 0; v < capture->block_count; v++)
		if (!is_shared_return(tracer, v))
			tracer->in_block[v] = wm_capture_block_start(capture->blocks[v]);
}

static struct tracer start(struct wm_lowerer *lowerer, const bool *cut)
{
	LLVMModuleRef module = lowerer->subject->module;
	LLVMContextRef context = LLVMGetModuleContext(module);
	LLVMTypeRef i64 = lowerer->i64, i32 = LLVMInt32TypeInContext(context);
	LLVMTypeRef types[] = {i64, i64, i32, i32};
	struct tracer tracer = {.lowerer = lowerer,
		.capture = lowerer->subject->capture,
		.cut = cut,
		.i32 = i32,
		.step_type = LLVMFunctionType(i64, types, 4, false),
		.end_type = LLVMFunctionType(LLVMVoidTypeInContext(context), types, 3, false),
		.site = LLVMConstPtrToInt(lowerer->counters, i64)};
	tracer.step =
		wm_record_runtime_function(module, "__waymark_oracle_enter", tracer.step_type);
	tracer.end = wm_record_runtime_function(module, "__waymark_oracle_end", tracer.end_type);
	return tracer;
}

static int plan(const struct wm_mode *mode, const struct wm_subject *subject, void **result,
	struct wm_error *error)
{
	(void)mode, (void)error;
	struct wm_cuts *cuts = wm_arena_alloc(subject->arena, 1, sizeof *cuts);
	struct wm_terms terms = wm_terms_make(subject);
	struct wm_regions_request request =
		wm_paths_cuts(subject, terms.must_start, terms.no_prehistory);
	*cuts = wm_regions_cut(subject->arena, subject->capture->cfg, &request);
	*result = cuts;
	return WM_PLAN_MADE;
}

static uint32_t describe(const struct wm_mode *mode, const struct wm_subject *subject,
	const void *plan, uint32_t first, struct wm_function *described)
{
	const struct wm_cuts *cuts = plan;
	struct wm_oracle_section *section = wm_arena_alloc(subject->arena, 1, sizeof *section);
	*section = (struct wm_oracle_section){.head = {mode->measure, first, 1}};
	wm_paths_describe_cuts(subject->arena, cuts->cut, cuts->soft, described);
	described->oracle = section;
	return section->head.counter_count;
}

/* Calls are written at once. Those of a block come before those of its out-edges: both may stand
 * before one instruction. */
static void lower(struct wm_lowerer *lowerer, const void *plan)
{
	const struct wm_cuts *cuts = plan;
	struct tracer tracer = start(lowerer, cuts->cut);
	const struct wm_capture *capture = tracer.capture;
	find_places(&tracer, lowerer->subject->arena);
	tracer.state = wm_lowerer_slot(lowerer, lowerer->i64);
	for (uint32_t v = 0; v < capture->block_count; v++)
		if (tracer.in_block[v])
			trace_block(&tracer, v);
	for (uint32_t e = 0; e < capture->cfg->edge_count; e++)
		if (tracer.on_edge[e])
			trace_edge(&tracer, e);
}

const struct wm_mode_functions wm_oracle_mode = {plan, describe, lower, NULL};
