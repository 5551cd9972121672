/* Instructions by function and line, for viewers of others. Each execution of a path is its blocks'
 * instructions, so the sums are exact. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "profile/instruction_text.h"
#include "report/hpp_study_view.h"

struct cost {
	const char *file, *function, *caller;
	unsigned line;
	uint64_t count;
};

struct costs {
	struct wm_arena *arena;
	struct cost *cost;
	size_t count, capacity;
};

static int by_place(const void *left, const void *right)
{
	const struct cost *a = left, *b = right;
	int order = strcmp(a->caller, b->caller);
	if (!order)
		order = strcmp(a->file, b->file);
	if (!order)
		order = strcmp(a->function, b->function);
	return order ? order : a->line < b->line ? -1 : a->line > b->line;
}

static void add(struct costs *costs, const struct wm_hpp_view *view, uint64_t address,
	const char *caller, uint64_t count)
{
	struct wm_code_place place = wm_code_lines_at(view->lines, address);
	const char *function = place.function ? place.function : place.object ? place.object : "?";
	costs->cost = wm_arena_grow(
		costs->arena, costs->cost, costs->count, &costs->capacity, sizeof *costs->cost);
	costs->cost[costs->count++] = (struct cost){place.file ? place.file : "???", function, caller,
		place.file ? place.line : 0, count};
}

/* The block's instructions, each for its line where the text of instructions is known. */
static void add_block(struct costs *costs, const struct wm_hpp_view *view,
	const struct wm_hpp_block *block, const char *caller, uint64_t count)
{
	const uint8_t *code = view->profile->code + block->code;
	char text[200];
	uint32_t at = 0;
	for (unsigned i = 0; i < block->instructions; i++) {
		size_t bytes = wm_instruction_text(
			code + at, block->bytes - at, block->start + at, text, sizeof text);
		if (bytes == 0 || at + bytes > block->bytes) {
			add(costs, view, block->start + at, caller,
				count * (block->instructions - i));
			return;
		}
		add(costs, view, block->start + at, caller, count);
		at += (uint32_t)bytes;
	}
}

/* What the code of a path does not tell (a path of a caller that was left in a call, a repeated
 * instruction) is put to its first line. */
static void add_path(struct costs *costs, const struct wm_hpp_view *view,
	const struct wm_exact_path *path, const char *caller, bool by_line)
{
	size_t blocks;
	uint64_t told = path->sum[WM_HPP_EVENT_INSTRUCTIONS], sum = 0;
	struct wm_hpp_step *steps = wm_hpp_follow(view->arena, view->profile, path, &blocks);
	for (size_t i = 0; by_line && i < blocks; i++) {
		uint64_t here = path->count * steps[i].block->instructions;
		if (sum + here > told)
			break;
		add_block(costs, view, steps[i].block, caller, path->count);
		sum += here;
	}
	if (sum < told)
		add(costs, view, path->start, caller, told - sum);
}

static void sum_up(struct costs *costs)
{
	size_t kept = 0;
	qsort(costs->cost, costs->count, sizeof *costs->cost, by_place);
	for (size_t i = 0; i < costs->count; i++) {
		if (kept && by_place(&costs->cost[kept - 1], &costs->cost[i]) == 0)
			costs->cost[kept - 1].count += costs->cost[i].count;
		else
			costs->cost[kept++] = costs->cost[i];
	}
	costs->count = kept;
}

void wm_hpp_write_callgrind(const struct wm_hpp_view *view, FILE *out)
{
	struct costs costs = {.arena = view->arena};
	const char *file = "", *function = "";
	uint64_t sum = 0; /* paths that the stack had no room for are not in it */
	for (uint64_t i = 0; i < view->profile->paths; i++)
		add_path(&costs, view, &view->profile->path[i], "", true);
	sum_up(&costs);
	for (size_t i = 0; i < costs.count; i++)
		sum += costs.cost[i].count;
	fprintf(out, "# callgrind format\nversion: 1\ncreator: waymark hpp\ncmd: %s\npositions: "
		     "line\nevents: Ir\nsummary: %" PRIu64 "\n\n",
		view->profile->program ? view->profile->program : view->profile->name,
		sum);
	for (size_t i = 0; i < costs.count; i++) {
		const struct cost *cost = &costs.cost[i];
		if (strcmp(cost->file, file) != 0)
			fprintf(out, "fl=%s\n", cost->file);
		if (strcmp(cost->file, file) != 0 || strcmp(cost->function, function) != 0)
			fprintf(out, "fn=%s\n", cost->function);
		fprintf(out, "%u %" PRIu64 "\n", cost->line, cost->count);
		file = cost->file;
		function = cost->function;
	}
}

static const char *function_at(const struct wm_hpp_view *view, uint64_t address)
{
	struct wm_code_place place = wm_code_lines_at(view->lines, address);
	return place.function ? place.function : place.object ? place.object : "?";
}

/* Callers are known three of a path; what others called is without one. */
void wm_hpp_write_collapsed(const struct wm_hpp_view *view, FILE *out)
{
	struct costs costs = {.arena = view->arena};
	for (uint64_t i = 0; i < view->profile->paths; i++) {
		const struct wm_exact_path *path = &view->profile->path[i];
		const struct wm_path_caller *best = &path->caller[0];
		for (int k = 1; k < WM_PATH_CALLERS; k++)
			best = path->caller[k].count > best->count ? &path->caller[k] : best;
		add_path(&costs, view, path,
			best->count ? function_at(view, best->return_address) : "", false);
	}
	for (size_t i = 0; i < costs.count; i++) {
		costs.cost[i].file = "";
		costs.cost[i].line = 0;
	}
	sum_up(&costs);
	for (size_t i = 0; i < costs.count; i++)
		fprintf(out, "%s%s%s %" PRIu64 "\n", costs.cost[i].caller,
			costs.cost[i].caller[0] ? ";" : "", costs.cost[i].function,
			costs.cost[i].count);
}
