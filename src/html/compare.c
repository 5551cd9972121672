/* What `waymark diff` says (report/path_diff.h), with numbers of functions instead of names. */
#include "html/compare.h"

#include "report/path_diff.h"

static const char *const path_words[] = {[WM_PATH_APPEARED] = "appeared",
	[WM_PATH_VANISHED] = "vanished",
	[WM_PATH_MOVED] = "moved"};

static const char *const function_words[] = {[WM_FUNCTION_NEW] = "new",
	[WM_FUNCTION_GONE] = "gone",
	[WM_FUNCTION_RESHAPED] = "reshaped",
	[WM_FUNCTION_COUNTED] = "moved"};

/* [function or -1, id of the path or -1, count, instructions, share] */
static void write_side(const struct wm_html_side *page, const struct wm_diff_side *side,
	const char *key, struct wm_json *json)
{
	wm_json_begin_array(json, key);
	wm_json_signed(json, NULL, side->function ? side->function - page->profile->functions : -1);
	wm_json_signed(json, NULL, side->path ? (int64_t)side->path->id : -1);
	wm_json_number(json, NULL, side->path ? side->path->count : 0);
	wm_json_number(json, NULL, side->instructions);
	wm_json_real(json, NULL, side->share);
	wm_json_end_array(json);
}

static void write_row(const struct wm_html_side *const sides[2], const struct wm_diff_row *row,
	const char *word, const char *key, struct wm_json *json)
{
	wm_json_begin_object(json, key);
	wm_json_text(json, "change", word);
	write_side(sides[0], &row->before, "before", json);
	write_side(sides[1], &row->after, "after", json);
	wm_json_end_object(json);
}

static void write_group(const struct wm_html_side *const sides[2],
	const struct wm_diff_group *group, struct wm_json *json)
{
	wm_json_begin_object(json, NULL);
	write_side(sides[0], &group->before, "before", json);
	write_side(sides[1], &group->after, "after", json);
	wm_json_real(json, "moved", group->moved);
	if (group->total)
		write_row(sides, group->total, function_words[group->total->change], "total", json);
	wm_json_begin_array(json, "paths");
	for (size_t i = 0; i < group->path_count; i++)
		write_row(sides, group->paths[i], path_words[group->paths[i]->change], NULL, json);
	wm_json_end_array(json);
	wm_json_end_object(json);
}

void wm_html_compare_write(
	const struct wm_html_side *before, const struct wm_html_side *after, struct wm_json *json)
{
	struct wm_arena arena = {0};
	struct wm_path_diff diff;
	const struct wm_html_side *const sides[2] = {before, after};
	wm_path_diff_make(&arena, before->profile, after->profile, false, &diff);
	wm_json_begin_object(json, NULL);
	wm_json_number(json, "before", diff.before);
	wm_json_number(json, "after", diff.after);
	wm_json_flag(json, "same_build", diff.same_build);
	wm_json_flag(json, "scaled", diff.scaled);
	wm_json_real(json, "overlap", diff.overlap);
	wm_json_number(json, "same", diff.same);
	wm_json_number(json, "left_out", diff.left_out);
	for (int change = 0; change < WM_PATH_CHANGES; change++)
		wm_json_number(json, path_words[change], diff.changes[change]);
	wm_json_begin_array(json, "groups");
	for (size_t i = 0; i < diff.group_count; i++)
		write_group(sides, &diff.groups[i], json);
	wm_json_end_array(json);
	wm_json_end_object(json);
	wm_arena_reset(&arena);
}
