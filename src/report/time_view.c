/* Time by falling share; work stands beside it, so that one sees where an instruction costs more
 * than elsewhere. */
#include "report/time_view.h"

#include <stdlib.h>

#include "report/listing.h"
#include "report/paint.h"
#include "report/text.h"

struct row {
	const struct wm_profile_function *function;
	const struct wm_time_tally *time;
};

struct printer {
	struct wm_arena arena;
	const struct wm_profile *profile;
	const struct wm_view_request *request;
	const struct wm_time *time;
	bool per_call; /* the one run that was counted was also recorded, by a clock */
	FILE *out;
};

static int compare_rows(const void *left, const void *right)
{
	const struct row *a = left, *b = right;
	if (a->time->weight > b->time->weight || a->time->weight < b->time->weight)
		return a->time->weight > b->time->weight ? -1 : 1;
	if (a->function->instructions != b->function->instructions)
		return a->function->instructions > b->function->instructions ? -1 : 1;
	return (a->function > b->function) - (a->function < b->function);
}

static void add_time(
	struct printer *printer, struct wm_listing *listing, const struct wm_time_tally *tally)
{
	wm_listing_add(listing, "%.1f%%", 100 * wm_time_share(printer->time, tally));
	wm_listing_add(listing, "±%.1f%%", 100 * wm_time_share_error(printer->time, tally));
}

/* Time by the work that took it: 1 is the program's mean. */
static void add_ratio(struct printer *printer, struct wm_listing *listing, const struct row *row)
{
	double inside = printer->time->program.weight,
	       work = (double)printer->profile->instructions;
	if (row->function->instructions == 0 || row->time->samples == 0 || inside <= 0)
		wm_listing_add(listing, "-");
	else
		wm_listing_add(listing, "%.2f",
			row->time->weight / inside / ((double)row->function->instructions / work));
}

static void add_per_call(struct wm_listing *listing, const struct row *row)
{
	double calls = (double)row->function->calls;
	if ((int64_t)row->function->calls <= 0 || row->time->samples == 0)
		wm_listing_add(listing, "-");
	else
		wm_listing_add(listing, "%s ns",
			wm_text_count((uint64_t)(row->time->weight / calls + 0.5)).text);
}

static void add_function(struct printer *printer, struct wm_listing *listing, const struct row *row)
{
	const struct wm_profile_function *function = row->function;
	wm_listing_add(
		listing, "%s", wm_text_short_name(&printer->arena, function->function->name));
	add_time(printer, listing, row->time);
	wm_listing_add(listing, "%s",
		wm_text_share(function->instructions, printer->profile->instructions).text);
	add_ratio(printer, listing, row);
	wm_listing_add(
		listing, "%s", function->block ? wm_text_count(function->calls).text : "not known");
	if (printer->per_call)
		add_per_call(listing, row);
}

static void print_functions(struct printer *printer)
{
	static const struct wm_column columns[] = {{.title = "function", .is_name = true},
		{.title = "time", .right = true}, {.title = "", .right = true},
		{.title = "work", .right = true}, {.title = "time/work", .right = true},
		{.title = "calls", .right = true}, {.title = "per call", .right = true}};
	const struct wm_profile *profile = printer->profile;
	struct row *rows = wm_arena_alloc(&printer->arena, profile->function_count, sizeof *rows);
	size_t count = 0, shown;
	for (uint32_t i = 0; i < profile->function_count; i++)
		if (profile->functions[i].instructions || printer->time->function[i].samples)
			rows[count++] =
				(struct row){&profile->functions[i], &printer->time->function[i]};
	if (count)
		qsort(rows, count, sizeof *rows, compare_rows);
	shown = count < printer->request->top ? count : printer->request->top;
	struct wm_listing listing = {.arena = &printer->arena,
		.columns = columns,
		.column_count = printer->per_call ? 7 : 6};
	for (size_t i = 0; i < shown; i++)
		add_function(printer, &listing, &rows[i]);
	wm_paint_title(printer->out, printer->request->colour, "Functions, by time");
	if (shown)
		wm_listing_print(&listing, printer->out, printer->request->colour);
	wm_listing_print_rest(printer->out, printer->request->colour, count - shown);
}

static void add_elsewhere(struct printer *printer, struct wm_listing *listing, const char *what,
	const struct wm_time_tally *tally)
{
	if (tally->samples == 0)
		return;
	add_time(printer, listing, tally);
	wm_listing_add(listing, "%s", what);
}

static void print_elsewhere(struct printer *printer)
{
	static const struct wm_column columns[] = {
		{.title = "time", .right = true}, {.title = "", .right = true}, {.title = "where"}};
	const struct wm_time *time = printer->time;
	struct wm_listing listing = {
		.arena = &printer->arena, .columns = columns, .column_count = 3};
	add_elsewhere(
		printer, &listing, "the program's code that was not counted", &time->other_code);
	add_elsewhere(
		printer, &listing, "the program's, in no one known function", &time->unplaced);
	size_t shown = time->outside_count < printer->request->top ? time->outside_count
								   : printer->request->top;
	for (size_t i = 0; i < shown; i++)
		add_elsewhere(printer, &listing, time->outside[i].name, &time->outside[i].time);
	wm_paint_title(
		printer->out, printer->request->colour, "Outside these: libraries and the kernel");
	if (listing.cell_count)
		wm_listing_print(&listing, printer->out, printer->request->colour);
	else
		fputs("  nothing\n", printer->out);
	wm_listing_print_rest(printer->out, printer->request->colour, time->outside_count - shown);
}

static void print_lines(struct printer *printer)
{
	static const struct wm_column columns[] = {{.title = "time", .right = true},
		{.title = "", .right = true}, {.title = "source", .keep_end = true, .widest = 32},
		{.title = "in", .is_name = true}};
	const struct wm_time *time = printer->time;
	struct wm_listing listing = {
		.arena = &printer->arena, .columns = columns, .column_count = 4};
	size_t shown =
		time->line_count < printer->request->top ? time->line_count : printer->request->top;
	for (size_t i = 0; i < shown; i++) {
		const struct wm_time_place *line = &time->lines[i];
		add_time(printer, &listing, &line->time);
		wm_listing_add(&listing, "%s:%u", line->name, line->line);
		wm_listing_add(&listing, "%s", wm_text_short_name(&printer->arena, line->function));
	}
	wm_paint_title(printer->out, printer->request->colour, "Source lines, by time");
	if (shown == 0)
		fputs("  no lines are known: the program was built without -g, or the samples "
		      "without offsets\n",
			printer->out);
	else
		wm_listing_print(&listing, printer->out, printer->request->colour);
	wm_listing_print_rest(printer->out, printer->request->colour, time->line_count - shown);
	if (time->without_line.samples > 0)
		fprintf(printer->out, "  %.1f%% of the time is at no known line\n",
			100 * wm_time_share(time, &time->without_line));
}

static void print_left_out(struct printer *printer)
{
	const struct wm_time *time = printer->time;
	if (time->other_events > 0)
		fprintf(printer->out, "  left out: %s sample%s of other events\n",
			wm_text_count(time->other_events).text, time->other_events == 1 ? "" : "s");
	if (time->other_programs > 0)
		fprintf(printer->out, "  left out: %s sample%s of commands that were never in %s\n",
			wm_text_count(time->other_programs).text,
			time->other_programs == 1 ? "" : "s", "this program");
}

/* What the figures mean, and what they do not. */
static void print_notes(struct printer *printer)
{
	fprintf(printer->out,
		"\nTime is of %s sample%s of %s; ± is the error that 95 of 100 recordings stay "
		"within.\nWork is exact. time/work is 1 where an instruction takes as long as the "
		"program's average.\nLines are those of the line table, where an optimised "
		"instruction may have its neighbour's;\nsamples tell no blocks and no paths, and "
		"none are guessed.\n",
		wm_text_count(printer->time->all.samples).text,
		printer->time->all.samples == 1 ? "" : "s",
		printer->time->event[0] ? wm_text_clean(&printer->arena, printer->time->event)
					: "an unnamed event");
	if (!printer->per_call && printer->time->nanoseconds)
		fprintf(printer->out,
			"Time per call is not shown: calls are of %s runs, the recording is of "
			"one.\n",
			wm_text_count(printer->profile->file.runs).text);
}

void wm_time_view_print(
	const struct wm_profile *profile, const struct wm_view_request *request, FILE *out)
{
	struct printer printer = {.profile = profile,
		.request = request,
		.time = request->time,
		.per_call = request->time->nanoseconds && profile->file.runs == 1,
		.out = out};
	print_functions(&printer);
	print_elsewhere(&printer);
	print_left_out(&printer);
	print_lines(&printer);
	print_notes(&printer);
	wm_arena_reset(&printer.arena);
}

static void write_tally(
	struct wm_json *json, const struct wm_time *time, const struct wm_time_tally *tally)
{
	wm_json_number(json, "samples", tally->samples);
	wm_json_real(json, "share", wm_time_share(time, tally));
	wm_json_real(json, "error", wm_time_share_error(time, tally));
}

void wm_time_json_tally(struct wm_json *json, const char *key, const struct wm_time *time,
	const struct wm_time_tally *tally)
{
	wm_json_begin_object(json, key);
	write_tally(json, time, tally);
	wm_json_end_object(json);
}

void wm_time_json_member(struct wm_json *json, const struct wm_time *time)
{
	wm_json_begin_object(json, "time");
	wm_json_text(json, "event", time->event);
	write_tally(json, time, &time->all);
	wm_json_number(json, "samples_of_other_events", time->other_events);
	wm_json_number(json, "samples_of_other_programs", time->other_programs);
	wm_time_json_tally(json, "not_counted", time, &time->other_code);
	wm_time_json_tally(json, "unplaced", time, &time->unplaced);
	wm_time_json_tally(json, "without_line", time, &time->without_line);
	wm_json_begin_array(json, "outside");
	for (size_t i = 0; i < time->outside_count; i++) {
		wm_json_begin_object(json, NULL);
		wm_json_text(json, "object", time->outside[i].name);
		write_tally(json, time, &time->outside[i].time);
		wm_json_end_object(json);
	}
	wm_json_end_array(json);
	wm_json_begin_array(json, "lines");
	for (size_t i = 0; i < time->line_count; i++) {
		wm_json_begin_object(json, NULL);
		wm_json_text(json, "file", time->lines[i].name);
		wm_json_number(json, "line", time->lines[i].line);
		wm_json_text(json, "function", time->lines[i].function);
		write_tally(json, time, &time->lines[i].time);
		wm_json_end_object(json);
	}
	wm_json_end_array(json);
	wm_json_end_object(json);
}
