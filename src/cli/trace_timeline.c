/* A function is a frame of the viewer. What was active where the window starts is entered there. */
#include "cli/trace_timeline.h"

#include <string.h>

#include "cli/whole_file.h"
#include "core/base/none.h"
#include "export/timeline.h"
#include "names/text_name.h"

struct wm_trace_timeline {
	struct wm_arena *arena;
	struct wm_timeline made;
	size_t frame_capacity, thread_capacity;
	uint32_t *frame_of; /* by function of the object; WM_NONE: not met yet */
	struct wm_timeline_event *events;
	size_t count, capacity; /* of the thread at hand */
};

struct wm_trace_timeline *wm_trace_timeline_start(
	struct wm_arena *arena, const struct wm_trace_functions *functions)
{
	struct wm_trace_timeline *timeline = wm_arena_alloc(arena, 1, sizeof *timeline);
	timeline->arena = arena;
	timeline->frame_of = wm_none_array(arena, functions->object->function_count);
	return timeline;
}

static uint32_t frame_of(
	struct wm_trace_timeline *timeline, const struct wm_traced_function *traced)
{
	const struct wm_function *function = traced->function;
	struct wm_timeline *made = &timeline->made;
	uint32_t *frame = &timeline->frame_of[traced->number];
	if (*frame != WM_NONE)
		return *frame;
	made->frames = wm_arena_grow(timeline->arena, made->frames, made->frame_count,
		&timeline->frame_capacity, sizeof *made->frames);
	made->frames[made->frame_count] =
		(struct wm_frame){.name = wm_text_short_name(timeline->arena, function->name),
			.linker_name = function->name,
			.file = function->scope_count ? function->scopes[0].file : "",
			.line = function->scope_count ? function->scopes[0].line : 0};
	return *frame = made->frame_count++;
}

static void add_event(struct wm_trace_timeline *timeline, uint64_t time, uint32_t frame)
{
	timeline->events = wm_arena_grow(timeline->arena, timeline->events, timeline->count,
		&timeline->capacity, sizeof *timeline->events);
	timeline->events[timeline->count++] = (struct wm_timeline_event){time, frame};
}

/* Until the last line of the window has run. Returns the blocks before that moment. */
static uint64_t add_steps(
	struct wm_trace_timeline *timeline, struct wm_trace_sought sought, uint64_t end)
{
	const struct wm_trace_step *step;
	while (sought.lines < end &&
		(step = wm_trace_walk_next(sought.walk))->kind != WM_TRACE_STEP_END) {
		if (step->kind == WM_TRACE_STEP_ENTER) {
			add_event(timeline, sought.blocks, frame_of(timeline, step->function));
		} else if (step->kind == WM_TRACE_STEP_LEAVE) {
			add_event(timeline, sought.blocks, WM_NONE);
		} else if (step->kind == WM_TRACE_STEP_BLOCK) {
			sought.blocks++;
			sought.lines += step->function->lines[step->block];
		}
	}
	return sought.blocks;
}

void wm_trace_timeline_add(struct wm_trace_timeline *timeline, uint32_t thread,
	struct wm_trace_reading *reading, const struct wm_trace_window *window)
{
	struct wm_timeline *made = &timeline->made;
	struct wm_trace_sought sought = wm_trace_reading_seek(reading, window->first);
	timeline->events = NULL;
	timeline->count = timeline->capacity = 0;
	for (uint32_t i = 0; i < wm_trace_walk_depth(sought.walk); i++)
		add_event(timeline, sought.blocks - 1,
			frame_of(timeline, wm_trace_walk_function(sought.walk, i)));
	uint64_t end = add_steps(timeline, sought, window->first + window->count);
	made->threads = wm_arena_grow(timeline->arena, made->threads, made->thread_count,
		&timeline->thread_capacity, sizeof *made->threads);
	made->threads[made->thread_count++] =
		(struct wm_timeline_thread){thread, end, timeline->count, timeline->events};
}

void wm_trace_timeline_write(struct wm_trace_timeline *timeline, const struct wm_trace_file *file,
	const char *format, const char *path)
{
	struct wm_whole_file output;
	const char *slash = strrchr(file->object_path, '/');
	timeline->made.program = slash ? slash + 1 : file->object_path;
	timeline->made.version = WAYMARK_VERSION;
	timeline->made.process = file->process;
	wm_whole_file_begin(&output, path);
	if (strcmp(format, "chrome") == 0)
		wm_export_chrome(&timeline->made, output.stream);
	else
		wm_export_firefox_timeline(timeline->arena, &timeline->made, output.stream);
	wm_whole_file_end(&output);
}
