/* All sections of a description, in the order in which they are written: the code and its text, its
 * calls (format/call_sites.h), then modes. */
#include "format/sections.h"

#include <string.h>

#include "format/section_parts.h"

const struct wm_section_codec wm_section_codecs[] = {
	{WM_SECTION_SOURCE, wm_section_put_source, wm_section_get_source, 0},
	{WM_SECTION_CALLS, wm_call_sites_encode, wm_call_sites_decode, 0},
	{WM_SECTION_CONTEXTS, wm_section_put_contexts, wm_section_get_contexts, 0},
	{WM_SECTION_CODE, wm_section_put_code, wm_section_get_code, 0},
	{WM_SECTION_WORK, wm_section_put_all_work, wm_section_get_all_work, 0},
	{WM_SECTION_MARKS, wm_section_put_marks, wm_section_get_marks, 0},
	{WM_SECTION_MARK_SUMS, wm_section_put_mark_sums, wm_section_get_mark_sums, 0},
	{WM_SECTION_PSEUDO_PROBES, wm_pseudo_probes_encode, wm_pseudo_probes_decode, 0},
	{WM_SECTION_POINTER_CALLS, wm_pointer_calls_encode, wm_pointer_calls_decode, 0},
	{WM_SECTION_COUNTERS, wm_section_put_counters, wm_section_get_counters,
		offsetof(struct wm_function, counters)},
	{WM_SECTION_PATHS, wm_section_put_paths, wm_section_get_paths,
		offsetof(struct wm_function, paths)},
	{WM_SECTION_SUMS, wm_section_put_sums, wm_section_get_sums,
		offsetof(struct wm_function, sums)},
	{WM_SECTION_ORACLE, wm_section_put_oracle, wm_section_get_oracle,
		offsetof(struct wm_function, oracle)},
	{WM_SECTION_EVENTS, wm_section_put_events, wm_section_get_events,
		offsetof(struct wm_function, events)},
	{WM_SECTION_TRACE, wm_section_put_trace, wm_section_get_trace,
		offsetof(struct wm_function, trace)},
	{WM_SECTION_METERS, wm_section_put_meters, wm_section_get_meters,
		offsetof(struct wm_function, meters)},
	{WM_SECTION_SENTINELS, wm_section_put_sentinels, wm_section_get_sentinels,
		offsetof(struct wm_function, sentinels)},
	{WM_SECTION_INCLUSIVE, wm_section_put_inclusive, wm_section_get_inclusive,
		offsetof(struct wm_function, inclusive)},
};

const size_t wm_section_codec_count = sizeof wm_section_codecs / sizeof *wm_section_codecs;

/* A mode's section starts with its head. */
static const struct wm_section *head_of(
	const struct wm_function *function, const struct wm_section_codec *codec)
{
	const void *section = NULL;
	if (codec->member)
		memcpy(&section, (const char *)function + codec->member, sizeof section);
	return section;
}

const struct wm_section *wm_function_section(
	const struct wm_function *function, enum wm_section_tag tag)
{
	for (size_t i = 0; i < wm_section_codec_count; i++)
		if (wm_section_codecs[i].tag == tag)
			return head_of(function, &wm_section_codecs[i]);
	return NULL;
}

const struct wm_section *wm_function_measured(const struct wm_function *function)
{
	const struct wm_section *head = NULL;
	for (size_t i = 0; i < wm_section_codec_count && !head; i++)
		head = head_of(function, &wm_section_codecs[i]);
	return head;
}
