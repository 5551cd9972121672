/* Stretches by disjoint sets of edges. */
#include "llvm/source/stretches.h"

#include "core/base/none.h"

bool wm_stretches_follow(const struct wm_stretches *stretches, uint32_t copy, uint32_t edge)
{
	return stretches->capture->sites[edge].kind != WM_SITE_ABANDONED &&
	       !wm_endings_has(&stretches->endings, edge, copy);
}

uint32_t wm_stretches_arrival_at(const struct wm_copy *copy, uint32_t block)
{
	return block == 0 ? copy->graph->source.block_count : block;
}

static void note(int64_t *noted, uint32_t block)
{
	*noted = *noted == -1 || *noted == block ? (int64_t)block : WM_STRETCHES_SEVERAL;
}

struct wm_stretch *wm_stretches_of(struct wm_stretches *stretches, uint32_t edge)
{
	return &stretches->of_edge[wm_disjoint_sets_find(&stretches->sets, edge)];
}

int64_t wm_stretches_first_arrival(const struct wm_stretches *stretches, uint32_t edge)
{
	return stretches
		->of_edge[wm_disjoint_sets_find((struct wm_disjoint_sets *)&stretches->sets, edge)]
		.arrival;
}

/* Edges around blocks without a sight are joined. */
static void join_stretches(struct wm_stretches *stretches, uint32_t copy)
{
	const struct wm_cfg *cfg = stretches->cfg;
	wm_disjoint_sets_clear(&stretches->sets, cfg->edge_count + 1);
	for (uint32_t b = 0; b < stretches->capture->block_count; b++) {
		if (stretches->first_sight[b] != WM_NONE)
			continue;
		uint32_t one = b == 0 ? stretches->entry_edge : WM_NONE;
		for (uint32_t i = cfg->in_start[b]; i < cfg->in_start[b + 1]; i++) {
			uint32_t edge = cfg->in_edge[i];
			if (edge >= stretches->entry_edge ||
				!wm_stretches_follow(stretches, copy, edge))
				continue;
			if (one != WM_NONE)
				wm_disjoint_sets_join(&stretches->sets, edge, one);
			one = edge;
		}
		for (uint32_t i = cfg->out_start[b]; i < cfg->out_start[b + 1]; i++) {
			uint32_t edge = cfg->out_edge[i];
			if (!wm_stretches_follow(stretches, copy, edge))
				continue;
			if (one != WM_NONE)
				wm_disjoint_sets_join(&stretches->sets, edge, one);
			one = edge;
		}
	}
}

bool wm_stretches_arrival(
	const struct wm_stretches *stretches, uint32_t copy, uint32_t edge, uint32_t *arrival)
{
	const struct wm_copy *what = &stretches->copies->copies[copy];
	uint32_t target = edge == stretches->entry_edge ? 0 : stretches->cfg->target[edge];
	if (target == stretches->capture->block_count) {
		*arrival = what->graph->source.block_count;
		return true;
	}
	if (stretches->first_sight[target] == WM_NONE)
		return false;
	*arrival = stretches->copies->sights[stretches->first_sight[target]].block;
	return true;
}

bool wm_stretches_departure(
	const struct wm_stretches *stretches, uint32_t edge, uint32_t *departure)
{
	if (edge == stretches->entry_edge) {
		*departure = WM_HIDDEN_ENTRY;
		return true;
	}
	uint32_t source = stretches->cfg->source[edge];
	if (source == stretches->capture->block_count || stretches->last_sight[source] == WM_NONE)
		return false;
	*departure = stretches->copies->sights[stretches->last_sight[source]].block;
	return true;
}

static bool is_vector(
	const struct wm_stretches *stretches, uint32_t vertex, const uint32_t *sight_at)
{
	return vertex < stretches->capture->block_count && sight_at[vertex] != WM_NONE &&
	       stretches->copies->sights[sight_at[vertex]].factor != 1;
}

/* Vector code runs several iterations of a loop at once, and its edges stand for fewer steps of the
 * text than there were. */
static bool is_beside_vector(const struct wm_stretches *stretches, uint32_t edge)
{
	if (edge == stretches->entry_edge)
		return is_vector(stretches, 0, stretches->first_sight);
	return is_vector(stretches, stretches->cfg->source[edge], stretches->last_sight) ||
	       is_vector(stretches, stretches->cfg->target[edge], stretches->first_sight);
}

uint32_t wm_stretches_edge_at(const struct wm_stretches *stretches, uint32_t copy, uint32_t block)
{
	const struct wm_cfg *cfg = stretches->cfg;
	for (uint32_t i = cfg->in_start[block]; i < cfg->in_start[block + 1]; i++)
		if (cfg->in_edge[i] < stretches->entry_edge &&
			wm_stretches_follow(stretches, copy, cfg->in_edge[i]))
			return cfg->in_edge[i];
	return stretches->entry_edge;
}

static void note_leaks(struct wm_stretches *stretches, uint32_t copy)
{
	for (size_t i = 0; i < stretches->endings.count; i++) {
		const struct wm_ending *ending = &stretches->endings.endings[i];
		uint32_t source = stretches->cfg->source[ending->edge];
		if (ending->copy == copy && stretches->last_sight[source] == WM_NONE)
			wm_stretches_of(stretches, wm_stretches_edge_at(stretches, copy, source))
				->leaks = true;
	}
}

static void note_ends(struct wm_stretches *stretches, uint32_t copy)
{
	const struct wm_copy *what = &stretches->copies->copies[copy];
	for (uint32_t edge = 0; edge <= stretches->entry_edge; edge++)
		stretches->of_edge[edge] = (struct wm_stretch){.departure = -1, .arrival = -1};
	wm_stretches_of(stretches, stretches->entry_edge)->starts = true;
	for (uint32_t edge = 0; edge <= stretches->entry_edge; edge++) {
		uint32_t block;
		if (edge < stretches->entry_edge && !wm_stretches_follow(stretches, copy, edge))
			continue;
		if (wm_stretches_departure(stretches, edge, &block))
			note(&wm_stretches_of(stretches, edge)->departure, block);
		wm_stretches_of(stretches, edge)->repeats |= is_beside_vector(stretches, edge);
		if (!wm_stretches_arrival(stretches, copy, edge, &block))
			continue;
		struct wm_stretch *stretch = wm_stretches_of(stretches, edge);
		note(&stretch->arrival, wm_stretches_arrival_at(what, block));
		stretch->enters |= block == 0;
		stretch->leaves |= block == what->graph->source.block_count;
	}
	note_leaks(stretches, copy);
}

bool wm_stretches_find_following(struct wm_stretches *stretches, uint32_t copy, uint32_t edge,
	uint32_t *following, uint32_t *count)
{
	const struct wm_cfg *cfg = stretches->cfg;
	const struct wm_copy *what = &stretches->copies->copies[copy];
	uint32_t depth = 0;
	*count = 0;
	stretches->visit++;
	for (;;) {
		uint32_t block, target = edge == stretches->entry_edge ? 0 : cfg->target[edge];
		if (wm_stretches_arrival(stretches, copy, edge, &block)) {
			uint32_t known = 0, arrival = wm_stretches_arrival_at(what, block);
			while (known < *count && following[known] != arrival)
				known++;
			if (known == WM_STRETCHES_MAX_FOLLOWING)
				return false;
			following[known] = arrival;
			*count += known == *count;
		} else if (stretches->visited[target] != stretches->visit) {
			stretches->visited[target] = stretches->visit;
			for (uint32_t i = cfg->out_start[target]; i < cfg->out_start[target + 1];
				i++)
				if (wm_stretches_follow(stretches, copy, cfg->out_edge[i]))
					stretches->stack[depth++] = cfg->out_edge[i];
		}
		if (!depth)
			return true;
		edge = stretches->stack[--depth];
	}
}

bool wm_stretches_is_mixed_outside(
	const struct wm_copy *what, uint32_t copy, const struct wm_stretch *stretch)
{
	bool outside = stretch->enters || stretch->leaves || stretch->starts;
	return copy > 0 && outside && stretch->arrival != -1 &&
	       stretch->arrival != what->graph->source.block_count;
}

void wm_stretches_see(struct wm_stretches *stretches, const struct wm_copy *copy)
{
	const uint32_t *own = stretches->copies->by_copy + copy->first_sight;
	for (uint32_t i = 0; i < copy->sight_count; i++) {
		uint32_t place = stretches->copies->sights[own[i]].place;
		if (stretches->first_sight[place] == WM_NONE)
			stretches->first_sight[place] = own[i];
		stretches->last_sight[place] = own[i];
	}
}

void wm_stretches_clear(struct wm_stretches *stretches, const struct wm_copy *copy)
{
	const uint32_t *own = stretches->copies->by_copy + copy->first_sight;
	for (uint32_t i = 0; i < copy->sight_count; i++) {
		uint32_t place = stretches->copies->sights[own[i]].place;
		stretches->first_sight[place] = stretches->last_sight[place] = WM_NONE;
	}
}

void wm_stretches_open(
	struct wm_arena *arena, struct wm_copies *copies, struct wm_stretches *stretches)
{
	uint32_t edges = copies->capture->cfg->edge_count, blocks = copies->capture->block_count;
	*stretches = (struct wm_stretches){.copies = copies,
		.capture = copies->capture,
		.cfg = copies->capture->cfg,
		.entry_edge = edges,
		.sets = wm_disjoint_sets_make(arena, edges + 1),
		.of_edge = wm_arena_alloc(arena, (size_t)edges + 1, sizeof *stretches->of_edge),
		.first_sight = wm_none_array(arena, blocks),
		.last_sight = wm_none_array(arena, blocks),
		.visited = wm_arena_alloc(arena, blocks, sizeof(uint32_t)),
		.stack = wm_arena_alloc(arena, (size_t)edges + 1, sizeof(uint32_t))};
}

void wm_stretches_find(struct wm_stretches *stretches, uint32_t copy)
{
	join_stretches(stretches, copy);
	note_ends(stretches, copy);
}
