/* Where meters are read: at the entry, where each path ends, and where a group is left.
 *
 * Reading in each iteration of a short loop would cost ten times the loop. So the paths of an
 * innermost loop that is short and calls nothing are a group: nothing is read at its back edges,
 * and what passes between the entry, where a path ends anyway, and the exits is the group's. */
#include <string.h>

#include "core/base/none.h"
#include "llvm/mode/paths.h"
#include "llvm/subject/loop_costs.h"
#include "llvm/tuning.h"

struct search {
	const struct wm_subject *subject;
	const struct wm_path_plan *plan;
	wm_loop_ref *loop; /* by block: the one around it whose paths may be a group, or NULL */
};

static bool is_short(const struct wm_subject *subject, wm_loop_ref loop)
{
	return wm_loop_is_tight(subject, loop) &&
	       wm_bridge_loop_facts(subject->bridge, loop).instructions <
		       WM_MAX_INSTRUCTIONS_OF_GROUP;
}

static wm_loop_ref loop_at(const struct search *search, uint32_t vertex)
{
	return vertex < search->subject->capture->block_count ? search->loop[vertex] : NULL;
}

static struct search begin(const struct wm_subject *subject, const struct wm_path_plan *plan)
{
	const struct wm_capture *capture = subject->capture;
	struct search search = {subject, plan,
		wm_arena_alloc(subject->arena, capture->block_count, sizeof(wm_loop_ref))};
	for (uint32_t v = 0; v < capture->block_count; v++) {
		wm_loop_ref loop = wm_bridge_loop_of(subject->bridge, capture->blocks[v]);
		search.loop[v] = loop && is_short(subject, loop) ? loop : NULL;
	}
	return search;
}

/* Paths end with each edge into the group, and something can be read there and on each edge out. */
static bool is_bounded_by(const struct search *search, wm_loop_ref loop, uint32_t edge)
{
	const struct wm_cfg *cfg = search->plan->function;
	enum wm_site_kind kind = search->subject->capture->sites[edge].kind;
	bool from = loop_at(search, cfg->source[edge]) == loop;
	bool to = loop_at(search, cfg->target[edge]) == loop;
	bool can_read = wm_site_is_countable(&search->subject->capture->sites[edge]) &&
			kind != WM_SITE_COMPARED && kind != WM_SITE_BEFORE_SETJMP;
	if (from == to)
		return true;
	return can_read && (from || search->plan->cut[edge]);
}

static bool is_group(const struct search *search, wm_loop_ref loop)
{
	for (uint32_t e = 0; e < search->plan->function->edge_count; e++)
		if (!is_bounded_by(search, loop, e))
			return false;
	return true;
}

static struct wm_meter_group list_edges(
	const struct search *search, wm_loop_ref loop, uint32_t header)
{
	const struct wm_cfg *cfg = search->plan->function;
	struct wm_meter_group group = {.block = header,
		.edges = wm_arena_alloc(
			search->subject->arena, cfg->edge_count, sizeof *group.edges)};
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		if (search->plan->cut[e] && loop_at(search, cfg->source[e]) == loop)
			group.edges[group.edge_count++] = e;
	return group;
}

/* Readings on the edges out, and none where paths of the group end. */
static void place_group(const struct search *search, wm_loop_ref loop, uint32_t number,
	struct wm_path_meters *meters)
{
	const struct wm_cfg *cfg = search->plan->function;
	const struct wm_meter_group *group = &meters->groups[number];
	for (uint32_t i = 0; i < group->edge_count; i++)
		meters->read[group->edges[i]] = false;
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		if (loop_at(search, cfg->source[e]) == loop &&
			loop_at(search, cfg->target[e]) != loop)
			meters->left_group[e] = number;
}

static void find_groups(const struct search *search, struct wm_path_meters *meters)
{
	const struct wm_capture *capture = search->subject->capture;
	for (uint32_t v = 0; v < capture->block_count; v++) {
		wm_loop_ref loop = search->loop[v];
		if (!loop || wm_bridge_loop_header(loop) != capture->blocks[v] ||
			!is_group(search, loop))
			continue;
		meters->groups[meters->group_count] = list_edges(search, loop, v);
		place_group(search, loop, meters->group_count++, meters);
	}
}

const struct wm_path_meters *wm_paths_meters(
	const struct wm_subject *subject, const struct wm_path_plan *plan)
{
	const struct wm_cfg *cfg = plan->function;
	struct wm_arena *arena = subject->arena;
	struct search search = begin(subject, plan);
	struct wm_path_meters *meters = wm_arena_alloc(arena, 1, sizeof *meters);
	*meters = (struct wm_path_meters){.meters = &subject->options->meters,
		.read = wm_arena_alloc(arena, cfg->edge_count, sizeof *meters->read),
		.left_group = wm_none_array(arena, cfg->edge_count),
		.groups = wm_arena_alloc(arena, cfg->vertex_count, sizeof *meters->groups)};
	/* Where a call returns again, no path ends: what passed before it goes to the next one. */
	for (uint32_t e = 0; e < cfg->edge_count; e++)
		meters->read[e] = plan->cut[e] && cfg->source[e] != cfg->exit;
	find_groups(&search, meters);
	meters->stride = (uint32_t)plan->counter_count + meters->group_count;
	return meters;
}

uint32_t wm_paths_describe_meters(const struct wm_subject *subject,
	const struct wm_path_meters *meters, uint32_t first, struct wm_function *described)
{
	struct wm_meters_section *section = wm_arena_alloc(subject->arena, 1, sizeof *section);
	const char **words = wm_arena_alloc(subject->arena, WM_MAX_METERS, sizeof *words);
	for (uint32_t i = 0; i < meters->meters->count; i++)
		words[i] = meters->meters->meters[i].word;
	*section = (struct wm_meters_section){.head = {described->paths->head.measure, first,
						      meters->stride * meters->meters->count},
		.meter_count = meters->meters->count,
		.meters = words,
		.group_count = meters->group_count,
		.groups = meters->groups};
	described->meters = section;
	return section->head.counter_count;
}
