/* Lists of steps. A block is shown by the lines that its code runs through, in the order of the
 * code; a line that follows itself in a block is shown once. */
#include "trace/view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/none.h"
#include "names/text_name.h"
#include "report/paint.h"
#include "trace/lines.h"

const char *wm_trace_end_text(enum wm_trace_end end)
{
	static const char *const texts[] = {[WM_TRACE_END_RETURNED] = "its first function returned",
		[WM_TRACE_END_IN_CALL] = "it ended inside a call",
		[WM_TRACE_END_IN_CODE] =
			"it was killed, or runs still; the last steps are uncertain",
		[WM_TRACE_END_FULL] = "there was no room for more",
		[WM_TRACE_END_DAMAGED] = "the trace is damaged"};
	return texts[end];
}

static const char *name_of(const struct wm_trace_view *view, const struct wm_trace_step *step)
{
	return wm_text_short_name(view->arena, step->function->function->name);
}

void wm_trace_view_lines(const struct wm_trace_view *view, struct wm_trace_walk *walk)
{
	const struct wm_trace_step *step;
	while ((step = wm_trace_walk_next(walk))->kind != WM_TRACE_STEP_END) {
		if (step->kind != WM_TRACE_STEP_BLOCK)
			continue;
		const struct wm_function *function = step->function->function;
		const struct wm_block *block = &function->blocks[step->block];
		for (uint32_t k = 0; k < block->position_count; k++) {
			const struct wm_position *at =
				&function->positions[block->first_position + k];
			if (wm_trace_line_is_shown(function, step->block, k))
				fprintf(view->out, "%s%s:%u\n", view->prefix,
					function->scopes[at->scope].file, at->line);
		}
	}
}

/* Functions of one name are told apart by their number. */
static void print_block(const struct wm_trace_view *view, const struct wm_trace_step *step)
{
	fprintf(view->out, "%s%s", view->prefix, step->function->function->name);
	if (step->function->shares_name)
		fprintf(view->out, "@%" PRIu32, step->function->number);
	fprintf(view->out, " %" PRIu32 "\n", step->block);
}

void wm_trace_view_blocks(const struct wm_trace_view *view, struct wm_trace_walk *walk)
{
	const struct wm_trace_step *step;
	while ((step = wm_trace_walk_next(walk))->kind != WM_TRACE_STEP_END)
		if (step->kind == WM_TRACE_STEP_BLOCK)
			print_block(view, step);
}

static const struct wm_position *last_position(const struct wm_function *function, uint32_t block)
{
	const struct wm_block *at = &function->blocks[block];
	return at->position_count
		       ? &function->positions[at->first_position + at->position_count - 1]
		       : NULL;
}

static void print_branch(const struct wm_trace_view *view, const struct wm_trace_step *step)
{
	const struct wm_function *function = step->function->function;
	const struct wm_trace_graph *graph = &step->function->graph;
	uint32_t source = function->edge_source[step->edge];
	if (source >= function->block_count || !graph->bits[source])
		return;
	const struct wm_position *at = last_position(function, source);
	uint32_t first = graph->cfg->out_start[source], number = 0;
	while (graph->edge[graph->cfg->out_edge[first + number]] != step->edge)
		number++;
	fprintf(view->out, "%s%s:%u %s %u %u/%u\n", view->prefix,
		at ? function->scopes[at->scope].file : "", at ? at->line : 0, function->name,
		source, number, graph->cfg->out_start[source + 1] - first);
}

void wm_trace_view_branches(const struct wm_trace_view *view, struct wm_trace_walk *walk)
{
	const struct wm_trace_step *step;
	while ((step = wm_trace_walk_next(walk))->kind != WM_TRACE_STEP_END)
		if ((step->kind == WM_TRACE_STEP_BLOCK ||
			    (step->kind == WM_TRACE_STEP_LEAVE &&
				    step->left == WM_TRACE_LEFT_RETURN)) &&
			step->edge != WM_NONE)
			print_branch(view, step);
}

struct open_call {
	uint64_t blocks; /* when it was entered */
};

static void print_left(
	const struct wm_trace_view *view, const struct wm_trace_step *step, uint64_t blocks)
{
	static const char *const how[] = {[WM_TRACE_LEFT_RETURN] = "",
		[WM_TRACE_LEFT_TAIL] = ", then calls on",
		[WM_TRACE_LEFT_RESUME] = ", left by an exception",
		[WM_TRACE_LEFT_EARLY] = ", left early"};
	fprintf(view->out, "%s%*s%s%s: %" PRIu64 " blocks%s%s\n", view->prefix,
		(int)(2 * step->depth), "", wm_paint(view->colour, WM_PAINT_FAINT),
		name_of(view, step), blocks, how[step->left],
		wm_paint(view->colour, WM_PAINT_PLAIN));
}

static void print_note(const struct wm_trace_view *view, const struct wm_trace_step *step)
{
	fprintf(view->out, "%s%*snote %" PRIu64 "\n", view->prefix, (int)(2 * step->depth + 2), "",
		step->note);
}

static void print_entered(const struct wm_trace_view *view, const struct wm_trace_step *step,
	const struct wm_trace_step *caller)
{
	fprintf(view->out, "%s%*s%s", view->prefix, (int)(2 * step->depth), "",
		name_of(view, step));
	if (step->is_handler) {
		fprintf(view->out, "  for a signal\n");
		return;
	}
	if (caller->kind == WM_TRACE_STEP_CALL) {
		const struct wm_function *function = caller->function->function;
		const struct wm_call_site *site = &function->calls[caller->call];
		if (site->line)
			fprintf(view->out, "  from %s:%u", function->scopes[site->scope].file,
				site->line);
	}
	fputc('\n', view->out);
}

void wm_trace_view_calls(const struct wm_trace_view *view, struct wm_trace_walk *walk)
{
	struct wm_arena arena = {0};
	struct open_call *open = NULL;
	size_t count = 0, capacity = 0;
	uint64_t blocks = 0;
	struct wm_trace_step last = {.kind = WM_TRACE_STEP_END};
	for (;;) {
		const struct wm_trace_step *step = wm_trace_walk_next(walk);
		blocks += step->kind == WM_TRACE_STEP_BLOCK;
		if (step->kind == WM_TRACE_STEP_ENTER) {
			open = wm_arena_grow(&arena, open, count, &capacity, sizeof *open);
			open[count++] = (struct open_call){blocks};
			print_entered(view, step, &last);
		}
		if (step->kind == WM_TRACE_STEP_NOTE)
			print_note(view, step);
		if (step->kind == WM_TRACE_STEP_LEAVE)
			print_left(view, step, blocks - (count ? open[--count].blocks : 0));
		if (step->kind == WM_TRACE_STEP_END)
			break;
		last = *step;
	}
	wm_arena_reset(&arena);
}

struct wm_trace_counts wm_trace_count(struct wm_trace_walk *walk)
{
	struct wm_trace_counts counts = {.blocks = 0};
	for (;;) {
		const struct wm_trace_step *step = wm_trace_walk_next(walk);
		if (step->kind == WM_TRACE_STEP_BLOCK) {
			counts.blocks++;
			if (step->edge != WM_NONE) {
				uint32_t source = step->function->function->edge_source[step->edge];
				counts.branches += source < step->function->function->block_count &&
						   step->function->graph.bits[source];
			}
		}
		counts.calls += step->kind == WM_TRACE_STEP_ENTER;
		counts.handlers += step->kind == WM_TRACE_STEP_ENTER && step->is_handler;
		if (step->depth + 1 > counts.depth && step->kind == WM_TRACE_STEP_ENTER)
			counts.depth = step->depth + 1;
		counts.end = step->end;
		if (step->kind == WM_TRACE_STEP_END)
			return counts;
	}
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

void wm_trace_view_line(const struct wm_trace_view *view, const struct wm_trace_line *line,
	const struct wm_trace_line *before)
{
	const struct wm_function *function = line->function->function;
	const char *file = function->scopes[line->at->scope].file;
	const char *text = wm_sources_line(view->sources, file, line->at->line);
	if (!before || before->function != line->function || before->depth != line->depth)
		fprintf(view->out, "%*s%s%s%s\n", (int)(2 * line->depth), "",
			wm_paint(view->colour, WM_PAINT_TITLE),
			wm_text_short_name(view->arena, function->name),
			wm_paint(view->colour, WM_PAINT_PLAIN));
	while (*text == ' ' || *text == '\t')
		text++;
	fprintf(view->out, "%*s  %s%s:%u%s  %s\n", (int)(2 * line->depth), "",
		wm_paint(view->colour, WM_PAINT_FAINT), base_name(file), line->at->line,
		wm_paint(view->colour, WM_PAINT_PLAIN), text);
}

static void print_end(const struct wm_trace_view *view, const struct wm_trace_step *step)
{
	fprintf(view->out, "%s%s%s\n", wm_paint(view->colour, WM_PAINT_FAINT),
		wm_trace_end_text(step->end), wm_paint(view->colour, WM_PAINT_PLAIN));
}

void wm_trace_view_window(const struct wm_trace_view *view, struct wm_trace_reading *reading,
	const struct wm_trace_window *window)
{
	struct wm_trace_line before;
	for (uint64_t i = 0; i < window->count; i++) {
		const struct wm_trace_line line =
			*wm_trace_reading_line(reading, window->first + i);
		wm_trace_view_line(view, &line, i ? &before : NULL);
		if (window->first + i == window->mark)
			fprintf(view->out, "%s^ here%s\n", wm_paint(view->colour, WM_PAINT_WARM),
				wm_paint(view->colour, WM_PAINT_PLAIN));
		before = line;
	}
	if (window->first + window->count == wm_trace_reading_count(reading))
		print_end(view, wm_trace_reading_end(reading));
}
