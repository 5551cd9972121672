/* Traces: the order of execution (format/trace_graph.h says what is told, format/trace_file.h how).
 *
 * The number of bits written so far is a running sum of events: each branch adds the bits of its
 * code. Its increments stand where the plan for events puts them (core/counters/events.h), and it
 * is exact at each call that is told, so nothing has to be repaired however a call ends. A code
 * that is not zero is written on its own edge, at the sum plus the potential of the branch.
 *
 * Where no probe fits on an edge of a branch, as on those of computed jumps, the target's code is
 * written in the target, wherever control comes from. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/none.h"
#include "core/counters/events.h"
#include "format/trace_file.h"
#include "format/trace_graph.h"
#include "llvm/emit/inner_entries.h"
#include "llvm/mode/mode.h"
#include "llvm/mode/terms.h"
#include "llvm/mode/trace_code.h"
#include "llvm/select.h"
#include "llvm/subject/call_sites.h"

struct plan {
	struct wm_trace_section *section;
	struct wm_trace_graph graph;
	const struct wm_anchored_graph *anchored;
	uint32_t *anchor_count; /* by vertex */
	bool *ends_at_anchor;	/* by vertex: the last call is an invoke */
	struct wm_events_plan events;
};

/* A function that has an inner entry has the hash of its description as an attribute. */
static const char known_mark[] = "waymark-trace-known";

/* 0: not known. */
static uint64_t hash_of(LLVMValueRef function)
{
	LLVMAttributeRef mark = LLVMGetStringAttributeAtIndex(
		function, LLVMAttributeFunctionIndex, known_mark, sizeof known_mark - 1);
	unsigned bytes;
	return mark ? strtoull(LLVMGetStringAttributeValue(mark, &bytes), NULL, 16) : 0;
}

static void mark_as_known(LLVMValueRef function, uint64_t hash)
{
	char text[20];
	int bytes = snprintf(text, sizeof text, "%" PRIx64, hash);
	LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
		LLVMCreateStringAttribute(LLVMGetTypeContext(LLVMTypeOf(function)), known_mark,
			sizeof known_mark - 1, text, (unsigned)bytes));
}

static bool has(LLVMValueRef function, const char *attribute)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(attribute, strlen(attribute));
	return kind && LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind);
}

/* A function elsewhere that neither calls back nor leaves but by its return. A program may have an
 * allocator of its own. */
static bool is_silent(const struct wm_call *call)
{
	return call->callee && LLVMIsDeclaration(call->callee) && has(call->callee, "nocallback") &&
	       has(call->callee, "nounwind") && has(call->callee, "willreturn") &&
	       !has(call->callee, "allockind") && !LLVMIsAInvokeInst(call->instruction);
}

/* In a ring every return is told: what came before it may be overwritten. */
static bool can_be_known(const struct wm_subject *subject, const struct wm_call *call)
{
	LLVMValueRef callee = call->callee;
	return callee && !subject->options->trace_ring &&
	       wm_inner_entries_is_reached(subject->module, callee) &&
	       wm_inner_entries_can_use(call->instruction, callee);
}

/* `self`: whether calls of the function itself are known. */
static bool is_known(const struct wm_subject *subject, const struct wm_call *call, bool self)
{
	return can_be_known(subject, call) &&
	       (call->callee == subject->capture->function ? self : hash_of(call->callee) != 0);
}

static bool is_linked(const struct wm_subject *subject, const struct wm_call *call)
{
	return can_be_known(subject, call) && LLVMIsDeclaration(call->callee);
}

static enum wm_call_class classify(
	const struct wm_subject *subject, const struct wm_call *call, bool self)
{
	bool known = is_known(subject, call, self), linked = is_linked(subject, call);
	if (call->is_tail)
		return known	? WM_CALL_TAIL_KNOWN
		       : linked ? WM_CALL_TAIL_LINKED
				: WM_CALL_TAIL_OPEN;
	if (LLVMIsAInvokeInst(call->instruction))
		return WM_CALL_INVOKE;
	if (wm_capture_returns_twice(call->instruction))
		return WM_CALL_AGAIN;
	if (is_silent(call))
		return WM_CALL_SILENT;
	return known ? WM_CALL_KNOWN : linked ? WM_CALL_LINKED : WM_CALL_OPEN;
}

/* What calls a function that ends with a call in tail position may see other functions entered than
 * this one. */
static bool has_inner_entry(const struct wm_subject *subject)
{
	const struct wm_capture *capture = subject->capture;
	if (subject->options->trace_ring ||
		!wm_inner_entries_is_reached(subject->module, capture->function) ||
		!wm_inner_entries_can_have(capture->function))
		return false;
	for (uint32_t i = 0; i < capture->call_count; i++)
		if (capture->calls[i].is_tail && wm_call_sites_has(&capture->calls[i]) &&
			!is_known(subject, &capture->calls[i], true))
			return false;
	return true;
}

static uint32_t number_of_block(const struct wm_capture *capture, LLVMBasicBlockRef block)
{
	uint32_t number = 0;
	while (capture->blocks[number] != block)
		number++;
	return number;
}

static void classify_calls(const struct wm_subject *subject, struct wm_trace_section *section)
{
	const struct wm_capture *capture = subject->capture;
	bool self = has_inner_entry(subject);
	uint32_t calls = subject->described.call_count, site = 0;
	section->call_class = wm_arena_alloc(subject->arena, calls, sizeof *section->call_class);
	section->pad = wm_arena_alloc(subject->arena, calls, sizeof *section->pad);
	section->callee = wm_arena_alloc(subject->arena, calls, sizeof *section->callee);
	section->is_inner = self && LLVMGetLinkage(capture->function) == LLVMExternalLinkage;
	for (uint32_t i = 0; i < capture->call_count; i++) {
		const struct wm_call *call = &capture->calls[i];
		if (!wm_call_sites_has(call))
			continue;
		section->call_class[site] = (uint8_t)classify(subject, call, self);
		if (section->call_class[site] == WM_CALL_INVOKE)
			section->pad[site] =
				number_of_block(capture, LLVMGetUnwindDest(call->instruction));
		if (call->callee && call->callee != capture->function)
			section->callee[site] = hash_of(call->callee);
		site++;
	}
}

struct weighted_edge {
	uint32_t edge;
	double weight;
	bool first; /* nothing can be written there */
};

static int by_falling_weight(const void *left, const void *right)
{
	const struct weighted_edge *a = left, *b = right;
	if (a->first != b->first)
		return a->first ? -1 : 1;
	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return (a->edge > b->edge) - (a->edge < b->edge);
}

static bool is_computed(const struct wm_subject *subject, const struct plan *plan, uint32_t vertex)
{
	const struct wm_cfg *cfg = plan->graph.cfg;
	for (uint32_t k = cfg->out_start[vertex]; k < cfg->out_start[vertex + 1]; k++)
		if (subject->capture->sites[plan->graph.edge[cfg->out_edge[k]]].kind ==
			WM_SITE_COMPARED)
			return true;
	return false;
}

/* The targets of all computed jumps of a function have codes of their own, the smallest for those
 * that run most. */
static int code_targets(const struct wm_subject *subject, struct plan *plan, struct wm_error *error)
{
	const struct wm_cfg *cfg = plan->graph.cfg;
	uint32_t count = 0;
	bool *is_target = wm_arena_alloc(subject->arena, cfg->vertex_count, sizeof *is_target);
	uint32_t *code = wm_arena_alloc(subject->arena, cfg->vertex_count, sizeof *code);
	struct weighted_edge *order =
		wm_arena_alloc(subject->arena, cfg->vertex_count, sizeof *order);
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		if (plan->graph.bits[cfg->source[e]] && is_computed(subject, plan, cfg->source[e]))
			is_target[cfg->target[e]] = true;
	for (uint32_t v = 0; v < cfg->exit; v++)
		if (is_target[v])
			order[count++] =
				(struct weighted_edge){v, subject->vertex_weight[v], false};
	qsort(order, count, sizeof *order, by_falling_weight);
	for (uint32_t k = 0; k < count; k++) {
		code[order[k].edge] = k;
		if (wm_capture_is_shared_return(
			    subject->capture, subject->capture->blocks[order[k].edge]))
			return wm_error_set(error, WM_ERROR_UNSOLVABLE,
				"a computed jump leads to a return that calls jump to");
	}
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		if (plan->graph.bits[cfg->source[e]] && is_computed(subject, plan, cfg->source[e]))
			plan->section->code[plan->graph.edge[e]] =
				code[cfg->target[e]] | WM_TRACE_AT_TARGET;
	return 0;
}

static int code_branch(const struct wm_subject *subject, struct plan *plan, uint32_t vertex,
	struct wm_error *error)
{
	const struct wm_cfg *cfg = plan->graph.cfg;
	uint32_t first = cfg->out_start[vertex], count = cfg->out_start[vertex + 1] - first;
	uint32_t nowhere = 0;
	struct weighted_edge *order = wm_arena_alloc(subject->arena, count, sizeof *order);
	for (uint32_t k = 0; k < count; k++) {
		uint32_t edge = plan->graph.edge[cfg->out_edge[first + k]];
		enum wm_site_kind kind = subject->capture->sites[edge].kind;
		order[k] = (struct weighted_edge){
			edge, subject->edge_weight[edge], kind == WM_SITE_NOWHERE};
		nowhere += kind == WM_SITE_NOWHERE;
	}
	if (nowhere > 1)
		return wm_error_set(error, WM_ERROR_UNSOLVABLE,
			"nothing can be written on the edges that leave one of its blocks");
	qsort(order, count, sizeof *order, by_falling_weight);
	for (uint32_t k = 0; k < count; k++)
		plan->section->code[order[k].edge] = k;
	return 0;
}

static void find_anchors(const struct wm_subject *subject, struct plan *plan)
{
	const struct wm_function *described = &subject->described;
	for (uint32_t i = 0; i < described->call_count; i++)
		if (plan->section->call_class[i] != WM_CALL_SILENT)
			plan->anchor_count[described->calls[i].block]++;
	for (uint32_t v = 0; v < described->block_count; v++) {
		struct wm_function view = *described;
		view.trace = plan->section;
		plan->ends_at_anchor[v] =
			wm_trace_last_class(&view, &plan->graph, v) == WM_CALL_INVOKE;
	}
}

static bool can_be_counted(const struct wm_subject *subject, const struct plan *plan,
	const struct wm_anchored_edge *what)
{
	const struct wm_capture *capture = subject->capture;
	const struct wm_cfg *cfg = plan->graph.cfg;
	if (what->part == WM_ANCHORED_ENTRY)
		return true;
	if (what->part == WM_ANCHORED_SEGMENT)
		return !wm_capture_is_shared_return(capture, capture->blocks[what->index]);
	enum wm_site_kind kind = capture->sites[plan->graph.edge[what->index]].kind;
	uint32_t source = cfg->source[what->index];
	if (plan->graph.exit_edge[source] != WM_NONE && cfg->target[what->index] == cfg->exit &&
		(plan->graph.passed[source] != WM_NONE || kind == WM_SITE_NO_RETURN))
		return false;
	return kind != WM_SITE_NOWHERE && kind != WM_SITE_COMPARED && kind != WM_SITE_NO_RETURN;
}

static int plan_events(
	const struct wm_subject *subject, struct plan *plan, bool redundant, struct wm_error *error)
{
	const struct wm_cfg *cfg = plan->graph.cfg;
	const struct wm_anchored_graph *anchored = plan->anchored;
	uint32_t edges = anchored->graph->edge_count;
	uint64_t *value = wm_arena_alloc(subject->arena, edges, sizeof *value);
	bool *uncountable = wm_arena_alloc(subject->arena, edges, sizeof *uncountable);
	double *edge_weight = wm_arena_alloc(subject->arena, cfg->edge_count, sizeof *edge_weight);
	double *vertex_weight =
		wm_arena_alloc(subject->arena, cfg->vertex_count, sizeof *vertex_weight);
	struct wm_terms terms = wm_terms_make(subject);
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		edge_weight[e] = terms.edge_cost[plan->graph.edge[e]];
	memcpy(vertex_weight, subject->vertex_weight,
		subject->capture->block_count * sizeof *vertex_weight);
	for (uint32_t e = 0; e < edges; e++) {
		const struct wm_anchored_edge *what = &anchored->edge[e];
		uncountable[e] = !can_be_counted(subject, plan, what);
		if (what->part == WM_ANCHORED_EDGE)
			value[e] = plan->graph.bits[cfg->source[what->index]];
		if (what->part == WM_ANCHORED_SEGMENT && what->segment == 0 &&
			plan->graph.target_code[what->index] != WM_NONE)
			value[e] = plan->graph.target_bits;
	}
	const uint64_t *values[] = {value};
	struct wm_events_request request = {.anchored = anchored,
		.kind_count = 1,
		.value = values,
		.weight = wm_anchored_weights(subject->arena, anchored, edge_weight, vertex_weight,
			subject->vertex_weight[0]),
		.uncountable = uncountable,
		.redundant = redundant};
	int status = wm_events_plan_make(subject->arena, &request, &plan->events, error);
	if (!status && !redundant &&
		wm_events_bound(&request, &plan->events, 0) > WM_TRACE_MAX_DISTANCE)
		return plan_events(subject, plan, true, error);
	return status;
}

static struct wm_function view_of(const struct wm_subject *subject, const struct plan *plan)
{
	struct wm_function view = subject->described;
	view.trace = plan->section;
	return view;
}

static int make_plan(const struct wm_mode *mode, const struct wm_subject *subject, void **result,
	struct wm_error *error)
{
	uint32_t vertices = subject->described.block_count + 1;
	struct plan *plan = wm_arena_alloc(subject->arena, 1, sizeof *plan);
	struct wm_trace_section *section = wm_arena_alloc(subject->arena, 1, sizeof *section);
	plan->section = section;
	section->code = wm_arena_alloc(
		subject->arena, subject->described.edge_count, sizeof *section->code);
	classify_calls(subject, section);
	struct wm_function view = view_of(subject, plan);
	if (subject->described.block_count >= WM_TRACE_RESTART_AT_START)
		return wm_error_set(error, WM_ERROR_UNSOLVABLE, "it has too many blocks");
	int status = wm_trace_graph_make(subject->arena, &view, &plan->graph, error);
	if (status)
		return status;
	plan->anchor_count = wm_arena_alloc(subject->arena, vertices, sizeof(uint32_t));
	plan->ends_at_anchor = wm_arena_alloc(subject->arena, vertices, sizeof(bool));
	find_anchors(subject, plan);
	for (uint32_t v = 0; !status && v + 1 < vertices; v++)
		if (plan->graph.bits[v] && !is_computed(subject, plan, v))
			status = code_branch(subject, plan, v, error);
	if (!status)
		status = code_targets(subject, plan, error);
	if (!status)
		status = wm_trace_graph_find_jumps(subject->arena, &view, &plan->graph, error);
	if (status)
		return status;
	const struct wm_anchors anchors = {plan->anchor_count, plan->ends_at_anchor};
	plan->anchored = wm_anchored_graph_build(subject->arena, plan->graph.cfg, &anchors);
	if (!status)
		status = plan_events(
			subject, plan, mode->measure.placement == WM_PLACEMENT_REDUNDANT, error);
	*result = plan;
	return status ? status : WM_PLAN_MADE;
}

static uint32_t describe(const struct wm_mode *mode, const struct wm_subject *subject,
	const void *made, uint32_t first, struct wm_function *described)
{
	const struct plan *plan = made;
	(void)subject;
	plan->section->head = (struct wm_section){mode->measure, first, 1};
	described->trace = plan->section;
	return 1;
}

struct writer {
	struct wm_lowerer *lowerer;
	const struct wm_subject *subject;
	const struct wm_capture *capture;
	const struct plan *plan;
	struct wm_trace_code code;
	LLVMValueRef *on_edge; /* by edge of the graph: before what its code stands, or NULL */
	LLVMValueRef is_handler;
	LLVMValueRef told;  /* the code that tells the entry */
	LLVMValueRef frame; /* a place in the frame, if a call may come back again */
};

/* The anchored graph has the function's edges behind that of the entry. */
static int64_t increment_of_edge(const struct writer *writer, uint32_t edge)
{
	return (int64_t)writer->plan->events.increment[0][1 + edge];
}

static bool is_written(const struct writer *writer, uint32_t edge)
{
	const struct wm_trace_graph *graph = &writer->plan->graph;
	uint32_t source = graph->cfg->source[edge];
	return graph->bits[source] && writer->plan->section->code[graph->edge[edge]];
}

/* All places are found before the first code is there, since edges may need blocks. */
static void find_places(struct writer *writer)
{
	const struct wm_trace_graph *graph = &writer->plan->graph;
	const struct wm_cfg *cfg = graph->cfg;
	writer->on_edge =
		wm_arena_alloc(writer->subject->arena, cfg->edge_count, sizeof *writer->on_edge);
	for (uint32_t e = 0; e < cfg->edge_count; e++) {
		bool tells = writer->plan->ends_at_anchor[cfg->source[e]];
		if (is_written(writer, e) || increment_of_edge(writer, e) || tells)
			writer->on_edge[e] =
				wm_lowerer_edge_position(writer->lowerer, graph->edge[e]);
	}
}

static void write_move(const struct writer *writer, LLVMValueRef before, int64_t bits)
{
	if (bits)
		wm_trace_code_move(&writer->code, before, bits);
}

static void write_edge(const struct writer *writer, uint32_t edge)
{
	const struct plan *plan = writer->plan;
	const struct wm_cfg *cfg = plan->graph.cfg;
	LLVMValueRef before = writer->on_edge[edge];
	uint32_t departure = wm_anchored_departure(cfg, cfg->source[edge]);
	if (is_written(writer, edge))
		wm_trace_code_bits(&writer->code, before,
			(int64_t)plan->events.potential[0][departure],
			plan->section->code[plan->graph.edge[edge]], cfg->source[edge]);
	write_move(writer, before, increment_of_edge(writer, edge));
}

static bool is_at_target(const struct writer *writer, uint32_t edge)
{
	return writer->capture->sites[writer->plan->graph.edge[edge]].kind == WM_SITE_TARGET_START;
}

static void write_edges(const struct writer *writer, bool at_target)
{
	for (uint32_t e = 0; e < writer->plan->graph.cfg->edge_count; e++)
		if (writer->on_edge[e] && is_at_target(writer, e) == at_target)
			write_edge(writer, e);
}

static uint16_t mark_of(const struct writer *writer, uint32_t call)
{
	return wm_trace_mark(writer->subject->described.name, call);
}

/* What follows an invoke: an edge for its return, and a block where exceptions land. */
static void write_invoke(const struct writer *writer, uint32_t call)
{
	const struct plan *plan = writer->plan;
	const struct wm_cfg *cfg = plan->graph.cfg;
	uint32_t block = writer->subject->described.calls[call].block;
	for (uint32_t k = cfg->out_start[block]; k < cfg->out_start[block + 1]; k++) {
		uint32_t edge = cfg->out_edge[k];
		if (cfg->target[edge] != plan->section->pad[call])
			wm_trace_code_return(
				&writer->code, writer->on_edge[edge], mark_of(writer, call));
	}
}

static void write_landings(const struct writer *writer)
{
	const struct plan *plan = writer->plan;
	bool *lands =
		wm_arena_alloc(writer->subject->arena, writer->capture->block_count, sizeof *lands);
	for (uint32_t i = 0; i < writer->subject->described.call_count; i++)
		if (plan->section->call_class[i] == WM_CALL_INVOKE) {
			write_invoke(writer, i);
			lands[plan->section->pad[i]] = true;
		}
	for (uint32_t v = 0; v < writer->capture->block_count; v++)
		if (lands[v])
			wm_trace_code_landing(&writer->code,
				wm_capture_block_start(writer->capture->blocks[v]), v);
}

static void write_entry(struct writer *writer)
{
	LLVMValueRef before = wm_capture_block_start(writer->capture->blocks[0]);
	if (wm_subject_may_be_handler(writer->capture->function))
		writer->is_handler = wm_trace_code_handler(&writer->code, before);
	writer->told = wm_trace_code_entry(&writer->code, before);
	wm_trace_code_keep(&writer->code, before);
	write_move(writer, before, (int64_t)writer->plan->events.increment[0][0]);
}

static int64_t increment_of_segment(const struct writer *writer, uint32_t block, uint32_t segment)
{
	uint32_t edge = writer->plan->anchored->first_segment[block] + segment;
	return edge < writer->plan->anchored->first_segment[block + 1]
		       ? (int64_t)writer->plan->events.increment[0][edge]
		       : 0;
}

static void write_behind(const struct writer *writer, LLVMValueRef instruction, uint32_t call)
{
	enum wm_call_class class = writer->plan->section->call_class[call];
	LLVMValueRef next = LLVMGetNextInstruction(instruction);
	if (class == WM_CALL_OPEN)
		wm_trace_code_return(&writer->code, next, mark_of(writer, call));
	if (class == WM_CALL_LINKED)
		wm_trace_code_return_if(&writer->code, next, mark_of(writer, call),
			wm_inner_entries_open_byte(writer->subject->arena, writer->subject->module,
				LLVMGetCalledValue(instruction)));
	if (class == WM_CALL_AGAIN)
		wm_trace_code_again(&writer->code, next, mark_of(writer, call), writer->frame);
}

static bool enters_inside(enum wm_call_class class)
{
	return class == WM_CALL_KNOWN || class == WM_CALL_TAIL_KNOWN || class == WM_CALL_LINKED ||
	       class == WM_CALL_TAIL_LINKED;
}

/* Each call that is told divides its block. */
static void write_calls(const struct writer *writer)
{
	const struct wm_capture *capture = writer->capture;
	uint32_t site = 0, block = WM_NONE, segment = 0;
	for (uint32_t i = 0; i < capture->call_count; i++) {
		const struct wm_call *call = &capture->calls[i];
		if (!wm_call_sites_has(call))
			continue;
		uint32_t number = site++;
		if (call->block != block)
			segment = 0;
		block = call->block;
		if (writer->plan->section->call_class[number] == WM_CALL_SILENT)
			continue;
		write_move(
			writer, call->instruction, increment_of_segment(writer, block, segment++));
		write_behind(writer, call->instruction, number);
		if (enters_inside(writer->plan->section->call_class[number]))
			wm_inner_entries_use(
				writer->subject->inner, call->instruction, call->callee);
	}
}

/* Wherever control comes from, the code of the block is written where it starts. */
static void write_targets(const struct writer *writer)
{
	const struct plan *plan = writer->plan;
	for (uint32_t v = 0; v < writer->capture->block_count; v++) {
		uint32_t code = plan->graph.target_code[v];
		if (code == WM_NONE || code == 0)
			continue;
		wm_trace_code_bits(&writer->code,
			wm_capture_block_start(writer->capture->blocks[v]),
			(int64_t)plan->events.potential[0][wm_anchored_arrival(v)], code,
			v | WM_TRACE_RESTART_AT_START);
	}
}

static void write_block_end(const struct writer *writer, uint32_t block)
{
	uint32_t anchors = writer->plan->anchor_count[block];
	LLVMValueRef before = wm_capture_block_end(writer->capture, writer->capture->blocks[block]);
	write_move(writer, before, increment_of_segment(writer, block, anchors));
}

static void write_handler_end(const struct writer *writer, LLVMBasicBlockRef block)
{
	wm_trace_code_handler_end(
		&writer->code, wm_capture_block_end(writer->capture, block), writer->is_handler);
}

/* A return that calls in tail position jump past is told before these. */
static void write_handler_ends(const struct writer *writer)
{
	for (uint32_t v = 0; writer->is_handler && v < writer->capture->block_count; v++) {
		LLVMBasicBlockRef block = writer->capture->blocks[v];
		LLVMValueRef value = LLVMBasicBlockAsValue(block);
		if (!LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(block)))
			continue;
		if (!wm_capture_is_shared_return(writer->capture, block)) {
			write_handler_end(writer, block);
			continue;
		}
		for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
			if (LLVMIsATerminatorInst(LLVMGetUser(use)))
				write_handler_end(
					writer, LLVMGetInstructionParent(LLVMGetUser(use)));
	}
}

static bool may_come_back_again(const struct wm_subject *subject, const struct plan *plan)
{
	for (uint32_t i = 0; i < subject->described.call_count; i++)
		if (plan->section->call_class[i] == WM_CALL_AGAIN)
			return true;
	return false;
}

/* What the optimiser believes of a function that touched no memory is not true any more. */
static void forget_attributes(LLVMValueRef function)
{
	static const char *const names[] = {"memory", "speculatable"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex,
			LLVMGetEnumAttributeKindForName(names[i], strlen(names[i])));
}

/* Code before one instruction stands in the order in which it is written here: what belongs to an
 * edge into a block, then to its calls, then to its end, then to edges out of it. */
static void lower(struct wm_lowerer *lowerer, const void *made)
{
	struct writer writer = {.lowerer = lowerer,
		.subject = lowerer->subject,
		.capture = lowerer->subject->capture,
		.plan = made,
		.code = wm_trace_code_start(lowerer)};
	forget_attributes(writer.capture->function);
	if (may_come_back_again(lowerer->subject, made))
		writer.frame = wm_lowerer_slot(lowerer, lowerer->i64);
	find_places(&writer);
	write_entry(&writer);
	write_edges(&writer, true);
	write_targets(&writer);
	write_landings(&writer);
	write_calls(&writer);
	for (uint32_t v = 0; v < writer.capture->block_count; v++)
		write_block_end(&writer, v);
	write_edges(&writer, false);
	write_handler_ends(&writer);
	if (!has_inner_entry(lowerer->subject))
		return;
	mark_as_known(writer.capture->function, lowerer->subject->described.hash);
	wm_inner_entries_add(lowerer->subject->inner, writer.capture->function, writer.told);
}

const struct wm_mode_functions wm_trace_mode = {make_plan, describe, lower, NULL};
