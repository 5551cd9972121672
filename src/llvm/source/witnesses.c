/* What is between two sights of a copy, place by place.
 *
 * Code without a sight of the copy joins edges into one *stretch*: control enters it behind some
 * sights (departures) and leaves it before others (arrivals). What ran unseen on the way is said at
 * one edge of each way: at the departures, if only one sight can follow, else at the arrivals, if
 * only one can come before, else at the departures, weakly. Leaving a copy is an arrival at the
 * EXIT of its text; the start of the function is a departure from before its entry.
 *
 * Control may also end on the way, in a call of text that was inlined: the stretch *leaks*. Then
 * what departs need not arrive, so arrivals come first, and at each place of the leak is said what
 * may have run before it. */
#include "llvm/source/witnesses.h"

#include <string.h>

#include "core/base/disjoint_sets.h"
#include "core/base/none.h"
#include "llvm/source/endings.h"
#include "llvm/source/statements.h"
#include "llvm/source/unseen_calls.h"

/* Beyond that many edges times copies, only the function's own text is looked at. */
static const uint64_t max_work = 100 * 1000 * 1000;
enum { MAX_PROBES_OF_FACTOR = 64, MAX_FOLLOWING = 8, SEVERAL = -2 };

static const struct wm_hidden_decision nothing_stated = {WM_NONE, WM_NONE};

struct stretch {
	int64_t departure; /* block of text, or SEVERAL; -1: none yet */
	int64_t arrival;
	bool enters;	/* an arrival at the entry of the text */
	bool leaves;	/* an arrival where the function ends */
	bool starts;	/* the start of the function */
	bool undecided; /* not each departure makes a decision that is known there */
	bool repeats;	/* a sight at one of its ends stands for several iterations at once */
	bool leaks;	/* control may end in it */
};

/* How what is said on an edge is meant. */
enum certainty {
	SURE,
	UNLESS_LEFT, /* of what does not end on the way */
	PERHAPS	     /* of some of what passes */
};

struct finder {
	struct wm_copies *copies;
	struct wm_statements *statements;
	struct wm_endings endings;
	const struct wm_capture *capture;
	const struct wm_cfg *cfg;
	bool is_untouched;		  /* the function's own text is as it was written */
	uint32_t entry_edge;		  /* stands for the start of the function */
	struct wm_hidden_decision stated; /* that on the way at hand, or WM_NONE; the target is not
					     known where all departures have stated one */
	struct wm_disjoint_sets sets;	  /* of edges */
	struct stretch *stretches;	  /* by representative edge */
	uint32_t *first_sight; /* by block of the code: of the copy at hand, or WM_NONE */
	uint32_t *last_sight;
	uint32_t *visited; /* by block of the code: number of the last visit */
	uint32_t visit;
	uint32_t *stack;
};

static bool is_followed(const struct finder *finder, uint32_t copy, uint32_t edge)
{
	return finder->capture->sites[edge].kind != WM_SITE_ABANDONED &&
	       !wm_endings_has(&finder->endings, edge, copy);
}

/* Where control has arrived for a copy whose sight is this block of text. Its entry is only arrived
 * at from outside. */
static uint32_t arrival_at(const struct wm_copy *copy, uint32_t block)
{
	return block == 0 ? copy->graph->source.block_count : block;
}

static void note(int64_t *noted, uint32_t block)
{
	*noted = *noted == -1 || *noted == block ? (int64_t)block : SEVERAL;
}

static struct stretch *stretch_of(struct finder *finder, uint32_t edge)
{
	return &finder->stretches[wm_disjoint_sets_find(&finder->sets, edge)];
}

/* The only block of text that is seen next behind the edge, or a negative number. */
static int64_t first_arrival(const struct finder *finder, uint32_t edge)
{
	return finder
		->stretches[wm_disjoint_sets_find((struct wm_disjoint_sets *)&finder->sets, edge)]
		.arrival;
}

/* --- what is said about one way --- */

static enum wm_witness_kind weaker(enum wm_witness_kind kind)
{
	return kind == WM_WITNESS_RAN	     ? WM_WITNESS_MAY
	       : kind == WM_WITNESS_AT_LEAST ? WM_WITNESS_REPEATED
					     : kind;
}

/* A statement about what happens in a block of the code behind `points` of the places where control
 * may end in it. */
static void say_inside(struct finder *finder, uint32_t place, uint32_t points, uint32_t copy,
	enum wm_witness_kind kind, uint32_t block)
{
	const struct wm_cfg *cfg = finder->cfg;
	if (points == 0) {
		wm_statements_add(finder->statements, place, copy, kind, block);
		return;
	}
	for (uint32_t i = cfg->out_start[place]; i < cfg->out_start[place + 1]; i++) {
		uint32_t edge = cfg->out_edge[i];
		bool ended = finder->capture->sites[edge].kind == WM_SITE_ABANDONED;
		if (!ended)
			wm_statements_add(finder->statements, finder->capture->block_count + edge,
				copy, kind, block);
		else if (points < finder->copies->end_points[place])
			wm_statements_add(finder->statements, finder->capture->block_count + edge,
				copy, weaker(kind), block);
	}
}

/* Whether the code at the start of the edge makes the decision of that block of text. */
static bool bears_decision(const struct finder *finder, uint32_t edge, uint32_t copy, uint32_t from)
{
	const struct wm_copy *what = &finder->copies->copies[copy];
	struct wm_mark mark;
	LLVMBasicBlockRef block =
		edge == finder->entry_edge ? NULL : finder->capture->sites[edge].source;
	LLVMValueRef end = block ? LLVMGetBasicBlockTerminator(block) : NULL;
	return end && wm_marks_read_decision(end, &mark) && mark.block == from &&
	       mark.instance.text == what->instance.text &&
	       mark.instance.inlined_at == what->instance.inlined_at;
}

/* Whether the code at the start of the edge makes that decision, and the edges there lead to
 * different sights. */
static bool is_decided(const struct finder *finder, uint32_t edge, uint32_t copy, uint32_t from)
{
	const struct wm_cfg *cfg = finder->cfg;
	const struct wm_copy *what = &finder->copies->copies[copy];
	if (from == WM_HIDDEN_ENTRY)
		return true;
	if (what->graph->first[from + 1] - what->graph->first[from] < 2)
		return true;
	if (!bears_decision(finder, edge, copy, from))
		return false;
	uint32_t source = cfg->source[edge], others = 0;
	int64_t own = first_arrival(finder, edge);
	for (uint32_t i = cfg->out_start[source]; i < cfg->out_start[source + 1]; i++) {
		uint32_t other = cfg->out_edge[i];
		if (other == edge || !is_followed(finder, copy, other))
			continue;
		if (own < 0 || first_arrival(finder, other) == own)
			return false;
		others++;
	}
	return others > 0;
}

/* What was decided on the way, but for what has been stated. */
static void say_decisions(struct finder *finder, uint32_t place, uint32_t copy, uint32_t from,
	uint32_t to, struct wm_hidden hidden)
{
	const struct wm_hidden_decision *stated = &finder->stated;
	bool is_stated = stated->block == from;
	if (is_stated && !hidden.decision_count && stated->target != WM_NONE &&
		stated->target != to)
		hidden = wm_hidden_between(
			finder->copies->copies[copy].search, stated->target, to, WM_HIDDEN_PASSED);
	for (uint32_t i = 0; i < hidden.decision_count; i++)
		if (!is_stated || i > 0 || hidden.decisions[i].block != from)
			wm_statements_add_outcome(
				finder->statements, place, 0, copy, &hidden.decisions[i]);
}

/* On the edge of the code, control went from one block of the copy's text to another. */
static void say_on_edge(struct finder *finder, uint32_t edge, uint32_t copy, uint32_t from,
	uint32_t to, enum certainty certainty)
{
	bool weak = certainty != SURE;
	const struct wm_copy *what = &finder->copies->copies[copy];
	uint32_t place = edge == finder->entry_edge ? 0 : finder->capture->block_count + edge;
	if (from == WM_HIDDEN_ENTRY && (to == 0 || (to == what->graph->source.block_count && copy)))
		return;
	struct wm_hidden hidden = wm_hidden_between(what->search, from, to,
		is_decided(finder, edge, copy, from) ? WM_HIDDEN_DECIDED : WM_HIDDEN_PASSED);
	if (!hidden.possible && certainty != PERHAPS)
		wm_statements_open_text(finder->statements, place, what->graph);
	for (uint32_t i = 0; i < hidden.block_count; i++)
		wm_statements_add(finder->statements, place, copy,
			stretch_of(finder, edge)->repeats ? WM_WITNESS_REPEATED
			: weak				  ? weaker(hidden.blocks[i].kind)
							  : hidden.blocks[i].kind,
			hidden.blocks[i].block);
	if (!weak)
		say_decisions(finder, place, copy, from, to, hidden);
}

/* Two sights in one block of the code. */
static void say_between(
	struct finder *finder, const struct wm_sight *before, const struct wm_sight *sight)
{
	const struct wm_copy *copy = &finder->copies->copies[sight->copy];
	struct wm_hidden hidden = wm_hidden_between(
		copy->search, before->block, arrival_at(copy, sight->block), WM_HIDDEN_PASSED);
	bool even = before->factor == sight->factor && sight->factor <= MAX_PROBES_OF_FACTOR;
	if (!hidden.possible)
		wm_statements_open_text(finder->statements, sight->place, copy->graph);
	for (uint32_t i = 0; i < hidden.block_count; i++)
		for (uint32_t k = 0; k < (even ? sight->factor : 1); k++)
			say_inside(finder, sight->place, sight->points, sight->copy,
				even ? hidden.blocks[i].kind : WM_WITNESS_REPEATED,
				hidden.blocks[i].block);
	for (uint32_t i = 0; even && i < hidden.decision_count; i++)
		wm_statements_add_outcome(finder->statements, sight->place,
			(uint32_t)(sight - finder->copies->sights), sight->copy,
			&hidden.decisions[i]);
}

static void say_sight(struct finder *finder, const struct wm_sight *sight)
{
	bool known = sight->factor > 0 && sight->factor <= MAX_PROBES_OF_FACTOR;
	for (uint32_t i = 0; i < (known ? sight->factor : 1); i++)
		say_inside(finder, sight->place, sight->points, sight->copy,
			known ? WM_WITNESS_RAN : WM_WITNESS_AT_LEAST, sight->block);
}

/* --- stretches --- */

/* Edges around blocks without a sight are joined. */
static void join_stretches(struct finder *finder, uint32_t copy)
{
	const struct wm_cfg *cfg = finder->cfg;
	wm_disjoint_sets_clear(&finder->sets, cfg->edge_count + 1);
	for (uint32_t b = 0; b < finder->capture->block_count; b++) {
		if (finder->first_sight[b] != WM_NONE)
			continue;
		uint32_t one = b == 0 ? finder->entry_edge : WM_NONE;
		for (uint32_t i = cfg->in_start[b]; i < cfg->in_start[b + 1]; i++) {
			uint32_t edge = cfg->in_edge[i];
			if (edge >= finder->entry_edge || !is_followed(finder, copy, edge))
				continue;
			if (one != WM_NONE)
				wm_disjoint_sets_join(&finder->sets, edge, one);
			one = edge;
		}
		for (uint32_t i = cfg->out_start[b]; i < cfg->out_start[b + 1]; i++) {
			uint32_t edge = cfg->out_edge[i];
			if (!is_followed(finder, copy, edge))
				continue;
			if (one != WM_NONE)
				wm_disjoint_sets_join(&finder->sets, edge, one);
			one = edge;
		}
	}
}

/* The block of text that is seen first behind the edge; false if none is there. */
static bool arrival_of(const struct finder *finder, uint32_t copy, uint32_t edge, uint32_t *arrival)
{
	const struct wm_copy *what = &finder->copies->copies[copy];
	uint32_t target = edge == finder->entry_edge ? 0 : finder->cfg->target[edge];
	if (target == finder->capture->block_count) {
		*arrival = what->graph->source.block_count;
		return true;
	}
	if (finder->first_sight[target] == WM_NONE)
		return false;
	*arrival = finder->copies->sights[finder->first_sight[target]].block;
	return true;
}

/* The block of text that was seen last before the edge; false if none is there. */
static bool departure_of(const struct finder *finder, uint32_t edge, uint32_t *departure)
{
	if (edge == finder->entry_edge) {
		*departure = WM_HIDDEN_ENTRY;
		return true;
	}
	uint32_t source = finder->cfg->source[edge];
	if (source == finder->capture->block_count || finder->last_sight[source] == WM_NONE)
		return false;
	*departure = finder->copies->sights[finder->last_sight[source]].block;
	return true;
}

static bool is_vector(const struct finder *finder, uint32_t vertex, const uint32_t *sight_at)
{
	return vertex < finder->capture->block_count && sight_at[vertex] != WM_NONE &&
	       finder->copies->sights[sight_at[vertex]].factor != 1;
}

/* Vector code runs several iterations of a loop at once, and its edges stand for fewer steps of the
 * text than there were. */
static bool is_beside_vector(const struct finder *finder, uint32_t edge)
{
	if (edge == finder->entry_edge)
		return is_vector(finder, 0, finder->first_sight);
	return is_vector(finder, finder->cfg->source[edge], finder->last_sight) ||
	       is_vector(finder, finder->cfg->target[edge], finder->first_sight);
}

/* An edge of the stretch that holds the block of the code, in which the copy is not seen. */
static uint32_t edge_at(const struct finder *finder, uint32_t copy, uint32_t block)
{
	const struct wm_cfg *cfg = finder->cfg;
	for (uint32_t i = cfg->in_start[block]; i < cfg->in_start[block + 1]; i++)
		if (cfg->in_edge[i] < finder->entry_edge &&
			is_followed(finder, copy, cfg->in_edge[i]))
			return cfg->in_edge[i];
	return finder->entry_edge;
}

static void note_leaks(struct finder *finder, uint32_t copy)
{
	for (size_t i = 0; i < finder->endings.count; i++) {
		const struct wm_ending *ending = &finder->endings.endings[i];
		uint32_t source = finder->cfg->source[ending->edge];
		if (ending->copy == copy && finder->last_sight[source] == WM_NONE)
			stretch_of(finder, edge_at(finder, copy, source))->leaks = true;
	}
}

static void note_ends(struct finder *finder, uint32_t copy)
{
	const struct wm_copy *what = &finder->copies->copies[copy];
	for (uint32_t edge = 0; edge <= finder->entry_edge; edge++)
		finder->stretches[edge] = (struct stretch){.departure = -1, .arrival = -1};
	stretch_of(finder, finder->entry_edge)->starts = true;
	for (uint32_t edge = 0; edge <= finder->entry_edge; edge++) {
		uint32_t block;
		if (edge < finder->entry_edge && !is_followed(finder, copy, edge))
			continue;
		if (departure_of(finder, edge, &block))
			note(&stretch_of(finder, edge)->departure, block);
		stretch_of(finder, edge)->repeats |= is_beside_vector(finder, edge);
		if (!arrival_of(finder, copy, edge, &block))
			continue;
		struct stretch *stretch = stretch_of(finder, edge);
		note(&stretch->arrival, arrival_at(what, block));
		stretch->enters |= block == 0;
		stretch->leaves |= block == what->graph->source.block_count;
	}
	note_leaks(finder, copy);
}

/* Stores the blocks of text that can be seen first behind the edge; false if these are too many. */
static bool find_following(
	struct finder *finder, uint32_t copy, uint32_t edge, uint32_t *following, uint32_t *count)
{
	const struct wm_cfg *cfg = finder->cfg;
	const struct wm_copy *what = &finder->copies->copies[copy];
	uint32_t depth = 0;
	*count = 0;
	finder->visit++;
	for (;;) {
		uint32_t block, target = edge == finder->entry_edge ? 0 : cfg->target[edge];
		if (arrival_of(finder, copy, edge, &block)) {
			uint32_t known = 0, arrival = arrival_at(what, block);
			while (known < *count && following[known] != arrival)
				known++;
			if (known == MAX_FOLLOWING)
				return false;
			following[known] = arrival;
			*count += known == *count;
		} else if (finder->visited[target] != finder->visit) {
			finder->visited[target] = finder->visit;
			for (uint32_t i = cfg->out_start[target]; i < cfg->out_start[target + 1];
				i++)
				if (is_followed(finder, copy, cfg->out_edge[i]))
					finder->stack[depth++] = cfg->out_edge[i];
		}
		if (!depth)
			return true;
		edge = finder->stack[--depth];
	}
}

/* The other edge of two by which control goes on from a block, or WM_NONE. */
static uint32_t other_edge(const struct finder *finder, uint32_t copy, uint32_t edge)
{
	const struct wm_cfg *cfg = finder->cfg;
	uint32_t source = cfg->source[edge], other = WM_NONE;
	for (uint32_t i = cfg->out_start[source]; i < cfg->out_start[source + 1]; i++) {
		if (cfg->out_edge[i] == edge || !is_followed(finder, copy, cfg->out_edge[i]))
			continue;
		if (other != WM_NONE)
			return WM_NONE;
		other = cfg->out_edge[i];
	}
	return other;
}

/* In a stretch outside of an inlined copy, its entry may have been lost: what is seen next may
 * belong to another execution of the copy. */
static bool is_mixed_outside(
	const struct wm_copy *what, uint32_t copy, const struct stretch *stretch)
{
	bool outside = stretch->enters || stretch->leaves || stretch->starts;
	return copy > 0 && outside && stretch->arrival != -1 &&
	       stretch->arrival != what->graph->source.block_count;
}

/* Whether control that is at the arm comes to the block, whatever happens. */
static bool leads_straight_to(const struct wm_copy *what, uint32_t arm, uint32_t block)
{
	const struct wm_text_graph *graph = what->graph;
	for (uint32_t steps = 0; arm != block; steps++) {
		if (steps == MAX_FOLLOWING || arm == graph->source.block_count ||
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
static bool may_follow(struct finder *finder, uint32_t copy, uint32_t edge, uint32_t block)
{
	uint32_t following[MAX_FOLLOWING + 1], count;
	if (!find_following(finder, copy, edge, following, &count))
		return true;
	for (uint32_t i = 0; i < count; i++)
		if (following[i] == block)
			return true;
	return false;
}

/* Whether that arm of a decision is seen behind one of two edges, and cannot be behind the other.
 */
static bool is_seen_only_behind(struct finder *finder, uint32_t copy, uint32_t edge, uint32_t other,
	uint32_t from, uint32_t arm)
{
	const struct wm_copy *what = &finder->copies->copies[copy];
	int64_t seen = first_arrival(finder, edge);
	return seen >= 0 && leads_straight_to(what, arm, (uint32_t)seen) &&
	       !may_follow(finder, copy, other, (uint32_t)seen) &&
	       comes_only_by(what, from, arm, (uint32_t)seen);
}

/* Where the decision at the start of the edge led to, or WM_NONE. Of two arms one is seen at once,
 * behind this edge or the other: so the other arm is behind the other edge, wherever control is
 * seen next. */
static uint32_t arm_behind(struct finder *finder, uint32_t copy, uint32_t edge, uint32_t from)
{
	const struct wm_copy *what = &finder->copies->copies[copy];
	const uint32_t *arms = what->graph->successor + what->graph->first[from];
	uint32_t other;
	if (what->graph->first[from + 1] - what->graph->first[from] != 2 ||
		!bears_decision(finder, edge, copy, from) ||
		(other = other_edge(finder, copy, edge)) == WM_NONE ||
		is_mixed_outside(what, copy, stretch_of(finder, edge)) ||
		is_mixed_outside(what, copy, stretch_of(finder, other)))
		return WM_NONE;
	for (uint32_t i = 0; i < 2; i++)
		if (is_seen_only_behind(finder, copy, edge, other, from, arms[i]) ||
			is_seen_only_behind(finder, copy, other, edge, from, arms[1 - i]))
			return arms[i];
	return WM_NONE;
}

/* The block of text with a decision that is known at the start of the edge; false if none is. */
static bool decides(
	struct finder *finder, uint32_t copy, uint32_t edge, struct wm_hidden_decision *decision)
{
	if (edge == finder->entry_edge || !is_followed(finder, copy, edge) ||
		!departure_of(finder, edge, &decision->block))
		return false;
	decision->target = arm_behind(finder, copy, edge, decision->block);
	return decision->target != WM_NONE;
}

static void note_decisions(struct finder *finder, uint32_t copy)
{
	for (uint32_t edge = 0; edge < finder->entry_edge; edge++) {
		struct wm_hidden_decision decision;
		uint32_t block;
		if (is_followed(finder, copy, edge) && departure_of(finder, edge, &block) &&
			!decides(finder, copy, edge, &decision))
			stretch_of(finder, edge)->undecided = true;
	}
}

static void say_departure(struct finder *finder, uint32_t copy, uint32_t edge, uint32_t from)
{
	const struct wm_copy *what = &finder->copies->copies[copy];
	const struct stretch *stretch = stretch_of(finder, edge);
	uint32_t following[MAX_FOLLOWING + 1], count = 1;
	following[0] = (uint32_t)stretch->arrival;
	if (stretch->arrival == -1)
		return;
	if (from == WM_HIDDEN_ENTRY && copy == 0 && stretch->enters) {
		if (stretch->leaves || stretch->arrival == SEVERAL)
			wm_statements_open_text(finder->statements, 0, what->graph);
		return;
	}
	if (stretch->arrival != SEVERAL) {
		say_on_edge(finder, edge, copy, from, following[0],
			stretch->leaks ? UNLESS_LEFT : SURE);
	} else if (find_following(finder, copy, edge, following, &count)) {
		for (uint32_t i = 0; i < count; i++)
			say_on_edge(finder, edge, copy, from, following[i],
				count > 1	 ? PERHAPS
				: stretch->leaks ? UNLESS_LEFT
						 : SURE);
	} else {
		wm_statements_open_text(finder->statements,
			edge == finder->entry_edge ? 0 : finder->capture->block_count + edge,
			what->graph);
	}
}

/* Before it is seen again, control may have left the copy. */
static void say_departure_outside(struct finder *finder, uint32_t copy, uint32_t edge,
	uint32_t from, const uint32_t *following, uint32_t count)
{
	uint32_t exit = finder->copies->copies[copy].graph->source.block_count;
	bool leaves = count == 1 && following[0] == exit, may_leave = false;
	for (uint32_t i = 0; i < count; i++) {
		say_on_edge(finder, edge, copy, from, following[i],
			!leaves				  ? PERHAPS
			: stretch_of(finder, edge)->leaks ? UNLESS_LEFT
							  : SURE);
		may_leave |= following[i] == exit;
	}
	if (!may_leave)
		say_on_edge(finder, edge, copy, from, exit, PERHAPS);
}

static void say_ends_outside(
	struct finder *finder, uint32_t copy, uint32_t edge, const struct stretch *stretch)
{
	const struct wm_copy *what = &finder->copies->copies[copy];
	uint32_t following[MAX_FOLLOWING + 1], count, block;
	uint32_t exit = what->graph->source.block_count;
	if (edge != finder->entry_edge && departure_of(finder, edge, &block)) {
		if (find_following(finder, copy, edge, following, &count))
			say_departure_outside(finder, copy, edge, block, following, count);
		else
			wm_statements_open_text(finder->statements,
				finder->capture->block_count + edge, what->graph);
	}
	if (arrival_of(finder, copy, edge, &block) && block != 0 && block != exit)
		say_on_edge(finder, edge, copy, WM_HIDDEN_ENTRY, block,
			stretch->departure != WM_HIDDEN_ENTRY ? PERHAPS : SURE);
}

static void say_ends_inside(
	struct finder *finder, uint32_t copy, uint32_t edge, const struct stretch *stretch)
{
	uint32_t block;
	struct wm_hidden_decision decision;
	bool at_arrivals = (stretch->arrival == SEVERAL || stretch->leaks) &&
			   stretch->departure != SEVERAL && stretch->departure != -1;
	bool stated =
		!(at_arrivals && stretch->undecided) && decides(finder, copy, edge, &decision);
	if (stated)
		wm_statements_add_outcome(finder->statements, finder->capture->block_count + edge,
			0, copy, &decision);
	if (!at_arrivals && departure_of(finder, edge, &block)) {
		if (stated)
			finder->stated = decision;
		say_departure(finder, copy, edge, block);
	}
	if (at_arrivals && arrival_of(finder, copy, edge, &block)) {
		if (!stretch->undecided)
			finder->stated.block = (uint32_t)stretch->departure;
		say_on_edge(finder, edge, copy, (uint32_t)stretch->departure,
			(uint32_t)stretch->departure == WM_HIDDEN_ENTRY
				? block
				: arrival_at(&finder->copies->copies[copy], block),
			SURE);
	}
	finder->stated = nothing_stated;
}

static bool is_seen_in(const struct finder *finder, uint32_t copy, uint32_t place, uint32_t block)
{
	const struct wm_sight *sights = finder->copies->sights;
	for (uint32_t i = finder->first_sight[place]; i <= finder->last_sight[place]; i++)
		if (sights[i].copy == copy && sights[i].block == block)
			return true;
	return false;
}

/* What may have run between the last sight and the block that was left. */
static void say_before_leak(struct finder *finder, const struct wm_ending *ending)
{
	const struct wm_copy *what = &finder->copies->copies[ending->copy];
	uint32_t source = finder->cfg->source[ending->edge];
	uint32_t place = finder->capture->block_count + ending->edge;
	bool seen = finder->last_sight[source] != WM_NONE;
	int64_t from = seen ? SEVERAL
			    : stretch_of(finder, edge_at(finder, ending->copy, source))->departure;
	if (ending->block == WM_NONE || from == (int64_t)ending->block ||
		(seen && is_seen_in(finder, ending->copy, source, ending->block)))
		return;
	if (from < 0 || (from == WM_HIDDEN_ENTRY && ending->copy)) {
		wm_statements_open_text(finder->statements, place, what->graph);
		return;
	}
	struct wm_hidden hidden =
		wm_hidden_between(what->search, (uint32_t)from, ending->block, WM_HIDDEN_PASSED);
	if (!hidden.possible)
		wm_statements_open_text(finder->statements, place, what->graph);
	for (uint32_t i = 0; i < hidden.block_count; i++)
		wm_statements_add(finder->statements, place, ending->copy,
			weaker(hidden.blocks[i].kind), hidden.blocks[i].block);
	wm_statements_add(finder->statements, place, ending->copy, WM_WITNESS_MAY, ending->block);
}

static void say_leaks(struct finder *finder, uint32_t copy)
{
	for (size_t i = 0; i < finder->endings.count; i++)
		if (finder->endings.endings[i].copy == copy)
			say_before_leak(finder, &finder->endings.endings[i]);
}

static void say_ends(struct finder *finder, uint32_t copy)
{
	for (uint32_t edge = 0; edge <= finder->entry_edge; edge++) {
		if (edge < finder->entry_edge && !is_followed(finder, copy, edge))
			continue;
		const struct stretch *stretch = stretch_of(finder, edge);
		if (is_mixed_outside(&finder->copies->copies[copy], copy, stretch))
			say_ends_outside(finder, copy, edge, stretch);
		else
			say_ends_inside(finder, copy, edge, stretch);
	}
}

static void set_sights(struct finder *finder, const struct wm_copy *copy)
{
	const uint32_t *own = finder->copies->by_copy + copy->first_sight;
	for (uint32_t i = 0; i < copy->sight_count; i++) {
		uint32_t place = finder->copies->sights[own[i]].place;
		if (finder->first_sight[place] == WM_NONE)
			finder->first_sight[place] = own[i];
		finder->last_sight[place] = own[i];
	}
}

static void clear_sights(struct finder *finder, const struct wm_copy *copy)
{
	const uint32_t *own = finder->copies->by_copy + copy->first_sight;
	for (uint32_t i = 0; i < copy->sight_count; i++) {
		uint32_t place = finder->copies->sights[own[i]].place;
		finder->first_sight[place] = finder->last_sight[place] = WM_NONE;
	}
}

static void say_sights(struct finder *finder, const struct wm_copy *copy)
{
	const uint32_t *own = finder->copies->by_copy + copy->first_sight;
	for (uint32_t i = 0; i < copy->sight_count; i++) {
		const struct wm_sight *sight = &finder->copies->sights[own[i]];
		say_sight(finder, sight);
		if (i > 0 && finder->copies->sights[own[i - 1]].place == sight->place)
			say_between(finder, &finder->copies->sights[own[i - 1]], sight);
	}
}

static void find_of_copy(struct finder *finder, uint32_t number)
{
	const struct wm_copy *copy = &finder->copies->copies[number];
	set_sights(finder, copy);
	say_sights(finder, copy);
	join_stretches(finder, number);
	note_ends(finder, number);
	note_decisions(finder, number);
	say_ends(finder, number);
	say_leaks(finder, number);
	clear_sights(finder, copy);
}

/* Each block of the text is seen where it stands, and each edge is one of the text's. */
static void find_of_untouched(struct finder *finder)
{
	const struct wm_copy *copy = &finder->copies->copies[0];
	const struct wm_text_graph *graph = copy->graph;
	set_sights(finder, copy);
	say_sights(finder, copy);
	for (uint32_t edge = 0; edge < finder->entry_edge; edge++) {
		struct wm_hidden_decision decision;
		if (is_followed(finder, 0, edge) && departure_of(finder, edge, &decision.block) &&
			arrival_of(finder, 0, edge, &decision.target) &&
			graph->first[decision.block + 1] - graph->first[decision.block] > 1)
			wm_statements_add_outcome(finder->statements,
				finder->capture->block_count + edge, 0, 0, &decision);
	}
	clear_sights(finder, copy);
}

/* Whether control comes from outside to a block of the copy that is not its entry, and its entry
 * was not lost: then the code was another copy's before the optimiser united the two. */
static bool is_united(struct finder *finder, uint32_t number)
{
	const struct wm_copy *copy = &finder->copies->copies[number];
	bool united = false;
	set_sights(finder, copy);
	join_stretches(finder, number);
	note_ends(finder, number);
	for (uint32_t edge = 0; edge <= finder->entry_edge && !united; edge++) {
		uint32_t block;
		if (edge < finder->entry_edge && !is_followed(finder, number, edge))
			continue;
		united = is_mixed_outside(copy, number, stretch_of(finder, edge)) &&
			 arrival_of(finder, number, edge, &block) && block != 0 &&
			 block != copy->graph->source.block_count &&
			 !wm_hidden_may_come_to(copy->search, block);
	}
	clear_sights(finder, copy);
	return united;
}

/* Code of several copies of one text may have become one. */
static void find_united(struct finder *finder)
{
	struct wm_copies *copies = finder->copies;
	for (uint32_t i = 1; i < copies->count; i++) {
		struct wm_copy *copy = &copies->copies[i];
		uint32_t twins = 0;
		for (uint32_t k = 1; k < copies->count; k++)
			twins += copies->copies[k].graph == copy->graph;
		if (!copy->graph || copy->is_mixed || !copy->sight_count || twins < 2 ||
			!is_united(finder, i))
			continue;
		for (uint32_t k = 1; k < copies->count; k++)
			copies->copies[k].is_mixed |= copies->copies[k].graph == copy->graph;
	}
}

static bool returns_twice(const struct wm_capture *capture)
{
	const struct wm_cfg *cfg = capture->cfg;
	uint32_t exit = capture->block_count;
	for (uint32_t i = cfg->out_start[exit]; i < cfg->out_start[exit + 1]; i++)
		if (cfg->out_edge[i] < cfg->edge_count && cfg->target[cfg->out_edge[i]] != 0)
			return true;
	return false;
}

static void find_all(struct finder *finder)
{
	struct wm_copies *copies = finder->copies;
	bool open = returns_twice(finder->capture);
	bool too_large = (uint64_t)copies->count * finder->cfg->edge_count > max_work;
	if (!open && !too_large)
		find_united(finder);
	for (uint32_t i = 0; i < copies->count; i++) {
		const struct wm_copy *copy = &copies->copies[i];
		if (!copy->graph)
			continue;
		if (i == 0 && finder->is_untouched)
			find_of_untouched(finder);
		else if (open || copy->is_mixed || copy->graph->returns_twice ||
			 (too_large && i > 0))
			wm_statements_open_text(finder->statements, 0, copy->graph);
		else if (i == 0 || copy->sight_count)
			find_of_copy(finder, i);
	}
}

const struct wm_source_section *wm_witnesses_find(struct wm_arena *arena, struct wm_bridge *bridge,
	const struct wm_texts *texts, const struct wm_capture *capture, bool untouched)
{
	struct wm_copies copies;
	struct wm_statements statements;
	uint32_t edges = capture->cfg->edge_count, blocks = capture->block_count;
	if (!texts->count)
		return NULL;
	wm_copies_find(arena, bridge, texts, capture, &copies);
	struct finder finder = {.copies = &copies,
		.statements = &statements,
		.capture = capture,
		.cfg = capture->cfg,
		.is_untouched = untouched,
		.entry_edge = edges,
		.stated = nothing_stated,
		.sets = wm_disjoint_sets_make(arena, edges + 1),
		.stretches = wm_arena_alloc(arena, (size_t)edges + 1, sizeof *finder.stretches),
		.first_sight = wm_none_array(arena, blocks),
		.last_sight = wm_none_array(arena, blocks),
		.visited = wm_arena_alloc(arena, blocks, sizeof(uint32_t)),
		.stack = wm_arena_alloc(arena, (size_t)edges + 1, sizeof(uint32_t))};
	wm_statements_open(arena, &copies, &statements);
	wm_endings_find(&copies, &statements, &finder.endings);
	find_all(&finder);
	wm_unseen_calls_open(&copies, &statements);
	return wm_statements_close(&statements);
}
