/* Frames and stacks are found again by what they are, so that equal ones are one. */
#include "export/stacks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/none.h"
#include "core/base/intern.h"
#include "names/text_name.h"

struct builder {
	struct wm_arena scratch;
	struct wm_arena *arena;
	struct wm_stacks stacks;
	size_t frame_capacity, stack_capacity;
	size_t own_capacity[WM_METRIC_COUNT];
	struct wm_intern texts, frames, list;
	const struct wm_export_part *part;
	uint32_t part_number;
	uint32_t base;		     /* the stack that all of the part are below, or WM_NONE */
	uint32_t *frame_of_function; /* + 1, or 0 */
	uint32_t *stack_of_record;
	bool by_line;
};

static uint32_t find_frame(struct builder *builder, const struct wm_frame *frame)
{
	struct wm_stacks *stacks = &builder->stacks;
	const uint32_t key[] = {wm_intern_text(&builder->texts, frame->name),
		wm_intern_text(&builder->texts, frame->linker_name),
		wm_intern_text(&builder->texts, frame->file), frame->line, frame->part,
		frame->inlined};
	uint32_t number = wm_intern(&builder->frames, key, sizeof key);
	if (number < stacks->frame_count)
		return number;
	stacks->frames = wm_arena_grow(builder->arena, stacks->frames, stacks->frame_count,
		&builder->frame_capacity, sizeof *stacks->frames);
	stacks->frames[stacks->frame_count] = *frame;
	return stacks->frame_count++;
}

static void add_stack(struct builder *builder, struct wm_stack stack)
{
	struct wm_stacks *stacks = &builder->stacks;
	stacks->list = wm_arena_grow(builder->arena, stacks->list, stacks->count,
		&builder->stack_capacity, sizeof *stacks->list);
	stacks->list[stacks->count] = stack;
	for (uint32_t metric = 0; metric < WM_METRIC_COUNT; metric++) {
		stacks->own[metric] = wm_arena_grow(builder->arena, stacks->own[metric],
			stacks->count, &builder->own_capacity[metric], sizeof(uint64_t));
		stacks->own[metric][stacks->count] = 0;
	}
	stacks->count++;
}

static uint32_t find_stack(struct builder *builder, uint32_t parent, uint32_t frame, uint32_t line)
{
	const uint32_t key[] = {parent, frame, builder->by_line ? line : 0};
	uint32_t number = wm_intern(&builder->list, key, sizeof key);
	if (number == builder->stacks.count)
		add_stack(builder, (struct wm_stack){key[0], key[1], key[2]});
	return number;
}

/* A stack of one frame that is no function. */
static uint32_t find_mark(struct builder *builder, uint32_t parent, const char *text)
{
	size_t bytes = strlen(text) + sizeof "[]";
	char *name = wm_arena_alloc(builder->arena, bytes, 1);
	snprintf(name, bytes, "[%s]", text);
	const struct wm_frame frame = {name, "", "", 0, WM_NONE, false};
	return find_stack(builder, parent, find_frame(builder, &frame), 0);
}

static uint32_t frame_of(struct builder *builder, uint32_t number)
{
	uint32_t *known = &builder->frame_of_function[number];
	if (*known)
		return *known - 1;
	const struct wm_function *function = builder->part->profile->functions[number].function;
	const struct wm_scope *scope = function->scope_count ? &function->scopes[0] : NULL;
	const struct wm_frame frame = {wm_text_name(builder->arena, function->name), function->name,
		scope ? scope->file : "", scope ? scope->line : 0, builder->part_number, false};
	*known = find_frame(builder, &frame) + 1;
	return *known - 1;
}

/* The stack of what is inlined there, below that of the function. */
static uint32_t enter_scope(struct builder *builder, const struct wm_function *function,
	uint32_t number, uint32_t stack)
{
	if (number == 0)
		return stack;
	const struct wm_scope *scope = &function->scopes[number];
	const struct wm_frame frame = {wm_text_name(builder->arena, scope->function), "",
		scope->file, scope->line, builder->part_number, true};
	stack = enter_scope(builder, function, scope->parent, stack);
	return find_stack(builder, stack, find_frame(builder, &frame), scope->call_line);
}

/* What stands for the callers of functions that are called from outside. */
static uint32_t enter_outside(struct builder *builder, uint32_t site)
{
	static const char *const marks[] = {[WM_CONTEXT_SITE_SIGNAL] = "signal",
		[WM_CONTEXT_SITE_FOLDED] = "too many contexts",
		[WM_CONTEXT_SITE_UNKNOWN] = "callers not known"};
	return site == WM_CONTEXT_SITE_OUTSIDE ? builder->base
					       : find_mark(builder, builder->base, marks[site]);
}

static uint32_t stack_of(struct builder *builder, const struct wm_context_record *record)
{
	const struct wm_contexts *tree = &builder->part->contexts.tree;
	uint32_t frame = frame_of(builder, record->function);
	if (record->parent == WM_CONTEXT_OUTSIDE)
		return find_stack(builder, enter_outside(builder, record->site), frame, 0);
	uint32_t caller = tree->records[record->parent].function;
	const struct wm_function *function = builder->part->profile->functions[caller].function;
	const struct wm_call_site *call = &function->calls[record->site];
	uint32_t stack = builder->stack_of_record[record->parent];
	return find_stack(
		builder, enter_scope(builder, function, call->scope, stack), frame, call->line);
}

static void add_own(struct builder *builder, uint32_t stack, uint32_t place)
{
	for (uint32_t metric = 0; metric < WM_METRIC_COUNT; metric++)
		if (builder->part->own[metric])
			builder->stacks.own[metric][stack] += builder->part->own[metric][place];
}

static void add_contexts(struct builder *builder)
{
	const struct wm_contexts *tree = &builder->part->contexts.tree;
	builder->stack_of_record =
		wm_arena_alloc(&builder->scratch, tree->record_count, sizeof(uint32_t));
	for (uint32_t i = 1; i < tree->record_count; i++) {
		builder->stack_of_record[i] = stack_of(builder, &tree->records[i]);
		add_own(builder, builder->stack_of_record[i], i);
	}
}

static void add_functions(struct builder *builder)
{
	for (uint32_t i = 0; i < builder->part->profile->function_count; i++)
		add_own(builder, find_stack(builder, builder->base, frame_of(builder, i), 0), i);
}

/* Libraries have trees of their own, which stand below their names. */
static void add_part(struct builder *builder, const struct wm_export_data *data, uint32_t number)
{
	builder->part = &data->parts[number];
	builder->part_number = number;
	builder->base = number ? find_mark(builder, WM_NONE, builder->part->name) : WM_NONE;
	builder->frame_of_function = wm_arena_alloc(
		&builder->scratch, builder->part->profile->function_count, sizeof(uint32_t));
	if (builder->part->contexts.counted)
		add_contexts(builder);
	else
		add_functions(builder);
}

struct wm_stacks wm_stacks_make(const struct wm_export_data *data, bool by_line)
{
	struct builder builder = {.arena = data->arena, .by_line = by_line};
	builder.texts.arena = builder.frames.arena = builder.list.arena = &builder.scratch;
	for (uint32_t i = 0; i < data->part_count; i++)
		add_part(&builder, data, i);
	for (uint32_t metric = 0; metric < WM_METRIC_COUNT; metric++)
		if (!data->known[metric])
			builder.stacks.own[metric] = NULL;
	wm_arena_reset(&builder.scratch);
	return builder.stacks;
}

uint64_t *wm_stacks_sums(
	struct wm_arena *arena, const struct wm_stacks *stacks, const uint64_t *own)
{
	uint64_t *sums = wm_arena_alloc(arena, stacks->count, sizeof *sums);
	memcpy(sums, own, stacks->count * sizeof *sums);
	for (uint32_t i = stacks->count; i-- > 0;)
		if (stacks->list[i].parent != WM_NONE)
			sums[stacks->list[i].parent] += sums[i];
	return sums;
}

static const struct wm_stacks *sorted;

static int by_name(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	const struct wm_frame *frames = sorted->frames;
	int order = strcmp(frames[sorted->list[a].frame].name, frames[sorted->list[b].frame].name);
	return order ? order : (a > b) - (a < b);
}

struct wm_stack_children wm_stacks_children(struct wm_arena *arena, const struct wm_stacks *stacks)
{
	uint32_t count = stacks->count;
	uint32_t *start = wm_arena_alloc(arena, count + 2, sizeof *start);
	uint32_t *list = wm_arena_alloc(arena, count, sizeof *list);
	uint32_t *used = wm_arena_alloc(arena, count + 1, sizeof *used);
	for (uint32_t i = 0; i < count; i++)
		start[(stacks->list[i].parent == WM_NONE ? count : stacks->list[i].parent) + 1]++;
	for (uint32_t i = 0; i <= count; i++)
		start[i + 1] += start[i];
	for (uint32_t i = 0; i < count; i++) {
		uint32_t parent =
			stacks->list[i].parent == WM_NONE ? count : stacks->list[i].parent;
		list[start[parent] + used[parent]++] = i;
	}
	sorted = stacks;
	for (uint32_t i = 0; i <= count; i++)
		if (used[i] > 1)
			qsort(&list[start[i]], used[i], sizeof *list, by_name);
	return (struct wm_stack_children){start, list};
}
