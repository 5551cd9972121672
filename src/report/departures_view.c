/* A row for each departure: the way since routes were numbered anew, to where no test went. */
#include "report/departures_view.h"

#include <stdlib.h>
#include <time.h>

#include "core/base/none.h"
#include "report/listing.h"
#include "report/paint.h"
#include "report/path_json.h"
#include "report/path_view.h"
#include "report/place.h"
#include "report/text.h"

enum { FORM_WIDE = 62 };

/* By the clock on the wall. */
static struct wm_text date_text(uint64_t first)
{
	struct wm_text result = {""};
	time_t seconds = (time_t)first;
	struct tm date;
	if (localtime_r(&seconds, &date))
		strftime(result.text, sizeof result.text, "%Y-%m-%d %H:%M:%S", &date);
	return result;
}

static bool is_start(const struct wm_residual_departure *row)
{
	return row->departure->path.end_edge == WM_NONE;
}

static const char *form_of(struct wm_arena *arena, const struct wm_path_map *map,
	const struct wm_residual_departure *row)
{
	const struct wm_profile_path *path = &row->departure->path;
	const struct wm_function *function = row->function->function->function;
	char *text;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	fprintf(out, "%s\n", wm_text_short_name(arena, function->name));
	if (!is_start(row))
		fputs(wm_path_form(arena, map, &path, 1, "\n"), out);
	else if (path->blocks[0] == 0)
		fputs("no test entered the function", out);
	else if (map->line_count[path->blocks[0]] > 0)
		fprintf(out, "no tested path starts at line %u",
			map->lines[path->blocks[0]][0].line);
	else
		fprintf(out, "no tested path starts at block %u", path->blocks[0]);
	fclose(out);
	const char *copy = wm_arena_copy_text(arena, text);
	free(text);
	return copy;
}

static void add_row(const struct wm_residual_view *view, struct wm_listing *listing,
	const struct wm_residual_departure *row)
{
	struct wm_arena scratch = {0};
	const struct wm_profile_function *function = row->function->function;
	struct wm_path_map map = wm_path_map_make(&scratch, function, view->sources);
	wm_listing_add(listing, "%s", wm_text_count(row->departure->path.count).text);
	wm_listing_add(listing, "%s", date_text(row->departure->first).text);
	wm_listing_add(listing, "%s", wm_residual_kind_words[row->kind]);
	wm_listing_add_wrapped(listing, form_of(&scratch, &map, row), FORM_WIDE, 0);
	wm_path_view_note_source(view->sources, function->function);
	wm_arena_reset(&scratch);
}

void wm_departures_view_print(const struct wm_residual_view *view, FILE *out)
{
	static const struct wm_column columns[] = {{.title = "processes", .right = true},
		{.title = "first seen"}, {.title = "kind"}, {.title = "departure"}};
	struct wm_arena arena = {0};
	struct wm_listing listing = {.arena = &arena, .columns = columns, .column_count = 4};
	size_t shown = 0, left_out = 0;
	for (size_t i = 0; i < view->residual->departure_count; i++) {
		const struct wm_residual_departure *row = &view->residual->departures[i];
		if (!view->kinds[row->kind])
			continue;
		if (view->top > 0 && shown == view->top) {
			left_out++;
			continue;
		}
		shown++;
		add_row(view, &listing, row);
	}
	if (shown > 0) {
		wm_paint_title(out, view->colour, "Where tested paths were left, by processes");
		wm_listing_print(&listing, out, view->colour);
		wm_listing_print_rest(out, view->colour, left_out);
	}
	wm_arena_reset(&arena);
}

static void write_row(struct wm_json *json, const struct wm_residual_departure *row)
{
	struct wm_arena arena = {0};
	const struct wm_profile_function *function = row->function->function;
	const struct wm_profile_path *path = &row->departure->path;
	struct wm_path_map map = wm_path_map_make(&arena, function, NULL);
	struct wm_place place = wm_place_of_function(function->function);
	wm_json_begin_object(json, NULL);
	wm_json_text(json, "function", function->function->name);
	wm_json_text(json, "file", place.file);
	wm_json_number(json, "line", place.line);
	wm_json_text(json, "kind", wm_residual_kind_words[row->kind]);
	wm_json_number(json, "processes", path->count);
	wm_json_number(json, "first_seen", row->departure->first);
	wm_json_begin_array(json, "blocks");
	for (uint32_t i = 0; i < path->block_count; i++)
		wm_json_number(json, NULL, path->blocks[i]);
	wm_json_end_array(json);
	if (is_start(row)) {
		wm_json_null(json, "to");
	} else {
		uint32_t to = function->function->edge_target[path->end_edge];
		wm_json_signed(
			json, "to", to == function->function->block_count ? -1 : (int64_t)to);
		wm_path_json_source_members(json, &arena, &map, path);
	}
	wm_json_end_object(json);
	wm_arena_reset(&arena);
}

void wm_departures_view_json(const struct wm_residual_view *view, struct wm_json *json)
{
	size_t shown = 0;
	wm_json_begin_array(json, "watched");
	for (size_t i = 0; i < view->residual->function_count; i++)
		if (view->residual->functions[i].function->function->sentinels)
			wm_json_text(
				json, NULL, view->residual->functions[i].function->function->name);
	wm_json_end_array(json);
	wm_json_begin_array(json, "departures");
	for (size_t i = 0; i < view->residual->departure_count; i++) {
		const struct wm_residual_departure *row = &view->residual->departures[i];
		if (!view->kinds[row->kind] || (view->top > 0 && shown == view->top))
			continue;
		write_row(json, row);
		shown++;
	}
	wm_json_end_array(json);
}
