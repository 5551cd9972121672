/* A row for each candidate: what it does of the run, how often it is run to its end, and what edges
 * would say of that. */
#include "report/superblock_view.h"

#include <inttypes.h>
#include <string.h>

#include "profile/hot_paths.h"
#include "report/json.h"
#include "report/listing.h"
#include "report/paint.h"
#include "report/path_form.h"
#include "report/text.h"

/* Characters and rows that the text of a candidate gets where a line has 100. */
enum { TEXT_WIDE = 44, TEXT_ROWS = 6 };

static size_t rows_of(const struct wm_superblock_view *view)
{
	size_t count = view->found->count;
	return view->top > 0 && view->top < count ? view->top : count;
}

static const char *form_of(struct wm_arena *arena, const struct wm_superblock_view *view,
	const struct wm_superblock_row *row)
{
	const struct wm_path_map map = wm_path_map_make(arena, row->function, view->sources);
	const struct wm_profile_path *path = &row->path;
	return wm_path_form(arena, &map, &path, 1, ", ");
}

static void add_row(struct wm_listing *listing, const struct wm_superblock_view *view,
	const struct wm_superblock_row *row, uint64_t whole)
{
	struct wm_arena *arena = listing->arena;
	wm_listing_add(
		listing, "%s", wm_text_share(row->completed * row->instructions, whole).text);
	wm_listing_add(listing, "%s", wm_text_share(row->completed, row->entered).text);
	wm_listing_add(listing, "%s-%s", wm_text_share(row->edges_least, row->entered).text,
		wm_text_share(row->edges_most, row->entered).text);
	wm_listing_add(listing, "%s", wm_text_count(row->entered).text);
	wm_listing_add(listing, "%s", wm_text_short_name(arena, row->function->function->name));
	const char *form = form_of(arena, view, row);
	size_t bytes = strlen(form) + sizeof ", and again";
	char *text = wm_arena_alloc(arena, bytes, 1);
	snprintf(text, bytes, "%s%s", form, row->loop ? ", and again" : "");
	wm_listing_add_wrapped(listing, text, TEXT_WIDE, TEXT_ROWS);
}

static void print_heading(const struct wm_superblock_view *view, FILE *out)
{
	const char *slash = strrchr(view->profile->object.path, '/');
	uint32_t left_out = view->found->left_out;
	fprintf(out,
		"%s: %s beginning%s of paths that at least %g%% of all executions run to the end\n",
		slash ? slash + 1 : view->profile->object.path,
		wm_text_count(view->found->count).text, view->found->count == 1 ? "" : "s",
		view->percent);
	if (left_out > 0)
		fprintf(out,
			"Left out: %s function%s that ran, but whose paths were not all counted\n",
			wm_text_count(left_out).text, left_out == 1 ? "" : "s");
}

void wm_superblock_view_print(const struct wm_superblock_view *view, FILE *out)
{
	static const struct wm_column columns[] = {{.title = "work", .right = true},
		{.title = "completed", .right = true}, {.title = "by edges", .right = true},
		{.title = "entered", .right = true}, {.title = "function", .is_name = true},
		{.title = "superblock"}};
	struct wm_arena arena = {0};
	struct wm_listing listing = {.arena = &arena, .columns = columns, .column_count = 6};
	uint64_t whole = wm_hot_paths_whole(view->profile);
	size_t rows = rows_of(view);
	print_heading(view, out);
	if (rows > 0) {
		for (size_t i = 0; i < rows; i++)
			add_row(&listing, view, &view->found->rows[i], whole);
		wm_paint_title(out, view->colour, "Candidates for superblocks");
		wm_listing_print(&listing, out, view->colour);
		wm_listing_print_rest(out, view->colour, view->found->count - rows);
	}
	wm_arena_reset(&arena);
}

static void write_row(struct wm_json *json, const struct wm_superblock_view *view,
	const struct wm_superblock_row *row)
{
	struct wm_arena arena = {0};
	const char *name = row->function->function->name;
	wm_json_begin_object(json, NULL);
	wm_json_text(json, "function", name);
	wm_json_text(json, "display_name", wm_text_name(&arena, name));
	wm_json_begin_array(json, "blocks");
	for (uint32_t i = 0; i < row->path.block_count; i++)
		wm_json_number(json, NULL, row->path.blocks[i]);
	wm_json_end_array(json);
	wm_json_text(json, "source", form_of(&arena, view, row));
	wm_json_flag(json, "loop", row->loop);
	wm_json_number(json, "instructions", row->instructions);
	wm_json_number(json, "entered", row->entered);
	wm_json_number(json, "completed", row->completed);
	wm_json_number(json, "edges_least", row->edges_least);
	wm_json_number(json, "edges_most", row->edges_most);
	wm_json_end_object(json);
	wm_arena_reset(&arena);
}

void wm_superblock_view_json(const struct wm_superblock_view *view, FILE *out)
{
	struct wm_json json = {.out = out};
	wm_json_begin_document(&json, "superblocks");
	wm_json_text(&json, "program", view->profile->object.path);
	wm_json_text(&json, "build_id", wm_build_id_text(&view->profile->file.build_id).text);
	wm_json_real(&json, "completion", view->percent);
	wm_json_number(&json, "functions", view->found->functions);
	wm_json_number(&json, "functions_left_out", view->found->left_out);
	wm_json_number(&json, "instructions", wm_hot_paths_whole(view->profile));
	wm_json_begin_array(&json, "superblocks");
	for (size_t i = 0; i < rows_of(view); i++)
		write_row(&json, view, &view->found->rows[i]);
	wm_json_end_array(&json);
	wm_json_end_object(&json);
}
