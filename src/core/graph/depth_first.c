/* Depth-first search with an explicit stack.
 *
 * The stack holds the path from the root to the vertex at hand, so preorder numbers rise along it.
 * The nearest common ancestor of a cross edge's ends is the deepest vertex of the path that is not
 * newer than the edge's target: a binary search finds it.
 */
#include "core/graph/depth_first.h"

/* A vertex of the path, with what is needed when the search comes back to it. */
struct place {
	uint32_t vertex;
	uint32_t number; /* in preorder */
	uint32_t next;	 /* where to go on in out_edge */
	uint32_t end;	 /* of its edges there */
};

struct search {
	const struct wm_cfg *cfg;
	struct wm_depth_first *result;
	struct place *stack;
	uint32_t depth;
	uint32_t found;
	uint32_t left;
};

static bool is_found(const struct search *search, uint32_t v)
{
	return search->result->preorder_number[v] != WM_NONE;
}

static bool is_left(const struct search *search, uint32_t v)
{
	return search->result->postorder_number[v] != WM_NONE;
}

static void enter(struct search *search, uint32_t v, uint32_t parent)
{
	uint32_t end = search->cfg->out_start[v + 1];
	uint32_t next = v == search->cfg->exit ? end : search->cfg->out_start[v];
	search->stack[search->depth++] = (struct place){v, search->found, next, end};
	search->result->parent[v] = parent;
	search->result->preorder_number[v] = search->found;
	search->result->preorder[search->found++] = v;
}

static void leave(struct search *search, uint32_t v)
{
	search->result->postorder_number[v] = search->left;
	search->result->postorder[search->left++] = v;
	search->depth--;
}

static uint32_t deepest_not_newer(const struct search *search, uint32_t v)
{
	uint32_t number = search->result->preorder_number[v];
	uint32_t low = 0;
	uint32_t high = search->depth;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (search->stack[middle].number <= number)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? search->stack[low - 1].vertex : WM_NONE;
}

static void mark(struct search *search, uint32_t edge, uint32_t target)
{
	if (!is_left(search, target))
		search->result->back_edge[edge] = true;
	else if (search->result->meeting)
		search->result->meeting[edge] = deepest_not_newer(search, target);
}

/* Marks edges up to the first that leads to a new vertex. Returns that vertex, or WM_NONE if no
 * edge is left. */
static uint32_t next_below(struct search *search, struct place *place)
{
	const struct wm_cfg *cfg = search->cfg;
	while (place->next < place->end) {
		uint32_t i = place->next++;
		if (!is_found(search, cfg->out_target[i]))
			return cfg->out_target[i];
		mark(search, cfg->out_edge[i], cfg->out_target[i]);
	}
	return WM_NONE;
}

static void search_from(struct search *search, uint32_t root)
{
	if (is_found(search, root))
		return;
	enter(search, root, WM_NONE);
	while (search->depth) {
		struct place *place = &search->stack[search->depth - 1];
		uint32_t below = next_below(search, place);
		if (below == WM_NONE)
			leave(search, place->vertex);
		else
			enter(search, below, place->vertex);
	}
}

static struct wm_depth_first search_all(
	struct wm_arena *arena, const struct wm_cfg *cfg, uint32_t *meeting)
{
	size_t vertices = cfg->vertex_count;
	size_t edges = (size_t)cfg->edge_count + 1;
	struct wm_depth_first result = {
		.preorder = wm_arena_alloc_unset(arena, vertices, sizeof *result.preorder),
		.preorder_number = wm_none_array(arena, vertices),
		.postorder = wm_arena_alloc_unset(arena, vertices, sizeof *result.postorder),
		.postorder_number = wm_none_array(arena, vertices),
		.parent = wm_arena_alloc_unset(arena, vertices, sizeof *result.parent),
		.back_edge = wm_arena_alloc(arena, edges, sizeof *result.back_edge),
		.meeting = meeting,
	};
	struct wm_arena scratch = {0};
	struct search search = {
		.cfg = cfg,
		.result = &result,
		.stack = wm_arena_alloc_unset(&scratch, vertices, sizeof *search.stack),
	};
	search_from(&search, cfg->entry);
	for (uint32_t i = cfg->out_start[cfg->exit]; i < cfg->out_start[cfg->exit + 1]; i++)
		search_from(&search, cfg->target[cfg->out_edge[i]]);
	for (uint32_t v = 0; v < cfg->vertex_count; v++)
		search_from(&search, v);
	wm_arena_reset(&scratch);
	return result;
}

struct wm_depth_first wm_depth_first_search(struct wm_arena *arena, const struct wm_cfg *cfg)
{
	return search_all(arena, cfg, NULL);
}

struct wm_depth_first wm_depth_first_search_meetings(
	struct wm_arena *arena, const struct wm_cfg *cfg)
{
	return search_all(arena, cfg, wm_none_array(arena, (size_t)cfg->edge_count + 1));
}
