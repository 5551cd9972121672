/* Limits are compared as whole numbers; percentages of messages are for people. */
#include "cli/budget_check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/nearest.h"
#include "names/text_name.h"
#include "report/count_view.h"
#include "report/snapshot_change.h"
#include "report/text.h"

/* What may be counted, bounds included. */
struct allowed {
	uint64_t low;
	uint64_t high;
};

static bool is_file(const char *path, const char *word)
{
	size_t length = strlen(path), bytes = strlen(word);
	if (length < bytes || strcmp(path + length - bytes, word) != 0)
		return false;
	return length == bytes || path[length - bytes - 1] == '/';
}

/* The functions of a snapshot that a budget is about. */
struct chosen {
	const struct wm_budget *budget;
	enum wm_text_name_fit fit; /* the best that a function of the snapshot has */
};

static enum wm_text_name_fit fit_of(
	const struct wm_budget *budget, const struct wm_snapshot_function *function)
{
	if (budget->file && !is_file(function->file, budget->file))
		return WM_TEXT_NAME_NONE;
	return wm_text_name_fit(budget->function, function->name);
}

static struct chosen choose(const struct wm_budget *budget, const struct wm_snapshot *snapshot)
{
	struct chosen chosen = {budget, WM_TEXT_NAME_NONE};
	for (size_t i = 0; budget->scope == WM_BUDGET_FUNCTION && i < snapshot->function_count;
		i++) {
		enum wm_text_name_fit fit = fit_of(budget, &snapshot->functions[i]);
		chosen.fit = fit > chosen.fit ? fit : chosen.fit;
	}
	return chosen;
}

static bool is_chosen(const struct wm_snapshot_function *function, const void *context)
{
	const struct chosen *chosen = context;
	switch (chosen->budget->scope) {
	case WM_BUDGET_PROGRAM:
		return true;
	case WM_BUDGET_FILE:
	case WM_BUDGET_LINE:
		return is_file(function->file, chosen->budget->file);
	case WM_BUDGET_FUNCTION:
		break;
	}
	return chosen->fit != WM_TEXT_NAME_NONE && fit_of(chosen->budget, function) == chosen->fit;
}

/* What was counted of the functions or the program; false if there is no such function. */
static bool add_functions(const struct chosen *chosen, const struct wm_snapshot *snapshot,
	size_t kind, struct wm_interval *count, uint64_t *calls, struct wm_place *place)
{
	bool whole = chosen->budget->scope == WM_BUDGET_PROGRAM;
	*count = whole ? snapshot->totals[kind] : wm_interval_of(0);
	*calls = 0;
	for (size_t i = 0; !whole && i < snapshot->function_count; i++) {
		const struct wm_snapshot_function *function = &snapshot->functions[i];
		if (!is_chosen(function, chosen))
			continue;
		*count = wm_interval_add(*count, function->counts[kind]);
		*calls += function->entered;
		if (!place->line)
			*place = (struct wm_place){function->file, function->line};
	}
	return whole || chosen->fit != WM_TEXT_NAME_NONE;
}

/* The same of a file or line; false if no code of it is in the program. */
static bool add_lines(const struct wm_budget_run *run, const struct wm_budget *budget, size_t kind,
	struct wm_interval *count, struct wm_place *place)
{
	size_t lines;
	bool found = false;
	const struct wm_tally_line *list =
		wm_tally_lines(run->arena, run->profile, &run->snapshot->kinds, &lines);
	*count = wm_interval_of(0);
	for (size_t i = 0; i < lines; i++) {
		bool of_line =
			budget->scope == WM_BUDGET_FILE || list[i].line == budget->source_line;
		if (!of_line || !is_file(list[i].file, budget->file))
			continue;
		*count = wm_interval_add(*count, list[i].counts[kind]);
		if (!found)
			*place = (struct wm_place){list[i].file, budget->source_line};
		found = true;
	}
	return found;
}

static const char *format(struct wm_arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static const char *format(struct wm_arena *arena, const char *format, ...)
{
	char text[1024];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	return wm_arena_copy_text(arena, text);
}

/* Why nothing was counted. */
static const char *not_there(const struct wm_budget_run *run, const struct wm_budget *budget)
{
	struct wm_nearest nearest = {.word = budget->function};
	if (budget->scope == WM_BUDGET_LINE)
		return format(run->arena, "the program has no code of line %" PRIu32 " of %s",
			budget->source_line, budget->file);
	if (budget->scope == WM_BUDGET_FILE)
		return format(run->arena, "the program has no code of %s", budget->file);
	for (size_t i = 0; i < run->snapshot->function_count; i++) {
		const char *name = run->snapshot->functions[i].name;
		wm_nearest_offer(&nearest, wm_text_short_name(run->arena, name));
	}
	return format(run->arena,
		"the program has no function '%s'%s%s%s%s; did it go, or was it inlined?",
		budget->function, budget->file ? " in " : "", budget->file ? budget->file : "",
		nearest.best ? "; the nearest is " : "", nearest.best ? nearest.best : "");
}

static const struct wm_budget_base *base_of(
	const struct wm_budget_run *run, const struct wm_budget *budget)
{
	const struct wm_budget_base *base = budget->base ? NULL : run->otherwise;
	for (size_t i = 0; budget->base && i < run->base_count; i++)
		if (strcmp(run->bases[i].name, budget->base) == 0)
			base = &run->bases[i];
	return base && base->there ? base : NULL;
}

static uint64_t saturating(unsigned __int128 number)
{
	return number > INT64_MAX ? INT64_MAX : (uint64_t)number;
}

static struct allowed allow(const struct wm_budget *budget, uint64_t value, uint64_t calls)
{
	unsigned __int128 room = (unsigned __int128)value * budget->share / WM_BUDGET_WHOLE;
	uint64_t high = saturating((unsigned __int128)value * (budget->per_call ? calls : 1) +
				   (budget->base ? room : 0));
	switch (budget->relation) {
	case WM_BUDGET_AT_MOST:
		return (struct allowed){0, high};
	case WM_BUDGET_AT_LEAST:
		return (struct allowed){high, INT64_MAX};
	case WM_BUDGET_EXACTLY:
		return (struct allowed){high, high};
	case WM_BUDGET_WITHIN:
		break;
	}
	return (struct allowed){value - (value > room ? (uint64_t)room : value), high};
}

/* Such as 1,320,115 (2.4 per call); of what is known only within bounds, these. */
static const char *count_text(struct wm_arena *arena, const struct wm_budget_verdict *verdict)
{
	const struct wm_budget *budget = verdict->budget;
	struct wm_interval count = verdict->count;
	const char *low = wm_count_text(arena, wm_interval_of(count.low));
	if (!wm_interval_is_exact(count))
		return format(arena, "%s to %s %s", low,
			count.high == WM_NO_HIGH ? "?"
						 : wm_count_text(arena, wm_interval_of(count.high)),
			budget->kind.name);
	if (!budget->per_call)
		return format(arena, "%s %s", low, budget->kind.name);
	return format(arena, "%s %s in %s calls, %.4g per call", low, budget->kind.name,
		wm_text_count(verdict->calls).text,
		verdict->calls ? (double)count.low / (double)verdict->calls : 0);
}

static const char *distance(
	struct wm_arena *arena, const struct wm_interval *count, const struct allowed *allowed)
{
	bool above = count->low >= 0 && (uint64_t)count->low > allowed->high;
	double limit = (double)(above ? allowed->high : allowed->low);
	double by = (above ? 1 : -1) * ((double)count->low - limit);
	if (limit <= 0)
		return above ? "more than" : "less than";
	if (above && by >= limit)
		return format(arena, "%.1f times what", 1 + by / limit);
	return format(arena, "%.3g%% %s", 100 * by / limit, above ? "more than" : "less than");
}

static void judge(struct wm_arena *arena, struct wm_budget_verdict *verdict,
	const struct wm_budget_base *base, uint64_t value)
{
	struct allowed allowed = allow(verdict->budget, value, verdict->calls);
	const struct wm_interval *count = &verdict->count;
	const char *counted = count_text(arena, verdict);
	bool never = (count->low >= 0 && (uint64_t)count->low > allowed.high) ||
		     (count->high < 0 || (uint64_t)count->high < allowed.low);
	bool always = count->low >= 0 && (uint64_t)count->low >= allowed.low &&
		      (uint64_t)count->high <= allowed.high;
	verdict->kept = always;
	if (always && verdict->budget->base)
		verdict->message = format(
			arena, "%s; %s in %s", counted, wm_text_count(value).text, base->name);
	else if (always)
		verdict->message = counted;
	else if (!never)
		verdict->message =
			format(arena, "%s: this build does not count it exactly", counted);
	else if (verdict->budget->base)
		verdict->message = format(arena, "%s, %s the %s of %s allow", counted,
			distance(arena, count, &allowed), wm_text_count(value).text, base->name);
	else
		verdict->message = format(
			arena, "%s, %s is allowed", counted, distance(arena, count, &allowed));
}

/* Without a base: where the events are. */
static void print_hot(
	const struct wm_budget_run *run, const struct chosen *chosen, size_t kind, FILE *out)
{
	const struct wm_snapshot *snapshot = run->snapshot;
	const struct wm_snapshot_function *hottest = NULL;
	for (size_t i = 0; i < snapshot->function_count; i++) {
		const struct wm_snapshot_function *function = &snapshot->functions[i];
		if (is_chosen(function, chosen) &&
			(!hottest || function->counts[kind].low > hottest->counts[kind].low))
			hottest = function;
	}
	if (hottest)
		fprintf(out, "  most in %s (%s): %s\n",
			wm_text_clean(run->arena, wm_text_short_name(run->arena, hottest->name)),
			wm_place_text(run->arena, (struct wm_place){hottest->file, hottest->line}),
			wm_count_text(run->arena, hottest->counts[kind]));
	fputs("  There is no base to compare with: a line 'base FILE.json' and --update keep one\n",
		out);
}

/* What moved of the functions that the budget is about, and then the code that was changed
 * elsewhere: it may be why they ran more often. */
static void print_change(struct wm_budget_run *run, struct wm_budget_verdict *verdict,
	const struct wm_budget_base *base, const struct chosen *chosen, FILE *out)
{
	const char *kind = verdict->budget->kind.name;
	struct wm_snapshot_change whole, own;
	wm_snapshot_change_make(
		run->arena, &base->snapshot, run->snapshot, kind, run->sources, NULL, NULL, &whole);
	bool has_own = verdict->budget->scope != WM_BUDGET_PROGRAM;
	if (has_own) {
		wm_snapshot_change_make(run->arena, &base->snapshot, run->snapshot, kind,
			run->sources, is_chosen, chosen, &own);
		bool caused = own.same_code && !whole.same_code;
		wm_snapshot_change_print(run->arena, &own, kind, caused ? 1 : run->top, out);
		if (caused)
			fputs("  code that was changed:\n", out);
	}
	if (!has_own || (own.same_code && !whole.same_code))
		wm_snapshot_change_print(run->arena, &whole, kind, run->top, out);
	verdict->same_code = whole.same_code;
	if (whole.count == 0)
		fprintf(out, "  nothing moved since %s was made\n", base->name);
	else if (whole.same_code)
		fprintf(out,
			"  the code of all that moved is that of %s: the input or addresses did "
			"it\n",
			base->name);
	if (strcmp(base->snapshot.build_id, run->snapshot->build_id) != 0 &&
		whole.only_before + whole.only_after > 0)
		fprintf(out,
			"  %s is of another build: %zu of its functions are gone, %zu are new\n",
			base->name, whole.only_before, whole.only_after);
}

static void explain(struct wm_budget_run *run, struct wm_budget_verdict *verdict,
	const struct wm_budget_base *base, const struct chosen *chosen, size_t kind)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	if (!out)
		return;
	if (!base)
		print_hot(run, chosen, kind, out);
	else if (wm_snapshot_kind(&base->snapshot, verdict->budget->kind.name) == WM_NO_KIND)
		fprintf(out, "  %s does not know %s: --update makes it again\n", base->name,
			verdict->budget->kind.name);
	else
		print_change(run, verdict, base, chosen, out);
	fclose(out);
	verdict->details = wm_arena_copy_text(run->arena, text);
	free(text);
}

/* What the base counted; false if it cannot say. */
static bool read_base(const struct wm_budget_base *base, const struct wm_budget *budget,
	struct wm_arena *arena, uint64_t *value, const char **message)
{
	size_t kind = wm_snapshot_kind(&base->snapshot, budget->kind.name);
	struct chosen chosen = choose(budget, &base->snapshot);
	struct wm_place place = {"", 0};
	struct wm_interval count;
	uint64_t calls;
	if (kind == WM_NO_KIND)
		*message = format(arena, "%s does not know %s: --update makes it again", base->name,
			budget->kind.name);
	else if (!add_functions(&chosen, &base->snapshot, kind, &count, &calls, &place))
		*message = format(arena, "%s has no function '%s': --update makes it again",
			base->name, budget->function);
	else if (!wm_interval_is_exact(count) || count.low < 0)
		*message = format(arena, "%s does not know the exact number", base->name);
	else
		*value = (uint64_t)count.low;
	return !*message;
}

struct wm_budget_verdict wm_budget_check(struct wm_budget_run *run, const struct wm_budget *budget)
{
	struct wm_budget_verdict verdict = {
		.budget = budget, .details = "", .place = {"", 0}, .calls = 0};
	size_t kind = wm_snapshot_kind(run->snapshot, budget->kind.name);
	const struct wm_budget_base *base = base_of(run, budget);
	struct chosen chosen = choose(budget, run->snapshot);
	uint64_t value = budget->limit;
	bool lines = budget->scope == WM_BUDGET_FILE || budget->scope == WM_BUDGET_LINE;
	if (!(lines ? add_lines(run, budget, kind, &verdict.count, &verdict.place)
		    : add_functions(&chosen, run->snapshot, kind, &verdict.count, &verdict.calls,
			      &verdict.place))) {
		verdict.message = not_there(run, budget);
		return verdict;
	}
	if (verdict.count.low == WM_NO_LOW) {
		verdict.message =
			format(run->arena, "this build does not count %s", budget->kind.name);
		return verdict;
	}
	verdict.counted = true;
	if (budget->base && !base) {
		verdict.message =
			format(run->arena, "there is no %s: --update makes it", budget->base);
		return verdict;
	}
	if (budget->base && !read_base(base, budget, run->arena, &value, &verdict.message))
		return verdict;
	judge(run->arena, &verdict, base, value);
	if (!verdict.kept)
		explain(run, &verdict, base, &chosen, kind);
	return verdict;
}
