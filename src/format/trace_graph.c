/* Making the graph from the description's. The edges of a setjmp stand one after the other there:
 * from its block to EXIT, and from EXIT to what follows. */
#include "format/trace_graph.h"

#include "core/base/none.h"

struct builder {
	const struct wm_function *function;
	struct wm_trace_graph *graph;
	uint32_t count;
	uint32_t *source, *target;
};

static int refuse(const struct builder *builder, struct wm_error *error, const char *reason)
{
	return wm_error_set(error, WM_ERROR_INPUT, "function '%s' cannot be traced: %s",
		builder->function->name, reason);
}

static bool is_second_return(const struct wm_function *function, uint32_t edge)
{
	return edge < function->edge_count && function->edge_source[edge] == function->block_count;
}

static bool is_tail(enum wm_call_class class)
{
	return class == WM_CALL_TAIL_OPEN || class == WM_CALL_TAIL_KNOWN ||
	       class == WM_CALL_TAIL_LINKED;
}

enum wm_call_class wm_trace_last_class(
	const struct wm_function *function, const struct wm_trace_graph *graph, uint32_t block)
{
	uint32_t end = graph->first_call[block + 1];
	return end > graph->first_call[block] ? function->trace->call_class[end - 1]
					      : WM_CALL_SILENT;
}

/* The description's calls are in the order of their blocks. */
static int number_calls(struct wm_arena *arena, struct builder *builder, struct wm_error *error)
{
	const struct wm_function *function = builder->function;
	uint32_t call = 0;
	uint32_t *first = wm_arena_alloc(arena, (size_t)function->block_count + 1, sizeof *first);
	for (uint32_t block = 0; block < function->block_count; block++) {
		first[block] = call;
		while (call < function->call_count && function->calls[call].block == block)
			call++;
	}
	first[function->block_count] = call;
	builder->graph->first_call = first;
	return call == function->call_count ? 0
					    : refuse(builder, error, "its calls are disordered");
}

static void add(struct builder *builder, uint32_t edge, uint32_t source, uint32_t target)
{
	builder->graph->edge[builder->count] = edge;
	builder->source[builder->count] = source;
	builder->target[builder->count++] = target;
}

static int add_edge(struct builder *builder, uint32_t edge, struct wm_error *error)
{
	const struct wm_function *function = builder->function;
	uint32_t source = function->edge_source[edge], target = function->edge_target[edge];
	uint32_t exit = function->block_count;
	if (function->edge_flags[edge] & WM_EDGE_ABANDONED)
		return 0;
	if (target == exit && is_second_return(function, edge + 1))
		return 0;
	if (source == exit) {
		if (edge == 0 || function->edge_target[edge - 1] != exit || target == exit)
			return refuse(builder, error, "nothing leads to a second return");
		source = function->edge_source[edge - 1];
	}
	if (is_tail(wm_trace_last_class(function, builder->graph, source))) {
		builder->graph->passed[source] = target == exit ? WM_NONE : target;
		target = exit;
	}
	add(builder, edge, source, target);
	return 0;
}

/* A block that tail calls lead past only leads to EXIT. */
static int find_exits(struct builder *builder, struct wm_error *error)
{
	struct wm_trace_graph *graph = builder->graph;
	const struct wm_cfg *cfg = graph->cfg;
	for (uint32_t v = 0; v < cfg->exit; v++) {
		uint32_t at = graph->passed[v] == WM_NONE ? v : graph->passed[v];
		uint32_t first = cfg->out_start[at];
		bool one = cfg->out_start[at + 1] == first + 1;
		graph->exit_edge[v] = one && cfg->target[cfg->out_edge[first]] == cfg->exit
					      ? cfg->out_edge[first]
					      : WM_NONE;
		if (graph->passed[v] != WM_NONE &&
			(graph->exit_edge[v] == WM_NONE ||
				cfg->out_start[v + 1] != cfg->out_start[v] + 1))
			return refuse(builder, error, "code follows a call in tail position");
	}
	return 0;
}

static uint32_t bits_for(uint32_t successors)
{
	uint32_t bits = 0;
	while (bits < 31 && (uint32_t)1 << bits < successors)
		bits++;
	return bits;
}

static void find_predicates(struct builder *builder)
{
	struct wm_trace_graph *graph = builder->graph;
	const struct wm_cfg *cfg = graph->cfg;
	for (uint32_t v = 0; v < cfg->exit; v++) {
		uint32_t successors = cfg->out_start[v + 1] - cfg->out_start[v];
		if (wm_trace_last_class(builder->function, graph, v) != WM_CALL_INVOKE)
			graph->bits[v] = bits_for(successors);
	}
}

static int refuse_jump(const struct wm_function *function, struct wm_error *error)
{
	return wm_error_set(error, WM_ERROR_INPUT,
		"function '%s' cannot be traced: the codes of its computed jumps do not fit",
		function->name);
}

/* All edges of a jump have codes of their targets. */
static int find_targets(const struct wm_function *function, struct wm_trace_graph *graph,
	uint32_t *targets, struct wm_error *error)
{
	const struct wm_cfg *cfg = graph->cfg;
	for (uint32_t e = 0; e < cfg->edge_count; e++) {
		uint32_t code = function->trace->code[graph->edge[e]], target = cfg->target[e];
		bool jumps = code & WM_TRACE_AT_TARGET;
		uint32_t first = cfg->out_edge[cfg->out_start[cfg->source[e]]];
		uint32_t code_of_first = function->trace->code[graph->edge[first]];
		if (jumps != ((code_of_first & WM_TRACE_AT_TARGET) != 0) ||
			(jumps && target == cfg->exit))
			return refuse_jump(function, error);
		if (!jumps)
			continue;
		code &= ~WM_TRACE_AT_TARGET;
		graph->jumps[cfg->source[e]] = true;
		if (graph->target_code[target] == WM_NONE)
			++*targets;
		else if (graph->target_code[target] != code)
			return refuse_jump(function, error);
		graph->target_code[target] = code;
	}
	return 0;
}

int wm_trace_graph_find_jumps(struct wm_arena *arena, const struct wm_function *function,
	struct wm_trace_graph *graph, struct wm_error *error)
{
	const struct wm_cfg *cfg = graph->cfg;
	uint32_t targets = 0;
	graph->jumps = wm_arena_alloc(arena, cfg->vertex_count, sizeof *graph->jumps);
	graph->target_code = wm_none_array(arena, cfg->vertex_count);
	int status = find_targets(function, graph, &targets, error);
	graph->target_bits = bits_for(targets);
	graph->target_of = wm_none_array(arena, (size_t)1 << graph->target_bits);
	for (uint32_t v = 0; !status && v < cfg->vertex_count; v++) {
		uint32_t code = graph->target_code[v];
		if (graph->jumps[v])
			graph->bits[v] = 0;
		if (code == WM_NONE)
			continue;
		if (code >= targets || graph->target_of[code] != WM_NONE)
			return refuse_jump(function, error);
		graph->target_of[code] = v;
	}
	return status;
}

static void find_resumes(struct builder *builder)
{
	const uint32_t leaves = WM_EDGE_RETURN | WM_EDGE_NO_RETURN;
	struct wm_trace_graph *graph = builder->graph;
	for (uint32_t e = 0; e < graph->cfg->edge_count; e++)
		if (graph->cfg->target[e] == graph->cfg->exit &&
			graph->passed[graph->cfg->source[e]] == WM_NONE &&
			!(builder->function->edge_flags[graph->edge[e]] & leaves))
			graph->resumes[graph->cfg->source[e]] = true;
}

int wm_trace_graph_make(struct wm_arena *arena, const struct wm_function *function,
	struct wm_trace_graph *graph, struct wm_error *error)
{
	uint32_t edges = function->edge_count, vertices = function->block_count + 1;
	struct builder builder = {.function = function,
		.graph = graph,
		.source = wm_arena_alloc(arena, edges, sizeof(uint32_t)),
		.target = wm_arena_alloc(arena, edges, sizeof(uint32_t))};
	*graph = (struct wm_trace_graph){.edge = wm_arena_alloc(arena, edges, sizeof(uint32_t)),
		.bits = wm_arena_alloc(arena, vertices, sizeof(uint32_t)),
		.passed = wm_arena_alloc(arena, vertices, sizeof(uint32_t)),
		.exit_edge = wm_arena_alloc(arena, vertices, sizeof(uint32_t)),
		.resumes = wm_arena_alloc(arena, vertices, sizeof(bool))};
	for (uint32_t v = 0; v < vertices; v++)
		graph->passed[v] = WM_NONE;
	int status = number_calls(arena, &builder, error);
	for (uint32_t e = 0; !status && e < edges; e++)
		status = add_edge(&builder, e, error);
	if (status)
		return status;
	graph->cfg = wm_cfg_build(arena, vertices, builder.count, builder.source, builder.target, 0,
		function->block_count);
	status = find_exits(&builder, error);
	find_predicates(&builder);
	find_resumes(&builder);
	return status ? status : wm_trace_graph_find_jumps(arena, function, graph, error);
}

int wm_trace_graph_check_codes(struct wm_arena *arena, const struct wm_function *function,
	const struct wm_trace_graph *graph, struct wm_error *error)
{
	const struct wm_cfg *cfg = graph->cfg;
	bool *seen = wm_arena_alloc(arena, (size_t)cfg->edge_count + 1, sizeof *seen);
	for (uint32_t v = 0; v < cfg->exit; v++) {
		uint32_t first = cfg->out_start[v], count = cfg->out_start[v + 1] - first;
		if (!graph->bits[v])
			continue;
		for (uint32_t k = 0; k < count; k++)
			seen[k] = false;
		for (uint32_t k = 0; k < count; k++) {
			uint32_t code =
				function->trace->code[graph->edge[cfg->out_edge[first + k]]];
			if (code >= count || seen[code])
				return wm_error_set(error, WM_ERROR_INPUT,
					"function '%s' cannot be traced: two successors of block "
					"%u "
					"have one code",
					function->name, v);
			seen[code] = true;
		}
	}
	return 0;
}
