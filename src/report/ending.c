/* A thread that is stopped between two probes has taken edges that no counter shows yet. Its
 * counters are right all the same, and so is what is derived for its outer frames, which wait in
 * calls; only its innermost frame may be a step ahead of what is derived from the counters.
 */
#include "report/ending.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/place.h"
#include "report/text.h"

struct status_text {
	uint32_t bit;
	const char *name; /* for programs */
	const char *text; /* for people; NULL: nothing to tell */
};

static const struct status_text statuses[] = {
	{WM_STATUS_THREADS_IN_MEMORY, "threads_in_memory",
		"Some threads counted in memory, because they could get no chunk of the file (no "
		"space, or a limit): what they counted is missing if their process did not end "
		"orderly."},
	{WM_STATUS_COUNTS_LOST, "counts_lost",
		"Some counts of paths were lost, because there was no memory for a larger table: "
		"paths of functions with very many of them may have run more often than shown."},
	{WM_STATUS_FORKED, "forked", NULL},
};

enum { STATUS_COUNT = sizeof statuses / sizeof *statuses };

static bool is_left_early(const struct wm_profile_function *source)
{
	const struct wm_function *function = source->function;
	for (uint32_t i = 0; source->edge && i < function->edge_count; i++)
		if ((function->edge_flags[i] & WM_EDGE_ABANDONED) && (int64_t)source->edge[i] > 0)
			return true;
	return false;
}

static void put_names(const struct wm_profile *profile, size_t max, FILE *text)
{
	struct wm_arena arena = {0};
	uint32_t found = 0;
	for (uint32_t i = 0; i < profile->function_count; i++) {
		if (!is_left_early(&profile->functions[i]) || found++ >= max)
			continue;
		const struct wm_function *function = profile->functions[i].function;
		struct wm_place place = wm_place_of_function(function);
		const char *name = wm_text_name(&arena, function->name);
		fprintf(text, "%s %s",
			found == 1 ? " Functions left during a call, then or at another time:"
				   : ",",
			wm_text_clean(&arena, name));
		if (place.file[0])
			fprintf(text, " (%s)", wm_text_clean(&arena, wm_place_text(&arena, place)));
	}
	if (found > max)
		fprintf(text, ", and %s more", wm_text_count(found - max).text);
	if (found > 0)
		fputs(".", text);
	wm_arena_reset(&arena);
}

static void put_uncertainty(uint64_t threads, FILE *text)
{
	fprintf(text, "The counters are exact; derived counts of ");
	if (threads == 1)
		fputs("the innermost frame", text);
	else
		fprintf(text, "at most %s frames, the innermost of each thread,",
			wm_text_count(threads).text);
	fputs(" may be off by one, or by the iterations of a loop that adds them all at once.",
		text);
}

static void put_cut_short(const struct wm_profile *profile, size_t max_names, FILE *text)
{
	uint64_t threads = profile->file.cut_short;
	fprintf(text,
		"%s thread%s cut short (killed, crashed, dumped while running, or ended by exec or "
		"_exit outside instrumented code). ",
		wm_text_count(threads).text, threads == 1 ? " was" : "s were");
	put_uncertainty(threads, text);
	put_names(profile, max_names, text);
	fputs("\n", text);
}

static void put_unknown_kinds(const struct wm_profile *profile, FILE *text)
{
	struct wm_arena arena = {0};
	const char *kinds = wm_file_unknown_kinds(&arena, &profile->file);
	if (kinds)
		fprintf(text, "The file holds data of %s, which this waymark does not know.\n",
			kinds);
	wm_arena_reset(&arena);
}

/* Sections of descriptions: a newer plug-in made them. */
static void put_unknown_sections(const struct wm_profile *profile, FILE *text)
{
	uint32_t functions = 0, tag = 0;
	for (uint32_t i = 0; i < profile->function_count; i++) {
		uint32_t unknown = profile->functions[i].function->unknown_tag;
		functions += unknown != 0;
		tag = tag ? tag : unknown;
	}
	if (functions)
		fprintf(text,
			"%s function%s data of section %u, which this waymark does not know.\n",
			wm_text_count(functions).text, functions == 1 ? " has" : "s have", tag);
}

static void put_running(const struct wm_profile *profile, FILE *text)
{
	uint64_t threads = profile->file.running;
	fprintf(text, "%s thread%s still counting, as far as can be told from here. ",
		wm_text_count(threads).text, threads == 1 ? " is" : "s are");
	put_uncertainty(threads, text);
	fputs("\n", text);
}

void wm_ending_print(const struct wm_profile *profile, size_t max_names, FILE *out)
{
	char *paragraphs;
	size_t bytes;
	FILE *text = open_memstream(&paragraphs, &bytes);
	if (profile->file.cut_short > 0)
		put_cut_short(profile, max_names, text);
	if (profile->file.running > 0)
		put_running(profile, text);
	for (size_t i = 0; i < STATUS_COUNT; i++)
		if (statuses[i].text && profile->file.status & statuses[i].bit)
			fprintf(text, "%s\n", statuses[i].text);
	put_unknown_kinds(profile, text);
	put_unknown_sections(profile, text);
	fclose(text);
	wm_text_print_wrapped(paragraphs, out);
	free(paragraphs);
}

const char *wm_ending_next_status(uint32_t *status)
{
	for (size_t i = 0; i < STATUS_COUNT; i++) {
		if (*status & statuses[i].bit) {
			*status &= ~statuses[i].bit;
			return statuses[i].name;
		}
	}
	const char *name = *status ? "unknown" : NULL;
	*status = 0;
	return name;
}

void wm_ending_json(const struct wm_profile *profile, struct wm_json *json)
{
	uint32_t status = profile->file.status;
	const char *name;
	wm_json_number(json, "cut_short", profile->file.cut_short);
	wm_json_number(json, "running", profile->file.running);
	wm_json_begin_array(json, "status");
	while ((name = wm_ending_next_status(&status)))
		wm_json_text(json, NULL, name);
	wm_json_end_array(json);
	wm_json_begin_array(json, "unknown_kinds");
	for (uint64_t kind = 0; kind < WM_CHUNK_KIND_LIMIT; kind++)
		if (profile->file.unknown_kinds[kind])
			wm_json_number(json, NULL, kind);
	wm_json_end_array(json);
}
