/* Positions that stand for no line, or for the line before, are passed over. */
#include "trace/lines.h"

#include <string.h>

bool wm_trace_line_is_shown(const struct wm_function *function, uint32_t block, uint32_t position)
{
	const struct wm_position *at =
		&function->positions[function->blocks[block].first_position + position];
	if (!at->line || !function->scopes[at->scope].file[0])
		return false;
	return position == 0 || at[-1].line != at->line ||
	       strcmp(function->scopes[at[-1].scope].file, function->scopes[at->scope].file) != 0;
}

uint32_t wm_trace_lines_of_block(const struct wm_function *function, uint32_t block)
{
	uint32_t count = 0;
	for (uint32_t k = 0; k < function->blocks[block].position_count; k++)
		count += wm_trace_line_is_shown(function, block, k);
	return count;
}

bool wm_trace_lines_next(struct wm_trace_lines *lines, struct wm_trace_line *line)
{
	for (;;) {
		while (!lines->in_block) {
			lines->step = wm_trace_walk_next(lines->walk);
			if (lines->step->kind == WM_TRACE_STEP_END)
				return false;
			lines->in_block = lines->step->kind == WM_TRACE_STEP_BLOCK;
			lines->next = 0;
		}
		const struct wm_function *function = lines->step->function->function;
		const struct wm_block *block = &function->blocks[lines->step->block];
		while (lines->next < block->position_count) {
			uint32_t k = lines->next++;
			if (!wm_trace_line_is_shown(function, lines->step->block, k))
				continue;
			*line = (struct wm_trace_line){lines->step->function,
				&function->positions[block->first_position + k],
				lines->step->depth};
			return true;
		}
		lines->in_block = false;
	}
}
