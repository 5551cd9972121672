/* A row for each line. Columns are as wide as their widest cell; the text gets what is left of the
 * terminal's line. */
#include "report/story_view.h"

#include <inttypes.h>
#include <string.h>

#include "report/paint.h"
#include "report/terminal.h"
#include "report/text.h"

enum {
	NARROW = 100,
	TAB = 4,
	MAX_INDENT = 16,
	NARROWEST = 20,
	WIDEST_NOTE = 28,
	WIDEST_OUTCOME = 30,
	LEAST_DIGITS = 4
};

/* What a straight piece may have without being shortened. */
enum { SHORT_PIECE = 3 };

struct row {
	uint32_t line; /* 0: none */
	const char *text;
	const char *outcome;
	const char *share;
	const char *note;
	bool plain; /* nothing but text */
};

struct printer {
	struct wm_arena arena;
	const struct wm_story *story;
	struct wm_sources *sources;
	const struct wm_story_style *style;
	FILE *out;
	size_t *least; /* by depth: the smallest indentation of its lines */
	struct row *rows;
	size_t row_count;
};

const char *wm_story_share(struct wm_arena *arena, uint64_t part, uint64_t whole)
{
	double percent = 100.0 * (double)part / (double)whole;
	if (part >= whole)
		return "100%";
	if (percent >= 99.5)
		return ">99%";
	if (percent < 0.5)
		return part ? "<1%" : "0%";
	char *text = wm_arena_alloc(arena, 8, 1);
	snprintf(text, 8, "%d%%", (int)(percent + 0.5));
	return text;
}

static const char *join(
	struct wm_arena *arena, const char *first, const char *between, const char *second)
{
	if (!first[0] || !second[0])
		return first[0] ? first : second;
	size_t bytes = strlen(first) + strlen(between) + strlen(second) + 1;
	char *text = wm_arena_alloc(arena, bytes, 1);
	snprintf(text, bytes, "%s%s%s", first, between, second);
	return text;
}

static size_t indentation(const char *text)
{
	size_t column = 0;
	for (; *text == ' ' || *text == '\t'; text++)
		column = *text == '\t' ? (column / TAB + 1) * TAB : column + 1;
	return column;
}

static const char *text_of(struct printer *printer, const struct wm_story_line *line)
{
	return line->file[0] ? wm_sources_line(printer->sources, line->file, line->line) : "";
}

static void find_least(struct printer *printer)
{
	const struct wm_story *story = printer->story;
	size_t deepest = 0;
	for (size_t i = 0; i < story->count; i++)
		if (story->lines[i].depth > deepest)
			deepest = story->lines[i].depth;
	printer->least = wm_arena_alloc(&printer->arena, deepest + 1, sizeof *printer->least);
	for (size_t i = 0; i <= deepest; i++)
		printer->least[i] = SIZE_MAX;
	for (size_t i = 0; i < story->count; i++) {
		const char *text = text_of(printer, &story->lines[i]);
		size_t *least = &printer->least[story->lines[i].depth];
		if (text[0] && indentation(text) < *least)
			*least = indentation(text);
	}
}

/* The line as it stands in the text, moved to the left, with a bar for each inlined call. */
static const char *indented(struct printer *printer, const struct wm_story_line *line)
{
	const char *text = text_of(printer, line);
	const char *clean = wm_text_clean(&printer->arena, text);
	size_t least = printer->least[line->depth];
	size_t blanks = text[0] && indentation(text) > least ? indentation(text) - least : 0;
	blanks = blanks < MAX_INDENT ? blanks : MAX_INDENT;
	size_t bar = strlen("│ ");
	char *result =
		wm_arena_alloc(&printer->arena, line->depth * bar + blanks + strlen(clean) + 1, 1);
	char *next = result;
	for (uint32_t i = 0; i < line->depth; i++, next += bar)
		memcpy(next, "│ ", bar);
	memset(next, ' ', blanks);
	strcpy(next + blanks, clean);
	return result;
}

static bool is_repeated(const struct wm_story_line *line, size_t at)
{
	const struct wm_story_outcome *outcome = &line->outcomes[at];
	return at > 0 && strcmp(outcome->text, outcome[-1].text) == 0 &&
	       outcome->chosen == outcome[-1].chosen && outcome->decided == outcome[-1].decided;
}

/* What an unrolled loop repeats is said once. */
static const char *outcome_of(struct printer *printer, const struct wm_story_line *line)
{
	struct wm_arena *arena = &printer->arena;
	const char *all = "";
	for (size_t i = 0, next; i < line->outcome_count; i = next) {
		char times[32] = "";
		for (next = i + 1; next < line->outcome_count && is_repeated(line, next);)
			next++;
		if (next - i > 1)
			snprintf(times, sizeof times, " × %zu", next - i);
		const char *text = line->outcomes[i].text;
		if (times[0])
			text = join(arena, text, "", times);
		all = join(arena, all, ", ", text);
	}
	return all;
}

static const char *counts_of(struct wm_arena *arena, const struct wm_story_outcome *outcome,
	const char *share, bool brief)
{
	size_t bytes = strlen(share) + 2 * sizeof(struct wm_text) + 8;
	char *text = wm_arena_alloc(arena, bytes, 1);
	if (brief || outcome->chosen == outcome->decided)
		snprintf(text, bytes, "%s of %s", share, wm_text_count(outcome->decided).text);
	else
		snprintf(text, bytes, "%s: %s of %s", share, wm_text_count(outcome->chosen).text,
			wm_text_count(outcome->decided).text);
	return text;
}

/* The shares of all outcomes, or nothing if none is known. */
static const char *share_of(struct printer *printer, const struct wm_story_line *line)
{
	const char *text = "";
	bool known = false, brief = wm_terminal_width(printer->out) < NARROW;
	for (size_t i = 0; i < line->outcome_count; i++) {
		const struct wm_story_outcome *outcome = &line->outcomes[i];
		if (is_repeated(line, i))
			continue;
		known |= outcome->decided > 0;
		const char *share = outcome->decided == 0
					    ? "?"
					    : wm_story_share(&printer->arena, outcome->chosen,
						      outcome->decided);
		if (printer->style->counts && outcome->decided > 0 && line->outcome_count == 1)
			share = counts_of(&printer->arena, outcome, share, brief);
		text = join(&printer->arena, text, " · ", share);
	}
	return known ? text : "";
}

/* Which inlined function starts here, and what was folded. */
static const char *note_of(struct printer *printer, const struct wm_story_line *line)
{
	const char *in = "", *folded = "";
	if (line->function)
		in = join(&printer->arena, "in ", "",
			wm_text_end(&printer->arena, line->function, WIDEST_NOTE));
	if (line->folded > 0) {
		char *text = wm_arena_alloc(&printer->arena, 64, 1);
		snprintf(text, 64, "[%" PRIu32 " library branch%s]", line->folded,
			line->folded == 1 ? "" : "es");
		folded = text;
	}
	return join(&printer->arena, in, " ", folded);
}

static struct row row_of(struct printer *printer, const struct wm_story_line *line)
{
	if (line->text)
		return (struct row){.text = line->text, .outcome = "", .share = "", .note = ""};
	struct row row = {.line = line->line,
		.text = indented(printer, line),
		.outcome = outcome_of(printer, line),
		.share = share_of(printer, line),
		.note = note_of(printer, line)};
	row.plain = !row.outcome[0] && !row.note[0];
	return row;
}

/* Whether the row is inside a straight piece that is shown by its ends. */
static bool is_left_out(const struct row *rows, size_t count, size_t at)
{
	size_t first = at, last = at;
	while (first > 0 && rows[first - 1].plain)
		first--;
	while (last + 1 < count && rows[last + 1].plain)
		last++;
	return rows[at].plain && last - first + 1 > SHORT_PIECE && at > first && at < last;
}

static void make_rows(struct printer *printer)
{
	const struct wm_story *story = printer->story;
	struct row *rows = wm_arena_alloc(&printer->arena, story->count, sizeof *rows);
	bool gap = false;
	printer->rows = wm_arena_alloc(&printer->arena, story->count, sizeof *rows);
	for (size_t i = 0; i < story->count; i++)
		rows[i] = row_of(printer, &story->lines[i]);
	for (size_t i = 0; i < story->count; i++) {
		bool out = printer->style->brief && is_left_out(rows, story->count, i);
		if (out && !gap)
			printer->rows[printer->row_count++] =
				(struct row){.text = "...", .outcome = "", .share = "", .note = ""};
		gap = out;
		if (out)
			continue;
		printer->rows[printer->row_count++] = rows[i];
	}
}

static void put(FILE *out, const char *text, size_t wide, size_t *pending)
{
	size_t now = wm_text_width(text);
	if (text[0]) {
		fprintf(out, "%*s%s", (int)*pending, "", text);
		*pending = 0;
	}
	*pending += (now < wide ? wide - now : 0) + 2;
}

static size_t digits(uint32_t number)
{
	size_t count = 1;
	for (; number >= 10; number /= 10)
		count++;
	return count;
}

struct widths {
	size_t number, text, outcome, share;
};

static void widen(size_t *wide, const char *text)
{
	size_t now = wm_text_width(text);
	*wide = now > *wide ? now : *wide;
}

/* The text is as wide as it is or, if that is too much for some row, as the line allows. */
static struct widths measure(struct printer *printer)
{
	struct widths widths = {.number = LEAST_DIGITS};
	size_t line = wm_terminal_width(printer->out), note = 0;
	for (size_t i = 0; i < printer->row_count; i++) {
		const struct row *row = &printer->rows[i];
		if (row->line && digits(row->line) > widths.number)
			widths.number = digits(row->line);
		if (!row->outcome[0])
			continue;
		widen(&widths.text, row->text);
		widen(&widths.outcome, row->outcome);
		widen(&widths.share, row->share);
		widen(&note, row->note);
	}
	widths.outcome = widths.outcome < WIDEST_OUTCOME ? widths.outcome : WIDEST_OUTCOME;
	size_t used = printer->style->indent + widths.number + widths.outcome + widths.share +
		      note + (note ? 8 : 6);
	size_t room = line > used + NARROWEST ? line - used : NARROWEST;
	widths.text = widths.text < room ? widths.text : room;
	return widths;
}

/* The text, cut behind the last character that fits. */
static const char *fitted(struct wm_arena *arena, const char *text, size_t wide)
{
	if (wm_text_width(text) <= wide)
		return text;
	char *copy = wm_arena_alloc(arena, strlen(text) + 4, 1);
	size_t at = 0, characters = 0;
	for (; text[at] && characters + 3 < wide; characters++)
		for (at++; ((unsigned char)text[at] & 0xc0) == 0x80;)
			at++;
	memcpy(copy, text, at);
	strcpy(copy + at, "...");
	return copy;
}

/* Without an outcome the text may take the room of the other columns; a note stands behind it. */
static void print_text(struct printer *printer, const struct row *row, const struct widths *widths)
{
	size_t note = wm_text_width(row->note);
	size_t used = printer->style->indent + widths->number + 2 + (note ? note + 2 : 0);
	size_t line = wm_terminal_width(printer->out);
	size_t room = line > used + NARROWEST ? line - used : NARROWEST;
	bool colour = printer->style->colour;
	const char *text = fitted(&printer->arena, row->text, room);
	fprintf(printer->out, "%s%s", text[0] ? "  " : "", text);
	if (note)
		fprintf(printer->out, "  %s%s%s", wm_paint(colour, WM_PAINT_FAINT), row->note,
			wm_paint(colour, WM_PAINT_PLAIN));
	fputc('\n', printer->out);
}

static void print_row(struct printer *printer, const struct row *row, const struct widths *widths)
{
	FILE *out = printer->out;
	bool colour = printer->style->colour;
	size_t pending = 2;
	int blanks = (int)(printer->style->indent + widths->number);
	if (!row->line) {
		fprintf(out, "%*s  %s%s%s\n", blanks, "", wm_paint(colour, WM_PAINT_FAINT),
			row->text, wm_paint(colour, WM_PAINT_PLAIN));
		return;
	}
	fprintf(out, "%s%*" PRIu32 "%s", wm_paint(colour, WM_PAINT_FAINT), blanks, row->line,
		wm_paint(colour, WM_PAINT_PLAIN));
	if (!row->outcome[0]) {
		print_text(printer, row, widths);
		return;
	}
	put(out, fitted(&printer->arena, row->text, widths->text), widths->text, &pending);
	fputs(wm_paint(colour, WM_PAINT_HOT), out);
	put(out, fitted(&printer->arena, row->outcome, widths->outcome), widths->outcome, &pending);
	fputs(wm_paint(colour, WM_PAINT_PLAIN), out);
	put(out, row->share, widths->share, &pending);
	size_t done = (size_t)blanks + widths->text + widths->outcome + widths->share + 8;
	size_t line = wm_terminal_width(out);
	if (row->note[0] && done < line)
		fprintf(out, "%*s%s%s%s", (int)pending, "", wm_paint(colour, WM_PAINT_FAINT),
			fitted(&printer->arena, row->note, line - done),
			wm_paint(colour, WM_PAINT_PLAIN));
	fputc('\n', out);
}

void wm_story_print(const struct wm_story *story, struct wm_sources *sources,
	const struct wm_story_style *style, FILE *out)
{
	struct printer printer = {.story = story, .sources = sources, .style = style, .out = out};
	find_least(&printer);
	make_rows(&printer);
	struct widths widths = measure(&printer);
	size_t shown = printer.row_count;
	bool cut = style->max_rows && shown > style->max_rows;
	for (size_t i = 0; i < shown; i++) {
		if (cut && i == style->max_rows - 2) {
			fprintf(out, "%*s  %s... %zu more lines%s\n",
				(int)(style->indent + widths.number), "",
				wm_paint(style->colour, WM_PAINT_FAINT), shown - 1 - i,
				wm_paint(style->colour, WM_PAINT_PLAIN));
			i = shown - 1;
		}
		print_row(&printer, &printer.rows[i], &widths);
	}
	wm_arena_reset(&printer.arena);
}
