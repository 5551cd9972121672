/* Preferential numbering: two ways to give values to edges, and the search for an order of edges.
 *
 * Vertices are taken in reverse topological order, and at each one its edges get their values one
 * after the other, by intervals or by packing. Which edge goes first decides how compact the sums
 * are. A few orders are tried, then small random changes of the best one.
 */
#include "core/chosen/prefer.h"

#include <string.h>

#include "core/chosen/path_trie.h"
#include "core/graph/depth_first.h"

struct values {
	const struct wm_cfg *graph;
	struct wm_path_trie trie;
	const uint32_t *postorder;
	uint32_t *start; /* by vertex: its out-edges on interesting paths are order[start[v] ..
			    start[v+1]-1], in the order to be tried */
	uint32_t *order;
	int64_t *value; /* by edge: the result */
	int64_t *low;	/* by node: smallest and largest sum from its vertex on */
	int64_t *high;
	/* For intervals. */
	int64_t *next; /* by node: first free place behind the edges done so far */
	/* For packing. */
	uint64_t *first; /* by node: its sums are sum[first .. first+filled-1] */
	uint32_t *filled;
	int64_t *sum;
	bool *refused; /* by value above the smallest that is possible */
};

/* How many prefixes of interesting paths end with the edge. */
static uint32_t prefix_count(const struct values *values, uint32_t e)
{
	return values->trie.edge_start[e + 1] - values->trie.edge_start[e];
}

/* Gives each edge its value in the present order, with one of the two ways below. */
static void give_in_order(struct values *values, void give_value(struct values *, uint32_t))
{
	size_t bytes = values->trie.node_count * sizeof(int64_t);
	memset(values->low, 0, bytes);
	memset(values->high, 0, bytes);
	for (uint32_t k = 0; k < values->graph->vertex_count; k++) {
		uint32_t v = values->postorder[k];
		for (uint32_t i = values->start[v]; i < values->start[v + 1]; i++)
			give_value(values, values->order[i]);
	}
}

/* Values by intervals, as published (Vaswani 2007, section 3.3).
 *
 * At a vertex each prefix by which interesting paths arrive wants the intervals of sums behind its
 * out-edges side by side: an edge then needs the value (first free place of the prefix) - (start of
 * the interval). An edge has one value for all prefixes, so it gets the largest that any of them
 * needs (the *join*), which leaves holes in the intervals of the others. Sums are distinct because
 * the intervals of a prefix never overlap. By induction no interval ends above the number of paths
 * from its vertex: nothing overflows.
 */

static void begin_intervals(struct wm_arena *arena, struct values *values)
{
	values->next = wm_arena_alloc(arena, values->trie.node_count, sizeof(int64_t));
}

/* The join; then the prefixes before the edge learn what they have behind it. */
static void give_joined_value(struct values *values, uint32_t e)
{
	const struct wm_path_trie *trie = &values->trie;
	const uint32_t *node = trie->edge_node + trie->edge_start[e];
	uint32_t count = prefix_count(values, e);
	int64_t value = INT64_MIN;
	for (uint32_t i = 0; i < count; i++) {
		int64_t needed = values->next[trie->parent[node[i]]] - values->low[node[i]];
		if (needed > value)
			value = needed;
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t before = trie->parent[node[i]];
		if (values->next[before] == 0)
			values->low[before] = values->low[node[i]] + value;
		values->high[before] = values->high[node[i]] + value;
		values->next[before] = values->high[before] + 1;
	}
	values->value[e] = value;
}

static void give_intervals(struct values *values)
{
	memset(values->next, 0, values->trie.node_count * sizeof(int64_t));
	give_in_order(values, give_joined_value);
}

/* Values by packing (ours): like intervals, but the holes are filled.
 *
 * A prefix keeps the set of its sums, not only their ends. An edge gets the smallest value with
 * which no prefix has a sum below zero, and none has a sum twice: a value is refused if it is the
 * difference between a sum that the prefix has already and one behind the edge. There are fewer
 * refused values than pairs of sums, so the first that is not refused is near, and nothing
 * overflows. Intervals of a prefix may now overlap; sums are distinct by construction.
 */

static uint32_t *count_leaves(struct wm_arena *arena, const struct wm_path_trie *trie)
{
	uint32_t *leaves = wm_arena_alloc(arena, trie->node_count, sizeof *leaves);
	for (uint32_t i = 0; i < trie->path_count; i++)
		leaves[trie->leaf[i]] = 1;
	for (uint32_t node = trie->node_count; node-- > 1;)
		leaves[trie->parent[node]] += leaves[node];
	return leaves;
}

/* How many pairs of sums an edge may have to look at, at most. */
static uint64_t max_pairs(const struct values *values, const uint32_t *leaves)
{
	const struct wm_path_trie *trie = &values->trie;
	uint64_t max = 0;
	for (uint32_t e = 0; e < values->graph->edge_count; e++) {
		uint64_t pairs = 0;
		for (uint32_t i = trie->edge_start[e]; i < trie->edge_start[e + 1]; i++) {
			uint64_t behind = leaves[trie->edge_node[i]];
			pairs += behind * (leaves[trie->parent[trie->edge_node[i]]] - behind);
		}
		max = pairs > max ? pairs : max;
	}
	return max;
}

static void begin_packing(struct wm_arena *arena, struct values *values)
{
	const struct wm_path_trie *trie = &values->trie;
	const uint32_t *leaves = count_leaves(arena, trie);
	uint64_t total = 0;
	values->first = wm_arena_alloc(arena, trie->node_count, sizeof(uint64_t));
	values->filled = wm_arena_alloc(arena, trie->node_count, sizeof(uint32_t));
	for (uint32_t node = 0; node < trie->node_count; node++) {
		values->first[node] = total;
		total += leaves[node];
	}
	values->sum = wm_arena_alloc(arena, total, sizeof(int64_t));
	values->refused = wm_arena_alloc(arena, max_pairs(values, leaves) + 1, sizeof(bool));
}

static int64_t smallest_value(const struct values *values, const uint32_t *node, uint32_t count)
{
	int64_t value = INT64_MIN;
	for (uint32_t i = 0; i < count; i++)
		if (-values->low[node[i]] > value)
			value = -values->low[node[i]];
	return value;
}

/* Marks what this prefix refuses, counted from `smallest`, as far as `limit`. */
static void refuse(struct values *values, uint32_t node, int64_t smallest, uint64_t limit)
{
	uint32_t before = values->trie.parent[node];
	const int64_t *old = values->sum + values->first[before];
	const int64_t *new = values->sum + values->first[node];
	for (uint32_t i = 0; i < values->filled[before]; i++) {
		for (uint32_t k = 0; k < values->filled[node]; k++) {
			int64_t above = old[i] - new[k] - smallest;
			if (above >= 0 && (uint64_t)above < limit)
				values->refused[above] = true;
		}
	}
}

static void add_sums(struct values *values, uint32_t node, int64_t value)
{
	uint32_t before = values->trie.parent[node];
	int64_t *sum = values->sum + values->first[before];
	const int64_t *behind = values->sum + values->first[node];
	int64_t low = values->low[node] + value, high = values->high[node] + value;
	bool fresh = values->filled[before] == 0;
	if (fresh || low < values->low[before])
		values->low[before] = low;
	if (fresh || high > values->high[before])
		values->high[before] = high;
	for (uint32_t k = 0; k < values->filled[node]; k++)
		sum[values->filled[before]++] = behind[k] + value;
}

static void give_packed_value(struct values *values, uint32_t e)
{
	const struct wm_path_trie *trie = &values->trie;
	const uint32_t *node = trie->edge_node + trie->edge_start[e];
	uint32_t count = prefix_count(values, e);
	int64_t smallest = smallest_value(values, node, count);
	uint64_t pairs = 0, above = 0;
	for (uint32_t i = 0; i < count; i++)
		pairs += (uint64_t)values->filled[trie->parent[node[i]]] * values->filled[node[i]];
	memset(values->refused, 0, pairs + 1);
	for (uint32_t i = 0; i < count; i++)
		refuse(values, node[i], smallest, pairs);
	while (values->refused[above])
		above++;
	values->value[e] = smallest + (int64_t)above;
	for (uint32_t i = 0; i < count; i++)
		add_sums(values, node[i], values->value[e]);
}

static void give_packed(struct values *values)
{
	memset(values->filled, 0, values->trie.node_count * sizeof(uint32_t));
	for (uint32_t i = 0; i < values->trie.path_count; i++) {
		uint32_t leaf = values->trie.leaf[i];
		values->filled[leaf] = 1;
		values->sum[values->first[leaf]] = 0;
	}
	give_in_order(values, give_packed_value);
}

/* The search for an order. */

typedef void give_values(struct values *values);

struct search {
	struct wm_arena *arena;
	struct values *values;
	give_values *give;
	uint32_t count; /* interesting paths; no range is smaller */
	uint32_t effort_left;
};

static void list_edges(struct values *values)
{
	const struct wm_cfg *graph = values->graph;
	uint32_t next = 0;
	for (uint32_t v = 0; v < graph->vertex_count; v++) {
		values->start[v] = next;
		for (uint32_t i = graph->out_start[v]; i < graph->out_start[v + 1]; i++)
			if (prefix_count(values, graph->out_edge[i]))
				values->order[next++] = graph->out_edge[i];
	}
	values->start[graph->vertex_count] = next;
}

/* The range of the sums in the present order. */
static uint64_t evaluate(struct search *search)
{
	search->give(search->values);
	return (uint64_t)(search->values->high[0] - search->values->low[0]) + 1;
}

enum ordering { REVERSED, MANY_PREFIXES_FIRST, FEW_PREFIXES_FIRST, ORDERING_COUNT };

static bool stands_before(
	const struct values *values, enum ordering ordering, uint32_t a, uint32_t b)
{
	switch (ordering) {
	case REVERSED:
		return a > b;
	case MANY_PREFIXES_FIRST:
		return prefix_count(values, a) > prefix_count(values, b);
	default:
		return prefix_count(values, a) < prefix_count(values, b);
	}
}

/* Sorts each vertex's edges by insertion: they are few. */
static void set_order(struct values *values, enum ordering ordering)
{
	uint32_t *order = values->order;
	for (uint32_t v = 0; v < values->graph->vertex_count; v++) {
		uint32_t first = values->start[v];
		for (uint32_t i = first; i < values->start[v + 1]; i++) {
			uint32_t e = order[i], at = i;
			for (; at > first && stands_before(values, ordering, e, order[at - 1]);
				at--)
				order[at] = order[at - 1];
			order[at] = e;
		}
	}
}

/* Places in `order` of which the next one belongs to the same vertex. */
static uint32_t find_choices(const struct values *values, uint32_t *choice)
{
	uint32_t count = 0;
	for (uint32_t v = 0; v < values->graph->vertex_count; v++)
		for (uint32_t i = values->start[v]; i + 1 < values->start[v + 1]; i++)
			choice[count++] = i;
	return count;
}

static uint32_t draw(uint64_t *state, uint32_t limit)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((*state >> 32) * limit >> 32);
}

static void swap(uint32_t *a, uint32_t *b)
{
	uint32_t kept = *a;
	*a = *b;
	*b = kept;
}

/* Swaps neighbours at random and keeps what is not worse: plateaus are crossed that way. */
static void climb(struct search *search, uint64_t best)
{
	struct values *values = search->values;
	uint32_t *choice = wm_arena_alloc(search->arena, values->graph->edge_count, sizeof *choice);
	uint32_t choices = find_choices(values, choice);
	uint64_t state = 2007;
	for (; choices && search->effort_left && best > search->count; search->effort_left--) {
		uint32_t *place = values->order + choice[draw(&state, choices)];
		swap(place, place + 1);
		uint64_t range = evaluate(search);
		if (range <= best)
			best = range;
		else
			swap(place, place + 1);
	}
}

/* Leaves the best order found in place, and its values. */
static void find_order(struct search *search)
{
	struct values *values = search->values;
	size_t bytes = (size_t)values->graph->edge_count * sizeof(uint32_t);
	uint32_t *best_order = wm_arena_alloc(search->arena, bytes, 1);
	uint64_t best = evaluate(search);
	memcpy(best_order, values->order, bytes);
	for (int ordering = 0; ordering < ORDERING_COUNT; ordering++) {
		if (!search->effort_left || best == search->count)
			break;
		search->effort_left--;
		set_order(values, (enum ordering)ordering);
		uint64_t range = evaluate(search);
		if (range < best) {
			best = range;
			memcpy(best_order, values->order, bytes);
		}
	}
	memcpy(values->order, best_order, bytes);
	climb(search, best);
	evaluate(search);
}

static struct values set_up(struct wm_arena *arena, const struct wm_paths *paths,
	const uint64_t *numbers, uint32_t count)
{
	const struct wm_cfg *graph = paths->graph;
	size_t edges = (size_t)graph->edge_count + 1;
	struct values values = {
		.graph = graph,
		.trie = wm_path_trie_build(arena, paths, numbers, count),
		.postorder = wm_depth_first_search(arena, graph).postorder,
		.start = wm_arena_alloc(arena, (size_t)graph->vertex_count + 1, sizeof(uint32_t)),
		.order = wm_arena_alloc(arena, edges, sizeof(uint32_t)),
		.value = wm_arena_alloc(arena, edges, sizeof(int64_t)),
	};
	values.low = wm_arena_alloc(arena, values.trie.node_count, sizeof(int64_t));
	values.high = wm_arena_alloc(arena, values.trie.node_count, sizeof(int64_t));
	list_edges(&values);
	return values;
}

static void add_up(
	struct wm_arena *arena, const struct values *values, struct wm_preference *preference)
{
	const struct wm_path_trie *trie = &values->trie;
	*preference = (struct wm_preference){
		.value = values->value,
		.sum = wm_arena_alloc(arena, trie->path_count, sizeof(int64_t)),
		.least = values->low[0],
		.range = (uint64_t)(values->high[0] - values->low[0]) + 1,
		.count = trie->path_count,
	};
	for (uint32_t i = 0; i < trie->path_count; i++)
		for (uint32_t node = trie->leaf[i]; node; node = trie->parent[node])
			preference->sum[i] += values->value[trie->edge[node]];
}

void wm_prefer_plan(struct wm_arena *arena, const struct wm_paths *paths, const uint64_t *numbers,
	uint32_t count, enum wm_prefer_method method, uint32_t effort,
	struct wm_preference *preference)
{
	struct values values = set_up(arena, paths, numbers, count);
	struct search search = {arena, &values, give_intervals, count, effort};
	if (method == WM_PREFER_PACKING && count <= WM_PREFER_PACKING_LIMIT) {
		begin_packing(arena, &values);
		search.give = give_packed;
	} else {
		begin_intervals(arena, &values);
	}
	find_order(&search);
	add_up(arena, &values, preference);
}

double wm_prefer_delta(const struct wm_preference *preference)
{
	return (double)preference->range / preference->count;
}
