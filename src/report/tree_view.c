/* A row for each context whose subtree has enough calls; the heaviest of one parent first. What is
 * left out stands in one row, so the calls of the rows below a row are all that its subtree has. */
#include "report/tree_view.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/contexts/costs.h"
#include "report/json.h"
#include "report/paint.h"
#include "report/place.h"
#include "report/text.h"

struct printer {
	struct wm_arena arena;
	const struct wm_profile *profile;
	const struct wm_contexts *tree;
	const struct wm_tree_request *request;
	FILE *out;
	const uint64_t *entries;   /* by record */
	const uint64_t *calls;	   /* by record: of its subtree */
	const uint64_t *recursion; /* by record: entries by recursion */
	uint32_t *child_start;	   /* by record: its children are child[child_start[r]], ... */
	uint32_t *child;
};

static const uint64_t *sort_key;

static int by_calls(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	if (sort_key[a] != sort_key[b])
		return sort_key[a] > sort_key[b] ? -1 : 1;
	return (a > b) - (a < b);
}

static void sort_children(struct printer *printer)
{
	uint32_t count = printer->tree->record_count;
	printer->child_start = wm_arena_alloc(&printer->arena, count + 1, sizeof(uint32_t));
	printer->child = wm_arena_alloc(&printer->arena, count, sizeof(uint32_t));
	for (uint32_t i = 1; i < count; i++)
		printer->child_start[printer->tree->records[i].parent + 1]++;
	for (uint32_t i = 0; i < count; i++)
		printer->child_start[i + 1] += printer->child_start[i];
	uint32_t *next = wm_arena_alloc(&printer->arena, count, sizeof *next);
	for (uint32_t i = 1; i < count; i++) {
		uint32_t parent = printer->tree->records[i].parent;
		printer->child[printer->child_start[parent] + next[parent]++] = i;
	}
	sort_key = printer->calls;
	for (uint32_t i = 0; i < count; i++)
		qsort(&printer->child[printer->child_start[i]], next[i], sizeof *printer->child,
			by_calls);
}

static const uint64_t *count_recursion(struct wm_arena *arena, const struct wm_contexts *tree)
{
	uint64_t *recursion = wm_arena_alloc(arena, tree->record_count, sizeof *recursion);
	for (uint32_t i = 0; i < tree->link_count; i++)
		if (wm_contexts_link_is_recursion(tree, i))
			recursion[tree->links[i].target] += tree->links[i].count;
	return recursion;
}

static const char *const outside_sites[] = {[WM_CONTEXT_SITE_OUTSIDE] = "from outside",
	[WM_CONTEXT_SITE_SIGNAL] = "for a signal",
	[WM_CONTEXT_SITE_FOLDED] = "somewhere: too many contexts",
	[WM_CONTEXT_SITE_UNKNOWN] = "callers not known"};

/* Where the record's function was called from. */
static const char *place_of(struct printer *printer, const struct wm_context_record *record)
{
	if (record->parent == WM_CONTEXT_OUTSIDE)
		return outside_sites[record->site];
	const struct wm_function *caller =
		printer->profile->functions[printer->tree->records[record->parent].function]
			.function;
	const struct wm_call_site *call = &caller->calls[record->site];
	return wm_place_text(&printer->arena,
		(struct wm_place){call->line ? caller->scopes[call->scope].file : "", call->line});
}

static void print_row(
	const struct printer *printer, uint64_t calls, uint64_t entries, uint32_t depth)
{
	fprintf(printer->out, "  %6s  %14s  %*s",
		wm_text_share(calls, printer->calls[WM_CONTEXT_OUTSIDE]).text,
		wm_text_count(entries).text, 2 * (int)depth, "");
}

static void print_record(struct printer *printer, uint32_t number, uint32_t depth)
{
	const struct wm_context_record *record = &printer->tree->records[number];
	const char *name = wm_text_short_name(
		&printer->arena, printer->profile->functions[record->function].function->name);
	print_row(printer, printer->calls[number], printer->entries[number], depth);
	fprintf(printer->out, "%s  %s%s%s", wm_text_clean(&printer->arena, name),
		wm_paint(printer->request->colour, WM_PAINT_FAINT), place_of(printer, record),
		wm_paint(printer->request->colour, WM_PAINT_PLAIN));
	if (printer->recursion[number])
		fprintf(printer->out, "  (recursion: %s)",
			wm_text_count(printer->recursion[number]).text);
	fputc('\n', printer->out);
}

static bool is_shown(const struct printer *printer, uint32_t record, uint32_t depth)
{
	double all = (double)printer->calls[WM_CONTEXT_OUTSIDE];
	return depth < printer->request->depth && printer->calls[record] &&
	       (double)printer->calls[record] >= printer->request->min * all;
}

static void print_children(struct printer *printer, uint32_t parent, uint32_t depth)
{
	uint64_t rest = 0, left_out = 0;
	for (uint32_t i = printer->child_start[parent]; i < printer->child_start[parent + 1]; i++) {
		uint32_t child = printer->child[i];
		if (is_shown(printer, child, depth)) {
			print_record(printer, child, depth);
			print_children(printer, child, depth + 1);
		} else if (printer->calls[child]) {
			rest += printer->calls[child];
			left_out++;
		}
	}
	if (!left_out)
		return;
	print_row(printer, rest, rest, depth);
	fprintf(printer->out, "+ %s smaller\n", wm_text_count(left_out).text);
}

void wm_tree_view_print(const struct wm_profile *profile,
	const struct wm_profile_contexts *contexts, const struct wm_tree_request *request,
	FILE *out)
{
	struct printer printer = {
		.profile = profile, .tree = &contexts->tree, .request = request, .out = out};
	printer.entries = wm_contexts_entries(&printer.arena, printer.tree);
	printer.calls = wm_context_costs(&printer.arena, printer.tree, printer.entries);
	printer.recursion = count_recursion(&printer.arena, printer.tree);
	sort_children(&printer);
	wm_paint_title(
		out, request->colour, "Contexts: who called whom, by calls in their subtree");
	fprintf(out, "  %6s  %14s  function, called from\n", "share", "calls");
	print_children(&printer, WM_CONTEXT_OUTSIDE, 0);
	fprintf(out, "  %s contexts, %s calls\n",
		wm_text_count(printer.tree->record_count - 1).text,
		wm_text_count(printer.calls[WM_CONTEXT_OUTSIDE]).text);
	wm_arena_reset(&printer.arena);
}

static void write_site(struct wm_json *json, const struct wm_profile *profile,
	const struct wm_contexts *tree, uint32_t source, uint32_t site)
{
	if (source == WM_CONTEXT_OUTSIDE) {
		wm_json_text(json, "from", outside_sites[site]);
		return;
	}
	const struct wm_function *caller =
		profile->functions[tree->records[source].function].function;
	wm_json_number(json, "call", site);
	wm_json_number(json, "line", caller->calls[site].line);
}

/* What each function's contexts have in their subtrees. */
static void write_functions(struct wm_json *json, struct wm_arena *arena,
	const struct wm_profile *profile, const struct wm_contexts *tree)
{
	const uint64_t *entries = wm_contexts_entries(arena, tree);
	const struct wm_context_sum *sums =
		wm_context_sums(arena, tree, entries, profile->function_count);
	wm_json_begin_array(json, "functions");
	for (uint32_t i = 0; i < profile->function_count; i++) {
		wm_json_begin_object(json, NULL);
		wm_json_text(json, "function", profile->functions[i].function->name);
		wm_json_number(json, "subtree", sums[i].cost);
		wm_json_flag(json, "lower_bound", sums[i].is_lower_bound);
		wm_json_end_object(json);
	}
	wm_json_end_array(json);
}

void wm_tree_json_write(
	const struct wm_profile *profile, const struct wm_profile_contexts *contexts, FILE *out)
{
	struct wm_json json = {.out = out};
	struct wm_arena arena = {0};
	const struct wm_contexts *tree = &contexts->tree;
	wm_json_begin_object(&json, NULL);
	wm_json_text(&json, "program", profile->object.path);
	wm_json_text(&json, "build_id", wm_build_id_text(&profile->file.build_id).text);
	wm_json_begin_array(&json, "contexts");
	for (uint32_t i = 1; i < tree->record_count; i++) {
		wm_json_begin_object(&json, NULL);
		wm_json_number(&json, "id", i);
		wm_json_number(&json, "parent", tree->records[i].parent);
		wm_json_text(&json, "function",
			profile->functions[tree->records[i].function].function->name);
		write_site(&json, profile, tree, tree->records[i].parent, tree->records[i].site);
		wm_json_end_object(&json);
	}
	wm_json_end_array(&json);
	wm_json_begin_array(&json, "calls");
	for (uint32_t i = 0; i < tree->link_count; i++) {
		const struct wm_context_link *link = &tree->links[i];
		wm_json_begin_object(&json, NULL);
		wm_json_number(&json, "source", link->source);
		write_site(&json, profile, tree, link->source, link->site);
		wm_json_number(&json, "target", link->target);
		wm_json_number(&json, "count", link->count);
		wm_json_end_object(&json);
	}
	wm_json_end_array(&json);
	write_functions(&json, &arena, profile, tree);
	wm_json_end_object(&json);
	wm_arena_reset(&arena);
}
