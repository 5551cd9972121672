/* A thread that is stopped between two probes has taken edges that no counter shows yet. Its
 * counters are right all the same, and so is what is derived for its outer frames, which wait in
 * calls; only its innermost frame may be a step ahead of what is derived from the counters.
 */
#include "report/ending.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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

static void put_cut_short(const struct wm_profile *profile, FILE *text)
{
	uint64_t threads = profile->file.cut_short;
	fprintf(text,
		"%s thread%s cut short (alive at exit, killed): the innermost frame%s may be off "
		"by one, or a loop\n",
		wm_text_count(threads).text, threads == 1 ? " was" : "s were",
		threads == 1 ? "" : "s");
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
	fprintf(text,
		"%s thread%s still counting: the innermost frame%s may be off by one, or a loop\n",
		wm_text_count(threads).text, threads == 1 ? " is" : "s are",
		threads == 1 ? "" : "s");
}

void wm_ending_print(const struct wm_profile *profile, FILE *out)
{
	char *paragraphs;
	size_t bytes;
	FILE *text = open_memstream(&paragraphs, &bytes);
	if (profile->file.cut_short > 0)
		put_cut_short(profile, text);
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
