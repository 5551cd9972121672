/* First how many are hot, dense and sparse, by path and by function; then the most expensive ones.
 */
#include "report/costs_view.h"

#include <inttypes.h>
#include <string.h>

#include "report/json.h"
#include "report/listing.h"
#include "report/paint.h"
#include "report/path_form.h"
#include "report/place.h"
#include "report/text.h"

/* Characters and rows that the text of a path gets where a line has 100. */
enum { TEXT_WIDE = 44, TEXT_ROWS = 6 };

static const char *const class_words[] = {"dense", "sparse", "cold"};

static struct wm_text share(int64_t part, int64_t whole)
{
	return wm_text_share(part > 0 ? (uint64_t)part : 0, whole > 0 ? (uint64_t)whole : 0);
}

static size_t rows_of(const struct wm_costs_view *view, const struct wm_cost_table *table)
{
	return view->top > 0 && view->top < table->count ? view->top : table->count;
}

/* Cost per instruction, as a multiple of the whole program's. */
static double density(const struct wm_costs_view *view, const struct wm_cost_row *row)
{
	double whole = (double)view->costs->cost, all = (double)view->costs->instructions;
	if (!row->instructions || whole <= 0)
		return 0;
	return (double)row->cost / (double)row->instructions / (whole / all);
}

static const char *name_of(
	struct wm_arena *arena, const struct wm_costs_view *view, const struct wm_cost_row *row)
{
	if (!row->path)
		return wm_text_short_name(arena, row->function->function->name);
	return wm_short_names_path(arena, view->names, row->function, &row->path->id, 1);
}

static uint32_t group_block(const struct wm_cost_row *row)
{
	return row->function->function->meters->groups[row->group].block;
}

/* The text of a path, or where the loop is. */
static const char *form_of(
	struct wm_arena *arena, const struct wm_costs_view *view, const struct wm_cost_row *row)
{
	const struct wm_path_map map = wm_path_map_make(arena, row->function, view->sources);
	if (row->path)
		return wm_path_form(arena, &map, &row->path, 1, ", ");
	const char *place =
		wm_place_text(arena, wm_place_of_block(row->function->function, group_block(row)));
	static const char text[] = "all iterations of the loop at ";
	char *form = wm_arena_alloc(arena, sizeof text + strlen(place), 1);
	return strcat(strcpy(form, text), place);
}

static void print_heading(const struct wm_costs_view *view, FILE *out)
{
	const char *slash = strrchr(view->profile->object.path, '/');
	const struct wm_costs *costs = view->costs;
	uint64_t cost = costs->cost > 0 ? (uint64_t)costs->cost : 0;
	fprintf(out, "%s: %s %s along %s path%s\n", slash ? slash + 1 : view->profile->object.path,
		wm_text_count(cost).text, view->meter, wm_text_count(costs->paths.count).text,
		costs->paths.count == 1 ? "" : "s");
	if (costs->unread > 0)
		fprintf(out,
			"%s path%s ended where nothing is read; what they cost belongs to the "
			"paths that went on\n",
			wm_text_count(costs->unread).text, costs->unread == 1 ? "" : "s");
}

static void add_class(struct wm_listing *listing, const struct wm_costs_view *view,
	const struct wm_cost_sums *sums, const char *word, bool of_functions)
{
	wm_listing_add(listing, "%s", word);
	wm_listing_add(listing, "%s", wm_text_count(sums->number).text);
	wm_listing_add(
		listing, "%s", wm_text_share(sums->instructions, view->costs->instructions).text);
	wm_listing_add(listing, "%s", share(sums->cost, view->costs->cost).text);
	if (of_functions && sums->number)
		wm_listing_add(listing, "%.1f", (double)sums->paths / (double)sums->number);
	else if (of_functions)
		wm_listing_add(listing, "-");
}

static void print_classes(const struct wm_costs_view *view, const struct wm_cost_table *table,
	const char *title, bool of_functions, FILE *out)
{
	const struct wm_column columns[] = {{.title = "hot"}, {.title = "number", .right = true},
		{.title = "work", .right = true}, {.title = view->meter, .right = true},
		{.title = "paths of each", .right = true}};
	static const char *const words[] = {"dense", "sparse", "(cold)"};
	struct wm_arena arena = {0};
	struct wm_listing listing = {
		.arena = &arena, .columns = columns, .column_count = of_functions ? 5 : 4};
	for (int class = 0; class < WM_COST_CLASSES; class ++)
		add_class(&listing, view, &table->sums[class], words[class], of_functions);
	wm_paint_title(out, view->colour, title);
	wm_listing_print(&listing, out, view->colour);
	wm_arena_reset(&arena);
}

static void add_row(
	struct wm_listing *listing, const struct wm_costs_view *view, const struct wm_cost_row *row)
{
	struct wm_arena *arena = listing->arena;
	wm_listing_add(listing, "%s", share(row->cost, view->costs->cost).text);
	wm_listing_add(listing, "%.2f", density(view, row));
	if (row->count)
		wm_listing_add(listing, "%.4g", (double)row->cost / (double)row->count);
	else
		wm_listing_add(listing, "-");
	wm_listing_add(listing, "%s", wm_text_count(row->count).text);
	wm_listing_add(listing, "%s", name_of(arena, view, row));
	wm_listing_add_wrapped(listing, form_of(arena, view, row), TEXT_WIDE, TEXT_ROWS);
}

static void print_paths(const struct wm_costs_view *view, FILE *out)
{
	const struct wm_column columns[] = {{.title = view->meter, .right = true},
		{.title = "density", .right = true}, {.title = "each", .right = true},
		{.title = "times", .right = true}, {.title = "path", .is_name = true},
		{.title = "source"}};
	struct wm_arena arena = {0};
	struct wm_listing listing = {.arena = &arena, .columns = columns, .column_count = 6};
	size_t rows = rows_of(view, &view->costs->paths);
	for (size_t i = 0; i < rows; i++)
		add_row(&listing, view, &view->costs->paths.rows[i]);
	wm_paint_title(out, view->colour, "Expensive paths");
	wm_listing_print(&listing, out, view->colour);
	wm_listing_print_rest(out, view->colour, view->costs->paths.count - rows);
	wm_arena_reset(&arena);
}

static void print_functions(const struct wm_costs_view *view, FILE *out)
{
	const struct wm_column columns[] = {{.title = view->meter, .right = true},
		{.title = "density", .right = true}, {.title = "work", .right = true},
		{.title = "paths", .right = true}, {.title = "function", .is_name = true}};
	struct wm_arena arena = {0};
	struct wm_listing listing = {.arena = &arena, .columns = columns, .column_count = 5};
	size_t rows = rows_of(view, &view->costs->functions);
	for (size_t i = 0; i < rows; i++) {
		const struct wm_cost_row *row = &view->costs->functions.rows[i];
		wm_listing_add(&listing, "%s", share(row->cost, view->costs->cost).text);
		wm_listing_add(&listing, "%.2f", density(view, row));
		wm_listing_add(&listing, "%s",
			wm_text_share(row->instructions, view->costs->instructions).text);
		wm_listing_add(&listing, "%s", wm_text_count(row->paths).text);
		wm_listing_add(&listing, "%s", name_of(&arena, view, row));
	}
	wm_paint_title(out, view->colour, "Expensive functions");
	wm_listing_print(&listing, out, view->colour);
	wm_listing_print_rest(out, view->colour, view->costs->functions.count - rows);
	wm_arena_reset(&arena);
}

void wm_costs_view_print(const struct wm_costs_view *view, FILE *out)
{
	char title[96];
	print_heading(view, out);
	snprintf(title, sizeof title, "Paths with at least %g%% of %s", view->percent, view->meter);
	print_classes(view, &view->costs->paths, title, false, out);
	if (view->costs->paths_of_hot_block > 0)
		fprintf(out, "  a block of a hot path lies on %.1f paths that ran\n",
			view->costs->paths_of_hot_block);
	snprintf(title, sizeof title, "Functions with at least %g%% of %s", view->percent,
		view->meter);
	print_classes(view, &view->costs->functions, title, true, out);
	print_functions(view, out);
	print_paths(view, out);
}

static void write_sums(
	struct wm_json *json, const char *key, const struct wm_cost_table *table, bool of_functions)
{
	wm_json_begin_object(json, key);
	for (int class = 0; class < WM_COST_CLASSES; class ++) {
		const struct wm_cost_sums *sums = &table->sums[class];
		wm_json_begin_object(json, class_words[class]);
		wm_json_number(json, "number", sums->number);
		wm_json_number(json, "instructions", sums->instructions);
		wm_json_signed(json, "cost", sums->cost);
		if (of_functions)
			wm_json_number(json, "paths", sums->paths);
		wm_json_end_object(json);
	}
	wm_json_end_object(json);
}

static void write_row(struct wm_json *json, const struct wm_cost_row *row, bool of_functions)
{
	struct wm_arena arena = {0};
	const char *name = row->function->function->name;
	wm_json_begin_object(json, NULL);
	wm_json_text(json, "function", name);
	wm_json_text(json, "display_name", wm_text_name(&arena, name));
	wm_json_text(json, "class", class_words[row->class]);
	wm_json_signed(json, "cost", row->cost);
	wm_json_number(json, "count", row->count);
	wm_json_number(json, "instructions", row->instructions);
	if (of_functions)
		wm_json_number(json, "paths", row->paths);
	else if (row->path)
		wm_json_number(json, "id", row->path->id);
	else
		wm_json_number(json, "loop", group_block(row));
	wm_json_end_object(json);
	wm_arena_reset(&arena);
}

static void write_table(const struct wm_costs_view *view, struct wm_json *json, const char *key,
	const struct wm_cost_table *table, bool of_functions)
{
	wm_json_begin_array(json, key);
	for (size_t i = 0; i < rows_of(view, table); i++)
		write_row(json, &table->rows[i], of_functions);
	wm_json_end_array(json);
}

void wm_costs_view_json(const struct wm_costs_view *view, FILE *out)
{
	struct wm_json json = {.out = out};
	const struct wm_costs *costs = view->costs;
	wm_json_begin_document(&json, "costs");
	wm_json_text(&json, "program", view->profile->object.path);
	wm_json_text(&json, "build_id", wm_build_id_text(&view->profile->file.build_id).text);
	wm_json_text(&json, "metric", view->meter);
	wm_json_real(&json, "hot", view->percent);
	wm_json_signed(&json, "cost", costs->cost);
	wm_json_number(&json, "instructions", costs->instructions);
	wm_json_number(&json, "paths_unread", costs->unread);
	wm_json_real(&json, "paths_of_hot_block", costs->paths_of_hot_block);
	write_sums(&json, "path_classes", &costs->paths, false);
	write_sums(&json, "function_classes", &costs->functions, true);
	write_table(view, &json, "functions", &costs->functions, true);
	write_table(view, &json, "paths", &costs->paths, false);
	wm_json_end_object(&json);
}
