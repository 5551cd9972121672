/* The calls of the description, which leaves out those that the compiler expands itself. */
#include "llvm/mode/events_calls.h"

#include "llvm/probe/measured_calls.h"
#include "llvm/subject/call_sites.h"

const struct wm_inclusive_section *wm_events_calls_describe(
	const struct wm_subject *subject, struct wm_measure measure)
{
	const struct wm_capture *capture = subject->capture;
	const struct wm_summed_kinds *kinds = &subject->options->events;
	uint32_t calls = subject->described.call_count, at = 0;
	struct wm_inclusive_section *section = wm_arena_alloc(subject->arena, 1, sizeof *section);
	uint8_t *seen = wm_arena_alloc(subject->arena, calls, sizeof *seen);
	if (!calls)
		return NULL;
	*section = (struct wm_inclusive_section){.head = {measure, 0, calls * (2 + kinds->count)},
		.kind_count = kinds->count,
		.kinds = wm_arena_alloc(subject->arena, kinds->count, sizeof *section->kinds),
		.seen = seen};
	for (uint32_t k = 0; k < kinds->count; k++)
		section->kinds[k] = kinds->list[k].word;
	for (uint32_t i = 0; i < capture->call_count; i++)
		if (wm_call_sites_has(&capture->calls[i]))
			seen[at++] = wm_measured_call_is_seen(subject, &capture->calls[i]);
	return section;
}

void wm_events_calls_lower(struct wm_lowerer *lowerer, const struct wm_inclusive_section *section,
	LLVMValueRef counters)
{
	const struct wm_capture *capture = lowerer->subject->capture;
	struct wm_arena *arena = lowerer->subject->arena;
	uint32_t at = 0, kinds = section->kind_count;
	for (uint32_t i = 0; i < capture->call_count; i++) {
		if (!wm_call_sites_has(&capture->calls[i]))
			continue;
		struct wm_measured_call *measured = wm_arena_alloc(arena, 1, sizeof *measured);
		*measured = (struct wm_measured_call){
			.counters = counters, .first = at * (2 + kinds), .kind_count = kinds};
		if (section->seen[at++])
			measured->before = wm_arena_alloc(arena, kinds, sizeof(LLVMValueRef));
		wm_lowerer_measure_call(lowerer, &capture->calls[i], measured);
	}
}
