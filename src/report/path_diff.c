/* Comparison by merging sorted lists: functions by name, file and library, then paths by number.
 * First all rows are collected, then those that changed are kept: where only some functions or
 * paths were counted, a share is one of what can be compared, which is known at the end only. */
#include "report/path_diff.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "profile/hot_paths.h"
#include "names/path_name.h"
#include "profile/path_selection.h"

/* A change of the share that a listing with one decimal shows, however it rounds. */
static const double VISIBLE = 0.001;

struct side {
	const struct wm_profile *profile;
	bool chooses; /* some functions, or of some the selected paths, were counted; else nothing
		       */
};

struct comparer {
	struct wm_arena *arena;
	struct side before;
	struct side after;
	bool chosen;
	struct wm_path_diff *diff;
};

static const char *file_name(const struct wm_profile_function *function)
{
	const char *path = function->function->scopes[0].file, *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static const char *library_name(const struct wm_profile_function *function)
{
	return function->library ? function->library : "";
}

static int compare_functions(
	const struct wm_profile_function *left, const struct wm_profile_function *right)
{
	int order = strcmp(left->function->name, right->function->name);
	if (order == 0)
		order = strcmp(file_name(left), file_name(right));
	return order ? order : strcmp(library_name(left), library_name(right));
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

/* The path may be NULL: it did not run. */
static struct wm_diff_side path_side(
	const struct wm_profile_function *function, const struct wm_profile_path *path)
{
	return (struct wm_diff_side){.function = function,
		.path = path,
		.instructions = path ? wm_hot_path_instructions(function, path) : 0};
}

/* The function may be NULL: it is not there. */
static struct wm_diff_side function_side(const struct wm_profile_function *function)
{
	return (struct wm_diff_side){
		.function = function, .instructions = function ? function->instructions : 0};
}

static uint64_t count_of(const struct wm_diff_side *side)
{
	return side->path ? side->path->count : 0;
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
	struct wm_path_diff *diff = comparer->diff;
	uint32_t i = 0, k = 0;
	for (;;) {
		const struct wm_profile_path *old = next_path(before, &i);
		const struct wm_profile_path *new = next_path(after, &k);
		if (!old && !new)
			return;
		bool takes_old = old && (!new || old->id <= new->id);
		bool takes_new = new && (!old || new->id <= old->id);
		const struct wm_profile_path *either = takes_old ? old : new;
		if (wm_path_selection_counts(before, either) &&
			wm_path_selection_counts(after, either))
			diff->paths[diff->path_count++] = (struct wm_diff_row){
				.before = path_side(before, takes_old ? old : NULL),
				.after = path_side(after, takes_new ? new : NULL)};
		i += takes_old;
		k += takes_new;
	}
}

/* Whether the function ran, as far as is known. */
static bool did_run(const struct wm_profile_function *function)
{
	return function && (function->instructions > 0 || function->others > 0);
}

/* Functions that did not run on either side are not worth a line. */
static void compare_totals(struct comparer *comparer, const struct wm_profile_function *before,
	const struct wm_profile_function *after, enum wm_function_change change)
{
	struct wm_path_diff *diff = comparer->diff;
	bool has_paths = (before && before->path_count) || (after && after->path_count);
	if ((!did_run(before) && !did_run(after)) || (comparer->chosen && !has_paths))
		return;
	bool unknown = (before ? wm_path_selection_is_made(before) : comparer->before.chooses) ||
		       (after ? wm_path_selection_is_made(after) : comparer->after.chooses);
	if (unknown)
		diff->left_out++;
	else
		diff->functions[diff->function_count++] = (struct wm_diff_row){
			(int)change, function_side(before), function_side(after)};
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

static void add_instructions(
	const struct wm_diff_row *rows, size_t count, uint64_t *before, uint64_t *after)
{
	for (size_t i = 0; i < count; i++) {
		*before += rows[i].before.instructions;
		*after += rows[i].after.instructions;
	}
}

static double share_of(uint64_t part, uint64_t whole)
{
	return whole > 0 ? (double)part / (double)whole : 0;
}

static void set_shares(struct comparer *comparer)
{
	struct wm_path_diff *diff = comparer->diff;
	uint64_t before = 0, after = 0;
	diff->overlap = 0;
	if (comparer->before.chooses || comparer->after.chooses) {
		add_instructions(diff->paths, diff->path_count, &before, &after);
		add_instructions(diff->functions, diff->function_count, &before, &after);
	} else {
		before = wm_hot_paths_whole(comparer->before.profile);
		after = wm_hot_paths_whole(comparer->after.profile);
	}
	diff->before = before;
	diff->after = after;
	for (size_t i = 0; i < diff->path_count + diff->function_count; i++) {
		struct wm_diff_row *row = i < diff->path_count
						  ? &diff->paths[i]
						  : &diff->functions[i - diff->path_count];
		row->before.share = share_of(row->before.instructions, before);
		row->after.share = share_of(row->after.instructions, after);
		diff->overlap += fmin(row->before.share, row->after.share);
	}
}

static void set_path_overlap(struct wm_path_diff *diff)
{
	uint64_t before = 0, after = 0;
	add_instructions(diff->paths, diff->path_count, &before, &after);
	diff->compared_paths = diff->path_count;
	for (size_t i = 0; i < diff->path_count; i++)
		diff->path_overlap += fmin(share_of(diff->paths[i].before.instructions, before),
			share_of(diff->paths[i].after.instructions, after));
	for (size_t i = 0; i < diff->function_count; i++)
		diff->compared_by_total += diff->functions[i].before.function != NULL &&
					   diff->functions[i].after.function != NULL;
}

/* Nearly all the work is the same, but there is more or less of it. */
static bool is_scaled(const struct wm_path_diff *diff)
{
	static const double SAME_WORK = 0.9, AS_LONG = 0.01;
	if (diff->before == 0 || diff->after == 0 || diff->overlap < SAME_WORK)
		return false;
	return fabs((double)diff->after / (double)diff->before - 1) > AS_LONG;
}

static void keep_changed_paths(struct wm_path_diff *diff)
{
	size_t kept = 0;
	for (size_t i = 0; i < diff->path_count; i++) {
		struct wm_diff_row row = diff->paths[i];
		bool visible = fabs(row.after.share - row.before.share) >= VISIBLE;
		bool other = count_of(&row.before) != count_of(&row.after);
		if (!(diff->scaled ? visible : other)) {
			diff->same++;
			continue;
		}
		row.change = !row.before.path  ? WM_PATH_APPEARED
			     : !row.after.path ? WM_PATH_VANISHED
					       : WM_PATH_MOVED;
		diff->changes[row.change]++;
		diff->paths[kept++] = row;
	}
	diff->path_count = kept;
}

static void keep_changed_functions(struct wm_path_diff *diff)
{
	size_t kept = 0;
	for (size_t i = 0; i < diff->function_count; i++) {
		const struct wm_diff_row *row = &diff->functions[i];
		bool visible = fabs(row->after.share - row->before.share) >= VISIBLE;
		bool other = row->before.instructions != row->after.instructions;
		if (row->change != WM_FUNCTION_COUNTED || (diff->scaled ? visible : other))
			diff->functions[kept++] = *row;
	}
	diff->function_count = kept;
}

static void sort_rows(struct wm_diff_row *rows, size_t count)
{
	if (count > 0)
		qsort(rows, count, sizeof *rows, compare_rows);
}

/* By function, and of one function in the order of the list. */
static int compare_by_function(const void *left, const void *right)
{
	const struct wm_diff_row *a = *(const struct wm_diff_row *const *)left;
	const struct wm_diff_row *b = *(const struct wm_diff_row *const *)right;
	if (a->before.function != b->before.function)
		return a->before.function < b->before.function ? -1 : 1;
	return (a > b) - (a < b);
}

static struct wm_diff_side whole_function(const struct wm_profile_function *function, uint64_t all)
{
	struct wm_diff_side side = function_side(function);
	side.share = share_of(side.instructions, all);
	return side;
}

static void add_path_groups(struct wm_arena *arena, struct wm_path_diff *diff)
{
	const struct wm_diff_row **rows = wm_arena_alloc(arena, diff->path_count, sizeof *rows);
	for (size_t i = 0; i < diff->path_count; i++)
		rows[i] = &diff->paths[i];
	if (diff->path_count > 0)
		qsort(rows, diff->path_count, sizeof *rows, compare_by_function);
	for (size_t i = 0; i < diff->path_count; i++) {
		struct wm_diff_group *group = &diff->groups[diff->group_count];
		if (i > 0 && rows[i]->before.function == rows[i - 1]->before.function)
			group--;
		else
			*group = (struct wm_diff_group){.paths = &rows[i],
				.before = whole_function(rows[i]->before.function, diff->before),
				.after = whole_function(rows[i]->after.function, diff->after)};
		diff->group_count += group == &diff->groups[diff->group_count];
		group->path_count++;
		group->changes[rows[i]->change]++;
		group->moved += fabs(rows[i]->after.share - rows[i]->before.share);
	}
}

static int compare_groups(const void *left, const void *right)
{
	const struct wm_diff_group *a = left, *b = right;
	if (a->moved != b->moved)
		return a->moved > b->moved ? -1 : 1;
	const struct wm_diff_row *a_first = a->total ? a->total : a->paths[0];
	const struct wm_diff_row *b_first = b->total ? b->total : b->paths[0];
	return (a_first > b_first) - (a_first < b_first);
}

static void make_groups(struct wm_arena *arena, struct wm_path_diff *diff)
{
	diff->groups = wm_arena_alloc(
		arena, diff->path_count + diff->function_count, sizeof *diff->groups);
	add_path_groups(arena, diff);
	for (size_t i = 0; i < diff->function_count; i++) {
		const struct wm_diff_row *row = &diff->functions[i];
		diff->groups[diff->group_count++] = (struct wm_diff_group){.before = row->before,
			.after = row->after,
			.total = row,
			.moved = fabs(row->after.share - row->before.share)};
	}
	if (diff->group_count > 0)
		qsort(diff->groups, diff->group_count, sizeof *diff->groups, compare_groups);
}

void wm_path_diff_make(struct wm_arena *arena, const struct wm_profile *before,
	const struct wm_profile *after, bool chosen, struct wm_path_diff *diff)
{
	size_t functions = (size_t)before->function_count + after->function_count;
	struct comparer comparer = {.arena = arena,
		.before = {before, wm_path_selection_of(before).some_functions},
		.after = {after, wm_path_selection_of(after).some_functions},
		.chosen = chosen,
		.diff = diff};
	const struct wm_build_id *old_id = &before->file.build_id;
	*diff = (struct wm_path_diff){
		.same_build = old_id->bytes > 0 && wm_build_id_equal(old_id, &after->file.build_id),
		.paths = wm_arena_alloc(
			arena, count_paths(before) + count_paths(after), sizeof *diff->paths),
		.functions = wm_arena_alloc(arena, functions, sizeof *diff->functions)};
	merge_functions(&comparer);
	set_shares(&comparer);
	set_path_overlap(diff);
	diff->scaled = is_scaled(diff);
	keep_changed_paths(diff);
	keep_changed_functions(diff);
	sort_rows(diff->paths, diff->path_count);
	sort_rows(diff->functions, diff->function_count);
	make_groups(arena, diff);
}
