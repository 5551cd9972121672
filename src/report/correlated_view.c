/* A row for each pair: the share of executed branches that it decides, and below each other the
 * earlier branch and the later one, as the source has them. */
#include "report/correlated_view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/choice_text.h"
#include "report/json.h"
#include "report/listing.h"
#include "report/paint.h"
#include "report/path_form.h"
#include "report/place.h"
#include "report/text.h"

/* Characters that the branches get where a line has 100. */
enum { BRANCHES_WIDE = 54 };

/* What the code chose by leaving its block by this edge; without what the block itself states. */
static const struct wm_path_choice *choices_of(
	struct wm_arena *arena, const struct wm_path_map *map, uint32_t edge, size_t *count)
{
	uint32_t block = map->function->edge_source[edge];
	const struct wm_path_step step = {
		.block = block, .edge = edge, .branches = 2, .towards = wm_path_towards(map, edge)};
	const struct wm_path_choice *choices = wm_path_choices(arena, map, &step, count);
	uint32_t before = map->choices.first[block + 1] - map->choices.first[block];
	*count -= before;
	return choices + before;
}

/* FILE:LINE if (CONDITION) → OUTCOME */
static void put_choice(FILE *out, struct wm_arena *arena, const struct wm_path_map *map,
	const struct wm_path_choice *choice)
{
	const char *condition = wm_choice_condition(arena, map->sources, choice);
	fputs(wm_place_text(arena, choice->condition), out);
	if (!condition[0] && choice->column)
		fprintf(out, ":%" PRIu32, choice->column);
	fprintf(out, "%s%s %s%s", condition[0] ? " " : "", condition,
		choice->outcome == WM_OUTCOME_UNKNOWN ? "" : "→ ",
		wm_path_outcome(arena, map, choice));
}

static void put_branch(
	FILE *out, struct wm_arena *arena, const struct wm_path_map *map, uint32_t edge)
{
	size_t count;
	const struct wm_path_choice *choices = choices_of(arena, map, edge, &count);
	for (size_t i = 0; i < count; i++) {
		fputs(i > 0 ? ", " : "", out);
		put_choice(out, arena, map, &choices[i]);
	}
}

static void print_heading(const struct wm_correlated_view *view, FILE *out)
{
	const struct wm_correlated *found = view->found;
	const char *slash = strrchr(view->profile->object.path, '/');
	fprintf(out,
		"%s: an earlier branch on the same path decides %s of %s executed branches "
		"(%s)\n",
		slash ? slash + 1 : view->profile->object.path, wm_text_count(found->decided).text,
		wm_text_count(found->branches).text,
		wm_text_share(found->decided, found->branches).text);
	if (found->left_out > 0)
		fprintf(out,
			"Left out: %s function%s that ran, but whose paths were not all counted\n",
			wm_text_count(found->left_out).text, found->left_out == 1 ? "" : "s");
}

static void add_pair(struct wm_listing *listing, const struct wm_correlated_view *view,
	const struct wm_correlated_pair *pair)
{
	struct wm_arena *arena = listing->arena;
	const struct wm_path_map map = wm_path_map_make(arena, pair->function, view->sources);
	char *text;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	put_branch(out, arena, &map, pair->earlier);
	fputc('\n', out);
	put_branch(out, arena, &map, pair->later);
	fclose(out);
	wm_listing_add(listing, "%s", wm_text_share(pair->decided, view->found->branches).text);
	wm_listing_add(listing, "%s", wm_text_count(pair->executions).text);
	wm_listing_add(listing, "%s", wm_text_share(pair->agreed, pair->executions).text);
	wm_listing_add(listing, "%s", wm_text_share(pair->all_agreed, pair->all_executions).text);
	wm_listing_add(listing, "%s", wm_text_short_name(arena, pair->function->function->name));
	wm_listing_add_wrapped(listing, text, BRANCHES_WIDE, 0);
	free(text);
}

static size_t rows_of(const struct wm_correlated_view *view)
{
	size_t count = view->found->pair_count;
	return view->top > 0 && view->top < count ? view->top : count;
}

void wm_correlated_view_print(const struct wm_correlated_view *view, FILE *out)
{
	static const struct wm_column columns[] = {{.title = "share", .right = true},
		{.title = "times", .right = true}, {.title = "so", .right = true},
		{.title = "overall", .right = true}, {.title = "function", .is_name = true},
		{.title = "a branch, and the later one that it decides"}};
	struct wm_arena arena = {0};
	struct wm_listing listing = {.arena = &arena, .columns = columns, .column_count = 6};
	size_t rows = rows_of(view);
	print_heading(view, out);
	if (rows > 0) {
		for (size_t i = 0; i < rows; i++)
			add_pair(&listing, view, &view->found->pairs[i]);
		wm_paint_title(out, view->colour, "Branches decided by an earlier one");
		wm_listing_print(&listing, out, view->colour);
		wm_listing_print_rest(out, view->colour, view->found->pair_count - rows);
	}
	wm_arena_reset(&arena);
}

static const char *outcome_word(enum wm_outcome outcome)
{
	static const char *const words[] = {[WM_OUTCOME_NO] = "no",
		[WM_OUTCOME_YES] = "yes",
		[WM_OUTCOME_CASE] = "case",
		[WM_OUTCOME_NO_CASE] = "case"};
	return outcome == WM_OUTCOME_UNKNOWN ? NULL : words[outcome];
}

static void write_number_if(struct wm_json *json, const char *key, uint32_t number)
{
	if (number)
		wm_json_number(json, key, number);
	else
		wm_json_null(json, key);
}

static void write_choice(struct wm_json *json, struct wm_arena *arena,
	const struct wm_path_map *map, const struct wm_path_choice *choice)
{
	const char *outcome = outcome_word(choice->outcome);
	wm_json_begin_object(json, NULL);
	wm_json_text(json, "file", choice->condition.file);
	write_number_if(json, "line", choice->condition.line);
	write_number_if(json, "column", choice->column);
	wm_json_text(json, "condition", wm_choice_condition(arena, map->sources, choice));
	if (outcome)
		wm_json_text(json, "outcome", outcome);
	else
		wm_json_null(json, "outcome");
	write_number_if(json, "to_line", choice->to.line);
	wm_json_end_object(json);
}

static void write_branch(struct wm_json *json, struct wm_arena *arena,
	const struct wm_path_map *map, const char *key, uint32_t edge)
{
	size_t count;
	const struct wm_path_choice *choices = choices_of(arena, map, edge, &count);
	uint32_t target = map->function->edge_target[edge];
	wm_json_begin_object(json, key);
	wm_json_number(json, "block", map->function->edge_source[edge]);
	wm_json_signed(json, "to", target == map->function->block_count ? -1 : (int64_t)target);
	wm_json_begin_array(json, "outcomes");
	for (size_t i = 0; i < count; i++)
		write_choice(json, arena, map, &choices[i]);
	wm_json_end_array(json);
	wm_json_end_object(json);
}

static void write_pair(struct wm_json *json, const struct wm_correlated_view *view,
	const struct wm_correlated_pair *pair)
{
	struct wm_arena arena = {0};
	const struct wm_path_map map = wm_path_map_make(&arena, pair->function, view->sources);
	const char *name = pair->function->function->name;
	wm_json_begin_object(json, NULL);
	wm_json_text(json, "function", name);
	wm_json_text(json, "display_name", wm_text_name(&arena, name));
	write_branch(json, &arena, &map, "earlier", pair->earlier);
	write_branch(json, &arena, &map, "later", pair->later);
	wm_json_number(json, "decided", pair->decided);
	wm_json_number(json, "executions", pair->executions);
	wm_json_number(json, "agreed", pair->agreed);
	wm_json_number(json, "all_executions", pair->all_executions);
	wm_json_number(json, "all_agreed", pair->all_agreed);
	wm_json_end_object(json);
	wm_arena_reset(&arena);
}

void wm_correlated_view_json(const struct wm_correlated_view *view, FILE *out)
{
	struct wm_json json = {.out = out};
	const struct wm_correlated *found = view->found;
	wm_json_begin_document(&json, "correlated");
	wm_json_text(&json, "program", view->profile->object.path);
	wm_json_text(&json, "build_id", wm_build_id_text(&view->profile->file.build_id).text);
	wm_json_real(&json, "at_least", view->percent);
	wm_json_number(&json, "branches", found->branches);
	wm_json_number(&json, "decided", found->decided);
	wm_json_number(&json, "functions", found->functions);
	wm_json_number(&json, "functions_left_out", found->left_out);
	wm_json_begin_array(&json, "pairs");
	for (size_t i = 0; i < rows_of(view); i++)
		write_pair(&json, view, &found->pairs[i]);
	wm_json_end_array(&json);
	wm_json_end_object(&json);
}
