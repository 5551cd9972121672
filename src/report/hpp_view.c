#include "report/hpp_view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "profile/hpp_words.h"
#include "report/paint.h"
#include "report/text.h"

const char *wm_hpp_path_name(const struct wm_hpp_view *view, const struct wm_exact_path *path)
{
	struct wm_code_place place = wm_code_lines_at(view->lines, path->start);
	char outcomes[WM_OUTCOMES_TEXT], text[512];
	wm_hpp_outcomes_text(path->rest, outcomes);
	if (place.object)
		snprintf(text, sizeof text, "%s+%" PRIx64 ":%u:%s", place.object, place.in_object,
			(unsigned)(path->rest >> 32), outcomes);
	else
		snprintf(text, sizeof text, "%" PRIx64 ":%u:%s", path->start,
			(unsigned)(path->rest >> 32), outcomes);
	return wm_text_clean(view->arena, text);
}

const char *wm_hpp_place_text(const struct wm_hpp_view *view, uint64_t address)
{
	struct wm_code_place place = wm_code_lines_at(view->lines, address);
	char text[512];
	if (place.function && place.offset)
		snprintf(text, sizeof text, "%s+0x%" PRIx64, place.function, place.offset);
	else if (place.function)
		snprintf(text, sizeof text, "%s", place.function);
	else if (place.object)
		snprintf(text, sizeof text, "%s+0x%" PRIx64, place.object, place.in_object);
	else
		snprintf(text, sizeof text, "0x%" PRIx64, address);
	return wm_text_clean(view->arena, text);
}

/* A text that grows and is cut when it is full. */
struct line {
	char text[1024];
	size_t used;
	const char *file;
	unsigned last; /* line that was printed last */
};

static void put(struct line *line, const char *text)
{
	size_t length = strlen(text);
	if (line->used + length + 1 >= sizeof line->text)
		return;
	memcpy(line->text + line->used, text, length + 1);
	line->used += length;
}

/* Lines of a block: the first, and the last if that is another. */
static void put_block(
	const struct wm_hpp_view *view, const struct wm_hpp_block *block, struct line *line)
{
	struct wm_code_place first = wm_code_lines_at(view->lines, block->start);
	struct wm_code_place last = wm_code_lines_at(view->lines, block->start + block->last);
	char text[300] = "";
	if (!first.file || first.line == 0)
		return;
	if (!line->file || strcmp(line->file, first.file) != 0)
		snprintf(text, sizeof text, "%s%.200s:", line->used ? " " : "", first.file);
	else if (line->last != first.line)
		snprintf(text, sizeof text, " ");
	put(line, text);
	if (!line->file || strcmp(line->file, first.file) != 0 || line->last != first.line) {
		snprintf(text, sizeof text, "%u", first.line);
		put(line, text);
	}
	line->file = first.file;
	line->last = first.line;
	if (last.file && strcmp(last.file, first.file) == 0 && last.line > first.line) {
		snprintf(text, sizeof text, "-%u", last.line);
		put(line, text);
		line->last = last.line;
	}
}

static const char *ending_of(const struct wm_exact_path *path)
{
	static const char *const text[WM_ENDINGS] = {
		"return", "->", "-> (indirect)", "call", "(32 branches)", "(left)", "->"};
	int most = 0;
	for (int i = 1; i < WM_ENDINGS; i++)
		if (path->ending[i] > path->ending[most])
			most = i;
	return text[most];
}

const char *wm_hpp_path_text(const struct wm_hpp_view *view, const struct wm_exact_path *path)
{
	struct line line = {.used = 0};
	size_t count;
	struct wm_hpp_step *steps = wm_hpp_follow(view->arena, view->profile, path, &count);
	for (size_t i = 0; i < count; i++) {
		put_block(view, steps[i].block, &line);
		if (steps[i].outcome >= 0 && steps[i].block->kind == WM_BRANCH_CONDITIONAL)
			put(&line, steps[i].outcome ? " [T]" : " [F]");
	}
	if (!line.file) { /* without lines the outcomes tell more */
		line.used = 0;
		put(&line, wm_hpp_path_name(view, path));
	}
	put(&line, " ");
	put(&line, ending_of(path));
	return wm_text_clean(view->arena, line.text);
}

static uint64_t total_weight(const struct wm_hpp_profile *profile)
{
	uint64_t sum = 0;
	for (uint64_t i = 0; i < profile->paths; i++)
		sum += wm_hpp_weight(profile, &profile->path[i]);
	return sum;
}

static void print_head(const struct wm_hpp_view *view, FILE *out)
{
	const struct wm_hpp_profile *profile = view->profile;
	const struct wm_hpp_head *head = &profile->head;
	const char *name = profile->program ? profile->program : profile->name;
	const char *slash = strrchr(name, '/');
	char kind[100], table[64];
	wm_hpp_paths_text(&profile->control, kind, sizeof kind);
	wm_hpp_table_text(&head->table, table, sizeof table);
	fprintf(out, "%s: %s instructions, %s branches, %s paths of %s kinds%s%s\n",
		wm_text_clean(view->arena, slash ? slash + 1 : name),
		wm_text_count(head->instructions).text, wm_text_count(head->branches).text,
		wm_text_count(head->stack.emitted).text, wm_text_count(profile->paths).text,
		view->file ? "; " : "", view->file ? view->file : "");
	fprintf(out, "%s by %s; table %s: %.1f KB\n", kind, wm_hpp_event_names[profile->control.event],
		table, (double)wm_hot_hardware_bytes(&head->table) / 1024);
}

static void print_rows(const struct wm_hpp_view *view, uint64_t total, FILE *out)
{
	const struct wm_hpp_profile *profile = view->profile;
	uint64_t sum = 0;
	fprintf(out, "\n   #   share  cumulative           count  instr  path\n");
	for (uint64_t i = 0; i < profile->paths && i < view->top; i++) {
		const struct wm_exact_path *path = &profile->path[i];
		uint64_t weight = wm_hpp_weight(profile, path);
		const char *place = wm_hpp_place_text(view, path->start);
		const char *source = wm_hpp_path_text(view, path);
		sum += weight;
		fprintf(out, "%4" PRIu64 "  %6s      %6s  %14s  %5.1f  %s  %s\n", i + 1,
			wm_text_share(weight, total).text, wm_text_share(sum, total).text,
			wm_text_count(weight).text,
			(double)path->sum[WM_HPP_EVENT_INSTRUCTIONS] / (double)path->count, place,
			source);
	}
	if (profile->paths > view->top)
		fprintf(out, "%s more; --top=N shows N rows\n",
			wm_text_count(profile->paths - view->top).text);
}

static void print_overlap(const struct wm_hpp_view *view, FILE *out)
{
	const struct wm_hpp_profile *profile = view->profile;
	struct wm_hpp_overlap overlap = wm_hpp_overlap(profile);
	fprintf(out,
		"\n%.1f%% overlap of the table with all paths; %.1f%% of their weight is of paths in "
		"the table, %" PRIu64 " of the %" PRIu64 " paths above 0.5%% among them\n",
		100 * overlap.share, 100 * overlap.caught_weight, overlap.heavy_caught,
		overlap.heavy);
	if (overlap.largest_miss)
		fprintf(out, "largest missed: %s, %s times\n",
			wm_hpp_path_name(view, overlap.largest_miss),
			wm_text_count(wm_hpp_weight(profile, overlap.largest_miss)).text);
}

static void print_hardware(const struct wm_hpp_view *view, FILE *out)
{
	const struct wm_hpp_head *head = &view->profile->head;
	const struct wm_path_stack_figures *stack = &head->stack;
	if (head->instructions)
		fprintf(out, "Service %.2f cycles a branch; utilisation %.2f at 1 instruction a cycle",
			head->branches ? (double)head->service / (double)head->branches : 0,
			(double)head->service / (double)head->instructions);
	if (head->flags & WM_HPP_QUEUES && head->instructions)
		fprintf(out, "; a queue of 4 stalls %.2f%% at 1, %.2f%% at 2",
			100.0 / 12 * (double)head->stall[1][3] / (double)head->instructions,
			100.0 / 6 * (double)head->stall[3][3] / (double)head->instructions);
	fprintf(out, "\n");
	if (stack->dropped || stack->saturated || stack->repairs || stack->spills)
		fprintf(out, "Path stack: deepest %s, %s dropped, %s spilled, %s repairs, %s saturated\n",
			wm_text_count(stack->deepest).text, wm_text_count(stack->dropped).text,
			wm_text_count(stack->spills).text, wm_text_count(stack->repairs).text,
			wm_text_count(stack->saturated).text);
	if (head->beyond_limit)
		fprintf(out,
			"At least: %s executions were of paths beyond --limit; only a table of %s "
			"cells knows of them\n",
			wm_text_count(head->beyond_limit).text,
			wm_text_count(view->profile->sketched).text);
	if (head->flags & WM_HPP_NO_MEMORY)
		fprintf(out, "Memory ran out: the end of the run is missing\n");
}

void wm_hpp_view_print(const struct wm_hpp_view *view, FILE *out)
{
	print_head(view, out);
	print_rows(view, total_weight(view->profile), out);
	print_overlap(view, out);
	print_hardware(view, out);
}

static const struct wm_exact_path *by_rank(const struct wm_hpp_profile *profile, const char *name)
{
	char *end;
	unsigned long long rank = strtoull(name, &end, 10);
	bool is_rank = *name >= '0' && *name <= '9' && !*end && rank >= 1 && rank <= profile->paths;
	return is_rank ? &profile->path[rank - 1] : NULL;
}

const struct wm_exact_path *wm_hpp_view_find(const struct wm_hpp_view *view, const char *name)
{
	const struct wm_hpp_profile *profile = view->profile;
	if (!strchr(name, ':'))
		return by_rank(profile, name);
	for (uint64_t i = 0; i < profile->paths; i++)
		if (strcmp(wm_hpp_path_name(view, &profile->path[i]), name) == 0)
			return &profile->path[i];
	return NULL;
}
