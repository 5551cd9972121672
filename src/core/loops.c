/* Loop nesting by collapsing loops from the inside out (Tarjan 1974, Ramalingam 1999).
 *
 * Vertices are visited against preorder, so inner entries come before outer ones. A loop that is
 * found collapses into its entry. An edge that is neither a tree edge nor a back edge matters only
 * to loops whose entry is at or above the common ancestor of its ends: it waits there, and then
 * leads to whatever its target has been collapsed into. Every edge is moved once, irreducible loops
 * included.
 */
#include "core/loops.h"

#include "core/disjoint_sets.h"

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
		.members = wm_arena_alloc(&scratch, cfg->vertex_count, sizeof *finder.members),
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

/* A jump goes to the parent, or twice as far as the parent's own jump when two of those are equally
 * long: the climb to any ancestor then takes logarithmically many steps. */
static uint32_t jump_from(const struct wm_loops *loops, uint32_t parent)
{
	uint32_t near = loops->place[parent].jump;
	uint32_t far = near == WM_NONE ? WM_NONE : loops->place[near].jump;
	if (far == WM_NONE)
		return parent;
	bool equally_long = loops->place[parent].depth - loops->place[near].depth ==
			    loops->place[near].depth - loops->place[far].depth;
	return equally_long ? far : parent;
}

static void number_forest(
	const struct wm_cfg *cfg, const struct wm_depth_first *order, struct wm_loops *loops)
{
	struct wm_arena scratch = {0};
	uint32_t *size = wm_arena_alloc(&scratch, cfg->vertex_count, sizeof *size);
	uint32_t *cursor = wm_arena_alloc(&scratch, cfg->vertex_count, sizeof *cursor);
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
		if (parent != WM_NONE) {
			loops->place[v].depth = loops->place[parent].depth + 1;
			loops->place[v].jump = jump_from(loops, parent);
		}
	}
	wm_arena_reset(&scratch);
}

struct wm_loops wm_loops_find(
	struct wm_arena *arena, const struct wm_cfg *cfg, const struct wm_depth_first *order)
{
	struct wm_loops loops = {wm_arena_alloc(arena, cfg->vertex_count, sizeof *loops.place)};
	for (uint32_t v = 0; v < cfg->vertex_count; v++)
		loops.place[v].enclosing = loops.place[v].jump = WM_NONE;
	find_nesting(cfg, order, &loops);
	number_forest(cfg, order, &loops);
	return loops;
}

uint32_t wm_loops_innermost(const struct wm_loops *loops, uint32_t vertex)
{
	return loops->place[vertex].is_entry ? vertex : loops->place[vertex].enclosing;
}

static bool leaves(const struct wm_loops *loops, uint32_t entry, uint32_t to)
{
	return entry != WM_NONE && (loops->place[to].start < loops->place[entry].start ||
					   loops->place[to].start >= loops->place[entry].end);
}

uint32_t wm_loops_outermost_left(const struct wm_loops *loops, uint32_t from, uint32_t to)
{
	uint32_t entry = wm_loops_innermost(loops, from);
	if (!leaves(loops, entry, to))
		return WM_NONE;
	for (;;) {
		if (leaves(loops, loops->place[entry].jump, to))
			entry = loops->place[entry].jump;
		else if (leaves(loops, loops->place[entry].enclosing, to))
			entry = loops->place[entry].enclosing;
		else
			return entry;
	}
}
