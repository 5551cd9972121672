/* Comparison by merging sorted lists: functions by name and file, then paths by number. */
#include "report/path_diff.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "profile/hot_paths.h"
#include "profile/path_name.h"

/* A change of the share that a table with one decimal would show. */
static const double VISIBLE = 0.0005;

struct side {
	const struct wm_profile *profile;
	uint64_t whole; /* instructions that shares are shares of */
};

struct comparer {
	struct wm_arena *arena;
	struct side before;
	struct side after;
	struct wm_path_diff *diff;
};

static const char *file_name(const struct wm_profile_function *function)
{
	const char *path = function->function->scopes[0].file, *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static int compare_functions(
	const struct wm_profile_function *left, const struct wm_profile_function *right)
{
	int order = strcmp(left->function->name, right->function->name);
	return order ? order : strcmp(file_name(left), file_name(right));
}

static int compare_pointers(const void *left, const void *right)
{
	const struct wm_profile_function *a = *(const struct wm_profile_function *const *)left;
	const struct wm_profile_function *b = *(const struct wm_profile_function *const *)right;
	int order = compare_functions(a, b);
	return order ? order : (a > b) - (a < b);
}

static const struct wm_profile_function **sort_functions(
	struct wm_arena *arena, const struct wm_profile *profile)
{
	const struct wm_profile_function **sorted =
		wm_arena_alloc(arena, profile->function_count, sizeof *sorted);
	for (uint32_t i = 0; i < profile->function_count; i++)
		sorted[i] = &profile->functions[i];
	if (profile->function_count > 0)
		qsort(sorted, profile->function_count, sizeof *sorted, compare_pointers);
	return sorted;
}

static struct wm_diff_side make_side(const struct side *side,
	const struct wm_profile_function *function, const struct wm_profile_path *path,
	uint64_t instructions)
{
	double all = (double)side->whole;
	return (struct wm_diff_side){.function = function,
		.path = path,
		.instructions = instructions,
		.share = all > 0 ? (double)instructions / all : 0};
}

/* The path may be NULL: it did not run. */
static struct wm_diff_side path_side(const struct side *side,
	const struct wm_profile_function *function, const struct wm_profile_path *path)
{
	return make_side(side, function, path, path ? wm_hot_path_instructions(function, path) : 0);
}

/* The function may be NULL: it is not there. */
static struct wm_diff_side function_side(
	const struct side *side, const struct wm_profile_function *function)
{
	return make_side(side, function, NULL, function ? function->instructions : 0);
}

static uint64_t count_of(const struct wm_diff_side *side)
{
	return side->path ? side->path->count : 0;
}

static void add_path(struct comparer *comparer, struct wm_diff_row row)
{
	struct wm_path_diff *diff = comparer->diff;
	diff->overlap += fmin(row.before.share, row.after.share);
	if (count_of(&row.before) == count_of(&row.after) &&
		fabs(row.after.share - row.before.share) < VISIBLE) {
		diff->same++;
		return;
	}
	row.change = !row.before.path  ? WM_PATH_APPEARED
		     : !row.after.path ? WM_PATH_VANISHED
				       : WM_PATH_MOVED;
	diff->changes[row.change]++;
	diff->paths[diff->path_count++] = row;
}

/* The next path of a list that ran, or NULL. */
static const struct wm_profile_path *next_path(
	const struct wm_profile_function *function, uint32_t *at)
{
	while (*at < function->path_count && (int64_t)function->paths[*at].count <= 0)
		++*at;
	return *at < function->path_count ? &function->paths[*at] : NULL;
}

static void compare_paths(struct comparer *comparer, const struct wm_profile_function *before,
	const struct wm_profile_function *after)
{
	uint32_t i = 0, k = 0;
	for (;;) {
		const struct wm_profile_path *old = next_path(before, &i);
		const struct wm_profile_path *new = next_path(after, &k);
		if (!old && !new)
			return;
		bool takes_old = old && (!new || old->id <= new->id);
		bool takes_new = new && (!old || new->id <= old->id);
		add_path(comparer, (struct wm_diff_row){.before = path_side(&comparer->before,
								before, takes_old ? old : NULL),
					   .after = path_side(&comparer->after, after,
						   takes_new ? new : NULL)});
		i += takes_old;
		k += takes_new;
	}
}

/* Functions that did not run on either side are not worth a line. */
static void compare_totals(struct comparer *comparer, const struct wm_profile_function *before,
	const struct wm_profile_function *after, enum wm_function_change change)
{
	struct wm_path_diff *diff = comparer->diff;
	const struct wm_diff_row row = {.change = (int)change,
		.before = function_side(&comparer->before, before),
		.after = function_side(&comparer->after, after)};
	bool same = row.before.instructions == row.after.instructions;
	diff->overlap += fmin(row.before.share, row.after.share);
	if (row.before.instructions + row.after.instructions == 0 ||
		(same && change == WM_FUNCTION_COUNTED))
		return;
	diff->functions[diff->function_count++] = row;
}

static void compare_pair(struct comparer *comparer, const struct wm_profile_function *before,
	const struct wm_profile_function *after)
{
	if (!before->paths || !after->paths)
		compare_totals(comparer, before, after, WM_FUNCTION_COUNTED);
	else if (wm_path_cfg_hash(before->function) != wm_path_cfg_hash(after->function))
		compare_totals(comparer, before, after, WM_FUNCTION_RESHAPED);
	else
		compare_paths(comparer, before, after);
}

static int compare_rows(const void *left, const void *right)
{
	const struct wm_diff_row *a = left, *b = right;
	double a_moved = fabs(a->after.share - a->before.share);
	double b_moved = fabs(b->after.share - b->before.share);
	if (a_moved != b_moved)
		return a_moved > b_moved ? -1 : 1;
	double a_count = fabs((double)count_of(&a->after) - (double)count_of(&a->before));
	double b_count = fabs((double)count_of(&b->after) - (double)count_of(&b->before));
	return (a_count < b_count) - (a_count > b_count);
}

static size_t count_paths(const struct wm_profile *profile)
{
	size_t count = 0;
	for (uint32_t i = 0; i < profile->function_count; i++)
		count += profile->functions[i].path_count;
	return count;
}

/* A run of functions of one name in a sorted list. */
struct namesakes {
	const struct wm_profile_function **functions;
	uint32_t count;
};

static struct namesakes next_namesakes(
	const struct wm_profile_function **sorted, uint32_t at, uint32_t end)
{
	struct namesakes found = {.functions = sorted + at};
	while (at + found.count < end &&
		strcmp(sorted[at + found.count]->function->name, sorted[at]->function->name) == 0)
		found.count++;
	return found;
}

/* One function on each side is the same, wherever its file is now; of several those of one file
 * are. */
static void merge_namesakes(struct comparer *comparer, struct namesakes old, struct namesakes new)
{
	bool single = old.count == 1 && new.count == 1;
	for (uint32_t i = 0, k = 0; i < old.count || k < new.count;) {
		int order = single	     ? 0
			    : i == old.count ? 1
			    : k == new.count
				    ? -1
				    : compare_functions(old.functions[i], new.functions[k]);
		if (order == 0)
			compare_pair(comparer, old.functions[i++], new.functions[k++]);
		else if (order < 0)
			compare_totals(comparer, old.functions[i++], NULL, WM_FUNCTION_GONE);
		else
			compare_totals(comparer, NULL, new.functions[k++], WM_FUNCTION_NEW);
	}
}

static void merge_functions(struct comparer *comparer)
{
	uint32_t old_count = comparer->before.profile->function_count;
	uint32_t new_count = comparer->after.profile->function_count;
	const struct wm_profile_function **old =
		sort_functions(comparer->arena, comparer->before.profile);
	const struct wm_profile_function **new =
		sort_functions(comparer->arena, comparer->after.profile);
	for (uint32_t i = 0, k = 0; i < old_count || k < new_count;) {
		int order = i == old_count ? 1
			    : k == new_count
				    ? -1
				    : strcmp(old[i]->function->name, new[k]->function->name);
		struct namesakes before = {0}, after = {0};
		if (order <= 0)
			before = next_namesakes(old, i, old_count);
		if (order >= 0)
			after = next_namesakes(new, k, new_count);
		merge_namesakes(comparer, before, after);
		i += before.count;
		k += after.count;
	}
}

void wm_path_diff_make(struct wm_arena *arena, const struct wm_profile *before,
	const struct wm_profile *after, struct wm_path_diff *diff)
{
	size_t functions = (size_t)before->function_count + after->function_count;
	struct comparer comparer = {.arena = arena,
		.before = {before, wm_hot_paths_whole(before)},
		.after = {after, wm_hot_paths_whole(after)},
		.diff = diff};
	*diff = (struct wm_path_diff){
		.paths = wm_arena_alloc(
			arena, count_paths(before) + count_paths(after), sizeof *diff->paths),
		.functions = wm_arena_alloc(arena, functions, sizeof *diff->functions)};
	merge_functions(&comparer);
	if (diff->path_count > 0)
		qsort(diff->paths, diff->path_count, sizeof *diff->paths, compare_rows);
	if (diff->function_count > 0)
		qsort(diff->functions, diff->function_count, sizeof *diff->functions, compare_rows);
}
