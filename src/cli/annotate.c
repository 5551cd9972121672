/* waymark annotate: the source with a count beside each line. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/find_function.h"
#include "cli/find_profiles.h"
#include "cli/in_contexts.h"
#include "cli/load.h"
#include "cli/options.h"
#include "cli/stale.h"
#include "names/block_lines.h"
#include "profile/lines.h"
#include "profile/path_selection.h"
#include "report/annotate.h"
#include "report/own_sources.h"
#include "report/paint.h"
#include "report/source.h"

/* A source of the profile that is shown. */
struct choice {
	const struct wm_line_file *counts;
	const char *path; /* where to read it: as recorded or, if that is gone, as asked for */
};

struct annotation {
	struct wm_arena arena;
	struct wm_profile profile;
	struct wm_lines lines;
	struct wm_path_selection selection;
	struct choice *choices; /* at most one for each file of lines */
	size_t choice_count;
};

static bool is_same_file(const char *left, const char *right)
{
	char left_real[PATH_MAX], right_real[PATH_MAX];
	return realpath(left, left_real) && realpath(right, right_real) &&
	       strcmp(left_real, right_real) == 0;
}

static const char *without_dot(const char *path)
{
	while (strncmp(path, "./", 2) == 0)
		path += 2;
	return path;
}

static bool names(const char *word, const char *recorded)
{
	return wm_block_lines_names_file(without_dot(word), recorded) ||
	       wm_block_lines_names_file(without_dot(recorded), word) ||
	       is_same_file(recorded, word);
}

static void add_choice(
	struct annotation *annotation, const struct wm_line_file *counts, const char *path)
{
	for (size_t i = 0; i < annotation->choice_count; i++)
		if (annotation->choices[i].counts == counts)
			return;
	annotation->choices[annotation->choice_count++] = (struct choice){counts, path};
}

/* Adds the sources of the profile that the word names. */
static void choose(struct annotation *annotation, const char *word)
{
	bool found = false;
	for (size_t i = 0; i < annotation->lines.file_count; i++) {
		const struct wm_line_file *file = &annotation->lines.files[i];
		if (!names(word, file->path))
			continue;
		bool gone = !wm_sources_has(&annotation->profile.object, file->path) &&
			    access(word, R_OK) == 0;
		add_choice(annotation, file, gone ? word : file->path);
		found = true;
	}
	if (!found && annotation->selection.paths_only > 0)
		wm_fatal("annotate: %s has no counts of lines of '%s': in %" PRIu32
			 " function%s only paths were counted; `waymark report --paths` shows them",
			annotation->profile.object.path, word, annotation->selection.paths_only,
			annotation->selection.paths_only == 1 ? "" : "s");
	if (!found)
		wm_fatal(
			"annotate: %s has no code of '%s'; `waymark report --lines` shows lines it "
			"has",
			annotation->profile.object.path, word);
}

/* Chooses all of the program's own sources that can be read, and says how many cannot; if asked,
 * also those of libraries whose code was inlined. */
static void choose_all(struct annotation *annotation, bool inlined)
{
	const struct wm_lines *lines = &annotation->lines;
	const char *unreadable = NULL, *root = "";
	size_t foreign = 0;
	if (!inlined)
		root = wm_own_sources_root(&annotation->arena, &annotation->profile);
	for (size_t i = 0; i < lines->file_count; i++) {
		if (!wm_own_sources_have(root, lines->files[i].path)) {
			foreign++;
			continue;
		}
		if (wm_sources_has(&annotation->profile.object, lines->files[i].path))
			add_choice(annotation, &lines->files[i], lines->files[i].path);
		else if (!unreadable)
			unreadable = lines->files[i].path;
	}
	if (annotation->choice_count == 0 && !unreadable) {
		choose_all(annotation, true);
		return;
	}
	size_t left_out = lines->file_count - annotation->choice_count - foreign;
	if (foreign > 0 && isatty(STDERR_FILENO))
		wm_warn("annotate: %zu file%s outside of %s %s left out; --inlined shows all",
			foreign, foreign == 1 ? "" : "s", root, foreign == 1 ? "is" : "are");
	if (annotation->choice_count == 0)
		wm_fatal("annotate: cannot read source file '%s': %s; name its place now as SOURCE",
			unreadable, strerror(errno));
	if (left_out > 0)
		wm_warn("annotate: %zu source file%s cannot be read, such as %s", left_out,
			left_out == 1 ? "" : "s", unreadable);
}

static void read_sources(struct annotation *annotation, struct wm_sources *sources)
{
	for (size_t i = 0; i < annotation->choice_count; i++) {
		const struct choice *choice = &annotation->choices[i];
		const struct wm_source_text *text =
			wm_sources_get(sources, choice->counts->path, choice->path);
		if (text->state == WM_SOURCE_TEXT_MISSING)
			wm_fatal("annotate: cannot read source file '%s': %s", text->path,
				strerror(text->reason));
	}
	wm_stale_warn("annotate", sources);
}

/* All sources are read before the first is printed: a missing one leaves no half output. */
static void print_sources(struct annotation *annotation)
{
	bool colour = wm_paint_wanted(stdout);
	struct wm_sources sources = wm_sources_of(&annotation->profile.object);
	read_sources(annotation, &sources);
	for (size_t i = 0; i < annotation->choice_count; i++) {
		const struct wm_line_file *counts = annotation->choices[i].counts;
		wm_annotate_print(
			counts, wm_sources_get(&sources, counts->path, NULL), colour, stdout);
	}
	wm_sources_free(&sources);
}

static void print_json(struct annotation *annotation)
{
	const struct wm_line_file **files =
		wm_arena_alloc(&annotation->arena, annotation->choice_count, sizeof *files);
	for (size_t i = 0; i < annotation->choice_count; i++)
		files[i] = annotation->choices[i].counts;
	wm_annotate_json(files, annotation->choice_count, stdout);
}

/* Lines need blocks, which are not known where only paths, or some of them, were counted. */
static void check_lines(const struct annotation *annotation)
{
	const char *program = annotation->profile.object.path;
	uint32_t unknown = annotation->selection.paths_only;
	const char *selected = annotation->selection.selected == unknown ? "selected " : "";
	if (annotation->lines.file_count == 0 && unknown > 0)
		wm_fatal("annotate: only %spaths were counted in %s: lines are not known; "
			 "`waymark report --paths` shows them",
			selected, program);
	if (annotation->lines.file_count == 0)
		wm_fatal("annotate: %s was built without -g: it has no source lines; "
			 "`waymark report --blocks` works without",
			program);
}

static void warn_of_unknown_lines(const struct annotation *annotation)
{
	uint32_t unknown = annotation->selection.paths_only;
	if (unknown > 0)
		wm_warn("annotate: in %" PRIu32 " function%s of %s only paths were counted: their "
			"lines are left out",
			unknown, unknown == 1 ? "" : "s", annotation->profile.object.path);
}

struct origin {
	const char *file, *binary, *object, *context;
};

static void load(struct annotation *annotation, char *path, const struct origin *origin)
{
	struct wm_arena *arena = &annotation->arena;
	annotation->profile = *wm_find_profile(
		arena, "annotate", &path, path ? 1 : 0, origin->binary, origin->object);
	struct wm_error error;
	wm_load_refuse_uncounted("annotate", &annotation->profile);
	if (origin->context)
		wm_in_contexts(arena, "annotate", origin->context, &annotation->profile);
	if (wm_lines_count(arena, &annotation->profile, &annotation->lines, &error) < 0)
		wm_fatal("annotate: %s", error.text);
	annotation->selection = wm_path_selection_of(&annotation->profile);
	check_lines(annotation);
	annotation->choices =
		wm_arena_alloc(arena, annotation->lines.file_count, sizeof *annotation->choices);
}

/* Takes the profile out of the words; the others are sources. */
static char *take_profile(int *words, char **argv, const char *file)
{
	char *profile = (char *)file;
	int sources = 0;
	for (int i = 1; i <= *words; i++) {
		if (!wm_find_is_profile_word(argv[i])) {
			argv[++sources] = argv[i];
			continue;
		}
		if (profile)
			wm_fatal_usage("annotate: '%s' and '%s' are two profiles; name one",
				profile, argv[i]);
		profile = argv[i];
	}
	*words = sources;
	return profile;
}

int wm_command_annotate(int argc, char **argv)
{
	struct annotation annotation = {.choice_count = 0};
	struct origin origin = {0};
	bool json = false, inlined = false;
	const struct wm_option options[] = {{"--binary", &origin.binary, NULL},
		{"--file", &origin.file, NULL}, {"--json", NULL, &json},
		{"--inlined", NULL, &inlined}, {"--object", &origin.object, NULL},
		{"--context", &origin.context, NULL}};
	int words =
		wm_options_parse("annotate", argc, argv, options, sizeof options / sizeof *options);
	load(&annotation, take_profile(&words, argv, origin.file), &origin);
	for (int i = 1; i <= words; i++)
		choose(&annotation, argv[i]);
	if (words == 0)
		choose_all(&annotation, inlined);
	warn_of_unknown_lines(&annotation);
	if (json)
		print_json(&annotation);
	else
		print_sources(&annotation);
	if (fflush(stdout) != 0)
		wm_fatal("cannot write the annotated source: %s", strerror(errno));
	wm_arena_reset(&annotation.arena);
	return 0;
}
