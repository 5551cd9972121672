/* Sections of the modes that keep something else than counts of paths and edges: running sums,
 * traces, metrics, what calls do in all. */
#include "format/section_parts.h"

#include "core/counters/events.h"
#include "format/meters.h"

static void put_texts(struct wm_encoder *encoder, const char *const *texts, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		wm_encode_text(encoder, texts[i]);
}

static const char **get_texts(struct wm_decoder *decoder, uint32_t count)
{
	const char **texts = wm_arena_alloc(decoder->arena, count, sizeof *texts);
	for (uint32_t i = 0; i < count; i++)
		texts[i] = wm_decode_text(decoder);
	return texts;
}

bool wm_section_put_events(struct wm_encoder *encoder, const struct wm_function *function)
{
	const struct wm_events_section *section = function->events;
	if (!section)
		return false;
	wm_section_put_head(encoder, &section->head);
	wm_encode_number(encoder, section->kind_count);
	put_texts(encoder, section->kinds, section->kind_count);
	for (uint32_t i = 0; i < section->kind_count; i++)
		wm_encode_long(encoder, section->hashes[i]);
	return true;
}

void wm_section_get_events(struct wm_decoder *decoder, struct wm_function *function)
{
	struct wm_events_section *section = wm_arena_alloc(decoder->arena, 1, sizeof *section);
	section->head = wm_section_get_head(decoder, function);
	section->kind_count = wm_decode_count(decoder, 1);
	if (section->kind_count > WM_MAX_EVENT_KINDS ||
		section->head.counter_count != WM_EVENT_COUNTERS)
		wm_decode_fail(decoder, "it has not the counters of its running sums");
	section->kinds = get_texts(decoder, section->kind_count);
	section->hashes = wm_arena_alloc(decoder->arena, section->kind_count, sizeof(uint64_t));
	for (uint32_t i = 0; i < section->kind_count; i++)
		section->hashes[i] = wm_decode_long(decoder);
	function->events = section;
}

static bool has_callee(uint8_t class)
{
	return class == WM_CALL_KNOWN || class == WM_CALL_TAIL_KNOWN;
}

bool wm_section_put_trace(struct wm_encoder *encoder, const struct wm_function *function)
{
	const struct wm_trace_section *trace = function->trace;
	if (!trace)
		return false;
	wm_section_put_head(encoder, &trace->head);
	wm_encode_number(encoder, trace->is_inner);
	for (uint32_t i = 0; i < function->call_count; i++) {
		wm_encode_number(encoder, trace->call_class[i]);
		if (trace->call_class[i] == WM_CALL_INVOKE)
			wm_encode_number(encoder, trace->pad[i]);
		if (has_callee(trace->call_class[i]))
			wm_encode_long(encoder, trace->callee[i]);
	}
	for (uint32_t i = 0; i < function->edge_count; i++)
		wm_encode_number(encoder, trace->code[i]);
	return true;
}

/* Comes behind the calls, whose classes it has. */
void wm_section_get_trace(struct wm_decoder *decoder, struct wm_function *function)
{
	struct wm_trace_section *trace = wm_arena_alloc(decoder->arena, 1, sizeof *trace);
	trace->head = wm_section_get_head(decoder, function);
	trace->is_inner = wm_decode_below(decoder, 2, "a trace's flag is neither 0 nor 1");
	size_t calls = function->call_count, edges = function->edge_count;
	if ((size_t)(decoder->end - decoder->next) < calls + edges) {
		wm_decode_fail(decoder, "what a trace tells of some call or edge is missing");
		return;
	}
	trace->call_class = wm_arena_alloc(decoder->arena, calls, sizeof *trace->call_class);
	trace->pad = wm_arena_alloc(decoder->arena, calls, sizeof *trace->pad);
	trace->callee = wm_arena_alloc(decoder->arena, calls, sizeof *trace->callee);
	trace->code = wm_arena_alloc(decoder->arena, edges, sizeof *trace->code);
	for (size_t i = 0; i < calls; i++) {
		trace->call_class[i] = (uint8_t)wm_decode_below(
			decoder, WM_CALL_CLASS_LIMIT, "a call is of an unknown class");
		if (trace->call_class[i] == WM_CALL_INVOKE)
			trace->pad[i] = wm_decode_below(
				decoder, function->block_count, "exceptions land in no block");
		if (has_callee(trace->call_class[i]))
			trace->callee[i] = wm_decode_long(decoder);
	}
	for (size_t i = 0; i < edges; i++)
		trace->code[i] = wm_decode_number(decoder);
	if (trace->head.counter_count != 1)
		wm_decode_fail(decoder, "a traced function has one counter");
	function->trace = trace;
}

static void put_group(struct wm_encoder *encoder, const struct wm_meter_group *group)
{
	wm_encode_number(encoder, group->block);
	wm_encode_number(encoder, group->edge_count);
	for (uint32_t i = 0; i < group->edge_count; i++)
		wm_encode_number(encoder, group->edges[i]);
}

bool wm_section_put_meters(struct wm_encoder *encoder, const struct wm_function *function)
{
	const struct wm_meters_section *section = function->meters;
	if (!section)
		return false;
	wm_section_put_head(encoder, &section->head);
	wm_encode_number(encoder, section->meter_count);
	put_texts(encoder, section->meters, section->meter_count);
	wm_encode_number(encoder, section->group_count);
	for (uint32_t i = 0; i < section->group_count; i++)
		put_group(encoder, &section->groups[i]);
	return true;
}

static struct wm_meter_group get_group(
	struct wm_decoder *decoder, const struct wm_function *function)
{
	struct wm_meter_group group = {
		.block = wm_decode_below(decoder, function->block_count, "a group has no block")};
	group.edge_count = wm_decode_count(decoder, 1);
	group.edges = wm_arena_alloc(decoder->arena, group.edge_count, sizeof *group.edges);
	for (uint32_t i = 0; i < group.edge_count; i++)
		group.edges[i] =
			wm_decode_below(decoder, function->edge_count, "a group has no edge");
	return group;
}

/* Comes behind the paths, whose counters it has again. */
void wm_section_get_meters(struct wm_decoder *decoder, struct wm_function *function)
{
	struct wm_meters_section *section = wm_arena_alloc(decoder->arena, 1, sizeof *section);
	section->head = wm_section_get_head(decoder, function);
	section->meter_count = wm_decode_count(decoder, 1);
	section->meters = get_texts(decoder, section->meter_count);
	section->group_count = wm_decode_count(decoder, 2);
	section->groups =
		wm_arena_alloc(decoder->arena, section->group_count, sizeof *section->groups);
	for (uint32_t i = 0; i < section->group_count; i++)
		section->groups[i] = get_group(decoder, function);
	if (decoder->failed)
		return;
	uint64_t each = function->paths ? (uint64_t)function->paths->head.counter_count +
						  section->group_count
					: 0;
	if (!each || !section->meter_count || section->meter_count > WM_MAX_METERS ||
		section->head.counter_count != each * section->meter_count)
		wm_decode_fail(decoder, "its metrics are not those of its paths");
	else
		function->meters = section;
}

bool wm_section_put_inclusive(struct wm_encoder *encoder, const struct wm_function *function)
{
	const struct wm_inclusive_section *section = function->inclusive;
	if (!section)
		return false;
	wm_section_put_head(encoder, &section->head);
	wm_encode_number(encoder, section->kind_count);
	put_texts(encoder, section->kinds, section->kind_count);
	for (uint32_t i = 0; i < function->call_count; i++)
		wm_encode_number(encoder, section->seen[i]);
	return true;
}

/* Comes behind the calls. */
void wm_section_get_inclusive(struct wm_decoder *decoder, struct wm_function *function)
{
	struct wm_inclusive_section *section = wm_arena_alloc(decoder->arena, 1, sizeof *section);
	uint32_t calls = function->call_count;
	section->head = wm_section_get_head(decoder, function);
	section->kind_count = wm_decode_count(decoder, 1);
	if (section->kind_count > WM_MAX_EVENT_KINDS ||
		section->head.counter_count != (uint64_t)calls * (2 + section->kind_count)) {
		wm_decode_fail(decoder, "it has not the counters of its calls");
		return;
	}
	section->kinds = get_texts(decoder, section->kind_count);
	uint8_t *seen = wm_arena_alloc(decoder->arena, calls, sizeof *seen);
	for (uint32_t i = 0; i < calls && !decoder->failed; i++)
		seen[i] = (uint8_t)wm_decode_below(
			decoder, 2, "whether a call's return is seen is neither yes nor no");
	section->seen = seen;
	function->inclusive = section;
}
