/* Making a subject: prepare the code, capture it, describe it, weigh it. */
#include "llvm/subject/subject.h"

#include <string.h>

#include "core/graph/weights.h"
#include "llvm/bridge/code_hash.h"
#include "llvm/bridge/marks.h"
#include "llvm/source/witnesses.h"
#include "llvm/subject/asm_goto.h"
#include "llvm/subject/call_sites.h"
#include "llvm/subject/positions.h"
#include "llvm/subject/user_marks.h"

const char *wm_subject_linker_name(LLVMValueRef function)
{
	size_t bytes;
	const char *name = LLVMGetValueName2(function, &bytes);
	return name[0] == '\1' ? name + 1 : name;
}

bool wm_subject_has(LLVMValueRef function, const char *attribute)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(attribute, strlen(attribute));
	return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind) != NULL;
}

/* Other files cannot name it, and this one only calls it. */
static bool is_only_called(LLVMValueRef function)
{
	if (LLVMGetLinkage(function) != LLVMInternalLinkage)
		return false;
	for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		if (!(LLVMIsACallInst(user) || LLVMIsAInvokeInst(user)) ||
			LLVMGetCalledValue(user) != function)
			return false;
		for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
			if (LLVMGetArgOperand(user, i) == function)
				return false;
	}
	return true;
}

bool wm_subject_may_be_handler(LLVMValueRef function)
{
	if (is_only_called(function))
		return false;
	LLVMTypeRef type = LLVMGlobalGetValueType(function), parameters[3];
	unsigned count = LLVMCountParamTypes(type);
	if (LLVMGetTypeKind(LLVMGetReturnType(type)) != LLVMVoidTypeKind ||
		LLVMIsFunctionVarArg(type) || (count != 1 && count != 3))
		return false;
	LLVMGetParamTypes(type, parameters);
	bool rest = count == 1 || (LLVMGetTypeKind(parameters[1]) == LLVMPointerTypeKind &&
					  LLVMGetTypeKind(parameters[2]) == LLVMPointerTypeKind);
	return rest && LLVMGetTypeKind(parameters[0]) == LLVMIntegerTypeKind &&
	       LLVMGetIntTypeWidth(parameters[0]) == 32;
}

/* Classic paths gain by peeling. If an earlier build peeled, this one does too, so that its profile
 * fits. */
static bool peel_loops(const struct wm_subject *subject, LLVMValueRef function)
{
	const struct wm_knowledge *knowledge = subject->knowledge;
	bool peels = subject->options->classic_paths;
	if (subject->options->early || wm_subject_has(function, "optnone"))
		return false;
	if (knowledge->has_prior)
		peels = wm_prior_was_peeled(
			&knowledge->prior, wm_subject_linker_name(function), peels);
	if (peels && !wm_asm_goto_is_in(function))
		wm_bridge_peel_loops(subject->bridge);
	return peels;
}

/* What a handler of signals calls last is to return to it: its end is told. */
static void keep_calls(LLVMValueRef function)
{
	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
		block = LLVMGetNextBasicBlock(block))
		for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;
			at = LLVMGetNextInstruction(at))
			if (LLVMIsACallInst(at) &&
				LLVMGetTailCallKind(at) != LLVMTailCallKindMustTail)
				LLVMSetTailCallKind(at, LLVMTailCallKindNoTail);
}

static void capture(struct wm_subject *subject, LLVMValueRef function)
{
	if (subject->options->measure.quantity == WM_QUANTITY_TRACE &&
		wm_subject_may_be_handler(function))
		keep_calls(function);
	bool optimised_later = subject->options->early && !wm_subject_has(function, "optnone");
	struct wm_capture *capture = wm_arena_alloc(subject->arena, 1, sizeof *capture);
	wm_capture_function(subject->arena, subject->bridge, function, optimised_later, capture);
	subject->capture = capture;
}

/* An exception that passes through the function leaves it, too. */
static bool returns(const struct wm_site *site)
{
	return !site->target && site->kind != WM_SITE_ABANDONED &&
	       LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(site->source));
}

static void describe_edges(struct wm_subject *subject)
{
	const struct wm_capture *capture = subject->capture;
	const struct wm_cfg *cfg = capture->cfg;
	struct wm_function *described = &subject->described;
	described->edge_count = cfg->edge_count;
	described->edge_source = cfg->source;
	described->edge_target = cfg->target;
	described->edge_flags = wm_arena_alloc(subject->arena, cfg->edge_count, 1);
	for (uint32_t edge = 0; edge < cfg->edge_count; edge++) {
		const struct wm_site *site = &capture->sites[edge];
		described->edge_flags[edge] =
			(wm_site_is_countable(site) ? 0 : WM_EDGE_UNCOUNTABLE) |
			(site->kind == WM_SITE_ABANDONED ? WM_EDGE_ABANDONED : 0) |
			(site->kind == WM_SITE_NO_RETURN ? WM_EDGE_NO_RETURN : 0) |
			(returns(site) ? WM_EDGE_RETURN : 0);
	}
}

static void describe(
	struct wm_subject *subject, bool peeled, const struct wm_source_section *source)
{
	const struct wm_plugin_options *options = subject->options;
	bool chosen = options->patterns || (subject->knowledge->has_paths && !options->residual);
	subject->described =
		(struct wm_function){.name = wm_subject_linker_name(subject->capture->function),
			.flags = (options->early ? WM_DESCRIPTION_EARLY : 0) |
				 (chosen ? WM_DESCRIPTION_CHOSEN : 0) |
				 (options->residual ? WM_DESCRIPTION_RESIDUAL : 0) |
				 (peeled ? WM_DESCRIPTION_PEELED : 0),
			.original = peeled ? subject->capture->original : NULL,
			.code = wm_code_hash(subject->capture->function),
			.source = source};
	const struct wm_position *positions =
		wm_positions_describe(subject->arena, subject->capture, &subject->described);
	wm_call_sites_describe(
		subject->arena, subject->bridge, subject->capture, positions, &subject->described);
	describe_edges(subject);
	wm_user_marks_describe(subject->arena, subject->capture, &subject->described);
}

static double edge_frequency(struct wm_bridge *bridge, const struct wm_site *site)
{
	if (site->kind == WM_SITE_ABANDONED)
		return 0;
	if (site->source && site->target)
		return wm_bridge_edge_frequency(bridge, site->source, site->target);
	return wm_bridge_block_frequency(bridge, site->source ? site->source : site->target);
}

static double *weigh_edges(const struct wm_subject *subject)
{
	const struct wm_capture *capture = subject->capture;
	const struct wm_cfg *cfg = capture->cfg;
	double *weight = wm_arena_alloc(subject->arena, cfg->edge_count, sizeof *weight);
	switch (subject->options->weighting) {
	case WM_WEIGHTING_COMPILER:
		for (uint32_t edge = 0; edge < cfg->edge_count; edge++)
			weight[edge] = edge_frequency(subject->bridge, &capture->sites[edge]);
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

static double *weigh_vertices(const struct wm_subject *subject)
{
	const struct wm_capture *capture = subject->capture;
	double *weight = wm_arena_alloc(subject->arena, capture->block_count, sizeof *weight);
	for (uint32_t i = 0; i < capture->block_count; i++)
		weight[i] = wm_bridge_block_frequency(subject->bridge, capture->blocks[i]);
	return weight;
}

/* The code around the probes is laid out by what was measured. */
static void tell_branch_weights(const struct wm_subject *subject, const double *edge_weight)
{
	const struct wm_capture *capture = subject->capture;
	const struct wm_cfg *cfg = capture->cfg;
	for (uint32_t v = 0; v < capture->block_count; v++) {
		unsigned successors =
			LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(capture->blocks[v]));
		double *weight = wm_arena_alloc(subject->arena, successors, sizeof *weight);
		for (uint32_t k = cfg->out_start[v]; k < cfg->out_start[v + 1]; k++)
			if (capture->sites[cfg->out_edge[k]].target)
				weight[capture->sites[cfg->out_edge[k]].successor] =
					edge_weight[cfg->out_edge[k]];
		wm_bridge_set_branch_weights(subject->bridge, capture->blocks[v], weight);
	}
}

/* What was measured in an earlier build is better than any expectation. A function that never ran
 * tells nothing. */
static void weigh_by_prior(struct wm_subject *subject, double *edge_weight, double *vertex_weight)
{
	const struct wm_capture *capture = subject->capture;
	const struct wm_prior_function *prior = subject->prior;
	if (!prior || !prior->block)
		return;
	wm_prior_weigh(prior, &subject->described, edge_weight, vertex_weight);
	subject->measured = prior->block[0] > 0;
	for (uint32_t i = 0; subject->measured && i < capture->block_count; i++)
		wm_bridge_set_block_frequency(
			subject->bridge, capture->blocks[i], vertex_weight[i]);
	if (subject->measured && prior->edge)
		tell_branch_weights(subject, edge_weight);
}

static void weigh(struct wm_subject *subject)
{
	double *edge_weight = weigh_edges(subject);
	double *vertex_weight = weigh_vertices(subject);
	subject->prior = wm_knowledge_of(subject->arena, subject->knowledge, &subject->described);
	weigh_by_prior(subject, edge_weight, vertex_weight);
	subject->edge_weight = edge_weight;
	subject->vertex_weight = vertex_weight;
}

void wm_subject_make(struct wm_subject *subject, LLVMValueRef function, bool in_place)
{
	bool optnone = wm_subject_has(function, "optnone"), early = subject->options->early;
	bool peeled = peel_loops(subject, function);
	capture(subject, function);
	const struct wm_source_section *source = wm_witnesses_find(subject->arena, subject->bridge,
		subject->texts, subject->capture, early || optnone);
	const struct wm_pseudo_section *pseudo_probes = wm_pseudo_section_find(
		subject->arena, subject->bridge, subject->pseudo_functions, subject->capture);
	wm_marks_remove(function);
	subject->optimise = !in_place && !early && !optnone && !wm_asm_goto_is_in(function);
	subject->opaque = early || optnone;
	subject->deferred = early && !optnone && !in_place;
	describe(subject, peeled, source);
	subject->described.pseudo_probes = pseudo_probes;
	weigh(subject);
}
