/* A row for each thread that the file keeps apart, or for those that counted in one place. */
#include "report/thread_view.h"

#include <inttypes.h>
#include <string.h>

#include "report/listing.h"
#include "report/paint.h"
#include "report/text.h"

static bool has_processes(const struct wm_threads *threads)
{
	for (size_t i = 1; i < threads->count; i++)
		if (threads->threads[i].process != threads->threads[0].process)
			return true;
	return false;
}

static void add_thread(struct wm_listing *listing, const struct wm_profile *profile,
	const struct wm_thread *thread, bool processes)
{
	struct wm_arena *arena = listing->arena;
	const char *first = thread->thread == thread->process ? " (first)" : "";
	char before[48] = "";
	if (thread->before > 0)
		snprintf(before, sizeof before, " and %s before it",
			wm_text_count(thread->before).text);
	if (processes)
		wm_listing_add(listing, "%" PRIu32, thread->process);
	wm_listing_add(listing, "%" PRIu32 "%s%s", thread->thread, first, before);
	wm_listing_add(
		listing, "%s", wm_text_share(thread->instructions, profile->instructions).text);
	wm_listing_add(listing, "%s", wm_text_count(thread->instructions).text);
	if (!thread->hottest) {
		wm_listing_add(listing, "-");
		return;
	}
	wm_listing_add(listing, "%s %s",
		wm_text_share(thread->hottest_instructions, thread->instructions).text,
		wm_text_short_name(arena, thread->hottest->function->name));
}

static void print_rest(
	const struct wm_profile *profile, const struct wm_threads *threads, FILE *out)
{
	uint64_t all = profile->instructions;
	if (threads->rest > 0)
		fprintf(out, "  %s of the work is of earlier runs, which are added up\n",
			wm_text_share((uint64_t)threads->rest, all).text);
	if (threads->rest < 0)
		fputs("  counts were reset meanwhile: threads have what they did before it, too\n",
			out);
	if (threads->by_key > 0)
		fprintf(out,
			"  %s of the work is in functions with so many paths that all threads of a "
			"process count\n  them together; --profile=edges keeps them apart\n",
			wm_text_share(threads->by_key, all).text);
}

static void print_shared(const struct wm_threads *threads, FILE *out)
{
	for (size_t i = 0; i < threads->count; i++) {
		if (threads->threads[i].before == 0)
			continue;
		fputs("  threads that ran one after another share a row; run with "
		      "WAYMARK_THREADS=1 to keep them apart\n",
			out);
		return;
	}
}

void wm_thread_view_print(
	const struct wm_profile *profile, const struct wm_view_request *request, FILE *out)
{
	const struct wm_threads *threads = request->threads;
	bool processes = has_processes(threads);
	const struct wm_column columns[] = {{.title = "process"}, {.title = "thread"},
		{.title = "work", .right = true}, {.title = "instructions", .right = true},
		{.title = "most in", .is_name = true}};
	struct wm_arena arena = {0};
	struct wm_listing listing = {.arena = &arena,
		.columns = processes ? columns : columns + 1,
		.column_count = processes ? 5 : 4};
	size_t shown = threads->count < request->top ? threads->count : request->top;
	for (size_t i = 0; i < shown; i++)
		add_thread(&listing, profile, &threads->threads[i], processes);
	wm_paint_title(out, request->colour, "Threads");
	if (threads->count > 0)
		wm_listing_print(&listing, out, request->colour);
	wm_listing_print_rest(out, request->colour, threads->count - shown);
	print_shared(threads, out);
	print_rest(profile, threads, out);
	wm_arena_reset(&arena);
}

static void write_thread(struct wm_json *json, const struct wm_thread *thread)
{
	wm_json_begin_object(json, NULL);
	wm_json_number(json, "process", thread->process);
	wm_json_number(json, "thread", thread->thread);
	wm_json_number(json, "threads_before", thread->before);
	wm_json_flag(json, "ended", thread->ended);
	wm_json_number(json, "instructions", thread->instructions);
	wm_json_text(json, "hottest", thread->hottest ? thread->hottest->function->name : "");
	wm_json_number(json, "hottest_instructions", thread->hottest_instructions);
	wm_json_end_object(json);
}

void wm_thread_json_members(struct wm_json *json, const struct wm_threads *threads)
{
	wm_json_begin_array(json, "threads");
	for (size_t i = 0; i < threads->count; i++)
		write_thread(json, &threads->threads[i]);
	wm_json_end_array(json);
	wm_json_number(json, "instructions_by_key", threads->by_key);
	wm_json_number(json, "instructions_of_earlier_runs",
		threads->rest > 0 ? (uint64_t)threads->rest : 0);
}
