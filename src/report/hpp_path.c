/* One path in full: its instructions, what they cost each time, who called. And two runs beside each
 * other, path by path under the names that hold across runs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "profile/hpp_words.h"
#include "profile/instruction_text.h"
#include "report/hpp_view.h"
#include "report/text.h"

static void print_bytes(const uint8_t *code, size_t bytes, FILE *out)
{
	enum { SHOWN = 8 };
	for (size_t i = 0; i < SHOWN; i++) {
		if (i < bytes)
			fprintf(out, "%02x ", code[i]);
		else
			fprintf(out, "   ");
	}
	fputs(bytes > SHOWN ? "+ " : "  ", out);
}

static const char *outcome_text(const struct wm_hpp_step *step)
{
	if (step->outcome < 0)
		return "";
	if (step->block->kind != WM_BRANCH_CONDITIONAL)
		return "";
	return step->outcome ? "  [T]" : "  [F]";
}

/* The source line, when it is not that of the instruction before. */
static void print_line(const struct wm_hpp_view *view, uint64_t address, char *last, size_t bytes, FILE *out)
{
	struct wm_code_place place = wm_code_lines_at(view->lines, address);
	const char *inlined[4];
	char text[600];
	size_t used;
	if (!place.file || !place.line)
		return;
	used = (size_t)snprintf(text, sizeof text, "%.200s:%u", place.file, place.line);
	size_t count = wm_code_lines_inlined(view->lines, address, inlined, 4);
	for (size_t i = 0; i < count; i++)
		used += (size_t)snprintf(
			text + used, sizeof text - used, "%s%.60s", i ? " in " : "  inlined ", inlined[i]);
	if (strcmp(text, last) == 0)
		return;
	snprintf(last, bytes, "%s", text);
	fprintf(out, "  %s\n", wm_text_clean(view->arena, text));
}

static void print_block(const struct wm_hpp_view *view, const struct wm_hpp_step *step, char *last,
	size_t last_bytes, FILE *out)
{
	const struct wm_hpp_block *block = step->block;
	const uint8_t *code = view->profile->code + block->code;
	char text[200];
	for (size_t at = 0; at < block->bytes;) {
		size_t bytes = wm_instruction_text(
			code + at, block->bytes - at, block->start + at, text, sizeof text);
		bool known = bytes != 0;
		bytes = known ? bytes : block->bytes - at;
		print_line(view, block->start + at, last, last_bytes, out);
		fprintf(out, "    %12" PRIx64 "  ", block->start + at);
		print_bytes(code + at, bytes, out);
		fprintf(out, "%s%s\n", known ? text + (text[0] == '\t') : "(no disassembler)",
			at + bytes >= block->bytes ? outcome_text(step) : "");
		at += bytes;
	}
}

static void print_figures(const struct wm_hpp_view *view, const struct wm_exact_path *path, FILE *out)
{
	bool modelled = view->profile->head.flags & WM_HPP_MODELLED;
	fprintf(out, "Each time: %.2f instructions",
		(double)path->sum[WM_HPP_EVENT_INSTRUCTIONS] / (double)path->count);
	for (int i = WM_HPP_EVENT_LOADS; modelled && i <= WM_HPP_EVENT_POWER; i++)
		fprintf(out, ", %.3g %s", (double)path->sum[i] / (double)path->count,
			wm_hpp_event_names[i]);
	fprintf(out, "\nIt ended in");
	for (int i = 0; i < WM_ENDINGS; i++)
		if (path->ending[i])
			fprintf(out, " %s %s", wm_ending_names[i], wm_text_count(path->ending[i]).text);
	fprintf(out, "\n");
	for (int i = 0; i < WM_PATH_CALLERS; i++)
		if (path->caller[i].count)
			fprintf(out, "Called from %s, %s\n",
				wm_hpp_place_text(view, path->caller[i].return_address),
				wm_text_share(path->caller[i].count, path->count).text);
}

void wm_hpp_view_path(const struct wm_hpp_view *view, const struct wm_exact_path *path, FILE *out)
{
	size_t count;
	char last[600] = "";
	struct wm_hpp_step *steps = wm_hpp_follow(view->arena, view->profile, path, &count);
	fprintf(out, "%s ran %s times\n", wm_hpp_path_name(view, path),
		wm_text_count(path->count).text);
	fprintf(out, "%s  %s\n", wm_hpp_place_text(view, path->start), wm_hpp_path_text(view, path));
	print_figures(view, path, out);
	for (size_t i = 0; i < count; i++)
		print_block(view, &steps[i], last, sizeof last, out);
}

struct named {
	const char *name;
	double share;
	const struct wm_exact_path *path;
};

static int by_name(const void *left, const void *right)
{
	return strcmp(((const struct named *)left)->name, ((const struct named *)right)->name);
}

static struct named *name_all(const struct wm_hpp_view *view, size_t count)
{
	struct named *named = wm_arena_alloc(view->arena, count + 1, sizeof *named);
	double total = 0;
	for (uint64_t i = 0; i < view->profile->paths; i++)
		total += (double)wm_hpp_weight(view->profile, &view->profile->path[i]);
	for (size_t i = 0; i < count; i++) {
		const struct wm_exact_path *path = &view->profile->path[i];
		named[i] = (struct named){wm_hpp_path_name(view, path),
			total > 0 ? (double)wm_hpp_weight(view->profile, path) / total : 0, path};
	}
	return named;
}

static void print_pair(
	const struct wm_hpp_view *view, const struct named *now, const struct named *then, FILE *out)
{
	const struct named *one = now ? now : then;
	fprintf(out, "  %6.2f%%  %6.2f%%  %+7.2f  %s\n", then ? 100 * then->share : 0,
		now ? 100 * now->share : 0,
		100 * ((now ? now->share : 0) - (then ? then->share : 0)), one->name);
	(void)view;
}

void wm_hpp_view_compare(
	const struct wm_hpp_view *view, const struct wm_hpp_view *earlier, FILE *out)
{
	size_t all_now = view->profile->paths, all_then = earlier->profile->paths;
	struct named *now = name_all(view, all_now), *then = name_all(earlier, all_then);
	size_t top = view->top, still = 0, hot = 0;
	double overlap = 0;
	struct named *top_now = wm_arena_alloc(view->arena, top + 1, sizeof *top_now);
	struct named *top_then = wm_arena_alloc(view->arena, top + 1, sizeof *top_then);
	size_t rows_now = all_now < top ? all_now : top, rows_then = all_then < top ? all_then : top;
	memcpy(top_now, now, rows_now * sizeof *now);
	memcpy(top_then, then, rows_then * sizeof *then);
	qsort(now, all_now, sizeof *now, by_name);
	qsort(then, all_then, sizeof *then, by_name);
	for (size_t i = 0; i < all_now; i++) {
		const struct named *other = bsearch(&now[i], then, all_then, sizeof *then, by_name);
		if (other)
			overlap += now[i].share < other->share ? now[i].share : other->share;
	}
	for (size_t i = 0; i < rows_then; i++) {
		const struct named *other = bsearch(&top_then[i], now, all_now, sizeof *now, by_name);
		hot += top_then[i].share >= 0.01;
		still += top_then[i].share >= 0.01 && other && other->share >= 0.01;
	}
	fprintf(out, "%.1f%% overlap; %zu of the %zu paths above 1%% still are\n\n", 100 * overlap,
		still, hot);
	fprintf(out, "     then      now   change  path\n");
	for (size_t i = 0; i < rows_now; i++)
		print_pair(view, &top_now[i],
			bsearch(&top_now[i], then, all_then, sizeof *then, by_name), out);
	for (size_t i = 0; i < rows_then; i++)
		if (!bsearch(&top_then[i], now, all_now, sizeof *now, by_name))
			print_pair(view, NULL, &top_then[i], out);
}
