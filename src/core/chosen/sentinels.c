/* Classes from the leaves of the tree upwards: two prefixes at a vertex are of one class if they
 * have the same edges, to children of the same classes. */
#include "core/chosen/sentinels.h"

#include <string.h>

#include "core/base/none.h"

struct classes {
	const struct wm_cfg *function;
	const struct wm_paths *paths;
	const struct wm_path_trie *trie;
	const bool *watched;
	uint32_t *first_child; /* by node; children of a node are linked in the order of numbers */
	uint32_t *sibling;
	uint32_t *of; /* by node: the first node of its class */
	uint32_t *slots;
	uint32_t slot_mask;
	uint32_t *at;	/* by vertex: how many classes it has */
	uint32_t *have; /* by edge of the function: how many classes of its source have it */
};

static bool is_start(const struct wm_paths *paths, uint32_t edge)
{
	return paths->kind[edge] == WM_PATH_EDGE_START;
}

static uint32_t vertex_of(const struct classes *classes, uint32_t node)
{
	return node ? classes->paths->graph->target[classes->trie->edge[node]]
		    : classes->function->entry;
}

/* The next child, from this one on, that decides of the class: not a path that starts elsewhere,
 * and not one that left where nobody looks. */
static uint32_t relevant(const struct classes *classes, uint32_t child)
{
	for (; child != WM_NONE; child = classes->sibling[child]) {
		uint32_t edge = classes->trie->edge[child];
		if (!is_start(classes->paths, edge) &&
			classes->watched[classes->paths->origin[edge]])
			break;
	}
	return child;
}

static void link_children(struct wm_arena *arena, struct classes *classes)
{
	const struct wm_path_trie *trie = classes->trie;
	classes->first_child = wm_none_array(arena, trie->node_count);
	classes->sibling = wm_none_array(arena, trie->node_count);
	for (uint32_t node = trie->node_count; node-- > 1;) {
		classes->sibling[node] = classes->first_child[trie->parent[node]];
		classes->first_child[trie->parent[node]] = node;
	}
}

static bool is_same_class(const struct classes *classes, uint32_t a, uint32_t b)
{
	uint32_t left = relevant(classes, classes->first_child[a]);
	uint32_t right = relevant(classes, classes->first_child[b]);
	if (vertex_of(classes, a) != vertex_of(classes, b))
		return false;
	while (left != WM_NONE && right != WM_NONE) {
		if (classes->trie->edge[left] != classes->trie->edge[right] ||
			classes->of[left] != classes->of[right])
			return false;
		left = relevant(classes, classes->sibling[left]);
		right = relevant(classes, classes->sibling[right]);
	}
	return left == right;
}

static uint64_t hash_of(const struct classes *classes, uint32_t node)
{
	uint64_t hash = vertex_of(classes, node);
	for (uint32_t child = relevant(classes, classes->first_child[node]); child != WM_NONE;
		child = relevant(classes, classes->sibling[child])) {
		hash = (hash ^ classes->trie->edge[child]) * 0x9e3779b97f4a7c15u;
		hash = (hash ^ classes->of[child] ^ hash >> 29) * 0x9e3779b97f4a7c15u;
	}
	return hash ^ hash >> 32;
}

/* A node joins the class that is there, or is the first of a new one. */
static void classify(struct classes *classes, uint32_t node)
{
	uint32_t slot = (uint32_t)hash_of(classes, node) & classes->slot_mask;
	while (classes->slots[slot] != WM_NONE &&
		!is_same_class(classes, classes->slots[slot], node))
		slot = (slot + 1) & classes->slot_mask;
	if (classes->slots[slot] == WM_NONE)
		classes->slots[slot] = node;
	classes->of[node] = classes->slots[slot];
	if (classes->of[node] != node)
		return;
	classes->at[vertex_of(classes, node)]++;
	for (uint32_t child = relevant(classes, classes->first_child[node]); child != WM_NONE;
		child = relevant(classes, classes->sibling[child]))
		classes->have[classes->paths->origin[classes->trie->edge[child]]]++;
}

/* Whether a tested path starts at the function's entry. */
static bool entry_is_live(const struct classes *classes)
{
	for (uint32_t child = classes->first_child[0]; child != WM_NONE;
		child = classes->sibling[child])
		if (!is_start(classes->paths, classes->trie->edge[child]))
			return true;
	return false;
}

static struct classes find_classes(struct wm_arena *arena, const struct wm_cfg *function,
	const struct wm_paths *paths, const struct wm_path_trie *trie, const bool *watched)
{
	struct classes classes = {
		.function = function, .paths = paths, .trie = trie, .watched = watched};
	uint32_t slots = 2;
	while (slots < 2 * trie->node_count)
		slots *= 2;
	link_children(arena, &classes);
	classes.of = wm_none_array(arena, trie->node_count);
	classes.slots = wm_none_array(arena, slots);
	classes.slot_mask = slots - 1;
	classes.at = wm_arena_alloc(arena, function->vertex_count, sizeof *classes.at);
	classes.have =
		wm_arena_alloc(arena, (size_t)function->edge_count + 1, sizeof *classes.have);
	for (uint32_t node = trie->node_count; node-- > 0;)
		if (node || entry_is_live(&classes))
			classify(&classes, node);
	return classes;
}

static void add_probe(struct wm_sentinels *sentinels, enum wm_probe_kind kind, uint32_t index)
{
	sentinels->probes[sentinels->probe_count++] = (struct wm_probe){kind, index};
}

static void add_edges(const struct classes *classes, struct wm_sentinels *sentinels)
{
	const struct wm_cfg *function = classes->function;
	for (uint32_t e = 0; e < function->edge_count; e++) {
		uint32_t all = classes->at[function->source[e]];
		if (!all || function->source[e] == function->exit || !classes->watched[e] ||
			classes->have[e] == all)
			continue;
		add_probe(
			sentinels, classes->have[e] ? WM_PROBE_EDGE_BY_HISTORY : WM_PROBE_EDGE, e);
	}
}

/* Blocks at which paths start, but none that was tested. If the entry is one, no other matters. */
static void add_starts(const struct classes *classes, struct wm_sentinels *sentinels)
{
	const struct wm_paths *paths = classes->paths;
	if (!classes->at[classes->function->entry]) {
		add_probe(sentinels, WM_PROBE_VERTEX, classes->function->entry);
		return;
	}
	for (uint32_t e = 0; e < paths->graph->edge_count; e++)
		if (is_start(paths, e) && !classes->at[paths->graph->target[e]])
			add_probe(sentinels, WM_PROBE_VERTEX, paths->graph->target[e]);
}

void wm_sentinels_choose(struct wm_arena *arena, const struct wm_cfg *function,
	const struct wm_paths *paths, const uint64_t *tested, uint32_t tested_count,
	const bool *watched, struct wm_sentinels *sentinels)
{
	struct wm_arena scratch = {0};
	uint32_t edges = function->edge_count;
	*sentinels = (struct wm_sentinels){.paths = paths,
		.trie = wm_path_trie_build(arena, paths, tested, tested_count),
		.cut = wm_arena_alloc(arena, (size_t)edges + 1, sizeof(bool)),
		.probes = wm_arena_alloc(arena, (size_t)edges + paths->graph->edge_count + 1,
			sizeof(struct wm_probe))};
	struct classes classes = find_classes(&scratch, function, paths, &sentinels->trie, watched);
	for (uint32_t e = 0; e <= edges; e++)
		sentinels->cut[e] = wm_cfg_touches_exit(function, e) || paths->cut[e] ||
				    classes.at[function->target[e]] <= 1;
	add_edges(&classes, sentinels);
	add_starts(&classes, sentinels);
	wm_arena_reset(&scratch);
}

/* By node: the history there. */
static uint64_t *histories(struct wm_arena *arena, const struct wm_sentinels *sentinels,
	const struct wm_path_plan *plan)
{
	const struct wm_path_trie *trie = &sentinels->trie;
	uint64_t *history = wm_arena_alloc(arena, trie->node_count, sizeof *history);
	for (uint32_t node = 1; node < trie->node_count; node++) {
		uint32_t edge = trie->edge[node], origin = sentinels->paths->origin[edge];
		if (!is_start(sentinels->paths, edge) && !sentinels->cut[origin])
			history[node] = wm_regions_after(
				&plan->regions, origin, history[trie->parent[node]]);
	}
	return history;
}

/* Marks the counters of what tested paths do at the edge, from `first` on. */
static void mark_tested(const struct wm_sentinels *sentinels, const uint64_t *history,
	uint32_t edge, uint64_t first, bool *goes)
{
	const struct wm_path_trie *trie = &sentinels->trie;
	const struct wm_paths *paths = sentinels->paths;
	for (uint32_t e = 0; e < paths->graph->edge_count; e++) {
		if (is_start(paths, e) || paths->origin[e] != edge)
			continue;
		for (uint32_t k = trie->edge_start[e]; k < trie->edge_start[e + 1]; k++)
			goes[first + history[trie->parent[trie->edge_node[k]]]] = true;
	}
}

/* Marks the counters of live prefixes at the vertex. */
static void mark_live(const struct wm_sentinels *sentinels, const uint64_t *history,
	uint32_t vertex, uint64_t first, bool *live)
{
	const struct wm_path_trie *trie = &sentinels->trie;
	const struct wm_cfg *graph = sentinels->paths->graph;
	if (vertex == graph->entry)
		live[first] = true;
	for (uint32_t node = 1; node < trie->node_count; node++)
		if (graph->target[trie->edge[node]] == vertex)
			live[first + history[node]] = true;
}

bool *wm_sentinels_arm(struct wm_arena *arena, const struct wm_sentinels *sentinels,
	const struct wm_path_plan *plan)
{
	struct wm_arena scratch = {0};
	size_t counters = (size_t)plan->counter_count;
	bool *armed = wm_arena_alloc(arena, counters, sizeof *armed);
	bool *goes = wm_arena_alloc(&scratch, counters, sizeof *goes);
	const uint64_t *history = histories(&scratch, sentinels, plan);
	for (uint32_t k = 0; k < plan->probe_count; k++) {
		const struct wm_probe *probe = &plan->probes[k];
		uint64_t first = plan->first_counter[k];
		if (probe->kind != WM_PROBE_EDGE_BY_HISTORY) {
			armed[first] = true;
			continue;
		}
		mark_tested(sentinels, history, probe->index, first, goes);
		mark_live(sentinels, history, plan->function->source[probe->index], first, armed);
		for (uint64_t i = 0; i < wm_path_plan_probe_histories(plan, probe); i++)
			armed[first + i] &= !goes[first + i];
	}
	wm_arena_reset(&scratch);
	return armed;
}
