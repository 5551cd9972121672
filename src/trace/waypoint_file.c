/* A head, then for each thread its waypoints, each with its frames. The head's hash covers what is
 * behind it. All numbers are checked none the less: a hash is no secret. */
#include "trace/waypoint_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/walk.h"

#define MAGIC "WMPOINT1"

struct head {
	char magic[8];
	uint64_t trace; /* what tells the trace */
	uint64_t hash;	/* of what follows */
	uint64_t threads;
};

struct thread_record {
	uint64_t points, blocks, lines, end;
};

struct point_record {
	uint64_t blocks, lines, position, unit;
	uint32_t kind, left, step_depth, started;
	uint32_t pending_passed, depth, shared, shallowest;
	uint32_t pending_entry, reserved; /* a function's number, plus 1; 0: none */
};

enum { FRAME_WAITS = 1, FRAME_IS_HANDLER = 2, FRAME_IS_RESUMED = 4, FRAME_FLAGS = 7 };

struct frame_record {
	uint32_t function, block, call, again, flags, reserved;
	uint64_t position, started;
};

const char *wm_waypoint_file_name(struct wm_arena *arena, const struct wm_trace_file *trace)
{
	size_t length = strlen(trace->path);
	char *name = wm_arena_alloc(arena, length + 5, 1);
	if (length > 4 && strcmp(trace->path + length - 4, ".wmt") == 0)
		length -= 4;
	memcpy(name, trace->path, length);
	memcpy(name + length, ".wmx", 5);
	return name;
}

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count)
{
	const uint8_t *byte = bytes;
	for (size_t i = 0; i < count; i++)
		hash = (hash ^ byte[i]) * WM_HASH_PRIME;
	return hash;
}

/* A trace that has gone on, or is another, has another number. */
static uint64_t hash_trace(const struct wm_trace_file *trace)
{
	const uint64_t facts[] = {trace->process, trace->status, trace->counters,
		trace->counter_count, trace->bytes, trace->modified};
	uint64_t hash = hash_bytes(WM_HASH_PRIME, facts, sizeof facts);
	hash = hash_bytes(hash, trace->build_id.byte, trace->build_id.bytes);
	for (uint32_t i = 0; i < trace->thread_count; i++) {
		const struct wm_trace_stream *control = &trace->threads[i].control;
		const uint64_t state[] = {control->number, control->position, control->cursor,
			control->calls, control->stopped};
		hash = hash_bytes(hash, state, sizeof state);
	}
	return hash;
}

static void put_frame(FILE *out, const struct wm_trace_frame *frame)
{
	const struct frame_record record = {.function = frame->function->number,
		.block = frame->block,
		.call = frame->call,
		.again = frame->again,
		.flags = (frame->state == WM_FRAME_WAITING ? FRAME_WAITS : 0u) |
			 (frame->is_handler ? FRAME_IS_HANDLER : 0u) |
			 (frame->resumed ? FRAME_IS_RESUMED : 0u),
		.position = frame->position,
		.started = frame->started};
	fwrite(&record, sizeof record, 1, out);
}

static void put_point(FILE *out, const struct wm_waypoint *point)
{
	const struct point_record record = {.blocks = point->blocks,
		.lines = point->lines,
		.position = point->position,
		.unit = point->unit,
		.kind = point->step.kind,
		.left = point->step.left,
		.step_depth = point->step.depth,
		.started = point->started,
		.pending_passed = point->pending_passed,
		.pending_entry = point->pending_entry ? point->pending_entry->number + 1 : 0,
		.depth = point->depth,
		.shared = point->shared,
		.shallowest = point->shallowest};
	fwrite(&record, sizeof record, 1, out);
	for (uint32_t i = 0; i < point->depth - point->shared; i++)
		put_frame(out, &point->frames[i]);
}

static void put_threads(
	FILE *out, const struct wm_trace_file *trace, const struct wm_waypoints *waypoints)
{
	for (uint32_t i = 0; i < trace->thread_count; i++) {
		const struct wm_waypoints *of = &waypoints[i];
		const struct thread_record record = {of->count, of->blocks, of->lines, of->end};
		fwrite(&record, sizeof record, 1, out);
		for (size_t k = 0; k < of->count; k++)
			put_point(out, &of->points[k]);
	}
}

/* Writes beside the place, and moves it there. */
static bool write_file(const char *path, const struct head *head, const char *body, size_t bytes)
{
	char temporary[4096];
	int length = snprintf(temporary, sizeof temporary, "%s.%ld", path, (long)getpid());
	FILE *out = length < (int)sizeof temporary ? fopen(temporary, "wbx") : NULL;
	if (!out)
		return false;
	bool whole = fwrite(head, sizeof *head, 1, out) == 1 && fwrite(body, bytes, 1, out) == 1;
	whole = !fclose(out) && whole && !rename(temporary, path);
	if (!whole)
		remove(temporary);
	return whole;
}

int wm_waypoint_file_write(const char *path, const struct wm_trace_file *trace,
	const struct wm_waypoints *waypoints, struct wm_error *error)
{
	char *body = NULL;
	size_t bytes = 0;
	bool whole = false;
	FILE *stream = open_memstream(&body, &bytes);
	if (stream) {
		put_threads(stream, trace, waypoints);
		struct head head = {.trace = hash_trace(trace), .threads = trace->thread_count};
		if (!fclose(stream)) {
			memcpy(head.magic, MAGIC, sizeof head.magic);
			head.hash = hash_bytes(WM_HASH_PRIME, body, bytes);
			whole = write_file(path, &head, body, bytes);
		}
	}
	int reason = errno;
	free(body);
	return whole ? 0
		     : wm_error_set(error, WM_ERROR_SYSTEM, "cannot write '%s': %s", path,
			       strerror(reason));
}

struct reader {
	struct wm_arena *arena;
	struct wm_trace_functions *functions;
	const uint8_t *next, *end;
};

static bool take(struct reader *reader, void *record, size_t bytes)
{
	if ((size_t)(reader->end - reader->next) < bytes)
		return false;
	memcpy(record, reader->next, bytes);
	reader->next += bytes;
	return true;
}

/* Whether the frame can be in that place of its function. */
static bool fits(const struct wm_trace_frame *frame)
{
	const struct wm_function *function = frame->function->function;
	const uint32_t *first = frame->function->graph.first_call;
	if (frame->block >= function->block_count || frame->call < first[frame->block] ||
		frame->call > first[frame->block + 1])
		return false;
	return frame->state == WM_FRAME_IN_BLOCK || frame->call < first[frame->block + 1];
}

/* NULL: its number is none, or it cannot be read. */
static const struct wm_traced_function *function_of(struct reader *reader, uint32_t number)
{
	struct wm_error reason;
	const struct wm_object *object = reader->functions->object;
	if (number >= object->function_count)
		return NULL;
	uint64_t counter = object->functions[number].first_counter;
	return wm_trace_function_at(
		reader->functions, (uint32_t)(reader->functions->counters + 8 * counter), &reason);
}

static bool take_frame(struct reader *reader, struct wm_trace_frame *frame)
{
	struct frame_record record;
	if (!take(reader, &record, sizeof record) || record.flags & ~(uint32_t)FRAME_FLAGS)
		return false;
	*frame = (struct wm_trace_frame){.function = function_of(reader, record.function),
		.block = record.block,
		.call = record.call,
		.again = record.again,
		.state = record.flags & FRAME_WAITS ? WM_FRAME_WAITING : WM_FRAME_IN_BLOCK,
		.is_handler = record.flags & FRAME_IS_HANDLER,
		.resumed = record.flags & FRAME_IS_RESUMED,
		.position = record.position,
		.started = record.started};
	return frame->function && fits(frame);
}

static bool take_step(const struct point_record *record, struct wm_trace_step *step)
{
	*step = (struct wm_trace_step){
		.kind = record->kind, .left = record->left, .depth = record->step_depth};
	return record->kind < WM_TRACE_STEP_END && record->left <= WM_TRACE_LEFT_EARLY;
}

static bool take_point(
	struct reader *reader, const struct wm_waypoint *before, struct wm_waypoint *point)
{
	struct point_record record;
	if (!take(reader, &record, sizeof record) || record.shared > record.depth ||
		record.shared > (before ? before->depth : 0) ||
		record.depth - record.shared >
			(size_t)(reader->end - reader->next) / sizeof(struct frame_record) ||
		(before && (record.blocks < before->blocks || record.lines < before->lines)))
		return false;
	*point = (struct wm_waypoint){.blocks = record.blocks,
		.lines = record.lines,
		.position = record.position,
		.unit = record.unit,
		.pending_passed = record.pending_passed,
		.started = record.started,
		.depth = record.depth,
		.shared = record.shared,
		.shallowest = record.shallowest};
	if (record.pending_entry &&
		!(point->pending_entry = function_of(reader, record.pending_entry - 1)))
		return false;
	uint32_t own = record.depth - record.shared;
	point->frames = wm_arena_alloc(reader->arena, own, sizeof *point->frames);
	for (uint32_t i = 0; i < own; i++)
		if (!take_frame(reader, &point->frames[i]))
			return false;
	if (point->pending_passed != WM_NONE &&
		(!own || point->pending_passed >=
				 point->frames[own - 1].function->graph.cfg->edge_count))
		return false;
	return take_step(&record, &point->step);
}

static bool take_thread(struct reader *reader, struct wm_waypoints *waypoints)
{
	struct thread_record record;
	if (!take(reader, &record, sizeof record) || record.points == 0 ||
		record.end > WM_TRACE_END_DAMAGED ||
		record.points > (size_t)(reader->end - reader->next) / sizeof(struct point_record))
		return false;
	*waypoints = (struct wm_waypoints){.arena = reader->arena,
		.count = record.points,
		.blocks = record.blocks,
		.lines = record.lines,
		.end = record.end,
		.points = wm_arena_alloc(reader->arena, record.points, sizeof *waypoints->points)};
	for (size_t i = 0; i < record.points; i++)
		if (!take_point(
			    reader, i ? &waypoints->points[i - 1] : NULL, &waypoints->points[i]))
			return false;
	return true;
}

struct wm_waypoints *wm_waypoint_file_parse(struct wm_arena *arena, const uint8_t *bytes,
	size_t count, const struct wm_trace_file *trace, struct wm_trace_functions *functions)
{
	struct head head;
	struct reader reader = {arena, functions, bytes, bytes + count};
	if (!take(&reader, &head, sizeof head) ||
		memcmp(head.magic, MAGIC, sizeof head.magic) != 0 ||
		head.trace != hash_trace(trace) || head.threads != trace->thread_count ||
		head.hash != hash_bytes(WM_HASH_PRIME, reader.next, count - sizeof head))
		return NULL;
	struct wm_waypoints *waypoints =
		wm_arena_alloc(arena, trace->thread_count, sizeof *waypoints);
	for (uint32_t i = 0; i < trace->thread_count; i++)
		if (!take_thread(&reader, &waypoints[i]))
			return NULL;
	return reader.next == reader.end ? waypoints : NULL;
}

struct wm_waypoints *wm_waypoint_file_read(struct wm_arena *arena, const char *path,
	const struct wm_trace_file *trace, struct wm_trace_functions *functions)
{
	enum { MAX_BYTES = 1 << 28 };
	struct wm_waypoints *waypoints = NULL;
	FILE *in = fopen(path, "rb");
	if (!in)
		return NULL;
	if (!fseek(in, 0, SEEK_END)) {
		long bytes = ftell(in);
		uint8_t *content = bytes > 0 && bytes < MAX_BYTES ? malloc((size_t)bytes) : NULL;
		rewind(in);
		if (content && fread(content, (size_t)bytes, 1, in) == 1)
			waypoints = wm_waypoint_file_parse(
				arena, content, (size_t)bytes, trace, functions);
		free(content);
	}
	fclose(in);
	return waypoints;
}
