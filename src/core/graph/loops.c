/* Loop nesting by collapsing loops from the inside out (Tarjan 1974, Ramalingam 1999).
 *
 * Vertices are visited against preorder, so inner entries come before outer ones. A loop that is
 * found collapses into its entry. An edge that is neither a tree edge nor a back edge matters only
 * to loops whose entry is at or above the common ancestor of its ends: it waits there, and then
 * leads to whatever its target has been collapsed into. Every edge is moved once, irreducible loops
 * included.
 */
#include "core/graph/loops.h"

#include "core/base/disjoint_sets.h"

struct finder {
	const struct wm_cfg *cfg;
	const struct wm_depth_first *order;
	struct wm_loops *loops;
	struct wm_disjoint_sets collapsed;
	uint32_t *first_waiting; /* by vertex: list of edges that wait at it */
	uint32_t *first_into;	 /* by vertex: list of edges that lead to it */
	uint32_t *next;		 /* by edge: next in its list */
	uint32_t *members;	 /* of the loop at hand */
	uint32_t member_count;
};

static void add_member(struct finder *finder, uint32_t v, uint32_t entry)
{
	uint32_t member = wm_disjoint_sets_find(&finder->collapsed, v);
	if (member == entry || finder->loops->place[member].enclosing != WM_NONE)
		return;
	finder->loops->place[member].enclosing = entry;
	finder->members[finder->member_count++] = member;
}

static void release_waiting(struct finder *finder, uint32_t at)
{
	for (uint32_t e = finder->first_waiting[at]; e != WM_NONE;) {
		uint32_t following = finder->next[e];
		uint32_t target = wm_disjoint_sets_find(&finder->collapsed, finder->cfg->target[e]);
		finder->next[e] = finder->first_into[target];
		finder->first_into[target] = e;
		e = following;
	}
}

static void collect_loop(struct finder *finder, uint32_t entry)
{
	const struct wm_cfg *cfg = finder->cfg;
	finder->member_count = 0;
	for (uint32_t i = cfg->in_start[entry]; i < cfg->in_start[entry + 1]; i++) {
		uint32_t e = cfg->in_edge[i];
		if (!finder->order->back_edge[e])
			continue;
		finder->loops->place[entry].is_entry = true;
		add_member(finder, cfg->source[e], entry);
	}
	for (uint32_t i = 0; i < finder->member_count; i++) {
		uint32_t member = finder->members[i];
		add_member(finder, finder->order->parent[member], entry);
		for (uint32_t e = finder->first_into[member]; e != WM_NONE; e = finder->next[e])
			add_member(finder, cfg->source[e], entry);
	}
	for (uint32_t i = 0; i < finder->member_count; i++)
		wm_disjoint_sets_join(&finder->collapsed, finder->members[i], entry);
}

static void find_nesting(
	const struct wm_cfg *cfg, const struct wm_depth_first *order, struct wm_loops *loops)
{
	struct wm_arena scratch = {0};
	size_t edges = (size_t)cfg->edge_count + 1;
	struct finder finder = {
		.cfg = cfg,
		.order = order,
		.loops = loops,
		.collapsed = wm_disjoint_sets_make(&scratch, cfg->vertex_count),
		.first_waiting = wm_none_array(&scratch, cfg->vertex_count),
		.first_into = wm_none_array(&scratch, cfg->vertex_count),
		.next = wm_none_array(&scratch, edges),
		.members =
			wm_arena_alloc_unset(&scratch, cfg->vertex_count, sizeof *finder.members),
	};
	for (uint32_t e = 0; e < cfg->edge_count; e++) {
		uint32_t at = order->meeting[e];
		if (at == WM_NONE)
			continue;
		finder.next[e] = finder.first_waiting[at];
		finder.first_waiting[at] = e;
	}
	for (uint32_t i = cfg->vertex_count; i-- > 0;) {
		release_waiting(&finder, order->preorder[i]);
		collect_loop(&finder, order->preorder[i]);
	}
	wm_arena_reset(&scratch);
}

static void number_forest(
	const struct wm_cfg *cfg, const struct wm_depth_first *order, struct wm_loops *loops)
{
	struct wm_arena scratch = {0};
	uint32_t *size = wm_arena_alloc(&scratch, cfg->vertex_count, sizeof *size);
	uint32_t *cursor = wm_arena_alloc_unset(&scratch, cfg->vertex_count, sizeof *cursor);
	uint32_t top = 0;
	for (uint32_t i = cfg->vertex_count; i-- > 0;) {
		uint32_t v = order->preorder[i];
		size[v]++;
		if (loops->place[v].enclosing != WM_NONE)
			size[loops->place[v].enclosing] += size[v];
	}
	for (uint32_t i = 0; i < cfg->vertex_count; i++) {
		uint32_t v = order->preorder[i];
		uint32_t parent = loops->place[v].enclosing;
		uint32_t *from = parent == WM_NONE ? &top : &cursor[parent];
		loops->place[v].start = *from;
		loops->place[v].end = *from += size[v];
		cursor[v] = loops->place[v].start + 1;
	}
	wm_arena_reset(&scratch);
}

struct wm_loops wm_loops_find(
	struct wm_arena *arena, const struct wm_cfg *cfg, const struct wm_depth_first *order)
{
	struct wm_loops loops = {wm_arena_alloc(arena, cfg->vertex_count, sizeof *loops.place)};
	for (uint32_t v = 0; v < cfg->vertex_count; v++)
		loops.place[v].enclosing = WM_NONE;
	find_nesting(cfg, order, &loops);
	number_forest(cfg, order, &loops);
	return loops;
}

uint32_t wm_loops_innermost(const struct wm_loops *loops, uint32_t vertex)
{
	return loops->place[vertex].is_entry ? vertex : loops->place[vertex].enclosing;
}

struct loop {
	uint32_t entry;
	uint32_t start;
	uint32_t end;
};

static bool holds(const struct loop *loop, uint32_t start)
{
	return loop->start <= start && start < loop->end;
}

/* The loops around the vertex at hand, outermost first. */
struct chain {
	struct loop *loops;
	uint32_t length;
};

static void move_to(struct chain *chain, const struct wm_loop_place *place, uint32_t v)
{
	while (chain->length && !holds(&chain->loops[chain->length - 1], place->start))
		chain->length--;
	if (place->is_entry)
		chain->loops[chain->length++] = (struct loop){v, place->start, place->end};
}

/* The entry of the first loop that does not hold what starts there. */
static uint32_t first_without(const struct chain *chain, uint32_t start)
{
	uint32_t low = 0, high = chain->length;
	if (!high || holds(&chain->loops[high - 1], start))
		return WM_NONE;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (holds(&chain->loops[middle], start))
			low = middle + 1;
		else
			high = middle;
	}
	return chain->loops[low].entry;
}

uint32_t *wm_loops_outermost_left(
	struct wm_arena *arena, const struct wm_cfg *cfg, const struct wm_loops *loops)
{
	struct wm_arena scratch = {0};
	uint32_t *left = wm_none_array(arena, (size_t)cfg->edge_count + 1);
	uint32_t *by_start = wm_arena_alloc_unset(&scratch, cfg->vertex_count, sizeof *by_start);
	struct chain chain = {
		wm_arena_alloc_unset(&scratch, cfg->vertex_count, sizeof *chain.loops), 0};
	for (uint32_t v = 0; v < cfg->vertex_count; v++)
		by_start[loops->place[v].start] = v;
	for (uint32_t i = 0; i < cfg->vertex_count; i++) {
		uint32_t v = by_start[i];
		move_to(&chain, &loops->place[v], v);
		for (uint32_t k = cfg->out_start[v]; k < cfg->out_start[v + 1]; k++)
			left[cfg->out_edge[k]] =
				first_without(&chain, loops->place[cfg->out_target[k]].start);
	}
	wm_arena_reset(&scratch);
	return left;
}
