/* Windows are numbers of lines; reading.c finds these. */
#include "trace/windows.h"

struct wm_trace_window wm_trace_window_last(const struct wm_trace_reading *reading, uint64_t count)
{
	uint64_t lines = wm_trace_reading_count(reading);
	count = count < lines ? count : lines;
	return (struct wm_trace_window){lines - count, count, UINT64_MAX};
}

struct wm_trace_window wm_trace_window_around(
	const struct wm_trace_reading *reading, uint64_t line, uint64_t count)
{
	uint64_t lines = wm_trace_reading_count(reading);
	uint64_t first = line > count ? line - count : 0;
	uint64_t behind = lines - 1 - line;
	return (struct wm_trace_window){
		first, line - first + 1 + (behind < count ? behind : count), line};
}

int wm_trace_window_between(struct wm_trace_reading *reading, struct wm_trace_finder *from,
	struct wm_trace_finder *to, struct wm_trace_window *window)
{
	uint64_t times;
	uint64_t first = wm_trace_reading_next(reading, 0, from, &times);
	if (first == UINT64_MAX)
		return 0;
	uint64_t last = wm_trace_reading_next(reading, first + 1, to, &times);
	uint64_t end = last == UINT64_MAX ? wm_trace_reading_count(reading) : last + 1;
	*window = (struct wm_trace_window){first, end - first, UINT64_MAX};
	return last == UINT64_MAX ? 1 : 2;
}
