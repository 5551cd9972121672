/* Frames of a walk, and how it ends. */
#include "trace/walk.h"

struct wm_trace_frame *wm_walk_push(
	struct wm_trace_walk *walk, const struct wm_traced_function *function)
{
	walk->frames = wm_arena_grow(
		walk->arena, walk->frames, walk->depth, &walk->capacity, sizeof *walk->frames);
	struct wm_trace_frame *frame = &walk->frames[walk->depth++];
	*frame = (struct wm_trace_frame){.function = function};
	return frame;
}

const struct wm_trace_step *wm_walk_leave(
	struct wm_trace_walk *walk, enum wm_trace_left left, uint32_t edge)
{
	wm_walk_tell(walk, WM_TRACE_STEP_LEAVE);
	walk->step.left = left;
	walk->step.edge = edge;
	walk->depth--;
	if (walk->depth < walk->lowest)
		walk->lowest = walk->depth;
	if (walk->depth < walk->least)
		walk->least = walk->depth;
	if (walk->depth)
		wm_walk_top(walk)->resumed = left == WM_TRACE_LEFT_RESUME;
	return &walk->step;
}

const struct wm_trace_step *wm_walk_end(struct wm_trace_walk *walk, enum wm_trace_end end)
{
	wm_walk_tell(walk, WM_TRACE_STEP_END);
	walk->step.end = walk->full && end != WM_TRACE_END_DAMAGED ? WM_TRACE_END_FULL : end;
	walk->ended = true;
	return &walk->step;
}

const struct wm_trace_step *wm_walk_damaged(struct wm_trace_walk *walk, const char *reason)
{
	wm_error_set(&walk->error, WM_ERROR_INPUT,
		"thread %u: at bit %llu and byte %llu of the calls: %s",
		walk->thread->control.thread, (unsigned long long)walk->position,
		(unsigned long long)walk->units.next * 2, reason);
	return wm_walk_end(walk, WM_TRACE_END_DAMAGED);
}
