/* The first sentence is a list of facts; where it is too long for the terminal it goes on below,
 * between two facts. */
#include "report/heading.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "profile/objects.h"
#include "profile/path_selection.h"
#include "report/ending.h"
#include "report/paint.h"
#include "report/place.h"
#include "report/text.h"

enum { MAX_LIBRARIES = 4, BUILD_ID_SHOWN = 8 };

/* The file's name; in one that has the build-id (the default) only the start of that. */
static const char *short_file(struct wm_arena *arena, const struct wm_profile *profile)
{
	const char *path = wm_text_clean(arena, profile->file.path);
	const char *id = wm_build_id_text(&profile->file.build_id).text;
	char *whole = wm_arena_copy_text(arena, id);
	const char *at = strlen(whole) > BUILD_ID_SHOWN ? strstr(path, whole) : NULL;
	if (!at)
		return path;
	char *text = wm_arena_alloc(arena, strlen(path) + 4, 1);
	sprintf(text, "%.*s…%s", (int)(at - path) + BUILD_ID_SHOWN, path, at + strlen(whole));
	return text;
}

/* Which files the counts are from, and how old the newest is. */
static void put_origin(
	struct wm_arena *arena, const struct wm_profile *profile, time_t now, FILE *text)
{
	const struct wm_file *file = &profile->file;
	fprintf(text, ", from %s", short_file(arena, profile));
	if (file->file_count > 1)
		fprintf(text, " and %u more", file->file_count - 1);
	if (now && file->modified <= now)
		fprintf(text, ", %s%s old", file->file_count > 1 ? "the newest " : "",
			wm_text_duration((uint64_t)(now - file->modified)).text);
	fputc('\n', text);
}

static bool has_sources(const struct wm_profile *profile)
{
	for (uint32_t i = 0; i < profile->function_count; i++)
		if (profile->functions[i].function->scopes[0].file[0])
			return true;
	return profile->function_count == 0;
}

static void put_ran(const struct wm_profile *profile, bool chosen, FILE *text)
{
	uint64_t ran = 0, possible = 0;
	for (uint32_t i = 0; i < profile->function_count; i++) {
		ran += profile->functions[i].path_count;
		possible |= profile->functions[i].possible_paths;
	}
	fprintf(text, "%s of %s function%s ran", wm_text_count(profile->executed_functions).text,
		wm_text_count(profile->function_count).text,
		profile->function_count == 1 ? "" : "s");
	if (possible && !chosen)
		fprintf(text, ", along %s path%s", wm_text_count(ran).text, ran == 1 ? "" : "s");
	fputc('\n', text);
	if (!has_sources(profile))
		fputs("compiled without -g: there are no source lines to show\n", text);
}

/* The hottest objects of a run of several. */
static void put_objects(struct wm_arena *arena, const struct wm_profile *profile, FILE *text)
{
	bool *told = wm_arena_alloc(arena, profile->part_count, sizeof *told);
	fprintf(text, "%u objects in this run:", profile->part_count);
	for (uint32_t shown = 0; shown < profile->part_count && shown < MAX_LIBRARIES; shown++) {
		uint32_t best = profile->part_count;
		for (uint32_t i = 0; i < profile->part_count; i++)
			if (!told[i] && (best == profile->part_count ||
						profile->parts[i].instructions >
							profile->parts[best].instructions))
				best = i;
		told[best] = true;
		fprintf(text, "%s %s %s", shown ? "," : "",
			wm_text_clean(
				arena, wm_profile_object_name(profile->parts[best].object.path)),
			wm_text_share(profile->parts[best].instructions, profile->instructions)
				.text);
	}
	if (profile->part_count > MAX_LIBRARIES)
		fprintf(text, ", and %u more", profile->part_count - MAX_LIBRARIES);
	fputs(" (--object=NAME shows one)\n", text);
}

static void put_selection(const struct wm_profile *profile, FILE *text)
{
	uint64_t functions = 0, paths_only = 0, others = 0;
	for (uint32_t i = 0; i < profile->function_count; i++) {
		bool selected = wm_path_selection_is_made(&profile->functions[i]);
		functions += selected;
		paths_only += profile->functions[i].function->sums && !selected;
		others += profile->functions[i].others;
	}
	if (functions > 0)
		fprintf(text,
			"in %s function%s only selected paths were counted, which these figures "
			"are of; others ran %s time%s\n",
			wm_text_count(functions).text, functions == 1 ? "" : "s",
			wm_text_count(others).text, others == 1 ? "" : "s");
	if (paths_only > 0)
		fprintf(text,
			"in %s function%s only paths to their ends were counted, not those left "
			"early\n",
			wm_text_count(paths_only).text, paths_only == 1 ? "" : "s");
}

void wm_heading_print(
	const struct wm_profile *profile, const struct wm_view_request *request, FILE *out)
{
	struct wm_arena arena = {0};
	char *paragraphs;
	size_t bytes;
	const char *name = wm_place_text(&arena, (struct wm_place){profile->object.path, 0});
	FILE *text = open_memstream(&paragraphs, &bytes);
	fprintf(text, ": %s run%s, %s instructions of work (not time)",
		wm_text_count(profile->file.runs).text, profile->file.runs == 1 ? "" : "s",
		wm_text_count(profile->instructions).text);
	put_origin(&arena, profile, request->now, text);
	put_ran(profile, request->chosen, text);
	if (profile->part_count > 1)
		put_objects(&arena, profile, text);
	put_selection(profile, text);
	if (request->verbose)
		fprintf(text, "build-id %s\n", wm_build_id_text(&profile->file.build_id).text);
	fclose(text);
	fprintf(out, "%s%s%s", wm_paint(request->colour, WM_PAINT_TITLE),
		wm_text_clean(&arena, name), wm_paint(request->colour, WM_PAINT_PLAIN));
	wm_text_print_wrapped_behind(paragraphs, wm_text_width(name), out);
	free(paragraphs);
	wm_ending_print(profile, out);
	wm_arena_reset(&arena);
}

/* Loops that keep a counter in a register, or know their trip count, add to it once: the sum of the
 * counters is only an upper bound of the increments. */
void wm_heading_print_savings(
	const struct wm_profile *profile, const struct wm_view_request *request, FILE *out)
{
	bool fewer_counters = profile->counters < profile->blocks;
	bool fewer_increments = profile->increments < profile->block_entries;
	if (fewer_counters || fewer_increments)
		wm_paint_title(out, request->colour,
			"What the placement of counters saved, against one in every block");
	if (fewer_counters)
		fprintf(out, "  %s counters instead of %s: %s saved\n",
			wm_text_count(profile->counters).text, wm_text_count(profile->blocks).text,
			wm_text_share(profile->blocks - profile->counters, profile->blocks).text);
	if (fewer_increments)
		fprintf(out, "  at most %s increments instead of %s: at least %s saved\n",
			wm_text_count(profile->increments).text,
			wm_text_count(profile->block_entries).text,
			wm_text_share(profile->block_entries - profile->increments,
				profile->block_entries)
				.text);
}
