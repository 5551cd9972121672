/* pprof's profile.proto, compressed as gzip does.
 *
 * A sample is a stack, its leaf first, with a value for each metric. A location is a place in the
 * code: a line of a function and, if that was inlined, the lines of its calls up to the function
 * that holds the code. The line of a leaf is not known: its cost was spent in all of them. */
#include <string.h>
#include <zlib.h>

#include "core/base/none.h"
#include "export/format.h"
#include "core/base/intern.h"
#include "export/protobuf.h"
#include "export/stacks.h"

/* Numbers of fields in profile.proto. */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_COMMENT = 13,
	TYPE_TYPE = 1,
	TYPE_UNIT = 2,
	SAMPLE_LOCATION = 1,
	SAMPLE_VALUE = 2,
	MAPPING_ID = 1,
	MAPPING_LIMIT = 3,
	MAPPING_FILE = 5,
	MAPPING_BUILD_ID = 6,
	MAPPING_HAS_FUNCTIONS = 7,
	MAPPING_HAS_INLINE_FRAMES = 10,
	LOCATION_ID = 1,
	LOCATION_MAPPING = 2,
	LOCATION_LINE = 4,
	LINE_FUNCTION = 1,
	LINE_LINE = 2,
	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
	FUNCTION_SYSTEM_NAME = 3,
	FUNCTION_FILE = 4,
	FUNCTION_START_LINE = 5
};

struct writer {
	struct wm_arena arena;
	struct wm_message profile, sample, list, inner, innermost;
	struct wm_intern strings, locations;
	struct wm_stacks stacks;
	uint32_t *key; /* of a location: pairs of frame and line, the innermost first */
	size_t key_capacity;
};

static uint64_t string_of(struct writer *writer, const char *text)
{
	return wm_intern_text(&writer->strings, text);
}

static void write_types(struct writer *writer, const struct wm_export_request *request)
{
	for (uint32_t metric = 0; metric < WM_METRIC_COUNT; metric++) {
		if (!request->only[metric])
			continue;
		wm_message_number(
			&writer->inner, TYPE_TYPE, string_of(writer, wm_metric_texts[metric].name));
		wm_message_number(&writer->inner, TYPE_UNIT, string_of(writer, "count"));
		wm_message_inner(&writer->profile, PROFILE_SAMPLE_TYPE, &writer->inner);
	}
}

/* Mappings have the numbers of parts + 1. Without a range of addresses pprof takes a mapping for
 * none, so each gets a page. */
static void write_mappings(struct writer *writer, const struct wm_export_data *data)
{
	for (uint32_t i = 0; i < data->part_count; i++) {
		const struct wm_object *object = &data->parts[i].profile->object;
		struct wm_build_id_text id = wm_build_id_text(&object->build_id);
		wm_message_number(&writer->inner, MAPPING_ID, i + 1);
		wm_message_number(&writer->inner, MAPPING_LIMIT, 4096);
		wm_message_number(&writer->inner, MAPPING_FILE, string_of(writer, object->path));
		wm_message_number(&writer->inner, MAPPING_BUILD_ID, string_of(writer, id.text));
		for (uint32_t field = MAPPING_HAS_FUNCTIONS; field <= MAPPING_HAS_INLINE_FRAMES;
			field++)
			wm_message_number(&writer->inner, field, 1);
		wm_message_inner(&writer->profile, PROFILE_MAPPING, &writer->inner);
	}
}

static void write_functions(struct writer *writer)
{
	for (uint32_t i = 0; i < writer->stacks.frame_count; i++) {
		const struct wm_frame *frame = &writer->stacks.frames[i];
		const char *linker_name = frame->linker_name[0] ? frame->linker_name : frame->name;
		wm_message_number(&writer->inner, FUNCTION_ID, i + 1);
		wm_message_number(&writer->inner, FUNCTION_NAME, string_of(writer, frame->name));
		wm_message_number(
			&writer->inner, FUNCTION_SYSTEM_NAME, string_of(writer, linker_name));
		wm_message_number(&writer->inner, FUNCTION_FILE, string_of(writer, frame->file));
		wm_message_number(&writer->inner, FUNCTION_START_LINE, frame->line);
		wm_message_inner(&writer->profile, PROFILE_FUNCTION, &writer->inner);
	}
}

static void write_location(struct writer *writer, uint32_t number, size_t used)
{
	uint32_t part = writer->stacks.frames[writer->key[0]].part;
	wm_message_number(&writer->inner, LOCATION_ID, number + 1);
	if (part != WM_NONE)
		wm_message_number(&writer->inner, LOCATION_MAPPING, part + 1);
	for (size_t i = 0; i < used; i += 2) {
		wm_message_number(&writer->innermost, LINE_FUNCTION, writer->key[i] + 1);
		wm_message_number(&writer->innermost, LINE_LINE, writer->key[i + 1]);
		wm_message_inner(&writer->inner, LOCATION_LINE, &writer->innermost);
	}
	wm_message_inner(&writer->profile, PROFILE_LOCATION, &writer->inner);
}

static void add_to_key(struct writer *writer, size_t used, uint32_t number)
{
	writer->key = wm_arena_grow(
		&writer->arena, writer->key, used, &writer->key_capacity, sizeof *writer->key);
	writer->key[used] = number;
}

/* The location of a line in the stack's frame. *stack becomes the stack that called the function
 * that holds it, and *line the line of that call. */
static uint32_t find_location(struct writer *writer, uint32_t *stack, uint32_t *line)
{
	const struct wm_stacks *stacks = &writer->stacks;
	uint32_t known = writer->locations.count;
	size_t used = 0;
	bool inlined = true;
	while (inlined && *stack != WM_NONE) {
		uint32_t frame = stacks->list[*stack].frame;
		inlined = stacks->frames[frame].inlined;
		add_to_key(writer, used++, frame);
		add_to_key(writer, used++, *line);
		*line = stacks->list[*stack].line;
		*stack = stacks->list[*stack].parent;
	}
	uint32_t number = wm_intern(&writer->locations, writer->key, used * sizeof *writer->key);
	if (number == known)
		write_location(writer, number, used);
	return number;
}

static bool has_cost(
	const struct wm_stacks *stacks, uint32_t stack, const struct wm_export_request *request)
{
	for (uint32_t metric = 0; metric < WM_METRIC_COUNT; metric++)
		if (request->only[metric] && stacks->own[metric][stack])
			return true;
	return false;
}

static void write_sample(
	struct writer *writer, uint32_t stack, const struct wm_export_request *request)
{
	uint32_t place = stack, line = 0;
	while (place != WM_NONE)
		wm_message_varint(&writer->list, find_location(writer, &place, &line) + 1);
	wm_message_inner(&writer->sample, SAMPLE_LOCATION, &writer->list);
	for (uint32_t metric = 0; metric < WM_METRIC_COUNT; metric++)
		if (request->only[metric])
			wm_message_varint(&writer->list, writer->stacks.own[metric][stack]);
	wm_message_inner(&writer->sample, SAMPLE_VALUE, &writer->list);
	wm_message_inner(&writer->profile, PROFILE_SAMPLE, &writer->sample);
}

/* The strings come last, since all others add to them. */
static void write_strings(struct writer *writer)
{
	for (uint32_t i = 0; i < writer->strings.count; i++)
		wm_message_bytes(&writer->profile, PROFILE_STRING, writer->strings.keys[i].bytes,
			writer->strings.keys[i].count);
}

static void *take_memory(void *arena, uInt count, uInt size)
{
	return wm_arena_alloc_unset(arena, count, size);
}

static void keep_memory(void *arena, void *memory)
{
	(void)arena, (void)memory;
}

/* With memory from an arena nothing can fail. */
static void write_compressed(struct writer *writer, FILE *out)
{
	enum { GZIP = 16 + MAX_WBITS, MEMORY_LEVEL = 8, MAX_PIECE = 1 << 30 };
	uint8_t buffer[1 << 14];
	size_t left = writer->profile.used;
	z_stream stream = {.next_in = writer->profile.bytes,
		.zalloc = take_memory,
		.zfree = keep_memory,
		.opaque = &writer->arena};
	int status = deflateInit2(
		&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP, MEMORY_LEVEL, Z_DEFAULT_STRATEGY);
	while (status == Z_OK) {
		if (!stream.avail_in) {
			stream.avail_in = left < MAX_PIECE ? (uInt)left : MAX_PIECE;
			left -= stream.avail_in;
		}
		stream.next_out = buffer;
		stream.avail_out = sizeof buffer;
		status = deflate(&stream, left ? Z_NO_FLUSH : Z_FINISH);
		fwrite(buffer, 1, sizeof buffer - stream.avail_out, out);
	}
	deflateEnd(&stream);
}

void wm_export_pprof(
	const struct wm_export_data *data, const struct wm_export_request *request, FILE *out)
{
	struct writer writer = {.stacks = wm_stacks_make(data, true)};
	writer.profile.arena = writer.sample.arena = writer.list.arena = &writer.arena;
	writer.inner.arena = writer.innermost.arena = &writer.arena;
	writer.strings.arena = writer.locations.arena = &writer.arena;
	string_of(&writer, ""); /* the first one must be empty */
	write_types(&writer, request);
	write_mappings(&writer, data);
	for (uint32_t i = 0; i < writer.stacks.count; i++)
		if (has_cost(&writer.stacks, i, request))
			write_sample(&writer, i, request);
	write_functions(&writer);
	write_strings(&writer);
	write_compressed(&writer, out);
	wm_arena_reset(&writer.arena);
}
