/* Stacks: contexts as viewers have them.
 *
 * A stack is a chain of frames. It is a node of a forest: its frame, behind those of its parent. A
 * call that was inlined is a frame of its own. Contexts that differ only in what a viewer does not
 * show are one stack, whose own cost is their sum; so the own costs of all stacks are those of the
 * profile. Where contexts were not counted, each function is a stack.
 */
#ifndef WM_EXPORT_STACKS_H
#define WM_EXPORT_STACKS_H

#include "export/data.h"

struct wm_frame {
	const char *name;	 /* as in the source */
	const char *linker_name; /* empty: inlined, or no function */
	const char *file;	 /* empty: not known */
	uint32_t line;		 /* where the function starts; 0: not known */
	uint32_t part;		 /* WM_NONE: no function, but what stands in brackets for callers */
	bool inlined;
};

struct wm_stack {
	uint32_t parent; /* a stack before this one; WM_NONE: this is the outermost frame */
	uint32_t frame;
	uint32_t line; /* of the call, in the file of the parent's frame; 0: not known */
};

struct wm_stacks {
	uint32_t frame_count;
	struct wm_frame *frames;
	uint32_t count;
	struct wm_stack *list;		/* parents before children */
	uint64_t *own[WM_METRIC_COUNT]; /* by stack; NULL: not known */
};

/* `by_line`: calls of one function from several lines are several stacks. */
struct wm_stacks wm_stacks_make(const struct wm_export_data *data, bool by_line);

/* The cost of each stack with those below it. */
uint64_t *wm_stacks_sums(
	struct wm_arena *arena, const struct wm_stacks *stacks, const uint64_t *own);

/* Children of a stack. Those of no stack, the outermost ones, have number `count`. */
struct wm_stack_children {
	const uint32_t *start; /* by stack: its children are list[start[s]] to list[start[s+1]-1] */
	const uint32_t *list;  /* by the names of their frames */
};

struct wm_stack_children wm_stacks_children(struct wm_arena *arena, const struct wm_stacks *stacks);

#endif
