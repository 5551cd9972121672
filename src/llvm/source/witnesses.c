/* What is said at the ends of stretches (source/stretches.h), place by place.
 *
 * What ran unseen between two sights of a copy is said at one edge of each route: at the
 * departures, if only one sight can follow, else at the arrivals, if only one can come before, else
 * at the departures, weakly. Where a stretch leaks, what departs need not arrive, so arrivals come
 * first, and at each place of the leak is said what may have run before it. */
#include "llvm/source/witnesses.h"

#include <string.h>

#include "core/base/none.h"
#include "llvm/source/arms.h"
#include "llvm/source/statements.h"
#include "llvm/source/stretches.h"
#include "llvm/source/unseen_calls.h"

/* Beyond that many edges times copies, only the function's own text is looked at. */
static const uint64_t max_work = 100 * 1000 * 1000;
enum { MAX_PROBES_OF_FACTOR = 64 };

static const struct wm_hidden_decision nothing_stated = {WM_NONE, WM_NONE};

/* How what is said on an edge is meant. */
enum certainty {
	SURE,
	UNLESS_LEFT, /* of what does not end on the way */
	PERHAPS	     /* of some of what passes */
};

struct finder {
	struct wm_copies *copies;
	struct wm_stretches *stretches;
	struct wm_statements *statements;
	const struct wm_capture *capture;
	const struct wm_cfg *cfg;
	bool is_untouched;		  /* the function's own text is as it was written */
	uint32_t entry_edge;		  /* stands for the start of the function */
	struct wm_hidden_decision stated; /* that on the way at hand, or WM_NONE; the target is not
					     known where all departures have stated one */
};

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
		wm_arms_is_decided(finder->stretches, edge, copy, from) ? WM_HIDDEN_DECIDED
									: WM_HIDDEN_PASSED);
	if (!hidden.possible && certainty != PERHAPS)
		wm_statements_open_text(finder->statements, place, what->graph);
	for (uint32_t i = 0; i < hidden.block_count; i++)
		wm_statements_add(finder->statements, place, copy,
			wm_stretches_of(finder->stretches, edge)->repeats ? WM_WITNESS_REPEATED
			: weak ? weaker(hidden.blocks[i].kind)
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
	struct wm_hidden hidden = wm_hidden_between(copy->search, before->block,
		wm_stretches_arrival_at(copy, sight->block), WM_HIDDEN_PASSED);
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

static void say_departure(struct finder *finder, uint32_t copy, uint32_t edge, uint32_t from)
{
	const struct wm_copy *what = &finder->copies->copies[copy];
	const struct wm_stretch *stretch = wm_stretches_of(finder->stretches, edge);
	uint32_t following[WM_STRETCHES_MAX_FOLLOWING + 1], count = 1;
	following[0] = (uint32_t)stretch->arrival;
	if (stretch->arrival == -1)
		return;
	if (from == WM_HIDDEN_ENTRY && copy == 0 && stretch->enters) {
		if (stretch->leaves || stretch->arrival == WM_STRETCHES_SEVERAL)
			wm_statements_open_text(finder->statements, 0, what->graph);
		return;
	}
	if (stretch->arrival != WM_STRETCHES_SEVERAL) {
		say_on_edge(finder, edge, copy, from, following[0],
			stretch->leaks ? UNLESS_LEFT : SURE);
	} else if (wm_stretches_find_following(finder->stretches, copy, edge, following, &count)) {
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
			!leaves						  ? PERHAPS
			: wm_stretches_of(finder->stretches, edge)->leaks ? UNLESS_LEFT
									  : SURE);
		may_leave |= following[i] == exit;
	}
	if (!may_leave)
		say_on_edge(finder, edge, copy, from, exit, PERHAPS);
}

static void say_ends_outside(
	struct finder *finder, uint32_t copy, uint32_t edge, const struct wm_stretch *stretch)
{
	const struct wm_copy *what = &finder->copies->copies[copy];
	uint32_t following[WM_STRETCHES_MAX_FOLLOWING + 1], count, block;
	uint32_t exit = what->graph->source.block_count;
	if (edge != finder->entry_edge && wm_stretches_departure(finder->stretches, edge, &block)) {
		if (wm_stretches_find_following(finder->stretches, copy, edge, following, &count))
			say_departure_outside(finder, copy, edge, block, following, count);
		else
			wm_statements_open_text(finder->statements,
				finder->capture->block_count + edge, what->graph);
	}
	if (wm_stretches_arrival(finder->stretches, copy, edge, &block) && block != 0 &&
		block != exit)
		say_on_edge(finder, edge, copy, WM_HIDDEN_ENTRY, block,
			stretch->departure != WM_HIDDEN_ENTRY ? PERHAPS : SURE);
}

static void say_ends_inside(
	struct finder *finder, uint32_t copy, uint32_t edge, const struct wm_stretch *stretch)
{
	uint32_t block;
	struct wm_hidden_decision decision;
	bool at_arrivals = (stretch->arrival == WM_STRETCHES_SEVERAL || stretch->leaks) &&
			   stretch->departure != WM_STRETCHES_SEVERAL && stretch->departure != -1;
	bool stated = !(at_arrivals && stretch->undecided) &&
		      wm_arms_decides(finder->stretches, copy, edge, &decision);
	if (stated)
		wm_statements_add_outcome(finder->statements, finder->capture->block_count + edge,
			0, copy, &decision);
	if (!at_arrivals && wm_stretches_departure(finder->stretches, edge, &block)) {
		if (stated)
			finder->stated = decision;
		say_departure(finder, copy, edge, block);
	}
	if (at_arrivals && wm_stretches_arrival(finder->stretches, copy, edge, &block)) {
		if (!stretch->undecided)
			finder->stated.block = (uint32_t)stretch->departure;
		say_on_edge(finder, edge, copy, (uint32_t)stretch->departure,
			(uint32_t)stretch->departure == WM_HIDDEN_ENTRY
				? block
				: wm_stretches_arrival_at(&finder->copies->copies[copy], block),
			SURE);
	}
	finder->stated = nothing_stated;
}

static bool is_seen_in(const struct finder *finder, uint32_t copy, uint32_t place, uint32_t block)
{
	const struct wm_sight *sights = finder->copies->sights;
	for (uint32_t i = finder->stretches->first_sight[place];
		i <= finder->stretches->last_sight[place]; i++)
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
	bool seen = finder->stretches->last_sight[source] != WM_NONE;
	int64_t from = seen ? WM_STRETCHES_SEVERAL
			    : wm_stretches_of(finder->stretches,
				      wm_stretches_edge_at(finder->stretches, ending->copy, source))
				       ->departure;
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
	for (size_t i = 0; i < finder->stretches->endings.count; i++)
		if (finder->stretches->endings.endings[i].copy == copy)
			say_before_leak(finder, &finder->stretches->endings.endings[i]);
}

static void say_ends(struct finder *finder, uint32_t copy)
{
	for (uint32_t edge = 0; edge <= finder->entry_edge; edge++) {
		if (edge < finder->entry_edge &&
			!wm_stretches_follow(finder->stretches, copy, edge))
			continue;
		const struct wm_stretch *stretch = wm_stretches_of(finder->stretches, edge);
		if (wm_stretches_is_mixed_outside(&finder->copies->copies[copy], copy, stretch))
			say_ends_outside(finder, copy, edge, stretch);
		else
			say_ends_inside(finder, copy, edge, stretch);
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
	wm_stretches_see(finder->stretches, copy);
	say_sights(finder, copy);
	wm_stretches_find(finder->stretches, number);
	wm_arms_note_undecided(finder->stretches, number);
	say_ends(finder, number);
	say_leaks(finder, number);
	wm_stretches_clear(finder->stretches, copy);
}

/* Each block of the text is seen where it stands, and each edge is one of the text's. */
static void find_of_untouched(struct finder *finder)
{
	const struct wm_copy *copy = &finder->copies->copies[0];
	const struct wm_text_graph *graph = copy->graph;
	wm_stretches_see(finder->stretches, copy);
	say_sights(finder, copy);
	for (uint32_t edge = 0; edge < finder->entry_edge; edge++) {
		struct wm_hidden_decision decision;
		if (wm_stretches_follow(finder->stretches, 0, edge) &&
			wm_stretches_departure(finder->stretches, edge, &decision.block) &&
			wm_stretches_arrival(finder->stretches, 0, edge, &decision.target) &&
			graph->first[decision.block + 1] - graph->first[decision.block] > 1)
			wm_statements_add_outcome(finder->statements,
				finder->capture->block_count + edge, 0, 0, &decision);
	}
	wm_stretches_clear(finder->stretches, copy);
}

/* Whether control comes from outside to a block of the copy that is not its entry, and its entry
 * was not lost: then the code was another copy's before the optimiser united the two. */
static bool is_united(struct finder *finder, uint32_t number)
{
	const struct wm_copy *copy = &finder->copies->copies[number];
	bool united = false;
	wm_stretches_see(finder->stretches, copy);
	wm_stretches_find(finder->stretches, number);
	for (uint32_t edge = 0; edge <= finder->entry_edge && !united; edge++) {
		uint32_t block;
		if (edge < finder->entry_edge &&
			!wm_stretches_follow(finder->stretches, number, edge))
			continue;
		united = wm_stretches_is_mixed_outside(
				 copy, number, wm_stretches_of(finder->stretches, edge)) &&
			 wm_stretches_arrival(finder->stretches, number, edge, &block) &&
			 block != 0 && block != copy->graph->source.block_count &&
			 !wm_hidden_may_come_to(copy->search, block);
	}
	wm_stretches_clear(finder->stretches, copy);
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
	struct wm_stretches stretches;
	struct wm_statements statements;
	if (!texts->count)
		return NULL;
	wm_copies_find(arena, bridge, texts, capture, &copies);
	wm_stretches_open(arena, &copies, &stretches);
	struct finder finder = {.copies = &copies,
		.stretches = &stretches,
		.statements = &statements,
		.capture = capture,
		.cfg = capture->cfg,
		.is_untouched = untouched,
		.entry_edge = stretches.entry_edge,
		.stated = nothing_stated};
	wm_statements_open(arena, &copies, &statements);
	wm_endings_find(&copies, &statements, &stretches.endings);
	find_all(&finder);
	wm_unseen_calls_open(&copies, &statements);
	return wm_statements_close(&statements);
}
