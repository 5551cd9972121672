/* waymark path: one path by its name, in the source or in the function's graph. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/find_function.h"
#include "cli/options.h"
#include "cli/path_dot.h"
#include "cli/stale.h"
#include "profile/hot_paths.h"
#include "profile/path_find.h"
#include "names/path_name.h"
#include "profile/path_selection.h"
#include "report/call_view.h"
#include "report/elsewhere.h"
#include "report/own_sources.h"
#include "report/paint.h"
#include "report/path_json.h"
#include "report/story_view.h"
#include "report/text.h"

/* A path, or pieces that run one after another, of one function. */
struct found {
	const struct wm_profile *profile;
	const struct wm_profile_function *function;
	struct wm_path_map map;
	const char *name; /* of the path */
	size_t piece_count;
	const struct wm_profile_path **pieces;
};

/* The block behind the edge that ends the path, or EXIT. */
static uint32_t end_of(const struct found *found, const struct wm_profile_path *path)
{
	const struct wm_function *function = found->function->function;
	return path->end_edge < function->edge_count ? function->edge_target[path->end_edge]
						     : function->block_count;
}

/* Only a chain of pieces is a path. */
static void check_chain(const struct found *found)
{
	for (size_t i = 1; i < found->piece_count; i++) {
		const struct wm_profile_path *before = found->pieces[i - 1];
		const struct wm_profile_path *piece = found->pieces[i];
		if (piece->block_count == 0 || end_of(found, before) != piece->blocks[0])
			wm_fatal("path: in %s path %" PRIu64 " does not start where path %" PRIu64
				 " ends",
				found->name, piece->id, before->id);
	}
}

static void find_pieces(
	struct wm_arena *arena, const struct wm_path_name *name, struct found *found)
{
	found->piece_count = name->id_count;
	found->pieces = wm_arena_alloc(arena, name->id_count, sizeof *found->pieces);
	for (size_t i = 0; i < name->id_count; i++) {
		struct wm_profile_path *path = wm_arena_alloc(arena, 1, sizeof *path);
		struct wm_error error;
		if (wm_path_find(arena, found->function, name->ids[i], path, &error) < 0)
			wm_fatal("path: %s", error.text);
		found->pieces[i] = path;
	}
	check_chain(found);
}

/* Says why no function has the shape that the name stands for. */
_Noreturn static void refuse(const struct wm_profile *profile, const struct wm_path_name *name,
	const char *text, const struct wm_profile_function *function)
{
	if (!function->paths)
		wm_fatal("path: paths of %s were not counted in %s; build with --profile=paths",
			name->function, profile->file.path);
	wm_fatal("path: %s is of another build, or of another --paths: in %s the hash of %s is "
		 "%08" PRIx32,
		text, profile->object.path, name->function, wm_path_cfg_hash(function->function));
}

/* The name in listings or, where another function has it too, the whole name. */
static const char *distinct_name(struct wm_arena *arena, const struct wm_path_name *name,
	const struct found *found, size_t count, size_t at)
{
	const struct wm_function *function = found[at].function->function;
	struct wm_path_name whole = *name;
	whole.function = function->name;
	whole.hash = wm_path_cfg_hash(function);
	whole.any_shape = false;
	for (size_t i = 0; i < count; i++)
		if (strcmp(found[i].name, found[at].name) == 0 &&
			strcmp(found[i].function->function->name, function->name) != 0)
			return wm_path_name_text(arena, &whole);
	return found[at].name;
}

static void refuse_several_names(struct wm_arena *arena, const char *text,
	const struct wm_path_name *name, const struct found *found, size_t count)
{
	const char **names = wm_arena_alloc(arena, count, sizeof *names);
	for (size_t i = 0; i < count; i++)
		names[i] = distinct_name(arena, name, found, count, i);
	wm_find_refuse_unless_one("path", text, names, count);
}

/* All functions of that name and shape: files may have static ones of the same name. */
static struct found *find(struct wm_arena *arena, const struct wm_profile *profile,
	struct wm_sources *sources, const struct wm_short_names *names,
	const struct wm_path_name *name, const char *text, size_t *count)
{
	size_t named;
	const struct wm_profile_function **functions =
		wm_find_path_functions(arena, "path", profile, name, &named);
	struct found *found = wm_arena_alloc(arena, named, sizeof *found);
	*count = 0;
	for (size_t i = 0; i < named; i++) {
		if (!wm_path_name_fits(name, functions[i]->function))
			continue;
		found[(*count)++] = (struct found){.profile = profile,
			.function = functions[i],
			.map = wm_path_map_make(arena, functions[i], sources),
			.name = wm_short_names_path(
				arena, names, functions[i], name->ids, name->id_count)};
	}
	if (*count == 0)
		refuse(profile, name, text, functions[0]);
	refuse_several_names(arena, text, name, found, *count);
	for (size_t i = 0; i < *count; i++)
		find_pieces(arena, name, &found[i]);
	return found;
}

/* The first colon that is no part of a `::`. */
static const char *single_colon(const char *word)
{
	const char *colon = strchr(word, ':');
	while (colon && colon[1] == ':')
		colon = strchr(colon + 2, ':');
	return colon;
}

/* FUNCTION:ID is no name, but nearly one, and so is FUNCTION:HASH:ID with a HASH that cannot be. */
static void refuse_nearly_a_name(const char *word)
{
	const char *colon = single_colon(word), *last = strrchr(word, ':');
	if (colon && colon > word && last[-1] != ':' && last[1] &&
		strspn(last + 1, "0123456789") == strlen(last + 1))
		wm_fatal_usage(
			"path: '%s' is not a path's name (FUNCTION#ID); did you mean %.*s#%s?",
			word, (int)(colon - word), word, last + 1);
}

/* The hottest path of the functions of that name. */
static struct wm_path_name find_hottest(
	struct wm_arena *arena, const struct wm_profile *profile, const char *word)
{
	size_t count;
	refuse_nearly_a_name(word);
	const struct wm_profile_function **functions =
		wm_find_functions(arena, "path", profile, word, &count);
	struct wm_hot_path hottest = {.instructions = 0};
	for (size_t i = 0; i < count; i++) {
		struct wm_hot_paths hot;
		wm_hot_paths_rank(arena, functions[i], 1, &hot);
		if (hot.count > 0 &&
			(!hottest.path || hot.paths[0].instructions > hottest.instructions))
			hottest = hot.paths[0];
	}
	if (!hottest.path && !functions[0]->paths)
		wm_fatal("path: paths of %s were not counted in %s; build with --profile=paths",
			word, profile->file.path);
	if (!hottest.path)
		wm_fatal("path: no path of %s ran in %s; name one by its number: %s#0", word,
			profile->file.path, word);
	struct wm_path_name name = {.function = hottest.function->function->name,
		.hash = wm_path_cfg_hash(hottest.function->function),
		.id_count = 1,
		.ids = wm_arena_alloc(arena, 1, sizeof *name.ids)};
	name.ids[0] = hottest.path->id;
	return name;
}

/* Says which text was missing beside the marks, once, and which may not belong there. */
static void warn_of_sources(const struct wm_sources *sources)
{
	for (size_t i = 0; i < sources->count; i++) {
		const struct wm_source_text *text = sources->list[i];
		if (text->state != WM_SOURCE_TEXT_MISSING)
			continue;
		wm_warn("path: cannot read source file '%s': %s", text->path,
			strerror(text->reason));
		break;
	}
	wm_stale_warn("path", sources);
}

static bool is_counted(const struct found *found)
{
	for (size_t i = 0; i < found->piece_count; i++)
		if (!wm_path_selection_counts(found->function, found->pieces[i]))
			return false;
	return true;
}

static void print_uncounted(struct wm_arena *arena, const struct wm_profile_function *function)
{
	if (wm_path_selection_is_made(function))
		printf(" was not counted: not among the selected paths (others of %s ran %s "
		       "time%s)\n",
			wm_text_clean(arena, wm_text_name(arena, function->function->name)),
			wm_text_count(function->others).text, function->others == 1 ? "" : "s");
	else
		puts(" was not counted: paths that are left early were not");
}

/* How often it ran. Where pieces did not run equally often, nothing says how often they ran one
 * after another. */
static void print_runs(const struct found *found)
{
	bool selects = wm_path_selection_of(found->profile).selected > 0;
	uint64_t instructions = 0, min = found->pieces[0]->count, max = min;
	for (size_t i = 0; i < found->piece_count; i++) {
		uint64_t count = found->pieces[i]->count;
		instructions += wm_hot_path_instructions(found->function, found->pieces[i]);
		min = count < min ? count : min;
		max = count > max ? count : max;
	}
	if (min == max)
		printf(" ran %s time%s", wm_text_count(max).text, max == 1 ? "" : "s");
	else
		printf(" ran at most %s time%s: its pieces ran %s to %s times",
			wm_text_count(min).text, min == 1 ? "" : "s", wm_text_count(min).text,
			wm_text_count(max).text);
	printf(", %s instructions: %s of %s\n", wm_text_count(instructions).text,
		wm_text_share(instructions, wm_hot_paths_whole(found->profile)).text,
		selects ? "what was counted" : "the run");
}

/* What printing needs besides a path. */
struct request {
	struct wm_sources *sources;
	const struct wm_short_names *names;
	const char *root; /* of the program's own sources */
	bool dot;
	bool colour;
};

static void print_text(
	struct wm_arena *arena, const struct found *found, const struct request *request)
{
	const struct wm_story_style style = {
		.colour = request->colour, .counts = true, .indent = 2};
	printf("%s%s%s", wm_paint(request->colour, WM_PAINT_TITLE),
		wm_text_clean(arena, found->name), wm_paint(request->colour, WM_PAINT_PLAIN));
	if (is_counted(found))
		print_runs(found);
	else
		print_uncounted(arena, found->function);
	wm_call_view_print_callers(found->profile, found->function, stdout);
	wm_paint_title(stdout, request->colour,
		wm_text_clean(arena, found->function->function->scopes[0].file));
	struct wm_story story =
		wm_story_make(arena, &found->map, request->root, found->pieces, found->piece_count);
	wm_story_print(&story, request->sources, &style, stdout);
	for (size_t i = 0; i < found->piece_count; i++)
		wm_elsewhere_print(
			&found->map, request->names, found->pieces[i], request->colour, stdout);
}

static void print_json(struct wm_arena *arena, const struct found *found, size_t count)
{
	struct wm_json json = {.out = stdout};
	const struct wm_profile *profile = found->profile;
	wm_json_begin_document(&json, "path");
	wm_json_text(&json, "program", profile->object.path);
	wm_json_text(&json, "build_id", wm_build_id_text(&profile->file.build_id).text);
	wm_json_begin_array(&json, "paths");
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < found[i].piece_count; k++)
			wm_path_json_with_lines(
				&json, arena, found[i].function, &found[i].map, found[i].pieces[k]);
	wm_json_end_array(&json);
	wm_json_end_object(&json);
}

static void print(struct wm_arena *arena, const struct found *found, size_t count,
	const struct request *request)
{
	for (size_t i = 0; i < count; i++) {
		if (request->dot) {
			wm_path_dot_write(found[i].function, &found[i].map, found[i].pieces,
				found[i].piece_count, found[i].name, stdout);
			continue;
		}
		if (i > 0)
			putchar('\n');
		print_text(arena, &found[i], request);
	}
	warn_of_sources(request->sources);
}

int wm_command_path(int argc, char **argv)
{
	struct wm_arena arena = {0};
	const char *binary = NULL, *object = NULL, *names = "short";
	bool json = false, dot = false, inlined = false;
	const struct wm_option options[] = {{"--dot", NULL, &dot}, {"--json", NULL, &json},
		{"--binary", &binary, NULL}, {"--names", &names, NULL},
		{"--inlined", NULL, &inlined}, {"--object", &object, NULL}};
	int words = wm_options_parse("path", argc, argv, options, sizeof options / sizeof *options);
	size_t count;
	if (words == 0)
		wm_fatal_usage("path: which path? waymark path NAME [FILE.wmk]");
	if (json && dot)
		wm_fatal_usage("path: choose one of --json and --dot");
	bool full = wm_options_full_names("path", names);
	const struct wm_profile *profile =
		wm_find_profile(&arena, "path", argv + 2, (size_t)words - 1, binary, object);
	struct wm_path_name name;
	if (!wm_path_name_parse(&arena, argv[1], &name))
		name = find_hottest(&arena, profile, argv[1]);
	struct wm_sources sources = wm_sources_of(&profile->object);
	const struct request request = {.sources = &sources,
		.names = wm_short_names_make(&arena, profile, full),
		.root = inlined ? "" : wm_own_sources_root(&arena, profile),
		.dot = dot,
		.colour = wm_paint_wanted(stdout)};
	const struct found *found = find(
		&arena, profile, json ? NULL : &sources, request.names, &name, argv[1], &count);
	if (json)
		print_json(&arena, found, count);
	else
		print(&arena, found, count, &request);
	wm_sources_free(&sources);
	if (fflush(stdout) != 0)
		wm_fatal("cannot write the path: %s", strerror(errno));
	wm_arena_reset(&arena);
	return 0;
}
