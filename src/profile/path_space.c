/* Prefixes as ranges of ids, looked up among the ids that ran by halving. */
#include "profile/path_space.h"

#include <stdlib.h>

#include "core/base/none.h"
#include "core/graph/depth_first.h"
#include "names/path_name.h"

static bool is_abandoned(const struct wm_path_space *space, uint32_t edge)
{
	uint32_t origin = space->paths.origin[edge];
	return space->paths.graph->target[edge] == space->paths.graph->exit &&
	       origin < space->function->edge_count &&
	       (space->function->edge_flags[origin] & WM_EDGE_ABANDONED);
}

/* Complete paths that go on with the edge. */
static uint64_t complete_along(const struct wm_path_space *space, uint32_t edge)
{
	const struct wm_cfg *graph = space->paths.graph;
	if (graph->target[edge] == graph->exit)
		return !is_abandoned(space, edge);
	return space->complete[graph->target[edge]];
}

static uint64_t ids_along(const struct wm_path_space *space, uint32_t edge)
{
	const struct wm_cfg *graph = space->paths.graph;
	return graph->target[edge] == graph->exit ? 1 : space->paths.from[graph->target[edge]];
}

static void count_complete(struct wm_path_space *space)
{
	const struct wm_cfg *graph = space->paths.graph;
	struct wm_depth_first order = wm_depth_first_search(space->arena, graph);
	space->complete =
		wm_arena_alloc(space->arena, graph->vertex_count, sizeof *space->complete);
	for (uint32_t i = 0; i < graph->vertex_count; i++) {
		uint32_t v = order.postorder[i];
		/* A vertex without successors ends its paths. */
		if (v == graph->exit || graph->out_start[v] == graph->out_start[v + 1]) {
			space->complete[v] = v != graph->exit;
			continue;
		}
		for (uint32_t k = graph->out_start[v]; k < graph->out_start[v + 1]; k++)
			if (graph->out_edge[k] != wm_cfg_closing_edge(graph))
				space->complete[v] += complete_along(space, graph->out_edge[k]);
	}
}

int wm_path_space_make(struct wm_arena *arena, const struct wm_function *function,
	const uint64_t *ran, size_t ran_count, struct wm_path_space *space, struct wm_error *error)
{
	*space = (struct wm_path_space){
		.arena = arena, .function = function, .ran = ran, .ran_count = ran_count};
	int status = wm_path_numbering(arena, function, &space->paths, error);
	if (status == 0)
		count_complete(space);
	return status;
}

int wm_path_space_of_profile(struct wm_arena *arena, const struct wm_profile_function *function,
	struct wm_path_space *space, struct wm_error *error)
{
	uint64_t *ran = wm_arena_alloc(arena, function->path_count, sizeof *ran);
	size_t count = 0;
	for (uint32_t i = 0; i < function->path_count; i++)
		if ((int64_t)function->paths[i].count > 0)
			ran[count++] = function->paths[i].id;
	return wm_path_space_make(arena, function->function, ran, count, space, error);
}

/* Where in the list the first id stands that is not smaller. */
static size_t position(const struct wm_path_space *space, uint64_t id)
{
	size_t low = 0, high = space->ran_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (space->ran[middle] < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t wm_path_space_ran_among(
	const struct wm_path_space *space, uint64_t first, uint64_t ids, size_t *at)
{
	*at = position(space, first);
	return position(space, first + ids) - *at;
}

static bool is_live(const struct wm_path_space *space, uint64_t first, uint64_t ids)
{
	size_t at = position(space, first);
	return at < space->ran_count && space->ran[at] - first < ids;
}

bool wm_path_space_ran(const struct wm_path_space *space, uint64_t id)
{
	return is_live(space, id, 1);
}

uint64_t wm_path_space_complete(const struct wm_path_space *space)
{
	return space->complete[space->paths.graph->entry];
}

/* A prefix of paths, as a range of ids. */
struct prefix {
	uint32_t vertex;
	uint32_t block; /* WM_NONE before the first */
	uint32_t length;
	uint64_t first;
	uint64_t ids;
};

static struct prefix no_prefix(const struct wm_path_space *space)
{
	uint32_t entry = space->paths.graph->entry;
	return (struct prefix){
		.vertex = entry, .block = WM_NONE, .ids = space->paths.from[entry]};
}

static struct prefix extend(
	const struct wm_path_space *space, const struct prefix *prefix, uint32_t edge)
{
	const struct wm_paths *paths = &space->paths;
	bool starts = paths->kind[edge] == WM_PATH_EDGE_START;
	return (struct prefix){.vertex = paths->graph->target[edge],
		.block = starts ? WM_NONE : paths->graph->source[edge],
		.length = prefix->length + 1,
		.first = prefix->first + paths->value[edge],
		.ids = ids_along(space, edge)};
}

static struct wm_departure depart(
	const struct wm_path_space *space, const struct prefix *live, uint32_t edge)
{
	const struct wm_paths *paths = &space->paths;
	struct prefix next = extend(space, live, edge);
	return (struct wm_departure){
		.block = paths->kind[edge] == WM_PATH_EDGE_START ? WM_NONE : live->vertex,
		.edge = edge,
		.length = live->length,
		.first = next.first,
		.ids = next.ids,
		.count = complete_along(space, edge),
		.live_first = live->first,
		.live_ids = live->ids};
}

struct wm_departure wm_path_space_departure(const struct wm_path_space *space, uint64_t id)
{
	struct wm_arena scratch = {0};
	uint32_t *edges =
		wm_arena_alloc(&scratch, space->paths.graph->vertex_count, sizeof *edges);
	uint32_t count = wm_paths_decode(&space->paths, id, edges);
	struct prefix live = no_prefix(space);
	uint32_t i = 0;
	for (; i + 1 < count; i++) {
		struct prefix next = extend(space, &live, edges[i]);
		if (!is_live(space, next.first, next.ids))
			break;
		live = next;
	}
	struct wm_departure departure = depart(space, &live, edges[i]);
	wm_arena_reset(&scratch);
	return departure;
}

bool wm_path_space_began(const struct wm_path_space *space, uint64_t partial_id)
{
	struct wm_arena scratch = {0};
	uint32_t *edges =
		wm_arena_alloc(&scratch, space->paths.graph->vertex_count, sizeof *edges);
	uint32_t count = wm_paths_decode(&space->paths, partial_id, edges);
	struct prefix prefix = no_prefix(space);
	for (uint32_t i = 0; i + 1 < count; i++)
		prefix = extend(space, &prefix, edges[i]);
	wm_arena_reset(&scratch);
	return is_live(space, prefix.first, prefix.ids);
}

struct search {
	const struct wm_path_space *space;
	struct wm_departures found;
	size_t capacity;
	size_t max;
	struct prefix *stack;
	size_t depth;
	size_t room;
};

static void note(struct search *search, const struct prefix *live, uint32_t edge)
{
	struct wm_departures *found = &search->found;
	struct wm_departure departure = depart(search->space, live, edge);
	found->paths += departure.count;
	found->whole &= found->count < search->max;
	if (found->count == search->max)
		return;
	found->list = wm_arena_grow(search->space->arena, found->list, found->count,
		&search->capacity, sizeof departure);
	found->list[found->count++] = departure;
}

static void look_behind(struct search *search, struct prefix live)
{
	const struct wm_path_space *space = search->space;
	const struct wm_cfg *graph = space->paths.graph;
	for (uint32_t k = graph->out_start[live.vertex]; k < graph->out_start[live.vertex + 1];
		k++) {
		uint32_t edge = graph->out_edge[k];
		if (edge == wm_cfg_closing_edge(graph) || complete_along(space, edge) == 0)
			continue;
		struct prefix next = extend(space, &live, edge);
		if (!is_live(space, next.first, next.ids)) {
			note(search, &live, edge);
		} else if (next.vertex != graph->exit) {
			search->stack = wm_arena_grow(space->arena, search->stack, search->depth,
				&search->room, sizeof next);
			search->stack[search->depth++] = next;
		}
	}
}

static int compare_departures(const void *left, const void *right)
{
	const struct wm_departure *a = left, *b = right;
	return (a->first > b->first) - (a->first < b->first);
}

struct wm_departures wm_path_space_departures(const struct wm_path_space *space, size_t max)
{
	struct search search = {.space = space, .max = max, .found = {.whole = true}};
	look_behind(&search, no_prefix(space));
	while (search.depth > 0)
		look_behind(&search, search.stack[--search.depth]);
	if (search.found.count > 0)
		qsort(search.found.list, search.found.count, sizeof *search.found.list,
			compare_departures);
	return search.found;
}

/* Goes on from the end of a prefix; room for the edges of a path. */
static size_t list_from(const struct wm_path_space *space, uint32_t vertex, uint64_t sum,
	uint64_t *ids, size_t max)
{
	const struct wm_cfg *graph = space->paths.graph;
	struct at {
		uint32_t vertex;
		uint64_t sum;
	} *stack = wm_arena_alloc(space->arena, (size_t)graph->edge_count + 1, sizeof *stack);
	size_t depth = 0, count = 0;
	stack[depth++] = (struct at){vertex, sum};
	while (depth > 0 && count < max) {
		struct at at = stack[--depth];
		bool ends = at.vertex == graph->exit ||
			    graph->out_start[at.vertex] == graph->out_start[at.vertex + 1];
		if (ends) {
			ids[count++] = at.sum;
			continue;
		}
		/* The last is taken first, so ids rise, as they do in the order of edges. */
		for (uint32_t k = graph->out_start[at.vertex + 1];
			k-- > graph->out_start[at.vertex];) {
			uint32_t edge = graph->out_edge[k];
			if (edge != wm_cfg_closing_edge(graph) && complete_along(space, edge) > 0)
				stack[depth++] = (struct at){graph->target[edge],
					at.sum + space->paths.value[edge]};
		}
	}
	return count;
}

size_t wm_path_space_list(const struct wm_path_space *space, const struct wm_departure *departure,
	uint64_t *ids, size_t max)
{
	return list_from(space, space->paths.graph->target[departure->edge], departure->first, ids,
		max);
}

static uint64_t weight_of(
	const struct wm_path_space *space, uint32_t edge, const uint64_t *weight)
{
	uint32_t origin = space->paths.origin[edge];
	return weight && origin < space->function->edge_count && (int64_t)weight[origin] > 0
		       ? weight[origin]
		       : 0;
}

uint64_t wm_path_space_likeliest(const struct wm_path_space *space,
	const struct wm_departure *departure, const uint64_t *weight)
{
	const struct wm_cfg *graph = space->paths.graph;
	uint64_t sum = departure->first;
	uint32_t at = graph->target[departure->edge];
	while (at != graph->exit && graph->out_start[at] != graph->out_start[at + 1]) {
		uint32_t best = WM_NONE;
		for (uint32_t k = graph->out_start[at]; k < graph->out_start[at + 1]; k++) {
			uint32_t edge = graph->out_edge[k];
			if (edge == wm_cfg_closing_edge(graph) || complete_along(space, edge) == 0)
				continue;
			if (best == WM_NONE || weight_of(space, edge, weight) >
						       weight_of(space, best, weight))
				best = edge;
		}
		sum += space->paths.value[best];
		at = graph->target[best];
	}
	return sum;
}
