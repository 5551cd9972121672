/* The plug-in's way through a module, function by function:
 * select -> capture -> weigh -> plan -> describe -> record -> lower.
 * Each step takes what the one before it made; nothing goes back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Comdat.h>
#include <llvm-c/Core.h>

#include "core/plan.h"
#include "core/weights.h"
#include "llvm/announce.h"
#include "llvm/asm_goto.h"
#include "llvm/bridge.h"
#include "llvm/capture.h"
#include "llvm/code_generator.h"
#include "llvm/interest.h"
#include "llvm/knowledge.h"
#include "llvm/lower.h"
#include "llvm/lower_trace.h"
#include "llvm/planning.h"
#include "format/plugin_options.h"
#include "llvm/positions.h"
#include "llvm/record.h"
#include "profile/path_find.h"

static const char done_mark[] = "waymark";

struct instrumenter {
	LLVMModuleRef module;
	struct wm_plugin_options options;
	struct wm_knowledge knowledge;
	struct wm_arena arena; /* one function's */
	LLVMValueRef *descriptions;
	size_t description_count;
};

static void read_options(struct wm_arena *arena, struct wm_plugin_options *options)
{
	struct wm_error error;
	if (wm_plugin_options_parse(arena, getenv("WAYMARK_OPTIONS"), options, &error)) {
		fprintf(stderr, "waymark: %s\n", error.text);
		exit(1);
	}
}

bool wm_instrument_is_early(void)
{
	struct wm_arena arena = {0};
	struct wm_plugin_options options;
	read_options(&arena, &options);
	bool early = options.early;
	wm_arena_reset(&arena);
	return early;
}

static bool function_has(LLVMValueRef function, const char *attribute)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(attribute, strlen(attribute));
	return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind) != NULL;
}

/* Resolvers of indirect functions run before thread-local storage exists. */
static bool is_resolver(LLVMModuleRef module, LLVMValueRef function)
{
	for (LLVMValueRef ifunc = LLVMGetFirstGlobalIFunc(module); ifunc;
		ifunc = LLVMGetNextGlobalIFunc(ifunc))
		if (LLVMGetGlobalIFuncResolver(ifunc) == function)
			return true;
	return false;
}

static bool has_funclets(LLVMValueRef function)
{
	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
		block = LLVMGetNextBasicBlock(block)) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
		if (LLVMIsACatchSwitchInst(end) || LLVMIsACatchReturnInst(end) ||
			LLVMIsACleanupReturnInst(end))
			return true;
	}
	return false;
}

static bool is_selected(const struct instrumenter *instrumenter, LLVMValueRef function)
{
	size_t bytes;
	if (LLVMIsDeclaration(function))
		return false;
	if (function_has(function, "naked") || function_has(function, "noprofile") ||
		function_has(function, "skipprofile") ||
		function_has(function, "presplitcoroutine"))
		return false;
	if (LLVMGetStringAttributeAtIndex(
		    function, LLVMAttributeFunctionIndex, done_mark, sizeof(done_mark) - 1))
		return false;
	if (is_resolver(instrumenter->module, function) || has_funclets(function))
		return false;
	return wm_plugin_options_select(
		&instrumenter->options, LLVMGetValueName2(function, &bytes));
}

/* A body that the compiler may use or drop in favour of one elsewhere: whether it runs depends on
 * inlining. Made our own (the language promises that both are the same), it is always the one that
 * runs. */
static void take_over_external_copy(LLVMModuleRef module, LLVMValueRef function)
{
	size_t bytes;
	if (LLVMGetLinkage(function) != LLVMAvailableExternallyLinkage)
		return;
	LLVMSetLinkage(function, LLVMLinkOnceODRLinkage);
	LLVMSetComdat(function, LLVMGetOrInsertComdat(module, LLVMGetValueName2(function, &bytes)));
}

static void mark_done(LLVMValueRef function)
{
	LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(function));
	LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
		LLVMCreateStringAttribute(
			context, done_mark, sizeof(done_mark) - 1, "instrumented", 12));
}

static const char *linker_name(LLVMValueRef function)
{
	size_t bytes;
	const char *name = LLVMGetValueName2(function, &bytes);
	return name[0] == '\1' ? name + 1 : name;
}

static double edge_frequency(struct wm_bridge *bridge, const struct wm_site *site)
{
	if (site->kind == WM_SITE_ABANDONED)
		return 0;
	if (site->source && site->target)
		return wm_bridge_edge_frequency(bridge, site->source, site->target);
	return wm_bridge_block_frequency(bridge, site->source ? site->source : site->target);
}

static double *weigh_edges(struct instrumenter *instrumenter, struct wm_bridge *bridge,
	const struct wm_capture *capture)
{
	const struct wm_cfg *cfg = capture->cfg;
	double *weight = wm_arena_alloc(&instrumenter->arena, cfg->edge_count, sizeof(*weight));
	switch (instrumenter->options.weighting) {
	case WM_WEIGHTING_COMPILER:
		for (uint32_t edge = 0; edge < cfg->edge_count; edge++)
			weight[edge] = edge_frequency(bridge, &capture->sites[edge]);
		break;
	case WM_WEIGHTING_HEURISTIC:
		wm_weights_heuristic(cfg, weight);
		break;
	case WM_WEIGHTING_GOLDBERG:
		wm_weights_goldberg(cfg, weight);
		break;
	}
	return weight;
}

static double *weigh_vertices(
	struct wm_arena *arena, struct wm_bridge *bridge, const struct wm_capture *capture)
{
	double *weight = wm_arena_alloc(arena, capture->block_count, sizeof(*weight));
	for (uint32_t i = 0; i < capture->block_count; i++)
		weight[i] = wm_bridge_block_frequency(bridge, capture->blocks[i]);
	return weight;
}

/* The code around the probes is laid out for what was measured, too. */
static void tell_branch_weights(const struct wm_lowering *lowering, const double *edge_weight)
{
	const struct wm_capture *capture = lowering->capture;
	const struct wm_cfg *cfg = capture->cfg;
	for (uint32_t v = 0; v < capture->block_count; v++) {
		unsigned successors =
			LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(capture->blocks[v]));
		double *weight = wm_arena_alloc(lowering->arena, successors, sizeof(*weight));
		for (uint32_t k = cfg->out_start[v]; k < cfg->out_start[v + 1]; k++)
			if (capture->sites[cfg->out_edge[k]].target)
				weight[capture->sites[cfg->out_edge[k]].successor] =
					edge_weight[cfg->out_edge[k]];
		wm_bridge_set_branch_weights(lowering->bridge, capture->blocks[v], weight);
	}
}

/* What was measured in an earlier build is better than what anybody expects. */
static void weigh_by_knowledge(const struct wm_profile_function *known,
	struct wm_lowering *lowering, double *edge_weight, double *vertex_weight)
{
	const struct wm_capture *capture = lowering->capture;
	if (!known || !known->block)
		return;
	wm_prior_weigh(known, edge_weight, vertex_weight);
	/* A function that never ran has nothing to say. */
	lowering->measured = known->calls > 0;
	for (uint32_t i = 0; lowering->measured && i < capture->block_count; i++)
		wm_bridge_set_block_frequency(
			lowering->bridge, capture->blocks[i], vertex_weight[i]);
	if (lowering->measured && known->edge)
		tell_branch_weights(lowering, edge_weight);
}

static void describe_edges(
	struct wm_arena *arena, const struct wm_capture *capture, struct wm_function *described)
{
	const struct wm_cfg *cfg = capture->cfg;
	described->edge_count = cfg->edge_count;
	described->edge_source = cfg->source;
	described->edge_target = cfg->target;
	described->edge_flags = wm_arena_alloc(arena, cfg->edge_count, 1);
	for (uint32_t edge = 0; edge < cfg->edge_count; edge++) {
		if (!wm_planning_is_countable(&capture->sites[edge]))
			described->edge_flags[edge] |= WM_EDGE_UNCOUNTABLE;
		if (capture->sites[edge].kind == WM_SITE_ABANDONED)
			described->edge_flags[edge] |= WM_EDGE_ABANDONED;
		if (capture->sites[edge].kind == WM_SITE_NO_RETURN)
			described->edge_flags[edge] |= WM_EDGE_NO_RETURN;
	}
}

static void describe_plan(const struct wm_planned *planned, struct wm_function *described)
{
	described->problem = planned->problem;
	described->counter_count = planned->counter_count;
	described->array_limit = planned->array_limit;
	described->probe_count = planned->probe_count;
	described->probes = planned->probes;
	for (uint32_t edge = 0; planned->cut && edge < described->edge_count; edge++)
		described->edge_flags[edge] |= (planned->cut[edge] ? WM_EDGE_CUT : 0) |
					       (planned->soft[edge] ? WM_EDGE_SOFT : 0);
}

/* The oracle counts where it says: a wrong trip count must not be wrong in both. */
static bool may_leave_loops(const struct instrumenter *instrumenter, LLVMValueRef function)
{
	enum wm_problem problem = instrumenter->options.problem;
	return problem != WM_PROBLEM_REDUNDANT && problem != WM_PROBLEM_REDUNDANT_EDGES &&
	       problem != WM_PROBLEM_REDUNDANT_PATHS && !instrumenter->options.early &&
	       !function_has(function, "optnone") && !wm_asm_goto_is_in(function);
}

/* Code that can only end up in a program, never in a shared library, has the gs register to itself.
 */
static bool uses_segment(const struct instrumenter *instrumenter)
{
	return instrumenter->options.segment && !wm_bridge_is_for_library(instrumenter->module);
}

static void reach_by_memory(LLVMModuleRef module, struct wm_lowering *lowering)
{
	LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(module));
	lowering->delta = wm_record_delta(module);
	lowering->attach = wm_record_runtime_function(
		module, "__waymark_attach", LLVMFunctionType(i64, NULL, 0, false));
}

/* What it returns says only which registers are lost (runtime/table.h). */
static LLVMValueRef count_function(LLVMModuleRef module)
{
	LLVMContextRef context = LLVMGetModuleContext(module);
	LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
	LLVMTypeRef types[] = {i64, i64};
	LLVMTypeRef nothing = LLVMStructTypeInContext(context, types, 2, false);
	LLVMValueRef function = wm_record_runtime_function(
		module, "__waymark_count", LLVMFunctionType(nothing, types, 2, false));
	LLVMSetFunctionCallConv(function, WM_PRESERVE_ALL);
	return function;
}

static void lower(
	LLVMModuleRef module, struct wm_lowering *lowering, const struct wm_planned *planned)
{
	switch (planned->problem) {
	case WM_PROBLEM_PATHS:
	case WM_PROBLEM_PATHS_AT_ENDS:
		lowering->count = count_function(module);
		wm_lower_paths(lowering, &planned->paths);
		break;
	case WM_PROBLEM_PREFERRED_PATHS:
		lowering->count = count_function(module);
		wm_lower_sums(lowering, &planned->sums);
		break;
	case WM_PROBLEM_SELECTED_PATHS:
		wm_lower_sums(lowering, &planned->sums);
		break;
	case WM_PROBLEM_REDUNDANT_PATHS:
		wm_lower_trace(module, lowering, planned->cut);
		break;
	default:
		wm_lower_probes(lowering, &planned->plan);
	}
}

static bool plan_sums(struct instrumenter *instrumenter, const struct wm_paths *paths,
	const struct wm_path_ranges *ranges, struct wm_planned *planned,
	const struct wm_lowering *lowering, struct wm_function *described)
{
	if (instrumenter->options.select && ranges->paths > WM_SUMS_MOST_SELECTED)
		wm_knowledge_note_overfull(
			&instrumenter->knowledge, described->name, ranges->paths);
	if (instrumenter->options.select)
		return wm_sums_select(lowering, paths, ranges, described, &planned->sums);
	return instrumenter->options.by_intervals &&
	       wm_sums_prefer(lowering, paths, ranges, described, &planned->sums);
}

/* Plans for the paths that matter. False if there are such, and none is in this function: then it
 * stays as it is. */
static bool plan_known_paths(struct instrumenter *instrumenter,
	const struct wm_profile_function *known, struct wm_planned *planned,
	struct wm_lowering *lowering, struct wm_function *described)
{
	struct wm_arena *arena = &instrumenter->arena;
	struct wm_knowledge *knowledge = &instrumenter->knowledge;
	struct wm_path_ranges ranges;
	struct wm_paths paths;
	struct wm_error error;
	if (planned->problem != WM_PROBLEM_PATHS && planned->problem != WM_PROBLEM_PATHS_AT_ENDS)
		return !knowledge->has_paths;
	if (knowledge->has_paths) {
		ranges = wm_interest_find(arena, knowledge, described, &paths);
		if (!ranges.paths)
			return false;
	} else if (!known || wm_path_find_numbering(arena, described, &paths, &error)) {
		return true;
	}
	if (knowledge->has_paths &&
		plan_sums(instrumenter, &paths, &ranges, planned, lowering, described))
		planned->problem = described->problem;
	else
		lowering->known = wm_interest_keys(arena, known,
			knowledge->has_paths ? &ranges : NULL, &planned->paths, &paths, described);
	return true;
}

static uint32_t describe_build(const struct instrumenter *instrumenter, bool peeled)
{
	bool chosen = instrumenter->options.patterns || instrumenter->knowledge.has_paths;
	return (instrumenter->options.early ? WM_DESCRIPTION_EARLY : 0) |
	       (chosen ? WM_DESCRIPTION_CHOSEN : 0) | (peeled ? WM_DESCRIPTION_PEELED : 0);
}

/* Classic paths gain by it. What an earlier build did is done again, so that its profile fits. */
static bool peel_loops(
	const struct instrumenter *instrumenter, struct wm_bridge *bridge, LLVMValueRef function)
{
	bool peels = instrumenter->options.classic_paths;
	if (instrumenter->options.early || function_has(function, "optnone"))
		return false;
	if (instrumenter->knowledge.has_prior)
		peels = wm_prior_was_peeled(
			&instrumenter->knowledge.prior, linker_name(function), peels);
	if (peels && !wm_asm_goto_is_in(function))
		wm_bridge_peel_loops(bridge);
	return peels;
}

static void instrument(
	struct instrumenter *instrumenter, struct wm_bridge *bridge, LLVMValueRef function)
{
	struct wm_arena *arena = &instrumenter->arena;
	struct wm_capture capture;
	struct wm_planned planned;
	struct wm_error error;
	bool optimised_later = instrumenter->options.early && !function_has(function, "optnone");
	bool peeled = peel_loops(instrumenter, bridge, function);
	wm_capture_function(arena, bridge, function, optimised_later, &capture);
	struct wm_lowering lowering = {.arena = arena,
		.bridge = bridge,
		.capture = &capture,
		.optimise = may_leave_loops(instrumenter, function),
		.opaque = instrumenter->options.early || function_has(function, "optnone")};
	struct wm_function described = {
		.name = linker_name(function), .flags = describe_build(instrumenter, peeled)};
	described.original = peeled ? capture.original : NULL;
	wm_positions_describe(arena, &capture, &described);
	describe_edges(arena, &capture, &described);
	double *edge_weight = weigh_edges(instrumenter, bridge, &capture);
	double *vertex_weight = weigh_vertices(arena, bridge, &capture);
	const struct wm_profile_function *known =
		wm_knowledge_of(&instrumenter->knowledge, &described);
	weigh_by_knowledge(known, &lowering, edge_weight, vertex_weight);
	lowering.edge_weight = edge_weight;
	lowering.vertex_weight = vertex_weight;
	if (wm_planning_make(arena, &instrumenter->options, &lowering, &planned, &error)) {
		fprintf(stderr, "waymark: function '%s' is not profiled: %s\n",
			linker_name(function), error.text);
		return;
	}
	describe_plan(&planned, &described);
	if (!plan_known_paths(instrumenter, known, &planned, &lowering, &described))
		return;
	lowering.in_segment = uses_segment(instrumenter);
	if (!lowering.in_segment && planned.problem != WM_PROBLEM_REDUNDANT_PATHS)
		reach_by_memory(instrumenter->module, &lowering);
	lowering.counters = wm_record_function(arena, instrumenter->module, function, &described,
		lowering.in_segment ? WM_SEGMENT_SPACE : 0,
		&instrumenter->descriptions[instrumenter->description_count++]);
	lower(instrumenter->module, &lowering, &planned);
	wm_announce_endings(instrumenter->module, function);
	take_over_external_copy(instrumenter->module, function);
	mark_done(function);
}

static void warn_left_alone(LLVMValueRef function)
{
	fprintf(stderr,
		"waymark: warning: function '%s' is not counted: with probes around its asm goto "
		"clang could compile it wrongly\n",
		linker_name(function));
}

static size_t count_functions(LLVMModuleRef module)
{
	size_t count = 0;
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		count++;
	return count;
}

/* Build systems compile for GPUs and other machines with the same command. */
static bool is_supported(LLVMModuleRef module)
{
	const char *target = LLVMGetTarget(module);
	if (!strncmp(target, "x86_64", 6) && strstr(target, "linux") && !strstr(target, "x32"))
		return true;
	fprintf(stderr, "waymark: warning: code for %s is compiled without counters\n", target);
	return false;
}

bool wm_instrument_module(
	LLVMModuleRef module, wm_bridge_open open, wm_bridge_close close, void *context)
{
	struct instrumenter instrumenter = {.module = module};
	struct wm_arena arena = {0}; /* the module's */
	if (!is_supported(module))
		return false;
	read_options(&arena, &instrumenter.options);
	wm_knowledge_open(&arena, module, &instrumenter.options, &instrumenter.knowledge);
	bool left_alone = wm_asm_goto_mark(module, instrumenter.options.early);
	instrumenter.descriptions =
		wm_arena_alloc(&arena, count_functions(module), sizeof(LLVMValueRef));
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		if (!is_selected(&instrumenter, f))
			continue;
		if (wm_asm_goto_is_left_alone(f)) {
			warn_left_alone(f);
			continue;
		}
		struct wm_bridge *bridge = open(context, f);
		instrument(&instrumenter, bridge, f);
		close(context, bridge);
		wm_arena_reset(&instrumenter.arena);
	}
	bool changed = instrumenter.description_count > 0;
	wm_knowledge_close(&instrumenter.knowledge, changed);
	if (changed) {
		/* The settings are for whole modules; functions left alone get none. */
		if (!left_alone)
			wm_code_generator_prepare(module, &instrumenter.options);
		wm_bridge_keep(module, instrumenter.descriptions, instrumenter.description_count);
		if (instrumenter.options.file)
			wm_record_file_name(module, instrumenter.options.file);
	}
	wm_arena_reset(&arena);
	return changed;
}
