/* The lines of the source that ran, one by one. A block runs through its lines in the order of the
 * code; a line that follows itself in a block is one. */
#ifndef WM_TRACE_LINES_H
#define WM_TRACE_LINES_H

#include "trace/regenerate.h"

struct wm_trace_line {
	const struct wm_traced_function *function;
	const struct wm_position *at;
	uint32_t depth; /* of the function's frame, from 0 */
};

struct wm_trace_lines {
	struct wm_trace_walk *walk;
	const struct wm_trace_step *step; /* the last one; behind the last line it is the end */
	uint32_t next;			  /* position of the step's block */
	bool in_block;
};

/* False behind the last. */
bool wm_trace_lines_next(struct wm_trace_lines *lines, struct wm_trace_line *line);

/* Whether the block's position is a line by itself. */
bool wm_trace_line_is_shown(const struct wm_function *function, uint32_t block, uint32_t position);

/* How many of its positions are. */
uint32_t wm_trace_lines_of_block(const struct wm_function *function, uint32_t block);

/* The file that the line is in. */
static inline const char *wm_trace_line_file(const struct wm_trace_line *line)
{
	return line->function->function->scopes[line->at->scope].file;
}

#endif
