/* Each path gets its only successor, if it has one; chains of these are the groups. Profiles may be
 * damaged: a chain that is a circle is cut at the first of its paths. */
#include "report/path_groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/none.h"
#include "profile/hot_paths.h"
#include "report/text.h"

/* Paths that meet at a block. */
struct meeting {
	uint32_t ending; /* how many end into it */
	uint32_t last_ending;
	uint32_t starting; /* how many start there */
	uint32_t last_starting;
};

struct joiner {
	struct wm_arena *arena;
	const struct wm_profile_function *function;
	uint32_t *next;	   /* by path: the one that always follows, or WM_NONE */
	bool *follows;	   /* by path: it is such a one */
	bool *is_in_group; /* by path */
};

/* Where the path behind this one starts, or EXIT. */
static uint32_t end_of(const struct wm_function *function, const struct wm_profile_path *path)
{
	return path->end_edge < function->edge_count ? function->edge_target[path->end_edge]
						     : function->block_count;
}

static struct meeting *find_meetings(struct joiner *joiner)
{
	const struct wm_profile_function *function = joiner->function;
	struct meeting *meetings = wm_arena_alloc(
		joiner->arena, (size_t)function->function->block_count + 1, sizeof *meetings);
	for (uint32_t i = 0; i < function->path_count; i++) {
		const struct wm_profile_path *path = &function->paths[i];
		struct meeting *end = &meetings[end_of(function->function, path)];
		end->ending++;
		end->last_ending = i;
		if (path->block_count == 0)
			continue;
		struct meeting *start = &meetings[path->blocks[0]];
		start->starting++;
		start->last_starting = i;
	}
	return meetings;
}

/* Calls enter the entry from outside, so nothing is proved there. */
static void join(struct joiner *joiner)
{
	const struct wm_profile_function *function = joiner->function;
	const struct meeting *meetings = find_meetings(joiner);
	for (uint32_t b = 1; b < function->function->block_count; b++) {
		const struct meeting *meeting = &meetings[b];
		if (meeting->ending != 1 || meeting->starting != 1 ||
			function->paths[meeting->last_ending].count !=
				function->paths[meeting->last_starting].count)
			continue;
		joiner->next[meeting->last_ending] = meeting->last_starting;
		joiner->follows[meeting->last_starting] = true;
	}
}

static void add_group(struct joiner *joiner, struct wm_path_groups *groups, uint32_t first)
{
	const struct wm_profile_path *paths = joiner->function->paths;
	struct wm_path_group *group = &groups->groups[groups->count];
	*group = (struct wm_path_group){.function = joiner->function, .count = paths[first].count};
	for (uint32_t i = first; i != WM_NONE && !joiner->is_in_group[i]; i = joiner->next[i]) {
		joiner->is_in_group[i] = true;
		group->piece_count++;
	}
	if ((int64_t)group->count <= 0)
		return;
	group->pieces = wm_arena_alloc(joiner->arena, group->piece_count, sizeof *group->pieces);
	for (size_t k = 0, i = first; k < group->piece_count; k++, i = joiner->next[i]) {
		group->pieces[k] = &paths[i];
		group->instructions += wm_hot_path_instructions(joiner->function, &paths[i]);
		groups->partial += paths[i].partial;
		groups->partial_count += paths[i].partial ? paths[i].count : 0;
	}
	groups->path_count += group->piece_count;
	groups->instructions += group->instructions;
	groups->count++;
}

static void add_function(struct wm_arena *arena, const struct wm_profile_function *function,
	struct wm_path_groups *groups)
{
	uint32_t count = function->path_count;
	struct joiner joiner = {.arena = arena,
		.function = function,
		.next = wm_none_array(arena, count),
		.follows = wm_arena_alloc(arena, count, sizeof *joiner.follows),
		.is_in_group = wm_arena_alloc(arena, count, sizeof *joiner.is_in_group)};
	/* Where only selected paths are known, others may come in between. */
	if (function->block)
		join(&joiner);
	for (uint32_t i = 0; i < count; i++)
		if (!joiner.follows[i])
			add_group(&joiner, groups, i);
	for (uint32_t i = 0; i < count; i++)
		if (!joiner.is_in_group[i])
			add_group(&joiner, groups, i);
}

static int compare_groups(const void *left, const void *right)
{
	const struct wm_path_group *a = left, *b = right;
	if (a->instructions != b->instructions)
		return a->instructions > b->instructions ? -1 : 1;
	if (a->function != b->function)
		return a->function < b->function ? -1 : 1;
	return (a->pieces[0] > b->pieces[0]) - (a->pieces[0] < b->pieces[0]);
}

void wm_path_groups_make(
	struct wm_arena *arena, const struct wm_profile *profile, struct wm_path_groups *groups)
{
	size_t max = 0;
	for (uint32_t i = 0; i < profile->function_count; i++)
		max += profile->functions[i].path_count;
	*groups = (struct wm_path_groups){
		.groups = wm_arena_alloc(arena, max + 1, sizeof *groups->groups)};
	for (uint32_t i = 0; i < profile->function_count; i++)
		if (profile->functions[i].path_count > 0)
			add_function(arena, &profile->functions[i], groups);
	if (groups->count > 0)
		qsort(groups->groups, groups->count, sizeof *groups->groups, compare_groups);
}

/* Name of the first pieces of the group. */
static const char *name_pieces(struct wm_arena *arena, const struct wm_short_names *names,
	const struct wm_path_group *group, size_t piece_count)
{
	uint64_t *ids = wm_arena_alloc(arena, piece_count, sizeof *ids);
	for (size_t i = 0; i < piece_count; i++)
		ids[i] = group->pieces[i]->id;
	return wm_short_names_path(arena, names, group->function, ids, piece_count);
}

const char *wm_path_group_name(struct wm_arena *arena, const struct wm_short_names *names,
	const struct wm_path_group *group, size_t wide)
{
	enum { HASH_BYTES = 10 };
	const char *name = name_pieces(arena, names, group, group->piece_count);
	size_t stem = strlen(wm_short_names_stem(arena, names, group->function));
	if (strlen(name) - stem + HASH_BYTES + 3 <= wide)
		return wm_text_end(arena, name, wide);
	char more[40];
	snprintf(more, sizeof more, " and %zu more", group->piece_count - 1);
	const char *first =
		wm_text_end(arena, name_pieces(arena, names, group, 1), wide - strlen(more));
	size_t bytes = strlen(first) + sizeof more;
	char *text = wm_arena_alloc(arena, bytes, 1);
	snprintf(text, bytes, "%s%s", first, more);
	return text;
}

size_t wm_path_groups_covering(
	const struct wm_path_groups *groups, double share, uint64_t instructions)
{
	double sum = 0;
	size_t count = 0;
	while (count < groups->count && sum < share * (double)instructions)
		sum += (double)groups->groups[count++].instructions;
	return count;
}
