/* A frame that is not the top one cannot change. So those below the fewest frames that there were
 * since the last waypoint are as they were. */
#include "trace/waypoints.h"

#include <string.h>

#include "trace/walk.h"

static void save(struct wm_waypoints *waypoints, struct wm_trace_walk *walk)
{
	struct wm_arena *arena = waypoints->arena;
	waypoints->points = wm_arena_grow(arena, waypoints->points, waypoints->count,
		&waypoints->capacity, sizeof *waypoints->points);
	uint32_t shared = waypoints->count && walk->lowest ? walk->lowest - 1 : 0;
	uint32_t own = walk->depth - shared;
	struct wm_waypoint *point = &waypoints->points[waypoints->count++];
	*point = (struct wm_waypoint){.blocks = waypoints->blocks,
		.lines = waypoints->lines,
		.position = walk->position,
		.unit = walk->units.next,
		.step = walk->step,
		.pending_passed = walk->pending_passed,
		.pending_entry = walk->pending_entry,
		.started = walk->started,
		.depth = walk->depth,
		.shared = shared,
		.frames = wm_arena_alloc_unset(arena, own, sizeof *point->frames),
		.shallowest = UINT32_MAX};
	if (own)
		memcpy(point->frames, walk->frames + shared, own * sizeof *point->frames);
	walk->lowest = walk->depth;
}

void wm_waypoints_make(struct wm_arena *arena, struct wm_trace_walk *walk, uint64_t spacing,
	uint64_t blocks, const struct wm_waypoint_progress *progress,
	struct wm_waypoints *waypoints)
{
	const struct wm_trace_step *step;
	uint64_t next = spacing;
	*waypoints = (struct wm_waypoints){.arena = arena};
	save(waypoints, walk);
	while ((step = wm_trace_walk_next(walk))->kind != WM_TRACE_STEP_END) {
		if (step->kind != WM_TRACE_STEP_BLOCK)
			continue;
		struct wm_waypoint *last = &waypoints->points[waypoints->count - 1];
		uint32_t lines = step->function->lines[step->block];
		if (lines && step->depth < last->shallowest)
			last->shallowest = step->depth;
		waypoints->lines += lines;
		if (++waypoints->blocks == blocks)
			return;
		if (waypoints->blocks < next)
			continue;
		next += spacing;
		save(waypoints, walk);
		if (progress)
			progress->tell(progress->context, waypoints->blocks);
	}
	waypoints->end = step->end;
}

/* The frames of the waypoint, of which the first are with waypoints before it. */
static void restore_frames(
	struct wm_trace_frame *frames, const struct wm_waypoints *waypoints, size_t point)
{
	uint32_t end = waypoints->points[point].depth;
	for (; end > 0; point--) {
		const struct wm_waypoint *from = &waypoints->points[point];
		if (from->shared >= end)
			continue;
		memcpy(frames + from->shared, from->frames, (end - from->shared) * sizeof *frames);
		end = from->shared;
	}
}

void wm_waypoint_restore(
	struct wm_trace_walk *walk, const struct wm_waypoints *waypoints, size_t point)
{
	const struct wm_waypoint *from = &waypoints->points[point];
	if (walk->capacity < from->depth) {
		walk->capacity = from->depth;
		walk->frames =
			wm_arena_alloc_unset(walk->arena, walk->capacity, sizeof *walk->frames);
	}
	restore_frames(walk->frames, waypoints, point);
	walk->depth = walk->lowest = from->depth;
	walk->position = from->position;
	walk->units.next = from->unit;
	walk->step = from->step;
	walk->pending_passed = from->pending_passed;
	walk->pending_entry = from->pending_entry;
	wm_walk_note_reading(walk);
	walk->started = from->started;
	walk->ended = false;
	walk->bits.unpacked.damaged = walk->units.unpacked.damaged = false;
	walk->bits.has_piece = false;
	walk->units.number = UINT64_MAX;
	walk->error.text[0] = 0;
}

size_t wm_waypoints_before_line(const struct wm_waypoints *waypoints, uint64_t line)
{
	size_t low = 0, high = waypoints->count;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (waypoints->points[middle].lines <= line)
			low = middle;
		else
			high = middle;
	}
	return low;
}
