/* Each function that calls, inlined or not, is looked at as a caller. The part of a path that is in
 * its code is cut into stretches: blocks in a row that are of the same call, or of none. A block is
 * of the call in whose code it ends, because that is where it decides. */
#include "report/segments.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/none.h"
#include "names/text_name.h"
#include "report/path_form.h"

/* Steps of a path from `first` up to `end`. */
struct stretch {
	uint32_t first, end;
	uint32_t call; /* the scope of a callee of the caller; the caller's own: none */
};

struct finder {
	struct wm_arena *arena;
	const struct wm_profile_function *source;
	const struct wm_function *function;
	struct wm_path_map map;
	unsigned depth;
	uint32_t *scope_of; /* by block */
	struct wm_segments *all;
	size_t capacity;
};

/* One path, looked at from one caller. */
struct walk {
	uint32_t caller; /* a scope */
	const struct wm_path_step *steps;
	const uint32_t *scopes; /* by step */
	uint32_t end;
};

/* How many calls the scope is below the other; WM_NONE if it is not. */
static uint32_t depth_below(const struct wm_function *function, uint32_t scope, uint32_t above)
{
	uint32_t depth = 0;
	for (; scope != above; scope = function->scopes[scope].parent, depth++)
		if (scope == 0)
			return WM_NONE;
	return depth;
}

/* The scope around this one that is `depth` calls below the other. */
static uint32_t scope_at(
	const struct wm_function *function, uint32_t scope, uint32_t above, uint32_t depth)
{
	for (uint32_t at = depth_below(function, scope, above); at > depth; at--)
		scope = function->scopes[scope].parent;
	return scope;
}

/* WM_NONE where no line is known: such a block goes with the one before it. */
static void find_scopes(struct finder *finder)
{
	const struct wm_function *function = finder->function;
	finder->scope_of =
		wm_arena_alloc(finder->arena, function->block_count, sizeof *finder->scope_of);
	for (uint32_t b = 0; b < function->block_count; b++) {
		const struct wm_block *block = &function->blocks[b];
		uint32_t last = block->first_position + block->position_count - 1;
		finder->scope_of[b] =
			block->position_count > 0 ? function->positions[last].scope : WM_NONE;
	}
}

static const uint32_t *scopes_of_path(
	const struct finder *finder, const struct wm_profile_path *path)
{
	uint32_t *scopes = wm_arena_alloc(finder->arena, path->block_count, sizeof *scopes);
	for (uint32_t i = 0; i < path->block_count; i++) {
		uint32_t scope = finder->scope_of[path->blocks[i]];
		scopes[i] = scope != WM_NONE ? scope : i > 0 ? scopes[i - 1] : 0;
	}
	return scopes;
}

/* Opens or closes brackets until control is in the scope. */
static void move(struct finder *finder, FILE *out, uint32_t *at, uint32_t to, bool *fresh)
{
	const struct wm_function *function = finder->function;
	while (depth_below(function, to, *at) == WM_NONE) {
		fputc(')', out);
		*at = function->scopes[*at].parent;
		*fresh = false;
	}
	for (uint32_t left = depth_below(function, to, *at); left > 0; left--) {
		*at = scope_at(function, to, *at, 1);
		fprintf(out, "%s%" PRIu32 " %s(", *fresh ? "" : ", ",
			function->scopes[*at].call_line,
			wm_text_short_name(finder->arena, function->scopes[*at].function));
		*fresh = true;
	}
}

/* What is decided in the stretch, no deeper than wanted. */
static char *decisions(
	struct finder *finder, const struct walk *walk, const struct stretch *stretch)
{
	char *text = NULL;
	size_t bytes;
	bool fresh = true;
	FILE *out = open_memstream(&text, &bytes);
	if (!out)
		abort();
	uint32_t at = stretch ? stretch->call : 0;
	for (uint32_t i = stretch ? stretch->first : 0; stretch && i < stretch->end; i++) {
		size_t count;
		const struct wm_path_choice *choices =
			wm_path_choices(finder->arena, &finder->map, &walk->steps[i], &count);
		if (count == 0 || depth_below(finder->function, walk->scopes[i], walk->caller) >
					  finder->depth)
			continue;
		move(finder, out, &at, walk->scopes[i], &fresh);
		for (size_t k = 0; k < count; k++, fresh = false)
			fprintf(out, "%s%s", fresh ? "" : ", ",
				wm_path_choice_text(finder->arena, &finder->map, &choices[k]));
	}
	if (stretch)
		move(finder, out, &at, stretch->call, &fresh);
	fclose(out);
	char *copy = wm_arena_copy_text(finder->arena, text);
	free(text);
	return copy;
}

static void add(struct finder *finder, const struct walk *walk, const struct stretch *stretches,
	size_t count, size_t index, uint64_t times)
{
	const struct wm_function *function = finder->function;
	const struct stretch *here = &stretches[index];
	const struct stretch *before = index > 0 ? here - 1 : NULL,
			     *after = index + 1 < count ? here + 1 : NULL;
	if (before && before->call != walk->caller)
		before = NULL;
	if (after && after->call != walk->caller)
		after = NULL;
	const struct wm_scope *scope = &function->scopes[here->call];
	const char *inside = decisions(finder, walk, here);
	const char *front = decisions(finder, walk, before), *back = decisions(finder, walk, after);
	const char *name = wm_text_short_name(finder->arena, scope->function);
	bool starts_inside = here->first == 0, ends_inside = here->end == walk->end;
	size_t bytes = strlen(front) + strlen(inside) + strlen(back) + strlen(name) + 64;
	char *text = wm_arena_alloc(finder->arena, bytes, 1);
	snprintf(text, bytes, "%s%s%" PRIu32 " %s(%s%s%s)%s%s", front, front[0] ? ", " : "",
		scope->call_line, name, starts_inside ? "… " : "", inside, ends_inside ? " …" : "",
		back[0] ? ", " : "", back);
	finder->all->segments = wm_arena_grow(finder->arena, finder->all->segments,
		finder->all->count, &finder->capacity, sizeof *finder->all->segments);
	finder->all->segments[finder->all->count++] = (struct wm_segment){
		function->scopes[walk->caller].function, scope->function,
		function->scopes[walk->caller].file, scope->call_line, text, inside, times, 0};
}

/* A run of steps in the caller's code, and in that of what it calls. */
static void add_run(struct finder *finder, const struct walk *walk, uint32_t first, uint32_t end,
	uint64_t times)
{
	size_t count = 0;
	struct stretch *stretches = wm_arena_alloc(finder->arena, end - first, sizeof *stretches);
	for (uint32_t i = first; i < end; i++) {
		uint32_t call = scope_at(finder->function, walk->scopes[i], walk->caller, 1);
		if (count == 0 || stretches[count - 1].call != call)
			stretches[count++] = (struct stretch){i, i, call};
		stretches[count - 1].end = i + 1;
	}
	for (size_t i = 0; i < count; i++)
		if (stretches[i].call != walk->caller)
			add(finder, walk, stretches, count, i, times);
}

static void add_path(struct finder *finder, const struct wm_profile_path *path, uint32_t caller)
{
	const struct walk walk = {caller, wm_path_steps(finder->arena, &finder->map, path),
		scopes_of_path(finder, path), path->block_count};
	for (uint32_t i = 0, first = 0; i <= path->block_count; i++) {
		bool is_in = i < path->block_count &&
			     depth_below(finder->function, walk.scopes[i], caller) != WM_NONE;
		if (is_in)
			continue;
		if (first < i)
			add_run(finder, &walk, first, i, path->count);
		first = i + 1;
	}
}

bool wm_segments_share_call(const struct wm_segment *left, const struct wm_segment *right)
{
	return strcmp(left->caller, right->caller) == 0 && left->line == right->line &&
	       strcmp(left->callee, right->callee) == 0 && strcmp(left->file, right->file) == 0;
}

static int by_call(const struct wm_segment *a, const struct wm_segment *b)
{
	int order = strcmp(a->caller, b->caller);
	if (!order)
		order = strcmp(a->file, b->file);
	if (!order)
		order = (a->line > b->line) - (a->line < b->line);
	return order ? order : strcmp(a->callee, b->callee);
}

static int by_text(const void *left, const void *right)
{
	int order = by_call(left, right);
	return order ? order
		     : strcmp(((const struct wm_segment *)left)->text,
			       ((const struct wm_segment *)right)->text);
}

static int by_count(const void *left, const void *right)
{
	const struct wm_segment *a = left, *b = right;
	int order = by_call(a, b);
	if (a->count_of_call != b->count_of_call)
		return a->count_of_call > b->count_of_call ? -1 : 1;
	if (order)
		return order;
	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return strcmp(a->text, b->text);
}

static void add_up(struct wm_segments *all)
{
	size_t kept = 0;
	if (all->count == 0)
		return;
	qsort(all->segments, all->count, sizeof *all->segments, by_text);
	for (size_t i = 0; i < all->count; i++)
		if (kept > 0 && by_text(&all->segments[kept - 1], &all->segments[i]) == 0)
			all->segments[kept - 1].count += all->segments[i].count;
		else
			all->segments[kept++] = all->segments[i];
	all->count = kept;
}

/* Keeps the calls in whose code something was decided. */
static void keep_telling(struct wm_segments *all)
{
	struct wm_segment *list = all->segments;
	size_t kept = 0;
	for (size_t i = 0, end; i < all->count; i = end) {
		bool tells = false;
		uint64_t sum = 0;
		for (end = i; end < all->count && by_call(&list[i], &list[end]) == 0; end++) {
			tells |= list[end].inside[0] != '\0';
			sum += list[end].count;
		}
		for (size_t k = i; k < end && tells; k++) {
			list[k].count_of_call = sum;
			list[kept++] = list[k];
		}
	}
	all->count = kept;
	if (kept > 0)
		qsort(list, kept, sizeof *list, by_count);
}

static void add_function(struct finder *finder, struct wm_sources *sources)
{
	const struct wm_function *function = finder->function;
	bool *calls = wm_arena_alloc(finder->arena, function->scope_count, sizeof *calls);
	finder->map = wm_path_map_make(finder->arena, finder->source, sources);
	find_scopes(finder);
	for (uint32_t i = 1; i < function->scope_count; i++)
		calls[function->scopes[i].parent] = true;
	for (uint32_t k = 0; k < finder->source->path_count; k++)
		for (uint32_t i = 0; i < function->scope_count; i++)
			if (calls[i] && (int64_t)finder->source->paths[k].count > 0)
				add_path(finder, &finder->source->paths[k], i);
}

struct wm_segments wm_segments_find(struct wm_arena *arena,
	const struct wm_profile_function *const *functions, size_t function_count, unsigned depth,
	struct wm_sources *sources)
{
	struct wm_segments all = {0};
	struct finder finder = {.arena = arena, .depth = depth, .all = &all};
	for (size_t i = 0; i < function_count; i++) {
		finder.source = functions[i];
		finder.function = functions[i]->function;
		if (finder.function->scope_count > 1 && functions[i]->path_count > 0)
			add_function(&finder, sources);
	}
	add_up(&all);
	keep_telling(&all);
	return all;
}
