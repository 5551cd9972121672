/* Each run is compared with the first, function by function. Reasons are not guessed: fixed
 * addresses are tried, and calls of clocks and the like are in the code. */
#include "cli/run_to_run.h"

#include <stdlib.h>
#include <string.h>

#include "cli/counted_run.h"
#include "cli/fatal.h"
#include "report/count_view.h"
#include "report/text.h"

/* Of the C library: their results, or the time until they return, differ from run to run. */
static const char *const uncertain[] = {"arc4random", "clock", "clock_gettime", "getentropy",
	"getpid", "getrandom", "gettimeofday", "gettid", "nanosleep", "poll", "rand", "random",
	"select", "time", "times", "usleep"};

static bool is_uncertain(const char *callee)
{
	for (size_t i = 0; i < sizeof uncertain / sizeof *uncertain; i++)
		if (strcmp(uncertain[i], callee) == 0)
			return true;
	return false;
}

static const char *uncertain_calls(
	struct wm_arena *arena, const struct wm_profile_function *function)
{
	char text[128] = "";
	for (uint32_t i = 0; i < function->function->call_count; i++) {
		const char *callee = function->function->calls[i].callee;
		size_t used = strlen(text);
		if (is_uncertain(callee) && !strstr(text, callee))
			snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "", callee);
	}
	return wm_arena_copy_text(arena, text);
}

/* Snapshots of runs live as long as they are compared. */
struct other_run {
	struct wm_arena arena;
	struct wm_snapshot snapshot;
	bool has_threads;
	int status;
};

static bool has_threads(const struct wm_profile *profile)
{
	uint32_t threads = 0;
	for (uint32_t i = 0; i < profile->file.owner_count; i++)
		threads += profile->file.owners[i].thread_count;
	return threads > 1;
}

static void run_again(struct other_run *other, const char *command, char **words,
	const char *program, bool fixed, const struct wm_snapshot *first)
{
	struct wm_counted_run run = wm_counted_run(&other->arena, command, words, fixed);
	struct wm_profile *profile = wm_counted_run_choose(command, &run, program);
	wm_snapshot_make(&other->arena, profile, &first->kinds, NULL, false, &other->snapshot);
	other->has_threads = has_threads(profile);
	other->status = run.status;
	if (strcmp(other->snapshot.build_id, first->build_id) != 0 ||
		other->snapshot.function_count != first->function_count)
		wm_fatal("%s: the command did not run the same build again", command);
}

static bool differs(const struct wm_interval *left, const struct wm_interval *right, size_t kinds)
{
	for (size_t k = 0; k < kinds; k++)
		if (left[k].low != right[k].low || left[k].high != right[k].high)
			return true;
	return false;
}

static bool agree(const struct wm_snapshot *left, const struct wm_snapshot *right)
{
	for (size_t i = 0; i < left->function_count; i++)
		if (differs(left->functions[i].counts, right->functions[i].counts,
			    left->kinds.count))
			return false;
	return true;
}

/* Widens the ranges by what another run counted. */
static void widen(
	struct wm_snapshot *first, const struct wm_snapshot *other, struct wm_interval *ranges)
{
	size_t kinds = first->kinds.count;
	for (size_t i = 0; i < first->function_count; i++) {
		const struct wm_interval *counts = other->functions[i].counts;
		first->functions[i].varies |= differs(first->functions[i].counts, counts, kinds);
		for (size_t k = 0; k < kinds; k++)
			ranges[i * kinds + k] = wm_interval_join(ranges[i * kinds + k], counts[k]);
	}
}

/* Two runs with fixed addresses, which agree only if nothing else makes a difference. */
static bool agree_at_fixed_addresses(
	const char *command, char **words, const char *program, const struct wm_snapshot *first)
{
	struct other_run runs[2] = {{.status = 0}, {.status = 0}};
	for (int i = 0; i < 2; i++)
		run_again(&runs[i], command, words, program, true, first);
	bool same = agree(&runs[0].snapshot, &runs[1].snapshot);
	for (int i = 0; i < 2; i++)
		wm_arena_reset(&runs[i].arena);
	return same;
}

static uint64_t width(const struct wm_varying *varying)
{
	return (uint64_t)varying->counts[0].high - (uint64_t)varying->counts[0].low;
}

static int by_width(const void *left, const void *right)
{
	const struct wm_varying *a = left, *b = right;
	if (width(a) != width(b))
		return width(a) > width(b) ? -1 : 1;
	return (a->function > b->function) - (a->function < b->function);
}

static void collect(struct wm_arena *arena, const struct wm_snapshot *first,
	struct wm_interval *ranges, struct wm_run_to_run *result)
{
	result->varying = wm_arena_alloc(arena, first->function_count, sizeof *result->varying);
	for (size_t i = 0; i < first->function_count; i++)
		if (first->functions[i].varies)
			result->varying[result->count++] =
				(struct wm_varying){i, &ranges[i * first->kinds.count],
					uncertain_calls(arena, first->functions[i].live)};
	if (result->count > 0)
		qsort(result->varying, result->count, sizeof *result->varying, by_width);
}

void wm_run_to_run(struct wm_arena *arena, const char *command, char **words, const char *program,
	uint64_t runs, struct wm_snapshot *first, struct wm_run_to_run *result)
{
	size_t kinds = first->kinds.count;
	struct wm_interval *ranges =
		wm_arena_alloc(arena, first->function_count * kinds, sizeof *ranges);
	for (size_t i = 0; i < first->function_count; i++)
		memcpy(&ranges[i * kinds], first->functions[i].counts, kinds * sizeof *ranges);
	*result = (struct wm_run_to_run){.runs = runs};
	for (uint64_t i = 1; i < runs; i++) {
		struct other_run other = {.status = 0};
		run_again(&other, command, words, program, false, first);
		widen(first, &other.snapshot, ranges);
		result->has_threads |= other.has_threads;
		result->status = result->status ? result->status : other.status;
		wm_arena_reset(&other.arena);
	}
	collect(arena, first, ranges, result);
	if (result->count > 0)
		result->by_addresses = agree_at_fixed_addresses(command, words, program, first);
}

static void print_one(struct wm_arena *arena, const struct wm_varying *varying,
	const struct wm_snapshot *snapshot, FILE *out)
{
	fprintf(out, "  %s:",
		wm_text_clean(arena,
			wm_text_short_name(arena, snapshot->functions[varying->function].name)));
	const char *comma = "";
	for (size_t k = 0; k < snapshot->kinds.count; k++) {
		struct wm_interval range = varying->counts[k];
		if (wm_interval_is_exact(range))
			continue;
		fprintf(out, "%s %s to %s %s", comma,
			wm_count_text(arena, wm_interval_of(range.low)),
			wm_count_text(arena, wm_interval_of(range.high)),
			snapshot->kinds.kinds[k].name);
		comma = ",";
	}
	fprintf(out, "%s%s\n", varying->calls[0] ? "; calls " : "", varying->calls);
}

void wm_run_to_run_print(const struct wm_run_to_run *result, const struct wm_snapshot *snapshot,
	size_t top, FILE *out)
{
	struct wm_arena arena = {0};
	bool calls = false;
	fprintf(out, "\n%s runs: ", wm_text_count(result->runs).text);
	if (result->count == 0)
		fprintf(out, "all counts were the same each time\n");
	else
		fprintf(out, "%s function%s varied; the totals are those of the first run\n",
			wm_text_count(result->count).text, result->count == 1 ? "" : "s");
	for (size_t i = 0; i < result->count; i++) {
		if (i < top)
			print_one(&arena, &result->varying[i], snapshot, out);
		calls |= result->varying[i].calls[0] != '\0';
	}
	if (result->count > top)
		fprintf(out, "  %s more; --top=N shows them\n",
			wm_text_count(result->count - top).text);
	if (result->count > 0)
		fprintf(out, "%s\n",
			result->by_addresses ? "With fixed addresses (setarch -R) no count varies: "
					       "the places of memory make the difference"
			: calls		     ? "Also with fixed addresses: the calls named above "
					       "answer differently in each run"
			: result->has_threads
				? "Also with fixed addresses: threads share the work differently"
				: "Also with fixed addresses: time, random numbers or input that "
				  "differ make the difference");
	wm_arena_reset(&arena);
}
