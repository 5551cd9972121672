/* A row for each change, with the name of the topmost context. */
#include <stdlib.h>

#include "report/context_name.h"
#include "report/json.h"
#include "report/listing.h"
#include "report/paint.h"
#include "report/text.h"
#include "report/tree_diff.h"

static const char *const kinds[] = {[WM_TREE_APPEARED] = "appeared",
	[WM_TREE_VANISHED] = "vanished",
	[WM_TREE_MOVED] = "moved"};

static const char *name_of(struct wm_arena *arena, const struct wm_tree_diff *diff,
	const struct wm_tree_change *change)
{
	return wm_context_name(arena, change->kind == WM_TREE_VANISHED ? diff->before : diff->after,
		change->record);
}

static void add_difference(struct wm_listing *listing, uint64_t before, uint64_t after)
{
	bool more = after >= before;
	wm_listing_add(listing, "%s%s", more ? "+" : "-",
		wm_text_count(more ? after - before : before - after).text);
}

static void add_change(struct wm_listing *listing, const struct wm_tree_diff *diff,
	const struct wm_tree_change *change)
{
	wm_listing_add(listing, "%s", wm_text_count(change->before).text);
	wm_listing_add(listing, "%s", wm_text_count(change->after).text);
	add_difference(listing, change->before, change->after);
	wm_listing_add(listing, "%s", kinds[change->kind]);
	wm_listing_add(listing, "%s", wm_text_count(change->contexts).text);
	wm_listing_add(listing, "%s", name_of(listing->arena, diff, change));
}

void wm_tree_diff_print(const struct wm_tree_diff *diff, size_t top, bool colour, FILE *out)
{
	static const struct wm_column columns[] = {{.title = "old", .right = true},
		{.title = "new", .right = true}, {.title = "difference", .right = true},
		{.title = ""}, {.title = "contexts", .right = true},
		{.title = "context", .keep_end = true}};
	struct wm_arena arena = {0};
	struct wm_listing listing = {.arena = &arena, .columns = columns, .column_count = 6};
	size_t shown = diff->count < top ? diff->count : top;
	char title[80];
	for (size_t i = 0; i < shown; i++)
		add_change(&listing, diff, &diff->changes[i]);
	snprintf(title, sizeof title, "Contexts that changed, by %s", diff->after->metric);
	wm_paint_title(out, colour, title);
	wm_listing_print(&listing, out, colour);
	wm_listing_print_rest(out, colour, diff->count - shown);
	fprintf(out, "  %s %s before, %s now; %s contexts are the same in both\n",
		wm_text_count(diff->before_total).text, diff->after->metric,
		wm_text_count(diff->after_total).text, wm_text_count(diff->same).text);
	wm_arena_reset(&arena);
}

static void write_side(
	struct wm_json *json, const char *key, const struct wm_tree *tree, uint64_t total)
{
	const struct wm_profile *profile = tree->profile;
	wm_json_begin_object(json, key);
	wm_json_text(json, "program", profile->object.path);
	wm_json_text(json, "file", profile->file.path);
	wm_json_text(json, "build_id", wm_build_id_text(&profile->file.build_id).text);
	wm_json_number(json, "total", total);
	wm_json_end_object(json);
}

void wm_tree_diff_json(const struct wm_tree_diff *diff, size_t top, FILE *out)
{
	struct wm_json json = {.out = out};
	wm_json_begin_document(&json, "tree-diff");
	wm_json_text(&json, "metric", diff->after->metric);
	write_side(&json, "old", diff->before, diff->before_total);
	write_side(&json, "new", diff->after, diff->after_total);
	wm_json_number(&json, "same", diff->same);
	wm_json_begin_array(&json, "changes");
	for (size_t i = 0; i < diff->count && (top == 0 || i < top); i++) {
		struct wm_arena scratch = {0};
		const struct wm_tree_change *change = &diff->changes[i];
		wm_json_begin_object(&json, NULL);
		wm_json_text(&json, "kind", kinds[change->kind]);
		wm_json_text(&json, "name", name_of(&scratch, diff, change));
		wm_json_number(&json, "contexts", change->contexts);
		wm_json_number(&json, "old", change->before);
		wm_json_number(&json, "new", change->after);
		wm_json_end_object(&json);
		wm_arena_reset(&scratch);
	}
	wm_json_end_array(&json);
	wm_json_end_object(&json);
}
