/* The code shows a decision as edges that lead to different sights. */
#include "llvm/source/arms.h"

#include "core/base/none.h"

/* Whether the code at the start of the edge makes the decision of that block of text. */
static bool bears_decision(
	const struct wm_stretches *stretches, uint32_t edge, uint32_t copy, uint32_t from)
{
	const struct wm_copy *what = &stretches->copies->copies[copy];
	struct wm_mark mark;
	LLVMBasicBlockRef block =
		edge == stretches->entry_edge ? NULL : stretches->capture->sites[edge].source;
	LLVMValueRef end = block ? LLVMGetBasicBlockTerminator(block) : NULL;
	return end && wm_marks_read_decision(end, &mark) && mark.block == from &&
	       mark.instance.text == what->instance.text &&
	       mark.instance.inlined_at == what->instance.inlined_at;
}

/* Whether control that takes the edge takes that arm, wherever it is seen next. */
static bool takes_arm(
	struct wm_stretches *stretches, uint32_t copy, uint32_t edge, uint32_t from, uint32_t arm)
{
	struct wm_hidden_search *search = stretches->copies->copies[copy].search;
	uint32_t following[WM_STRETCHES_MAX_FOLLOWING + 1], count;
	if (!wm_stretches_find_following(stretches, copy, edge, following, &count))
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (!wm_hidden_suggests(search, from, arm, following[i]))
			return false;
	return count > 0;
}

bool wm_arms_is_decided(struct wm_stretches *stretches, uint32_t edge, uint32_t copy, uint32_t from)
{
	const struct wm_cfg *cfg = stretches->cfg;
	const struct wm_copy *what = &stretches->copies->copies[copy];
	if (from == WM_HIDDEN_ENTRY)
		return true;
	if (what->graph->first[from + 1] - what->graph->first[from] < 2)
		return true;
	if (!bears_decision(stretches, edge, copy, from))
		return false;
	uint32_t source = cfg->source[edge], others = 0;
	int64_t own = wm_stretches_first_arrival(stretches, edge);
	for (uint32_t i = cfg->out_start[source]; i < cfg->out_start[source + 1]; i++) {
		uint32_t other = cfg->out_edge[i];
		if (other == edge || !wm_stretches_follow(stretches, copy, other))
			continue;
		if (own < 0 || wm_stretches_first_arrival(stretches, other) == own)
			return false;
		if (takes_arm(stretches, copy, other, from, (uint32_t)own))
			return false;
		others++;
	}
	return others > 0;
}

/* The other edge of two by which control goes on from a block, or WM_NONE. */
static uint32_t other_edge(const struct wm_stretches *stretches, uint32_t copy, uint32_t edge)
{
	const struct wm_cfg *cfg = stretches->cfg;
	uint32_t source = cfg->source[edge], other = WM_NONE;
	for (uint32_t i = cfg->out_start[source]; i < cfg->out_start[source + 1]; i++) {
		if (cfg->out_edge[i] == edge ||
			!wm_stretches_follow(stretches, copy, cfg->out_edge[i]))
			continue;
		if (other != WM_NONE)
			return WM_NONE;
		other = cfg->out_edge[i];
	}
	return other;
}

/* Whether control that is at the arm comes to the block, whatever happens. */
static bool leads_straight_to(const struct wm_copy *what, uint32_t arm, uint32_t block)
{
	const struct wm_text_graph *graph = what->graph;
	for (uint32_t steps = 0; arm != block; steps++) {
		if (steps == WM_STRETCHES_MAX_FOLLOWING || arm == graph->source.block_count ||
			graph->first[arm + 1] - graph->first[arm] != 1)
			return false;
		arm = graph->successor[graph->first[arm]];
	}
	return true;
}

/* Whether control that is seen next at the block cannot have come there through the other arm. */
static bool comes_only_by(const struct wm_copy *what, uint32_t from, uint32_t arm, uint32_t block)
{
	struct wm_hidden hidden = wm_hidden_between(what->search, from, block, WM_HIDDEN_PASSED);
	return hidden.decision_count > 0 && hidden.decisions[0].block == from &&
	       hidden.decisions[0].target == arm;
}

/* Whether the block of text may be seen next behind the edge. */
static bool may_follow(struct wm_stretches *stretches, uint32_t copy, uint32_t edge, uint32_t block)
{
	uint32_t following[WM_STRETCHES_MAX_FOLLOWING + 1], count;
	if (!wm_stretches_find_following(stretches, copy, edge, following, &count))
		return true;
	for (uint32_t i = 0; i < count; i++)
		if (following[i] == block)
			return true;
	return false;
}

/* Whether that arm of a decision is seen behind one of two edges, and cannot be behind the other.
 */
static bool is_seen_only_behind(struct wm_stretches *stretches, uint32_t copy, uint32_t edge,
	uint32_t other, uint32_t from, uint32_t arm)
{
	const struct wm_copy *what = &stretches->copies->copies[copy];
	int64_t seen = wm_stretches_first_arrival(stretches, edge);
	return seen >= 0 && leads_straight_to(what, arm, (uint32_t)seen) &&
	       !may_follow(stretches, copy, other, (uint32_t)seen) &&
	       comes_only_by(what, from, arm, (uint32_t)seen);
}

/* Where the decision at the start of the edge led to, or WM_NONE. Of two arms one is seen at once,
 * behind this edge or the other: so the other arm is behind the other edge, wherever control is
 * seen next. */
static uint32_t arm_behind(
	struct wm_stretches *stretches, uint32_t copy, uint32_t edge, uint32_t from)
{
	const struct wm_copy *what = &stretches->copies->copies[copy];
	const uint32_t *arms = what->graph->successor + what->graph->first[from];
	uint32_t other;
	if (what->graph->first[from + 1] - what->graph->first[from] != 2 ||
		!bears_decision(stretches, edge, copy, from) ||
		(other = other_edge(stretches, copy, edge)) == WM_NONE ||
		wm_stretches_is_mixed_outside(what, copy, wm_stretches_of(stretches, edge)) ||
		wm_stretches_is_mixed_outside(what, copy, wm_stretches_of(stretches, other)))
		return WM_NONE;
	for (uint32_t i = 0; i < 2; i++)
		if (is_seen_only_behind(stretches, copy, edge, other, from, arms[i]) ||
			is_seen_only_behind(stretches, copy, other, edge, from, arms[1 - i]))
			return arms[i];
	return WM_NONE;
}

bool wm_arms_decides(struct wm_stretches *stretches, uint32_t copy, uint32_t edge,
	struct wm_hidden_decision *decision)
{
	if (edge == stretches->entry_edge || !wm_stretches_follow(stretches, copy, edge) ||
		!wm_stretches_departure(stretches, edge, &decision->block))
		return false;
	decision->target = arm_behind(stretches, copy, edge, decision->block);
	return decision->target != WM_NONE;
}

void wm_arms_note_undecided(struct wm_stretches *stretches, uint32_t copy)
{
	for (uint32_t edge = 0; edge < stretches->entry_edge; edge++) {
		struct wm_hidden_decision decision;
		uint32_t block;
		if (wm_stretches_follow(stretches, copy, edge) &&
			wm_stretches_departure(stretches, edge, &block) &&
			!wm_arms_decides(stretches, copy, edge, &decision))
			wm_stretches_of(stretches, edge)->undecided = true;
	}
}
