/* What keys do, and their reading without a terminal. The screen is cli/step_screen.c. */
#include "cli/step.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/step_screen.h"
#include "names/text_name.h"

const char *const wm_step_help[] = {
	"n  next line, over calls            p  previous line, over calls",
	"s  next line, into calls            b  previous line, into calls",
	"u  up: the line that called         f  finish: the line after this function",
	"/[FILE:]LINE  next execution of it  \\[FILE:]LINE  the previous one",
	"g  first line of the trace          G  last line",
	"A number before a key repeats it. / and \\ alone search again.   q  quit",
	NULL,
};

static void go_to(struct wm_step *step, uint64_t line, const char *message)
{
	if (line == UINT64_MAX)
		step->message = message;
	else
		step->at = line;
}

static uint32_t depth_of(struct wm_step *step)
{
	return wm_trace_reading_line(step->reading, step->at)->depth;
}

static void go_over_calls(struct wm_step *step, bool backwards)
{
	go_to(step, wm_trace_reading_find(step->reading, step->at, depth_of(step), backwards),
		backwards ? "nothing before this line is as far out"
			  : "nothing behind this line is as far out");
}

static void go_out(struct wm_step *step, bool backwards)
{
	uint32_t depth = depth_of(step);
	uint64_t found =
		depth == 0 ? UINT64_MAX
			   : wm_trace_reading_find(step->reading, step->at, depth - 1, backwards);
	go_to(step, found,
		backwards ? "no line of the trace called this function"
			  : "no line follows this function");
}

static void go_into_calls(struct wm_step *step, bool backwards)
{
	if (backwards)
		go_to(step, step->at ? step->at - 1 : UINT64_MAX, "the trace starts here");
	else
		go_to(step,
			step->at + 1 < wm_trace_reading_count(step->reading) ? step->at + 1
									     : UINT64_MAX,
			step->end);
}

/* [FILE:]LINE; a line alone is of the file at hand. */
static bool parse_place(struct wm_step *step, const char *text, struct wm_trace_place *place)
{
	char *copy = wm_arena_copy_text(step->arena, text), *colon = strrchr(copy, ':'), *end;
	const char *number = colon ? colon + 1 : copy;
	unsigned long line = strtoul(number, &end, 10);
	if (colon)
		*colon = 0;
	*place = (struct wm_trace_place){
		.file = colon ? copy
			      : wm_trace_line_file(wm_trace_reading_line(step->reading, step->at)),
		.line = (uint32_t)line,
		.time = 1};
	return *number >= '0' && *number <= '9' && !*end && line > 0 && line <= UINT32_MAX;
}

static void search(struct wm_step *step, bool backwards, const char *text)
{
	struct wm_trace_place place = step->searched;
	struct wm_trace_finder finder;
	uint64_t times;
	if (*text && !parse_place(step, text, &place)) {
		step->message = "search for LINE or FILE:LINE";
		return;
	}
	if (!place.line) {
		step->message = "nothing was searched for yet: give LINE or FILE:LINE";
		return;
	}
	step->searched = place;
	wm_trace_finder_start(step->arena, step->functions, &place, &finder);
	go_to(step,
		backwards ? wm_trace_reading_previous(step->reading, step->at, &finder)
			  : wm_trace_reading_next(step->reading, step->at + 1, &finder, &times),
		backwards ? "it did not run before" : "it does not run from here on");
}

static void press(struct wm_step *step, char key, const char *text)
{
	switch (key) {
	case 'n':
	case 'p':
		go_over_calls(step, key == 'p');
		break;
	case 's':
	case 'b':
		go_into_calls(step, key == 'b');
		break;
	case 'u':
	case 'f':
		go_out(step, key == 'u');
		break;
	case '/':
	case '\\':
		search(step, key == '\\', text);
		break;
	case 'g':
		step->at = 0;
		break;
	case 'G':
		step->at = wm_trace_reading_count(step->reading) - 1;
		break;
	case 'q':
		step->ended = true;
		break;
	default:
		step->message = "? shows the keys";
	}
}

void wm_step_key(struct wm_step *step, char key, uint64_t times, const char *text)
{
	step->message = "";
	for (uint64_t i = 0; i < times && !*step->message && !step->ended; i++)
		press(step, key, text);
}

static void print_place(struct wm_step *step)
{
	const struct wm_trace_line line = *wm_trace_reading_line(step->reading, step->at);
	const char *file = wm_trace_line_file(&line), *slash = strrchr(file, '/');
	const char *text = wm_sources_line(step->sources, file, line.at->line);
	while (*text == ' ' || *text == '\t')
		text++;
	if (*step->message)
		printf("%s\n", step->message);
	printf("%" PRIu64 "  %*s%s  %s:%" PRIu32 "  %s\n", step->at + 1, (int)(2 * line.depth), "",
		wm_text_short_name(step->arena, line.function->function->name),
		slash ? slash + 1 : file, line.at->line, text);
}

/* The rest of the line. */
static void read_text(char *text, size_t room)
{
	size_t used = 0;
	for (int c; (c = getchar()) != EOF && c != '\n';)
		if (used + 1 < room)
			text[used++] = (char)c;
	text[used] = 0;
}

static void run_without_screen(struct wm_step *step)
{
	char text[4096];
	uint64_t times = 0;
	print_place(step);
	for (int key; !step->ended && (key = getchar()) != EOF;) {
		text[0] = 0;
		if (key >= '0' && key <= '9' && times < UINT32_MAX) {
			times = 10 * times + (uint64_t)(key - '0');
			continue;
		}
		if (key == ' ' || key == '\n' || key == '\r' || key == '\t')
			continue;
		if (key == '/' || key == '\\')
			read_text(text, sizeof text);
		if (key == '?') {
			for (int i = 0; wm_step_help[i]; i++)
				puts(wm_step_help[i]);
		} else {
			wm_step_key(step, (char)key, times ? times : 1, text);
			if (!step->ended)
				print_place(step);
		}
		times = 0;
	}
}

void wm_step_run(struct wm_step *step)
{
	step->message = "";
	if (wm_step_screen_is_there())
		wm_step_screen_run(step);
	else
		run_without_screen(step);
}
