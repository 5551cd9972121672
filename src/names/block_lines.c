/* Positions of a block, and the calls around them up to the function itself. */
#include "names/block_lines.h"

#include <string.h>

struct list {
	struct wm_block_line *lines;
	size_t count;
};

static size_t max_lines(const struct wm_function *function, const struct wm_block *block)
{
	size_t max = 0;
	for (uint32_t i = 0; i < block->position_count; i++) {
		uint32_t scope = function->positions[block->first_position + i].scope;
		for (max++; scope != 0; scope = function->scopes[scope].parent)
			max++;
	}
	return max;
}

static void add(struct list *list, struct wm_block_line line)
{
	for (size_t i = 0; i < list->count; i++) {
		struct wm_block_line *old = &list->lines[i];
		if (old->line == line.line && strcmp(old->file, line.file) == 0) {
			old->call &= line.call;
			old->own |= line.own;
			return;
		}
	}
	list->lines[list->count++] = line;
}

/* Adds the line of the code and those of the calls that lead to it, from the inside out. */
static void add_position(
	struct list *list, const struct wm_function *function, struct wm_position position)
{
	const char *own_file = function->scopes[0].file;
	const struct wm_scope *scope = &function->scopes[position.scope];
	uint32_t line = position.line;
	bool call = false, own_found = false;
	for (;;) {
		bool own = !own_found && line && strcmp(scope->file, own_file) == 0;
		if (line && scope->file[0])
			add(list, (struct wm_block_line){scope->file, line, call, own});
		if (scope == function->scopes)
			return;
		own_found |= own;
		line = scope->call_line;
		scope = &function->scopes[scope->parent];
		call = true;
	}
}

const struct wm_block_line *wm_block_lines(
	struct wm_arena *arena, const struct wm_function *function, uint32_t block, size_t *count)
{
	const struct wm_block *source = &function->blocks[block];
	struct list list = {
		.lines = wm_arena_alloc(arena, max_lines(function, source), sizeof *list.lines)};
	for (uint32_t i = 0; i < source->position_count; i++)
		add_position(&list, function, function->positions[source->first_position + i]);
	*count = list.count;
	return list.lines;
}

bool wm_block_lines_names_file(const char *word, const char *path)
{
	size_t path_length = strlen(path), word_length = strlen(word);
	if (word_length > path_length || strcmp(path + path_length - word_length, word) != 0)
		return false;
	return word_length == path_length || word[0] == '/' ||
	       path[path_length - word_length - 1] == '/';
}
