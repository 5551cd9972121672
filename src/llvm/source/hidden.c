/* A search from one block through lost ones only. */
#include "llvm/source/hidden.h"

#include "core/base/none.h"

/* Beyond this nothing more is asked than what may have run. */
enum { MAX_EXACT = 48 };

struct wm_hidden_search {
	const struct wm_text_graph *graph;
	const bool *lost;
	const bool *passed;
	enum wm_hidden_trust trust;
	uint32_t to;
	uint32_t *found; /* lost blocks that are reached, in the order of the search */
	uint32_t found_count;
	uint32_t *place; /* by block: in found, or WM_NONE */
	bool *leads;	 /* by place in found: to the end */
	struct wm_hidden_block *blocks;
	struct wm_hidden_decision *decisions;
};

struct successors {
	uint32_t count;
	const uint32_t *vertex;
};

static struct successors successors_of(const struct wm_text_graph *graph, uint32_t block)
{
	static const uint32_t entry = 0;
	if (block == WM_HIDDEN_ENTRY)
		return (struct successors){1, &entry};
	uint32_t first = graph->first[block];
	return (struct successors){graph->first[block + 1] - first, graph->successor + first};
}

static bool may_be_hidden(const struct wm_hidden_search *search, uint32_t block)
{
	return search->trust == WM_HIDDEN_ANYTHING || search->lost[block] ||
	       (search->trust == WM_HIDDEN_PASSED && search->passed[block]);
}

static void reach_from(struct wm_hidden_search *search, uint32_t block)
{
	struct successors next = successors_of(search->graph, block);
	for (uint32_t i = 0; i < next.count; i++) {
		uint32_t v = next.vertex[i];
		if (v >= search->graph->source.block_count || search->place[v] != WM_NONE ||
			!may_be_hidden(search, v))
			continue;
		search->place[v] = search->found_count;
		search->found[search->found_count++] = v;
	}
}

static bool leads_on(const struct wm_hidden_search *search, uint32_t vertex)
{
	return vertex == search->to ||
	       (vertex < search->graph->source.block_count && search->place[vertex] != WM_NONE &&
		       search->leads[search->place[vertex]]);
}

static bool goes_to_end(const struct wm_hidden_search *search, uint32_t block)
{
	struct successors next = successors_of(search->graph, block);
	for (uint32_t i = 0; i < next.count; i++)
		if (leads_on(search, next.vertex[i]))
			return true;
	return false;
}

static void mark_leading(struct wm_hidden_search *search)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t i = search->found_count; i-- > 0;)
			if (!search->leads[i] && goes_to_end(search, search->found[i]))
				changed = search->leads[i] = true;
	}
}

/* Whether control can come from the block to the end, or to `wanted`, without `avoided`. */
static bool reaches(
	const struct wm_hidden_search *search, uint32_t from, uint32_t wanted, uint32_t avoided)
{
	uint32_t stack[MAX_EXACT], depth = 0, at = from;
	bool seen[MAX_EXACT] = {false};
	for (;;) {
		struct successors next = successors_of(search->graph, at);
		for (uint32_t i = 0; i < next.count; i++) {
			uint32_t v = next.vertex[i];
			if (v == wanted)
				return true;
			if (v >= search->graph->source.block_count || v == avoided ||
				search->place[v] == WM_NONE || !search->leads[search->place[v]] ||
				seen[search->place[v]])
				continue;
			seen[search->place[v]] = true;
			stack[depth++] = v;
		}
		if (!depth)
			return false;
		at = stack[--depth];
	}
}

static enum wm_witness_kind kind_of(
	const struct wm_hidden_search *search, uint32_t from, uint32_t block)
{
	if (search->found_count > MAX_EXACT)
		return WM_WITNESS_REPEATED;
	bool must = !reaches(search, from, search->to, block);
	bool again = reaches(search, block, block, WM_NONE);
	if (must)
		return again ? WM_WITNESS_AT_LEAST : WM_WITNESS_RAN;
	return again ? WM_WITNESS_REPEATED : WM_WITNESS_MAY;
}

/* The only vertex to which control can have gone from the block, or WM_NONE. */
static uint32_t only_step(const struct wm_hidden_search *search, uint32_t block)
{
	struct successors next = successors_of(search->graph, block);
	uint32_t only = WM_NONE;
	for (uint32_t i = 0; i < next.count; i++) {
		if (!leads_on(search, next.vertex[i]))
			continue;
		if (only != WM_NONE)
			return WM_NONE;
		only = next.vertex[i];
	}
	return only;
}

/* Follows the path as long as there is only one. */
static uint32_t follow(struct wm_hidden_search *search, uint32_t from)
{
	uint32_t at = from, count = 0;
	for (uint32_t i = 0; i <= search->found_count; i++) {
		uint32_t next = only_step(search, at);
		if (next == WM_NONE)
			break;
		if (at != WM_HIDDEN_ENTRY && successors_of(search->graph, at).count > 1)
			search->decisions[count++] = (struct wm_hidden_decision){at, next};
		if (next == search->to)
			break;
		at = next;
	}
	return count;
}

struct wm_hidden_search *wm_hidden_open(struct wm_arena *arena, const struct wm_text_graph *graph,
	const bool *lost, const bool *passed)
{
	size_t blocks = graph->source.block_count;
	struct wm_hidden_search *search = wm_arena_alloc(arena, 1, sizeof *search);
	*search = (struct wm_hidden_search){.graph = graph,
		.lost = lost,
		.passed = passed,
		.found = wm_arena_alloc(arena, blocks, sizeof(uint32_t)),
		.place = wm_none_array(arena, blocks),
		.leads = wm_arena_alloc(arena, blocks, sizeof(bool)),
		.blocks = wm_arena_alloc(arena, blocks, sizeof *search->blocks),
		.decisions = wm_arena_alloc(arena, blocks + 1, sizeof *search->decisions)};
	return search;
}

static void search_from(struct wm_hidden_search *search, uint32_t from)
{
	reach_from(search, from);
	for (uint32_t i = 0; i < search->found_count; i++)
		reach_from(search, search->found[i]);
	for (uint32_t i = 0; i < search->found_count; i++)
		search->leads[i] = false;
	mark_leading(search);
}

static struct wm_hidden answer(struct wm_hidden_search *search, uint32_t from)
{
	search->found_count = 0;
	search_from(search, from);
	struct wm_hidden hidden = {.possible = goes_to_end(search, from),
		.blocks = search->blocks,
		.decisions = search->decisions};
	for (uint32_t i = 0; i < search->found_count; i++)
		if (search->leads[i])
			search->blocks[hidden.block_count++] = (struct wm_hidden_block){
				search->found[i], kind_of(search, from, search->found[i])};
	hidden.decision_count = hidden.possible ? follow(search, from) : 0;
	for (uint32_t i = 0; i < search->found_count; i++)
		search->place[search->found[i]] = WM_NONE;
	return hidden;
}

struct wm_hidden wm_hidden_between(
	struct wm_hidden_search *search, uint32_t from, uint32_t to, enum wm_hidden_trust trust)
{
	struct wm_hidden hidden;
	search->to = to;
	for (search->trust = trust;; search->trust++) {
		hidden = answer(search, from);
		bool enough = search->trust != WM_HIDDEN_DECIDED || !hidden.block_count;
		if ((hidden.possible && enough) || search->trust == WM_HIDDEN_ANYTHING)
			return hidden;
	}
}

bool wm_hidden_suggests(struct wm_hidden_search *search, uint32_t from, uint32_t arm, uint32_t to)
{
	search->to = to;
	for (search->trust = WM_HIDDEN_DECIDED; search->trust < WM_HIDDEN_ANYTHING;
		search->trust++) {
		struct wm_hidden hidden = answer(search, from);
		bool is_known = hidden.decision_count > 0 && hidden.decisions[0].block == from;
		if (hidden.possible)
			return is_known ? hidden.decisions[0].target == arm
					: search->trust == WM_HIDDEN_PASSED;
	}
	return true;
}

bool wm_hidden_may_come_to(struct wm_hidden_search *search, uint32_t to)
{
	search->to = to;
	search->trust = WM_HIDDEN_DECIDED;
	return answer(search, WM_HIDDEN_ENTRY).possible;
}
