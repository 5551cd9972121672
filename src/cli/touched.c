#include "cli/touched.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names/block_lines.h"
#include "names/text_name.h"

struct finder {
	struct wm_stored *stored;
	struct wm_arena *arena;
	const struct wm_changes *changes;
	bool *has_code;	 /* by change: a function has code of its file */
	bool *in_block;	 /* by change: blocks say what it touches */
	bool **in_line;	 /* by change and line: that line is in a block */
	struct wm_touched *touched;
};

enum { MOST_LINES = 1 << 20, TEXT = 320 };

static bool same_file(const char *changed, const char *path)
{
	return wm_block_lines_names_file(changed, path) ||
	       (path[0] != '/' && path[0] && wm_block_lines_names_file(path, changed));
}

static uint32_t line_count(const struct wm_change *change)
{
	uint32_t lines = change->last - change->first + 1;
	return change->last == 0 ? 0 : lines > MOST_LINES ? MOST_LINES : lines;
}

static bool holds(const struct wm_change *change, uint32_t line)
{
	return change->last && line >= change->first && line - change->first < line_count(change);
}

/* By change and scope of a function: whether the change is in the scope's file. */
static bool *match_scopes(
	const struct finder *finder, struct wm_arena *arena, const struct wm_function *function)
{
	size_t changes = finder->changes->count;
	bool *matches = wm_arena_alloc(arena, changes * function->scope_count, sizeof *matches);
	for (size_t c = 0; c < changes; c++)
		for (uint32_t s = 0; s < function->scope_count; s++)
			matches[c * function->scope_count + s] = same_file(
				finder->changes->list[c].file, function->scopes[s].file);
	return matches;
}

static bool any(const bool *flags, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (flags[i])
			return true;
	return false;
}

/* The lines of a block, with those of the calls that brought inlined code there. */
static bool holds_line(const struct finder *finder, size_t c, const struct wm_block_line *lines,
	size_t count, bool mark)
{
	const struct wm_change *change = &finder->changes->list[c];
	bool found = false;
	for (size_t i = 0; i < count; i++) {
		if (!holds(change, lines[i].line) || !same_file(change->file, lines[i].file))
			continue;
		found = true;
		if (mark)
			finder->in_line[c][lines[i].line - change->first] = true;
	}
	return found;
}

/* First pass: which changes are in code at all, and which of their lines in blocks. */
static void look_at(struct finder *finder, size_t number)
{
	struct wm_arena scratch = {0};
	const struct wm_function *function = wm_stored_function(finder->stored, number);
	const bool *matches = match_scopes(finder, &scratch, function);
	size_t changes = finder->changes->count;
	if (any(matches, changes * function->scope_count))
		for (uint32_t b = 0; b < function->block_count; b++) {
			size_t count;
			const struct wm_block_line *lines =
				wm_block_lines(&scratch, function, b, &count);
			for (size_t c = 0; c < changes; c++)
				holds_line(finder, c, lines, count, true);
		}
	for (size_t c = 0; c < changes; c++)
		finder->has_code[c] |= any(
			matches + c * function->scope_count, function->scope_count);
	wm_arena_reset(&scratch);
}

static const char *reason_text(struct finder *finder, const struct wm_change *change,
	const struct wm_function *function, bool lines)
{
	char text[TEXT];
	const char *slash = strrchr(change->file, '/');
	const char *file = slash ? slash + 1 : change->file;
	const char *name = wm_text_short_name(finder->arena, function->name);
	if (!lines)
		snprintf(text, sizeof text, "code of %.100s in %.150s", file, name);
	else if (change->first == change->last)
		snprintf(text, sizeof text, "%.100s:%u in %.150s", file, change->first, name);
	else
		snprintf(text, sizeof text, "%.100s:%u-%u in %.150s", file, change->first,
			change->last, name);
	return wm_arena_copy_text(finder->arena, text);
}

/* By block, why it is touched; NULL if none is. */
static const char **touch_blocks(
	struct finder *finder, struct wm_arena *scratch, const struct wm_function *function)
{
	const bool *matches = match_scopes(finder, scratch, function);
	const char **because = NULL;
	for (size_t c = 0; c < finder->changes->count; c++) {
		if (!any(matches + c * function->scope_count, function->scope_count))
			continue;
		const struct wm_change *change = &finder->changes->list[c];
		const char *reason = NULL;
		for (uint32_t b = 0; b < function->block_count; b++) {
			size_t count;
			const struct wm_block_line *lines =
				wm_block_lines(scratch, function, b, &count);
			if (finder->in_block[c] && !holds_line(finder, c, lines, count, false))
				continue;
			if (!because)
				because = wm_arena_alloc(
					scratch, function->block_count, sizeof *because);
			if (!reason)
				reason = reason_text(
					finder, change, function, finder->in_block[c]);
			because[b] = because[b] ? because[b] : reason;
		}
	}
	return because;
}

static void touch_item(const struct finder *finder, struct wm_arena *scratch, size_t i,
	const struct wm_stored_blocks *blocks, const char *const *because)
{
	uint32_t count;
	const struct wm_store_item *item = &finder->stored->items.items[i];
	const uint32_t *list = wm_stored_item_blocks(scratch, blocks, item, &count);
	const char **reason = &finder->touched->because[i];
	for (uint32_t k = 0; k < count && !*reason; k++)
		*reason = because[list[k]];
	/* Of paths that were not told apart any may be meant. */
	for (uint32_t b = 0; count == 0 && b < blocks->function->block_count && !*reason; b++)
		*reason = because[b];
}

/* Second pass: the items of one function. */
static void touch_function(struct finder *finder, size_t first, size_t last)
{
	struct wm_arena scratch = {0};
	size_t number = finder->stored->items.items[first].function;
	const char **because = touch_blocks(
		finder, &scratch, wm_stored_function(finder->stored, number));
	if (because) {
		const struct wm_stored_blocks blocks =
			wm_stored_blocks(&scratch, finder->stored, number);
		for (size_t i = first; i < last; i++)
			touch_item(finder, &scratch, i, &blocks, because);
	}
	wm_arena_reset(&scratch);
}

static bool is_ignored(struct wm_arena *arena, const char *ignore, const char *file)
{
	char *list = wm_arena_copy_text(arena, ignore ? ignore : ""), *rest;
	const char *slash = strrchr(file, '/');
	for (char *glob = strtok_r(list, ",", &rest); glob; glob = strtok_r(NULL, ",", &rest))
		if (fnmatch(glob, file, 0) == 0 || fnmatch(glob, slash ? slash + 1 : file, 0) == 0)
			return true;
	return false;
}

/* A change whose every line is in some block touches those blocks; others touch whole functions. */
static void settle_changes(struct finder *finder, const char *ignore)
{
	for (size_t c = 0; c < finder->changes->count; c++) {
		const struct wm_change *change = &finder->changes->list[c];
		uint32_t lines = line_count(change), found = 0;
		for (uint32_t i = 0; i < lines; i++)
			found += finder->in_line[c][i];
		finder->in_block[c] = found > 0 && (found == lines || lines == 2);
		if (finder->has_code[c] || finder->touched->everything ||
			is_ignored(finder->arena, ignore, change->file))
			continue;
		char text[TEXT];
		snprintf(text, sizeof text, "no program has code of %.200s", change->file);
		finder->touched->everything = wm_arena_copy_text(finder->arena, text);
	}
}

void wm_touched_find(struct wm_stored *stored, const struct wm_changes *changes,
	const char *ignore, struct wm_touched *touched)
{
	struct wm_arena *arena = &stored->arena;
	const struct wm_store_items *items = &stored->items;
	struct finder finder = {.stored = stored,
		.arena = arena,
		.changes = changes,
		.has_code = wm_arena_alloc(arena, changes->count, sizeof(bool)),
		.in_block = wm_arena_alloc(arena, changes->count, sizeof(bool)),
		.in_line = wm_arena_alloc(arena, changes->count, sizeof(bool *)),
		.touched = touched};
	*touched = (struct wm_touched){
		.because = wm_arena_alloc(arena, items->count, sizeof(char *))};
	for (size_t c = 0; c < changes->count; c++)
		finder.in_line[c] = wm_arena_alloc(
			arena, line_count(&changes->list[c]) + 1, sizeof(bool));
	for (size_t i = 0; i < items->function_count; i++)
		look_at(&finder, i);
	settle_changes(&finder, ignore);
	for (size_t first = 0, last; first < items->count; first = last) {
		for (last = first; last < items->count &&
				   items->items[last].function == items->items[first].function;)
			last++;
		touch_function(&finder, first, last);
	}
}
