/* A row: its share of all calls, its own calls, its name below those above it, a place. */
#include "report/tree_rows.h"

#include "core/base/none.h"
#include "report/paint.h"
#include "report/place.h"
#include "report/text.h"

static const uint64_t *count_recursion(struct wm_arena *arena, const struct wm_contexts *tree)
{
	uint64_t *recursion = wm_arena_alloc(arena, tree->record_count, sizeof *recursion);
	for (uint32_t i = 0; i < tree->link_count; i++)
		if (wm_contexts_link_is_recursion(tree, i))
			recursion[tree->links[i].target] += tree->links[i].count;
	return recursion;
}

struct wm_tree_rows wm_tree_rows_make(const struct wm_profile *profile,
	const struct wm_contexts *tree, const struct wm_tree_request *request, FILE *out)
{
	struct wm_tree_rows rows = {
		.profile = profile, .tree = tree, .request = request, .out = out};
	rows.entries = wm_contexts_entries(&rows.arena, tree);
	rows.recursion = count_recursion(&rows.arena, tree);
	return rows;
}

bool wm_tree_row_is_shown(const struct wm_tree_rows *rows, uint64_t calls, uint32_t depth)
{
	return depth < rows->request->depth && calls &&
	       (double)calls >= rows->request->min * (double)rows->all;
}

static void print_numbers(
	const struct wm_tree_rows *rows, uint64_t calls, uint64_t entries, uint32_t depth)
{
	fprintf(rows->out, "  %6s  %14s  %*s", wm_text_share(calls, rows->all).text,
		wm_text_count(entries).text, 2 * (int)depth, "");
}

void wm_tree_row_print(struct wm_tree_rows *rows, const struct wm_tree_row *row)
{
	bool colour = rows->request->colour;
	print_numbers(rows, row->calls, row->entries, row->depth);
	fprintf(rows->out, "%s%s%s%s%s", wm_text_clean(&rows->arena, row->name),
		row->name[0] && row->place[0] ? "  " : "", wm_paint(colour, WM_PAINT_FAINT),
		row->place, wm_paint(colour, WM_PAINT_PLAIN));
	if (row->recursion)
		fprintf(rows->out, "  (recursion: %s)", wm_text_count(row->recursion).text);
	fputc('\n', rows->out);
}

void wm_tree_rest_print(
	const struct wm_tree_rows *rows, uint64_t calls, uint64_t left_out, uint32_t depth)
{
	if (!left_out)
		return;
	print_numbers(rows, calls, calls, depth);
	fprintf(rows->out, "+ %s smaller\n", wm_text_count(left_out).text);
}

const char *wm_tree_name(struct wm_tree_rows *rows, uint32_t function)
{
	return wm_text_short_name(&rows->arena, rows->profile->functions[function].function->name);
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
	const struct wm_function *caller = rows->profile->functions[function].function;
	const struct wm_call_site *call = &caller->calls[site];
	return wm_place_text(&rows->arena,
		(struct wm_place){call->line ? caller->scopes[call->scope].file : "", call->line});
}
