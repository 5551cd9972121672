/* Paths in the report: a row for what was counted, and under it the story of the path. The paths of
 * one function are a table. */
#include "report/path_view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "profile/hot_paths.h"
#include "profile/path_selection.h"
#include "report/paint.h"
#include "report/path_form.h"
#include "report/path_groups.h"
#include "report/place.h"
#include "report/listing.h"
#include "report/story_view.h"
#include "report/text.h"

/* Characters of a row that a path and its name get, and rows that its story gets. */
enum { FORM_WIDE = 58, NAME_WIDE = 64, STORY_INDENT = 8, STORY_ROWS = 14, MAX_CUTS = 12 };
static const double MOST_OF_THE_RUN = 0.8;

bool wm_path_view_has_paths(const struct wm_profile *profile)
{
	for (uint32_t i = 0; i < profile->function_count; i++)
		if (profile->functions[i].paths)
			return true;
	return false;
}

void wm_path_view_note_source(struct wm_sources *sources, const struct wm_function *function)
{
	const char *file = function->scopes[0].file;
	if (sources && file[0])
		wm_sources_get(sources, file, NULL);
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

/* Which path, how much, how often; where names are the linker's, those of the source stand behind
 * them. */
static void print_group_heading(struct wm_arena *arena, const struct wm_path_group *group,
	size_t rank, uint64_t instructions, const struct wm_view_request *request, FILE *out)
{
	const struct wm_function *function = group->function->function;
	struct wm_place place = wm_place_of_function(function);
	const char *shown = wm_text_short_name(arena, function->name);
	const char *stem = wm_short_names_stem(arena, request->names, group->function);
	bool same = strncmp(stem, shown, strlen(shown)) == 0;
	fprintf(out, "%3zu %6s  %s%s%s  %s%s%s  %s time%s\n", rank,
		wm_text_share(group->instructions, instructions).text,
		wm_paint(request->colour, WM_PAINT_TITLE),
		wm_text_clean(arena, wm_path_group_name(arena, request->names, group, NAME_WIDE)),
		wm_paint(request->colour, WM_PAINT_PLAIN), same ? "" : shown, same ? "" : "  ",
		place.file[0] ? wm_text_clean(arena,
					wm_place_text(arena, (struct wm_place){place.file, 0}))
			      : "-",
		wm_text_count(group->count).text, plural(group->count));
}

static void print_group(const struct wm_path_group *group, size_t rank, uint64_t instructions,
	const struct wm_view_request *request, FILE *out)
{
	const struct wm_story_style style = {.colour = request->colour,
		.brief = true,
		.indent = STORY_INDENT,
		.max_rows = STORY_ROWS};
	struct wm_arena arena = {0};
	struct wm_sources none = wm_sources_of(NULL);
	struct wm_path_map map = wm_path_map_make(&arena, group->function, request->sources);
	struct wm_story story = wm_story_make(&arena, &map, request->root ? request->root : "",
		group->pieces, group->piece_count);
	print_group_heading(&arena, group, rank, instructions, request, out);
	wm_story_print(&story, request->sources ? request->sources : &none, &style, out);
	wm_path_view_note_source(request->sources, group->function->function);
	wm_sources_free(&none);
	wm_arena_reset(&arena);
}

/* What shares of paths are shares of. */
struct whole {
	uint64_t instructions;
	bool selects;	  /* in some functions only selected paths were counted */
	const char *name; /* after that */
};

/* Of a choice among the paths that were counted (waymark report --select). */
static void print_chosen(
	const struct wm_path_groups *groups, const struct whole *whole, size_t all, FILE *out)
{
	size_t count = groups->path_count;
	if (count == 0)
		fprintf(out, "  none of the selected paths ran, of %s that did\n",
			wm_text_count(all).text);
	else
		fprintf(out, "  the %s%sselected path%s %s %s of %s, of %s that ran\n",
			count == 1 ? "" : wm_text_count(count).text, count == 1 ? "" : " ",
			plural(count), count == 1 ? "is" : "are",
			wm_text_share(groups->instructions, whole->instructions).text, whole->name,
			wm_text_count(all).text);
}

static void print_coverage(
	const struct wm_path_groups *groups, const struct whole *whole, FILE *out)
{
	size_t enough = wm_path_groups_covering(groups, MOST_OF_THE_RUN, whole->instructions);
	double covered = 0;
	for (size_t i = 0; i < enough; i++)
		covered += (double)groups->groups[i].instructions;
	bool reached = covered >= MOST_OF_THE_RUN * (double)whole->instructions;
	fprintf(out, "  %s path%s %s %s of %s; %s %s\n", wm_text_count(enough).text, plural(enough),
		enough == 1 ? "is" : "are",
		reached ? "80%" : wm_text_share(groups->instructions, whole->instructions).text,
		whole->name, wm_text_count(groups->path_count).text,
		whole->selects ? "of those counted ran" : "ran in all");
}

static void print_partial(const struct wm_path_groups *groups, FILE *out)
{
	if (groups->partial > 0)
		fprintf(out,
			"  %s path%s %s left early, inside a call that did not come back, %s "
			"time%s in all\n",
			wm_text_count(groups->partial).text, plural(groups->partial),
			groups->partial == 1 ? "was" : "were",
			wm_text_count(groups->partial_count).text, plural(groups->partial_count));
}

static void print_groups(const struct wm_path_groups *groups, const struct whole *whole,
	const struct wm_view_request *request, FILE *out)
{
	size_t shown = groups->count < request->path_top ? groups->count : request->path_top;
	for (size_t i = 0; i < shown; i++)
		print_group(&groups->groups[i], i + 1, whole->instructions, request, out);
	wm_listing_print_rest(out, request->colour, groups->count - shown);
	if (request->chosen)
		print_chosen(groups, whole, request->paths_that_ran, out);
	else
		print_coverage(groups, whole, out);
	print_partial(groups, out);
}

void wm_path_view_print(
	const struct wm_profile *profile, const struct wm_view_request *request, FILE *out)
{
	struct wm_arena arena = {0};
	struct wm_path_groups groups;
	bool selects = wm_path_selection_of(profile).selected > 0;
	const struct whole whole = {
		wm_hot_paths_whole(profile), selects, selects ? "what was counted" : "the run"};
	wm_path_groups_make(&arena, profile, &groups);
	wm_paint_title(out, request->colour, "Hot paths, by work; behind a branch, how many go this way");
	if (wm_path_view_has_paths(profile))
		print_groups(&groups, &whole, request, out);
	else
		fputs("  no paths are known: the program was not built with --profile=paths\n",
			out);
	wm_arena_reset(&arena);
}

/* How many paths ran, and how often. */
static void print_runs(
	const struct wm_profile_function *source, const struct wm_hot_paths *hot, FILE *out)
{
	uint32_t selected = source->function->sums ? source->function->sums->key_count : 0;
	uint64_t runs = 0;
	for (size_t i = 0; i < hot->count; i++)
		runs += hot->paths[i].path->count;
	if (wm_path_selection_is_made(source))
		fprintf(out,
			"%s of %s selected path%s ran, %s time%s; others of the %s possible ran %s "
			"time%s\n",
			wm_text_count(hot->count).text, wm_text_count(selected).text,
			plural(selected), wm_text_count(runs).text, plural(runs),
			wm_text_count(source->possible_paths).text,
			wm_text_count(source->others).text, plural(source->others));
	else
		fprintf(out, "%s of %s possible path%s ran, %s time%s in all\n",
			wm_text_count(hot->count).text, wm_text_count(source->possible_paths).text,
			plural(source->possible_paths), wm_text_count(runs).text, plural(runs));
}

static void print_heading(const struct wm_profile_function *source, const struct wm_hot_paths *hot,
	const struct wm_short_names *names, FILE *out)
{
	struct wm_arena arena = {0};
	const struct wm_function *function = source->function;
	struct wm_place place = wm_place_of_function(function);
	fputs(wm_text_clean(&arena, wm_text_name(&arena, function->name)), out);
	if (place.file[0])
		fprintf(out, " (%s)", wm_text_clean(&arena, wm_place_text(&arena, place)));
	fputs(": ", out);
	print_runs(source, hot, out);
	if (hot->partial > 0)
		fprintf(out, "%s of them %s left early, %s time%s in all\n",
			wm_text_count(hot->partial).text, hot->partial == 1 ? "was" : "were",
			wm_text_count(hot->partial_count).text, plural(hot->partial_count));
	fprintf(out, "A path's name is %sID\n",
		wm_text_clean(&arena, wm_short_names_stem(&arena, names, source)));
	wm_arena_reset(&arena);
}

/* A block where paths end and start again, and its place in the source. */
struct cut {
	const char *file; /* empty, and the last in order, if that is not known */
	uint32_t line;	  /* or the block's number */
};

static int compare_cuts(const void *left, const void *right)
{
	const struct cut *a = left, *b = right;
	int order = strcmp(a->file, b->file);
	if (order != 0)
		return a->file[0] && b->file[0] ? order : -order;
	return (a->line > b->line) - (a->line < b->line);
}

static size_t gather_cuts(
	struct wm_arena *arena, const struct wm_function *function, struct cut *cuts)
{
	size_t count = 0, kept = 0;
	for (uint32_t e = 0; e < function->edge_count; e++) {
		uint32_t target = function->edge_target[e];
		if (!(function->edge_flags[e] & WM_EDGE_CUT) || target == function->block_count)
			continue;
		struct wm_place place = wm_place_of_block(function, target);
		cuts[count++] = place.line ? (struct cut){wm_place_text(arena,
								  (struct wm_place){place.file, 0}),
						     place.line}
					   : (struct cut){"", target};
	}
	if (count > 0)
		qsort(cuts, count, sizeof *cuts, compare_cuts);
	for (size_t i = 0; i < count; i++)
		if (i == 0 || compare_cuts(&cuts[kept - 1], &cuts[i]) != 0)
			cuts[kept++] = cuts[i];
	return kept;
}

/* Names the places; a file's name stands before the first of its lines. */
static void put_cuts(struct wm_arena *arena, const struct wm_function *function, FILE *text)
{
	struct cut *cuts = wm_arena_alloc(arena, function->edge_count, sizeof *cuts);
	size_t count = gather_cuts(arena, function, cuts);
	for (size_t i = 0; i < count && i < MAX_CUTS; i++) {
		const char *file = cuts[i].file;
		bool same_file = i > 0 && strcmp(file, cuts[i - 1].file) == 0;
		fputs(i == 0 ? "Paths end, and start again, at " : ", ", text);
		if (!same_file || !file[0])
			fprintf(text, "%s%s", wm_text_clean(arena, file), file[0] ? ":" : "block ");
		fprintf(text, "%" PRIu32, cuts[i].line);
	}
	if (count > MAX_CUTS)
		fprintf(text, ", and %s more", wm_text_count(count - MAX_CUTS).text);
	if (count > 0)
		fputc('\n', text);
}

static void print_cuts(const struct wm_function *function, FILE *out)
{
	struct wm_arena arena = {0};
	char *line;
	size_t bytes;
	FILE *text = open_memstream(&line, &bytes);
	put_cuts(&arena, function, text);
	fclose(text);
	wm_text_print_wrapped(line, out);
	free(line);
	wm_arena_reset(&arena);
}

static void print_listing(const struct wm_profile_function *source, const struct wm_hot_paths *hot,
	const struct wm_view_request *request, FILE *out)
{
	static const struct wm_column columns[] = {{.title = "share", .right = true},
		{.title = "cumulative", .right = true}, {.title = "count", .right = true},
		{.title = "id", .right = true}, {.title = "path"}};
	struct wm_arena arena = {0};
	struct wm_listing listing = {.arena = &arena, .columns = columns, .column_count = 5};
	struct wm_path_map map = wm_path_map_make(&arena, source, request->sources);
	size_t shown = hot->count < request->top ? hot->count : request->top;
	uint64_t sum = 0;
	for (size_t i = 0; i < shown; i++) {
		const struct wm_profile_path *path = hot->paths[i].path;
		sum += hot->paths[i].instructions;
		wm_listing_add(&listing, "%s",
			wm_text_share(hot->paths[i].instructions, hot->instructions).text);
		wm_listing_add(&listing, "%s", wm_text_share(sum, hot->instructions).text);
		wm_listing_add(&listing, "%s", wm_text_count(path->count).text);
		wm_listing_add(&listing, "%" PRIu64, path->id);
		wm_listing_add_wrapped(
			&listing, wm_path_form(&arena, &map, &path, 1, "\n"), FORM_WIDE, 0);
	}
	fputc('\n', out);
	wm_listing_print(&listing, out, request->colour);
	wm_listing_print_rest(out, request->colour, hot->count - shown);
	wm_arena_reset(&arena);
}

void wm_path_view_print_function(const struct wm_profile_function *function,
	const struct wm_view_request *request, FILE *out)
{
	struct wm_arena arena = {0};
	struct wm_hot_paths hot;
	wm_hot_paths_rank(&arena, function, 1, &hot);
	print_heading(function, &hot, request->names, out);
	print_cuts(function->function, out);
	if (hot.count > 0) {
		print_listing(function, &hot, request, out);
		wm_path_view_note_source(request->sources, function->function);
	}
	wm_arena_reset(&arena);
}
