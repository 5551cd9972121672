/* Chrome's trace events: B where a function is entered, E where it is left, and the name of each
 * thread. */
#include "core/base/none.h"
#include "export/timeline.h"
#include "report/json.h"

struct writer {
	struct wm_json json;
	const struct wm_timeline *timeline;
};

static void begin_event(struct writer *writer, const char *phase, const char *category,
	const char *name, const struct wm_timeline_thread *thread)
{
	wm_json_begin_object(&writer->json, NULL);
	wm_json_text(&writer->json, "ph", phase);
	wm_json_text(&writer->json, "cat", category);
	wm_json_text(&writer->json, "name", name);
	wm_json_number(&writer->json, "pid", writer->timeline->process);
	wm_json_number(&writer->json, "tid", thread->number);
}

static void write_name(struct writer *writer, const struct wm_timeline_thread *thread)
{
	begin_event(writer, "M", "__metadata", "thread_name", thread);
	wm_json_number(&writer->json, "ts", 0);
	wm_json_begin_object(&writer->json, "args");
	wm_json_text(&writer->json, "name", writer->timeline->program);
	wm_json_end_object(&writer->json);
	wm_json_end_object(&writer->json);
}

static void write_entered(struct writer *writer, const struct wm_timeline_thread *thread,
	const struct wm_frame *frame, uint64_t time)
{
	struct wm_json *json = &writer->json;
	begin_event(writer, "B", "function", frame->name, thread);
	wm_json_number(json, "ts", time);
	if (frame->file[0]) {
		wm_json_begin_object(json, "args");
		wm_json_text(json, "file", frame->file);
		wm_json_number(json, "line", frame->line);
		wm_json_end_object(json);
	}
	wm_json_end_object(json);
}

static void write_left(struct writer *writer, const struct wm_timeline_thread *thread,
	const struct wm_frame *frame, uint64_t time)
{
	begin_event(writer, "E", "function", frame->name, thread);
	wm_json_number(&writer->json, "ts", time);
	wm_json_end_object(&writer->json);
}

static void write_thread(struct writer *writer, const struct wm_timeline_thread *thread)
{
	struct wm_arena arena = {0};
	uint32_t *active = NULL;
	size_t depth = 0, capacity = 0;
	const struct wm_frame *frames = writer->timeline->frames;
	write_name(writer, thread);
	for (size_t i = 0; i < thread->count; i++) {
		const struct wm_timeline_event *event = &thread->events[i];
		if (event->frame != WM_NONE) {
			active = wm_arena_grow(&arena, active, depth, &capacity, sizeof *active);
			active[depth++] = event->frame;
			write_entered(writer, thread, &frames[event->frame], event->time);
		} else if (depth > 0) {
			write_left(writer, thread, &frames[active[--depth]], event->time);
		}
	}
	while (depth > 0)
		write_left(writer, thread, &frames[active[--depth]], thread->end);
	wm_arena_reset(&arena);
}

void wm_export_chrome(const struct wm_timeline *timeline, FILE *out)
{
	struct writer writer = {.json = {.out = out}, .timeline = timeline};
	struct wm_json *json = &writer.json;
	wm_json_begin_object(json, NULL);
	wm_json_text(json, "displayTimeUnit", "ns");
	wm_json_begin_object(json, "otherData");
	wm_json_text(json, "writer", "waymark");
	wm_json_text(json, "version", timeline->version);
	wm_json_text(json, "time", "a microsecond stands for a block of code that ran");
	wm_json_end_object(json);
	wm_json_begin_array(json, "traceEvents");
	for (uint32_t i = 0; i < timeline->thread_count; i++)
		write_thread(&writer, &timeline->threads[i]);
	wm_json_end_array(json);
	wm_json_end_object(json);
}
