/* A row: its share of all, its own calls, its name below those above it, a place. */
#include "report/tree_rows.h"

#include <string.h>

#include "core/base/none.h"
#include "report/paint.h"
#include "report/place.h"
#include "report/terminal.h"
#include "report/text.h"

/* Characters before the names, those that a name gets at least, and the part of the line that rows
 * are indented by at most. */
enum { FRONT = 26, COST_COLUMNS = 34, MIN_NAME = 12, INDENTED = 3 };

struct wm_tree_rows wm_tree_rows_make(
	const struct wm_tree *tree, const struct wm_tree_request *request, FILE *out)
{
	return (struct wm_tree_rows){.tree = tree,
		.request = request,
		.out = out,
		.width = wm_terminal_width(out),
		.by_calls = tree->own == tree->entries};
}

void wm_tree_head_print(const struct wm_tree_rows *rows, const char *functions)
{
	fprintf(rows->out, "  %6s", "share");
	if (!rows->by_calls)
		fprintf(rows->out, "  %15s  %15s", rows->tree->metric, "own");
	fprintf(rows->out, "  %14s  %s\n", "calls", functions);
}

bool wm_tree_row_is_shown(const struct wm_tree_rows *rows, uint64_t cost, uint32_t depth)
{
	return depth < rows->request->depth && cost &&
	       (double)cost >= rows->request->min * (double)rows->all;
}

static void print_numbers(const struct wm_tree_rows *rows, const struct wm_tree_row *row)
{
	fprintf(rows->out, " %s%6s", row->is_lower_bound ? "≥" : " ",
		wm_text_share(row->cost, rows->all).text);
	if (!rows->by_calls)
		fprintf(rows->out, "  %15s  %15s", wm_text_count(row->cost).text,
			wm_text_count(row->own).text);
	fprintf(rows->out, "  %14s  ", wm_text_count(row->entries).text);
}

/* Returns the characters that are left for the name. */
static size_t print_indent(const struct wm_tree_rows *rows, uint32_t depth)
{
	size_t front = FRONT + (rows->by_calls ? 0 : COST_COLUMNS);
	size_t room = rows->width > front + MIN_NAME ? rows->width - front : MIN_NAME;
	size_t most = room / INDENTED / 2;
	if (depth <= most) {
		fprintf(rows->out, "%*s", 2 * (int)depth, "");
		return room - 2 * (size_t)depth;
	}
	int used = fprintf(rows->out, "%*u: ", 2 * (int)most - 2, depth);
	return room - (size_t)used;
}

/* In so many characters. The place is left out if it leaves none for the name. */
static void print_text(struct wm_tree_rows *rows, const struct wm_tree_row *row, size_t room)
{
	bool colour = rows->request->colour;
	char note[48] = "";
	if (row->recursion)
		snprintf(
			note, sizeof note, "  (recursion: %s)", wm_text_count(row->recursion).text);
	size_t place = row->place[0] ? 2 + wm_text_width(row->place) : 0;
	size_t name = wm_text_width(row->name);
	bool fits = room >= strlen(note) + place + (name < MIN_NAME ? name : MIN_NAME);
	size_t behind = strlen(note) + (fits ? place : 0);
	const char *gap = row->name[0] && place && fits ? "  " : "";
	size_t wide = room > behind + MIN_NAME ? room - behind : MIN_NAME;
	fprintf(rows->out, "%s%s%s%s%s%s\n",
		wm_text_end(&rows->arena, wm_text_clean(&rows->arena, row->name), wide), gap,
		wm_paint(colour, WM_PAINT_FAINT), fits ? row->place : "",
		wm_paint(colour, WM_PAINT_PLAIN), note);
}

void wm_tree_row_print(struct wm_tree_rows *rows, const struct wm_tree_row *row)
{
	print_numbers(rows, row);
	print_text(rows, row, print_indent(rows, row->depth));
}

void wm_tree_rest_print(struct wm_tree_rows *rows, const struct wm_tree_row *sum, uint64_t left_out)
{
	if (!left_out)
		return;
	print_numbers(rows, sum);
	print_indent(rows, sum->depth);
	fprintf(rows->out, "+ %s smaller\n", wm_text_count(left_out).text);
}

static void print_difference(const struct wm_tree_rows *rows)
{
	const struct wm_tree_difference found = wm_tree_check(rows->tree);
	if (found.functions == 0)
		return;
	fprintf(rows->out,
		"  %s function%s entered as often as %s contexts say: %s %s times, not %s\n",
		wm_text_count(found.functions).text,
		found.functions == 1 ? " was not" : "s were not",
		found.functions == 1 ? "its" : "their", rows->tree->names[found.function],
		wm_text_count(found.by_counters).text, wm_text_count(found.in_contexts).text);
}

void wm_tree_sum_print(const struct wm_tree_rows *rows, uint64_t contexts)
{
	fprintf(rows->out, "  %s contexts, %s %s\n", wm_text_count(contexts).text,
		wm_text_count(rows->all).text, rows->tree->metric);
	if (rows->tree->folded)
		fprintf(rows->out,
			"  %s of all calls are beyond the limit of contexts; it is not known what "
			"led there\n",
			wm_text_count(rows->tree->folded).text);
	print_difference(rows);
}

const char *wm_tree_name(struct wm_tree_rows *rows, uint32_t function)
{
	return wm_text_short_name(
		&rows->arena, rows->tree->profile->functions[function].function->name);
}

const char *wm_tree_outside(uint32_t site)
{
	static const char *const words[] = {[WM_CONTEXT_SITE_OUTSIDE] = "from outside",
		[WM_CONTEXT_SITE_SIGNAL] = "for a signal",
		[WM_CONTEXT_SITE_FOLDED] = "somewhere: too many contexts",
		[WM_CONTEXT_SITE_UNKNOWN] = "callers not known"};
	return words[site];
}

const char *wm_tree_place(struct wm_tree_rows *rows, uint32_t function, uint32_t site)
{
	if (function == WM_NONE)
		return wm_tree_outside(site);
	if (rows->tree->by_function)
		return "";
	const struct wm_function *caller = rows->tree->profile->functions[function].function;
	const struct wm_call_site *call = &caller->calls[site];
	return wm_place_text(&rows->arena,
		(struct wm_place){call->line ? caller->scopes[call->scope].file : "", call->line});
}
