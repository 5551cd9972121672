/* Between two waypoints of the trace there are finer ones, as long as lines between them are asked
 * for; and between two of those, the lines themselves. */
#include "trace/reading.h"

#include "trace/walk.h"

enum { FINE_SPACING = 4096 };

struct wm_trace_reading {
	struct wm_trace_walk *walk;
	const struct wm_waypoints *coarse;
	size_t stretch; /* between which of them the fine ones are; SIZE_MAX: none yet */
	struct wm_arena fine_arena, line_arena;
	struct wm_waypoints fine;
	uint64_t fine_first; /* the number of the first line behind the first of them */
	struct wm_trace_line *lines;
	uint64_t first, count; /* of the lines at hand */
};

struct wm_trace_reading *wm_trace_reading_start(
	struct wm_arena *arena, struct wm_trace_walk *walk, const struct wm_waypoints *waypoints)
{
	struct wm_trace_reading *reading = wm_arena_alloc(arena, 1, sizeof *reading);
	*reading =
		(struct wm_trace_reading){.walk = walk, .coarse = waypoints, .stretch = SIZE_MAX};
	return reading;
}

void wm_trace_reading_free(struct wm_trace_reading *reading)
{
	wm_arena_reset(&reading->fine_arena);
	wm_arena_reset(&reading->line_arena);
}

uint64_t wm_trace_reading_count(const struct wm_trace_reading *reading)
{
	return reading->coarse->lines;
}

/* The number of the line behind those that follow the waypoint. */
static uint64_t end_of(const struct wm_waypoints *waypoints, size_t point)
{
	return point + 1 < waypoints->count ? waypoints->points[point + 1].lines : waypoints->lines;
}

static void hold_stretch(struct wm_trace_reading *reading, size_t stretch)
{
	const struct wm_waypoints *coarse = reading->coarse;
	const struct wm_waypoint *points = coarse->points;
	uint64_t blocks = stretch + 1 < coarse->count
				  ? points[stretch + 1].blocks - points[stretch].blocks
				  : UINT64_MAX;
	if (reading->stretch == stretch)
		return;
	wm_arena_reset(&reading->fine_arena);
	wm_waypoint_restore(reading->walk, coarse, stretch);
	wm_waypoints_make(
		&reading->fine_arena, reading->walk, FINE_SPACING, blocks, NULL, &reading->fine);
	reading->fine_first = points[stretch].lines;
	reading->stretch = stretch;
	reading->count = 0;
}

/* Which of the fine waypoints the line is behind; its stretch is at hand. */
static size_t find_fine(const struct wm_trace_reading *reading, uint64_t number)
{
	return wm_waypoints_before_line(&reading->fine, number - reading->fine_first);
}

static void hold_lines(struct wm_trace_reading *reading, size_t fine)
{
	uint64_t first = reading->fine.points[fine].lines, end = end_of(&reading->fine, fine);
	if (reading->count && reading->first == reading->fine_first + first)
		return;
	wm_arena_reset(&reading->line_arena);
	reading->lines =
		wm_arena_alloc_unset(&reading->line_arena, end - first, sizeof *reading->lines);
	wm_waypoint_restore(reading->walk, &reading->fine, fine);
	struct wm_trace_lines lines = {.walk = reading->walk};
	reading->first = reading->fine_first + first;
	reading->count = 0;
	while (reading->count < end - first &&
		wm_trace_lines_next(&lines, &reading->lines[reading->count]))
		reading->count++;
}

const struct wm_trace_line *wm_trace_reading_line(struct wm_trace_reading *reading, uint64_t number)
{
	if (number - reading->first >= reading->count) {
		hold_stretch(reading, wm_waypoints_before_line(reading->coarse, number));
		hold_lines(reading, find_fine(reading, number));
	}
	return &reading->lines[number - reading->first];
}

/* Where all lines behind a waypoint are too deep: the first of them and the one behind the last. */
struct deep {
	uint64_t first, end;
};

static bool is_too_deep(const struct wm_waypoints *waypoints, uint64_t before, uint64_t number,
	uint32_t max_depth, struct deep *deep)
{
	size_t point = wm_waypoints_before_line(waypoints, number - before);
	*deep = (struct deep){
		before + waypoints->points[point].lines, before + end_of(waypoints, point)};
	return waypoints->points[point].shallowest > max_depth;
}

/* Whether the line is of a stretch that can be passed over; if not, it is at hand. */
static bool can_pass(
	struct wm_trace_reading *reading, uint64_t number, uint32_t max_depth, struct deep *deep)
{
	if (is_too_deep(reading->coarse, 0, number, max_depth, deep))
		return true;
	hold_stretch(reading, wm_waypoints_before_line(reading->coarse, number));
	if (is_too_deep(&reading->fine, reading->fine_first, number, max_depth, deep))
		return true;
	hold_lines(reading, find_fine(reading, number));
	return false;
}

static uint64_t find_forwards(struct wm_trace_reading *reading, uint64_t number, uint32_t max_depth)
{
	struct deep deep;
	while (number < reading->coarse->lines) {
		if (can_pass(reading, number, max_depth, &deep)) {
			number = deep.end;
			continue;
		}
		for (; number - reading->first < reading->count; number++)
			if (reading->lines[number - reading->first].depth <= max_depth)
				return number;
	}
	return UINT64_MAX;
}

/* Among the lines before the number. */
static uint64_t find_backwards(
	struct wm_trace_reading *reading, uint64_t number, uint32_t max_depth)
{
	struct deep deep;
	while (number > 0) {
		if (can_pass(reading, number - 1, max_depth, &deep)) {
			number = deep.first;
			continue;
		}
		for (; number > reading->first; number--)
			if (reading->lines[number - 1 - reading->first].depth <= max_depth)
				return number - 1;
	}
	return UINT64_MAX;
}

uint64_t wm_trace_reading_find(
	struct wm_trace_reading *reading, uint64_t from, uint32_t max_depth, bool backwards)
{
	return backwards ? find_backwards(reading, from, max_depth)
			 : find_forwards(reading, from + 1, max_depth);
}

/* The numbers of the place's first and last execution in a walk over these lines. */
struct found {
	uint64_t first, last, times;
};

static void look_through(struct wm_trace_walk *walk, struct wm_trace_finder *finder,
	uint64_t number, uint64_t from, uint64_t end, struct found *found)
{
	while (number < end) {
		const struct wm_trace_step *step = wm_trace_walk_next(walk);
		if (step->kind == WM_TRACE_STEP_END)
			return;
		if (step->kind != WM_TRACE_STEP_BLOCK)
			continue;
		if (!wm_trace_finder_holds(finder, step->function, step->block)) {
			number += step->function->lines[step->block];
			continue;
		}
		const struct wm_function *function = step->function->function;
		for (uint32_t k = 0; k < function->blocks[step->block].position_count; k++) {
			if (!wm_trace_line_is_shown(function, step->block, k))
				continue;
			if (number >= from && number < end &&
				wm_trace_finder_is_at(finder, function, step->block, k)) {
				found->first = found->times++ ? found->first : number;
				found->last = number;
				if (found->times == finder->place->time)
					return;
			}
			number++;
		}
	}
}

uint64_t wm_trace_reading_next(struct wm_trace_reading *reading, uint64_t from,
	struct wm_trace_finder *finder, uint64_t *times)
{
	struct found found = {.times = 0};
	const struct wm_waypoints *coarse = reading->coarse;
	if (from < coarse->lines) {
		size_t stretch = wm_waypoints_before_line(coarse, from);
		wm_waypoint_restore(reading->walk, coarse, stretch);
		look_through(reading->walk, finder, coarse->points[stretch].lines, from,
			coarse->lines, &found);
	}
	*times = found.times;
	return found.times == finder->place->time ? found.last : UINT64_MAX;
}

uint64_t wm_trace_reading_previous(
	struct wm_trace_reading *reading, uint64_t from, struct wm_trace_finder *finder)
{
	const struct wm_waypoints *coarse = reading->coarse;
	const struct wm_trace_place all = {finder->place->file, finder->place->line, UINT64_MAX};
	const struct wm_trace_place *asked = finder->place;
	uint64_t last = UINT64_MAX;
	finder->place = &all;
	for (size_t stretch = wm_waypoints_before_line(coarse, from);
		from > 0 && last == UINT64_MAX; stretch--) {
		struct found found = {.times = 0};
		uint64_t first = coarse->points[stretch].lines;
		wm_waypoint_restore(reading->walk, coarse, stretch);
		look_through(reading->walk, finder, first, first, from, &found);
		if (found.times)
			last = found.last;
		from = stretch ? first : 0;
	}
	finder->place = asked;
	return last;
}

uint32_t wm_trace_reading_stack(struct wm_trace_reading *reading, uint64_t number,
	struct wm_trace_reading_frame *frames, uint32_t max_frames)
{
	struct wm_trace_lines lines = {.walk = reading->walk};
	struct wm_trace_line line;
	hold_stretch(reading, wm_waypoints_before_line(reading->coarse, number));
	size_t fine = find_fine(reading, number);
	wm_waypoint_restore(reading->walk, &reading->fine, fine);
	for (uint64_t i = reading->fine_first + reading->fine.points[fine].lines; i <= number; i++)
		if (!wm_trace_lines_next(&lines, &line))
			break;
	uint32_t depth = reading->walk->depth;
	for (uint32_t i = 0; i < depth && i < max_frames; i++) {
		const struct wm_trace_frame *frame = &reading->walk->frames[depth - 1 - i];
		frames[i] = (struct wm_trace_reading_frame){
			frame->function, frame->state == WM_FRAME_WAITING ? frame->call : WM_NONE};
	}
	return depth;
}

struct wm_trace_sought wm_trace_reading_seek(struct wm_trace_reading *reading, uint64_t number)
{
	size_t point = wm_waypoints_before_line(reading->coarse, number);
	struct wm_trace_sought sought = {.walk = reading->walk,
		.blocks = reading->coarse->points[point].blocks,
		.lines = reading->coarse->points[point].lines};
	wm_waypoint_restore(reading->walk, reading->coarse, point);
	while (sought.lines <= number) {
		const struct wm_trace_step *step = wm_trace_walk_next(reading->walk);
		if (step->kind == WM_TRACE_STEP_END)
			break;
		if (step->kind == WM_TRACE_STEP_BLOCK) {
			sought.blocks++;
			sought.lines += step->function->lines[step->block];
		}
	}
	return sought;
}

const struct wm_trace_step *wm_trace_reading_end(struct wm_trace_reading *reading)
{
	const struct wm_trace_step *step;
	wm_waypoint_restore(reading->walk, reading->coarse, reading->coarse->count - 1);
	do
		step = wm_trace_walk_next(reading->walk);
	while (step->kind != WM_TRACE_STEP_END);
	return step;
}
