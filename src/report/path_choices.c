/* Each decision is looked up in the source record of its text. */
#include "report/path_choices.h"

#include <stdlib.h>

#include "core/base/none.h"

static struct wm_place place_in(const struct wm_source *text, uint32_t file, uint32_t line)
{
	return line ? (struct wm_place){text->files[file], line} : (struct wm_place){"", 0};
}

/* The only block that comes next, or WM_NONE. */
static uint32_t only_successor(const struct wm_source *text, uint32_t block)
{
	uint32_t only = WM_NONE;
	for (uint32_t i = 0; i < text->edge_count; i++) {
		if (text->edge_source[i] != block)
			continue;
		if (only != WM_NONE)
			return WM_NONE;
		only = text->edge_target[i];
	}
	return only;
}

/* The first line that control comes to from the start of the block, whatever happens. */
static struct wm_place first_line(const struct wm_source *text, uint32_t block)
{
	for (uint32_t left = text->block_count; left > 0 && block < text->block_count; left--) {
		const struct wm_source_block *at = &text->blocks[block];
		if (at->line_count > 0)
			return place_in(text, text->lines[at->first_line].file,
				text->lines[at->first_line].line);
		block = only_successor(text, block);
	}
	return (struct wm_place){"", 0};
}

/* The arm that leads to the block; NULL if several do, or none: labels may share a statement. */
static const struct wm_source_arm *only_arm(const struct wm_source_branch *branch, uint32_t target)
{
	const struct wm_source_arm *only = NULL;
	for (uint32_t i = 0; i < branch->arm_count; i++) {
		if (branch->arms[i].target != target)
			continue;
		if (only)
			return NULL;
		only = &branch->arms[i];
	}
	return only;
}

static enum wm_outcome outcome_of(const struct wm_source_arm *arm)
{
	switch (arm->outcome) {
	case WM_SOURCE_NO:
		return WM_OUTCOME_NO;
	case WM_SOURCE_YES:
		return WM_OUTCOME_YES;
	case WM_SOURCE_CASE:
		return arm->place.line ? WM_OUTCOME_CASE : WM_OUTCOME_UNKNOWN;
	default:
		return arm->place.line ? WM_OUTCOME_CASE : WM_OUTCOME_NO_CASE;
	}
}

static struct wm_path_choice choice_of(
	const struct wm_source *text, const struct wm_stated_decision *decision)
{
	struct wm_path_choice choice = {.condition = {"", 0}, .to = {"", 0}, .to_vertex = WM_NONE};
	const struct wm_source_branch *branch =
		text ? wm_source_branch_of(text, decision->block) : NULL;
	if (!branch)
		return choice;
	const struct wm_source_arm *arm = only_arm(branch, decision->target);
	choice.function = text->name;
	choice.condition = place_in(text, branch->condition.file, branch->condition.line);
	choice.column = branch->condition.column;
	choice.outcome = arm ? outcome_of(arm) : WM_OUTCOME_UNKNOWN;
	if (arm && arm->place.line) {
		choice.to = place_in(text, arm->place.file, arm->place.line);
		choice.to_column = arm->place.column;
	} else {
		choice.to = first_line(text, decision->target);
	}
	return choice;
}

static void add_choices(struct wm_choices *choices, const struct wm_profile_function *source)
{
	const struct wm_source_section *section = source->function->source;
	for (uint32_t i = 0; i < section->outcome_count; i++) {
		const struct wm_stated_decision *decision = &section->outcomes[i];
		choices->choices[i] = choice_of(source->sources[decision->source], decision);
		choices->first[decision->place + 1]++;
	}
}

/* How often the places ran that state one outcome of a decision. */
struct stated {
	uint32_t index; /* of the choice; WM_NONE: of an unknown outcome */
	uint64_t count;
	const struct wm_stated_decision *decision;
};

static int compare_stated(const void *left, const void *right)
{
	const struct wm_stated_decision *a = ((const struct stated *)left)->decision;
	const struct wm_stated_decision *b = ((const struct stated *)right)->decision;
	if (a->source != b->source)
		return a->source < b->source ? -1 : 1;
	if (a->block != b->block)
		return a->block < b->block ? -1 : 1;
	return (a->target > b->target) - (a->target < b->target);
}

static bool is_one_decision(const struct stated *a, const struct stated *b)
{
	return a->decision->source == b->decision->source &&
	       a->decision->block == b->decision->block;
}

/* By block: how often control left it, but not inside a call. */
static uint64_t *count_departures(struct wm_arena *arena, const struct wm_profile_function *source)
{
	const struct wm_function *function = source->function;
	uint64_t *left = wm_arena_alloc(arena, function->block_count, sizeof *left);
	for (uint32_t e = 0; e < function->edge_count; e++)
		if (!(function->edge_flags[e] & WM_EDGE_ABANDONED))
			left[function->edge_source[e]] += source->edge[e];
	return left;
}

static void sum_up(struct wm_choices *choices, struct stated *stated, uint32_t count)
{
	for (uint32_t first = 0, end; first < count; first = end) {
		uint64_t decided = 0, chosen = 0;
		for (end = first; end < count && is_one_decision(&stated[first], &stated[end]);
			end++)
			decided += stated[end].count;
		for (uint32_t i = first, behind; i < end; i = behind, chosen = 0) {
			for (behind = i;
				behind < end && compare_stated(&stated[i], &stated[behind]) == 0;
				behind++)
				chosen += stated[behind].count;
			for (uint32_t k = i; k < behind; k++) {
				if (stated[k].index == WM_NONE)
					continue;
				choices->choices[stated[k].index].chosen = chosen;
				choices->choices[stated[k].index].decided = decided;
			}
		}
	}
}

/* What is known of the places of one function. */
struct places {
	const struct wm_profile_function *source;
	const struct wm_choices *choices;
	struct wm_cfg *cfg;
};

static bool states(
	const struct places *places, uint32_t place, const struct wm_stated_decision *decision)
{
	const struct wm_stated_decision *all = places->source->function->source->outcomes;
	const uint32_t *first = &places->choices->first[place];
	for (uint32_t i = first[0]; i < first[1]; i++)
		if (all[i].source == decision->source && all[i].block == decision->block)
			return true;
	return false;
}

/* Whether code that control must soon come to states the decision. */
static bool is_stated_later(
	const struct places *places, uint32_t edge, const struct wm_stated_decision *decision)
{
	enum { STEPS = 8 };
	const struct wm_cfg *cfg = places->cfg;
	uint32_t at = cfg->target[edge], blocks = places->source->function->block_count;
	for (int step = 0; step < STEPS && at < blocks; step++) {
		if (states(places, at, decision))
			return true;
		for (uint32_t i = cfg->out_start[at]; i < cfg->out_start[at + 1]; i++)
			if (states(places, blocks + cfg->out_edge[i], decision))
				return true;
		if (cfg->out_start[at + 1] - cfg->out_start[at] != 1)
			break;
		at = cfg->target[cfg->out_edge[cfg->out_start[at]]];
	}
	return false;
}

/* How often control left the block by edges that state nothing, now or soon: it decided, and nobody
 * knows how. */
static uint64_t count_silent(
	const struct places *places, uint32_t block, const struct wm_stated_decision *decision)
{
	const struct wm_cfg *cfg = places->cfg;
	const struct wm_profile_function *source = places->source;
	const uint32_t *first = places->choices->first + source->function->block_count;
	uint64_t silent = 0;
	for (uint32_t i = cfg->out_start[block]; i < cfg->out_start[block + 1]; i++) {
		uint32_t edge = cfg->out_edge[i];
		bool says = first[edge] != first[edge + 1] ||
			    (source->function->edge_flags[edge] & WM_EDGE_ABANDONED);
		if (!says && (int64_t)source->edge[edge] > 0 &&
			!is_stated_later(places, edge, decision))
			silent += source->edge[edge];
	}
	return silent;
}

/* For each block, what is silent belongs to the first decision of one of its other edges. */
static uint32_t add_silent(
	struct wm_arena *arena, const struct places *places, struct stated *stated)
{
	const struct wm_function *function = places->source->function;
	const struct wm_source_section *section = function->source;
	bool *is_done = wm_arena_alloc(arena, function->block_count, sizeof *is_done);
	uint32_t blocks = function->block_count, count = section->outcome_count;
	for (uint32_t i = 0, all = count; i < all; i++) {
		const struct wm_stated_decision *decision = &section->outcomes[i];
		bool first = i == 0 || section->outcomes[i - 1].place != decision->place;
		if (decision->place < blocks || !first)
			continue;
		uint32_t block = function->edge_source[decision->place - blocks];
		uint64_t silent = is_done[block] ? 0 : count_silent(places, block, decision);
		is_done[block] = true;
		if (silent == 0)
			continue;
		struct wm_stated_decision *unknown = wm_arena_alloc(arena, 1, sizeof *unknown);
		*unknown = *decision;
		unknown->target = WM_NONE;
		stated[count++] = (struct stated){WM_NONE, silent, unknown};
	}
	return count;
}

/* Each time that the code decided something, one place of it ran that states the decision, or an
 * edge beside such a place. */
static void count_choices(struct wm_arena *arena, const struct wm_profile_function *source,
	struct wm_choices *choices)
{
	const struct wm_source_section *section = source->function->source;
	uint32_t blocks = source->function->block_count, count = section->outcome_count;
	if (!source->edge || count == 0)
		return;
	const uint64_t *left = count_departures(arena, source);
	struct stated *stated = wm_arena_alloc(arena, 2 * (size_t)count, sizeof *stated);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t place = section->outcomes[i].place;
		uint64_t ran = place < blocks ? left[place] : source->edge[place - blocks];
		stated[i] = (struct stated){i, (int64_t)ran > 0 ? ran : 0, &section->outcomes[i]};
	}
	struct places places = {source, choices, wm_function_graph(arena, source->function)};
	count = add_silent(arena, &places, stated);
	qsort(stated, count, sizeof *stated, compare_stated);
	sum_up(choices, stated, count);
}

struct wm_choices wm_choices_make(struct wm_arena *arena, const struct wm_profile_function *source)
{
	const struct wm_function *function = source->function;
	bool known = source->sources && function->source;
	uint32_t count = known ? function->source->outcome_count : 0;
	size_t places = (size_t)function->block_count + function->edge_count;
	struct wm_choices choices = {
		.first = wm_arena_alloc(arena, places + 1, sizeof *choices.first),
		.choices = wm_arena_alloc(arena, count, sizeof *choices.choices)};
	if (known)
		add_choices(&choices, source);
	for (size_t i = 0; i < places; i++)
		choices.first[i + 1] += choices.first[i];
	if (known)
		count_choices(arena, source, &choices);
	return choices;
}
