/* Firefox Profiler's processed profile, version 60: tables of columns that name each other's rows
 * by number, and a thread for each metric. A sample is a stack, and its weight is the stack's own
 * cost; the time of a sample says nothing but its place in the list. Newer profilers bring the file
 * up to their version. */
#include "core/base/none.h"
#include "export/format.h"
#include "core/base/intern.h"
#include "export/stacks.h"
#include "export/timeline.h"
#include "report/json.h"

enum { FORMAT_VERSION = 60, GECKO_VERSION = 31, LIBRARY = 1 };

enum category { FUNCTION, INLINED, OTHER };

static const struct {
	const char *name, *colour;
} categories[] = {[FUNCTION] = {"Function", "yellow"},
	[INLINED] = {"Inlined", "green"},
	[OTHER] = {"Other", "grey"}};

struct writer {
	struct wm_json json;
	struct wm_arena scratch;
	const struct wm_export_data *data;
	const struct wm_stacks *stacks;
	struct wm_intern strings, sources; /* sources: keys are numbers of strings */
	const char **text;		   /* by string */
	size_t text_capacity;
	uint32_t *name;	  /* by frame, a string */
	uint32_t *source; /* by frame; WM_NONE: not known */
	uint32_t *object; /* by part, the string of its name */
};

static uint32_t string_of(struct writer *writer, const char *text)
{
	uint32_t count = writer->strings.count;
	uint32_t string = wm_intern_text(&writer->strings, text);
	if (string == count) {
		writer->text = wm_arena_grow(&writer->scratch, writer->text, count,
			&writer->text_capacity, sizeof *writer->text);
		writer->text[string] = text;
	}
	return string;
}

static void collect_strings(struct writer *writer)
{
	uint32_t frames = writer->stacks->frame_count;
	writer->name = wm_arena_alloc(&writer->scratch, frames, sizeof *writer->name);
	writer->source = wm_arena_alloc(&writer->scratch, frames, sizeof *writer->source);
	writer->object =
		wm_arena_alloc(&writer->scratch, writer->data->part_count, sizeof *writer->object);
	for (uint32_t i = 0; i < frames; i++) {
		const struct wm_frame *frame = &writer->stacks->frames[i];
		uint32_t file = frame->file[0] ? string_of(writer, frame->file) : WM_NONE;
		writer->name[i] = string_of(writer, frame->name);
		writer->source[i] =
			file == WM_NONE ? WM_NONE : wm_intern(&writer->sources, &file, sizeof file);
	}
	for (uint32_t i = 0; i < writer->data->part_count; i++)
		writer->object[i] = string_of(writer, writer->data->parts[i].name);
}

/* A value of a column; WM_NONE is null. */
static void put(struct wm_json *json, uint32_t value)
{
	if (value == WM_NONE)
		wm_json_null(json, NULL);
	else
		wm_json_number(json, NULL, value);
}

static void write_constant(struct wm_json *json, const char *column, uint32_t value, uint32_t count)
{
	wm_json_begin_array(json, column);
	for (uint32_t i = 0; i < count; i++)
		put(json, value);
	wm_json_end_array(json);
}

static void write_column(
	struct wm_json *json, const char *column, const uint32_t *values, uint32_t count)
{
	wm_json_begin_array(json, column);
	for (uint32_t i = 0; i < count; i++)
		put(json, values[i]);
	wm_json_end_array(json);
}

static void write_false(struct wm_json *json, const char *column, uint32_t count)
{
	wm_json_begin_array(json, column);
	for (uint32_t i = 0; i < count; i++)
		wm_json_flag(json, NULL, false);
	wm_json_end_array(json);
}

static void write_stacks(struct writer *writer)
{
	struct wm_json *json = &writer->json;
	const struct wm_stacks *stacks = writer->stacks;
	wm_json_begin_object(json, "stackTable");
	wm_json_number(json, "length", stacks->count);
	wm_json_begin_array(json, "prefix");
	for (uint32_t i = 0; i < stacks->count; i++)
		put(json, stacks->list[i].parent);
	wm_json_end_array(json);
	wm_json_begin_array(json, "frame");
	for (uint32_t i = 0; i < stacks->count; i++)
		put(json, stacks->list[i].frame);
	wm_json_end_array(json);
	wm_json_end_object(json);
}

static enum category category_of(const struct wm_frame *frame)
{
	return frame->part == WM_NONE ? OTHER : frame->inlined ? INLINED : FUNCTION;
}

/* A frame is a function here: the lines of its calls are not told apart. */
static void write_frames(struct writer *writer)
{
	static const char *const unknown[] = {"nativeSymbol", "innerWindowID", "line", "column"};
	struct wm_json *json = &writer->json;
	uint32_t count = writer->stacks->frame_count;
	wm_json_begin_object(json, "frameTable");
	wm_json_number(json, "length", count);
	wm_json_begin_array(json, "address");
	for (uint32_t i = 0; i < count; i++)
		wm_json_signed(json, NULL, -1);
	wm_json_end_array(json);
	write_constant(json, "inlineDepth", 0, count);
	wm_json_begin_array(json, "category");
	for (uint32_t i = 0; i < count; i++)
		put(json, category_of(&writer->stacks->frames[i]));
	wm_json_end_array(json);
	write_constant(json, "subcategory", 0, count);
	wm_json_begin_array(json, "func");
	for (uint32_t i = 0; i < count; i++)
		put(json, i);
	wm_json_end_array(json);
	for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
		write_constant(json, unknown[i], WM_NONE, count);
	wm_json_end_object(json);
}

static void write_functions(struct writer *writer)
{
	struct wm_json *json = &writer->json;
	const struct wm_frame *frames = writer->stacks->frames;
	uint32_t count = writer->stacks->frame_count;
	wm_json_begin_object(json, "funcTable");
	wm_json_number(json, "length", count);
	write_column(json, "name", writer->name, count);
	write_false(json, "isJS", count);
	write_false(json, "relevantForJS", count);
	wm_json_begin_array(json, "resource");
	for (uint32_t i = 0; i < count; i++)
		wm_json_signed(
			json, NULL, frames[i].part == WM_NONE ? -1 : (int64_t)frames[i].part);
	wm_json_end_array(json);
	write_column(json, "source", writer->source, count);
	wm_json_begin_array(json, "lineNumber");
	for (uint32_t i = 0; i < count; i++)
		put(json, frames[i].line ? frames[i].line : WM_NONE);
	wm_json_end_array(json);
	write_constant(json, "columnNumber", WM_NONE, count);
	wm_json_end_object(json);
}

/* Program and libraries. */
static void write_resources(struct writer *writer)
{
	struct wm_json *json = &writer->json;
	uint32_t count = writer->data->part_count;
	wm_json_begin_object(json, "resourceTable");
	wm_json_number(json, "length", count);
	write_constant(json, "lib", WM_NONE, count);
	write_column(json, "name", writer->object, count);
	write_constant(json, "host", WM_NONE, count);
	write_constant(json, "type", LIBRARY, count);
	wm_json_end_object(json);
}

static void write_empty(struct wm_json *json, const char *key, const char *const *columns)
{
	wm_json_begin_object(json, key);
	wm_json_number(json, "length", 0);
	for (; *columns; columns++)
		write_constant(json, *columns, 0, 0);
	wm_json_end_object(json);
}

static void write_sources(struct writer *writer)
{
	struct wm_json *json = &writer->json;
	wm_json_begin_object(json, "sources");
	wm_json_number(json, "length", writer->sources.count);
	write_constant(json, "uuid", WM_NONE, writer->sources.count);
	wm_json_begin_array(json, "filename");
	for (uint32_t i = 0; i < writer->sources.count; i++)
		put(json, *(const uint32_t *)writer->sources.keys[i].bytes);
	wm_json_end_array(json);
	wm_json_end_object(json);
}

static void write_shared(struct writer *writer)
{
	static const char *const symbols[] = {"libIndex", "address", "name", "functionSize", NULL};
	struct wm_json *json = &writer->json;
	wm_json_begin_object(json, "shared");
	wm_json_begin_array(json, "stringArray");
	for (uint32_t i = 0; i < writer->strings.count; i++)
		wm_json_text(json, NULL, writer->text[i]);
	wm_json_end_array(json);
	write_stacks(writer);
	write_frames(writer);
	write_functions(writer);
	write_resources(writer);
	write_empty(json, "nativeSymbols", symbols);
	write_sources(writer);
	wm_json_end_object(json);
}

/* A thread of the file: where it was, sample by sample. */
struct samples {
	const char *name;
	uint32_t number;
	size_t count;
	const uint32_t *stack; /* WM_NONE: nothing was active */
	const uint64_t *weight;
	const double *time; /* in milliseconds; NULL: 0, 1, 2 and so on */
};

static void write_samples(struct wm_json *json, const struct samples *samples)
{
	wm_json_begin_object(json, "samples");
	wm_json_text(json, "weightType", "samples");
	wm_json_begin_array(json, "stack");
	for (size_t i = 0; i < samples->count; i++)
		put(json, samples->stack[i]);
	wm_json_end_array(json);
	wm_json_begin_array(json, "weight");
	for (size_t i = 0; i < samples->count; i++)
		wm_json_number(json, NULL, samples->weight[i]);
	wm_json_end_array(json);
	wm_json_begin_array(json, "time");
	for (size_t i = 0; i < samples->count; i++)
		wm_json_real(json, NULL, samples->time ? samples->time[i] : (double)i);
	wm_json_end_array(json);
	wm_json_number(json, "length", samples->count);
	wm_json_end_object(json);
}

static void write_thread(struct writer *writer, const struct samples *samples)
{
	static const char *const markers[] = {
		"data", "name", "startTime", "endTime", "phase", "category", NULL};
	struct wm_json *json = &writer->json;
	wm_json_begin_object(json, NULL);
	wm_json_text(json, "name", samples->name);
	wm_json_text(json, "processType", "default");
	wm_json_text(json, "processName", writer->data->parts[0].name);
	wm_json_flag(json, "isMainThread", true);
	wm_json_text(json, "pid", "1");
	wm_json_number(json, "tid", samples->number);
	wm_json_number(json, "processStartupTime", 0);
	wm_json_null(json, "processShutdownTime");
	wm_json_number(json, "registerTime", 0);
	wm_json_null(json, "unregisterTime");
	write_constant(json, "pausedRanges", 0, 0);
	write_samples(json, samples);
	write_empty(json, "markers", markers);
	wm_json_end_object(json);
}

/* A sample for each stack that costs something by itself. */
static void write_metric(struct writer *writer, enum wm_metric metric)
{
	const uint64_t *own = writer->stacks->own[metric];
	uint32_t count = writer->stacks->count, used = 0;
	uint32_t *stack = wm_arena_alloc(&writer->scratch, count, sizeof *stack);
	uint64_t *weight = wm_arena_alloc(&writer->scratch, count, sizeof *weight);
	for (uint32_t i = 0; i < count; i++)
		if (own[i]) {
			stack[used] = i;
			weight[used++] = own[i];
		}
	write_thread(writer, &(struct samples){.name = wm_metric_texts[metric].name,
				     .number = metric + 1,
				     .count = used,
				     .stack = stack,
				     .weight = weight});
}

static void write_categories(struct wm_json *json)
{
	wm_json_begin_array(json, "categories");
	for (size_t i = 0; i < sizeof categories / sizeof *categories; i++) {
		wm_json_begin_object(json, NULL);
		wm_json_text(json, "name", categories[i].name);
		wm_json_text(json, "color", categories[i].colour);
		wm_json_begin_array(json, "subcategories");
		wm_json_text(json, NULL, "Other");
		wm_json_end_array(json);
		wm_json_end_object(json);
	}
	wm_json_end_array(json);
}

static void write_meta(struct writer *writer, const char *version, double interval)
{
	char importer[64];
	struct wm_json *json = &writer->json;
	snprintf(importer, sizeof importer, "waymark %s", version);
	wm_json_begin_object(json, "meta");
	wm_json_number(json, "preprocessedProfileVersion", FORMAT_VERSION);
	wm_json_number(json, "version", GECKO_VERSION);
	wm_json_text(json, "product", writer->data->parts[0].name);
	wm_json_text(json, "importedFrom", importer);
	wm_json_real(json, "interval", interval);
	wm_json_number(json, "startTime", 0);
	wm_json_number(json, "processType", 0);
	wm_json_number(json, "stackwalk", 1);
	wm_json_flag(json, "symbolicated", true);
	wm_json_flag(json, "symbolicationNotSupported", true);
	wm_json_flag(json, "usesOnlyOneStackType", true);
	wm_json_flag(json, "sourceCodeIsNotOnSearchfox", true);
	write_categories(json);
	write_constant(json, "markerSchema", 0, 0);
	wm_json_end_object(json);
}

/* What comes before the threads. */
static void begin(struct writer *writer, const char *version, double interval)
{
	writer->strings.arena = writer->sources.arena = &writer->scratch;
	collect_strings(writer);
	wm_json_begin_object(&writer->json, NULL);
	write_meta(writer, version, interval);
	write_constant(&writer->json, "libs", 0, 0);
	write_shared(writer);
	wm_json_begin_array(&writer->json, "threads");
}

static void end(struct writer *writer)
{
	wm_json_end_array(&writer->json);
	wm_json_end_object(&writer->json);
	wm_arena_reset(&writer->scratch);
}

void wm_export_firefox(
	const struct wm_export_data *data, const struct wm_export_request *request, FILE *out)
{
	const struct wm_stacks stacks = wm_stacks_make(data, false);
	struct writer writer = {.json = {.out = out}, .data = data, .stacks = &stacks};
	begin(&writer, request->version, 1);
	for (enum wm_metric metric = 0; metric < WM_METRIC_COUNT; metric++)
		if (request->only[metric])
			write_metric(&writer, metric);
	end(&writer);
}

/* A stack is known by its frame and what is below it. */
struct stack_key {
	uint32_t parent, frame;
};

struct sampler {
	struct wm_arena *arena;
	struct wm_intern stacks;
	struct wm_stacks made;
	size_t capacity;
};

static uint32_t stack_on(struct sampler *sampler, uint32_t parent, uint32_t frame)
{
	const struct stack_key key = {parent, frame};
	uint32_t count = sampler->stacks.count;
	uint32_t stack = wm_intern(&sampler->stacks, &key, sizeof key);
	if (stack == count) {
		sampler->made.list = wm_arena_grow(sampler->arena, sampler->made.list, count,
			&sampler->capacity, sizeof *sampler->made.list);
		sampler->made.list[stack] = (struct wm_stack){.parent = parent, .frame = frame};
		sampler->made.count = count + 1;
	}
	return stack;
}

/* A sample at each event, which weighs the time up to the next one; and one where the thread ends.
 */
static struct samples sample(struct sampler *sampler, const struct wm_timeline_thread *thread)
{
	struct samples samples = {.number = thread->number, .count = thread->count + 1};
	uint32_t *stack = wm_arena_alloc(sampler->arena, samples.count, sizeof *stack);
	double *time = wm_arena_alloc(sampler->arena, samples.count, sizeof *time);
	uint64_t *weight = wm_arena_alloc(sampler->arena, samples.count, sizeof *weight);
	uint32_t now = WM_NONE;
	for (size_t i = 0; i < thread->count; i++) {
		const struct wm_timeline_event *event = &thread->events[i];
		if (event->frame != WM_NONE)
			now = stack_on(sampler, now, event->frame);
		else if (now != WM_NONE)
			now = sampler->made.list[now].parent;
		stack[i] = now;
		time[i] = (double)event->time / 1000;
		weight[i] = (i + 1 < thread->count ? event[1].time : thread->end) - event->time;
	}
	stack[thread->count] = WM_NONE;
	time[thread->count] = (double)thread->end / 1000;
	samples.stack = stack;
	samples.weight = weight;
	samples.time = time;
	return samples;
}

void wm_export_firefox_timeline(
	struct wm_arena *arena, const struct wm_timeline *timeline, FILE *out)
{
	struct wm_export_part part = {.name = timeline->program};
	const struct wm_export_data data = {.arena = arena, .part_count = 1, .parts = &part};
	struct sampler sampler = {.arena = arena, .stacks.arena = arena};
	struct samples *samples = wm_arena_alloc(arena, timeline->thread_count, sizeof *samples);
	char name[32];
	for (uint32_t i = 0; i < timeline->thread_count; i++)
		samples[i] = sample(&sampler, &timeline->threads[i]);
	sampler.made.frame_count = timeline->frame_count;
	sampler.made.frames = timeline->frames;
	struct writer writer = {.json = {.out = out}, .data = &data, .stacks = &sampler.made};
	begin(&writer, timeline->version, 0.001);
	for (uint32_t i = 0; i < timeline->thread_count; i++) {
		snprintf(name, sizeof name, "thread %u", samples[i].number);
		samples[i].name = name;
		write_thread(&writer, &samples[i]);
	}
	end(&writer);
}
