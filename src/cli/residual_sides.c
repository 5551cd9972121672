/* What the tests ran comes from anywhere; of the field profiles are needed, for descriptions. */
#include "cli/residual_sides.h"

#include <string.h>

#include "cli/fatal.h"
#include "cli/ran_words.h"
#include "profile/path_selection.h"

enum { MAX_WORDS = 4096 };

static struct wm_ran_paths read_tests(
	struct wm_arena *arena, const char *command, const char *tested)
{
	struct wm_ran_paths tests = wm_ran_paths_start(arena);
	char *words[MAX_WORDS], *next = NULL;
	size_t count = 0;
	if (!tested)
		wm_fatal_usage("%s: what did the tests run? name it with "
			       "--tested=TESTS.wmp, or a profile or a folder of them",
			command);
	if (strcmp(tested, "none") == 0)
		return tests;
	for (char *word = strtok_r(wm_arena_copy_text(arena, tested), ",", &next); word;
		word = strtok_r(NULL, ",", &next)) {
		if (count == MAX_WORDS)
			wm_fatal_usage("%s: --tested names more than %d files; name their folder",
				command, MAX_WORDS);
		words[count++] = word;
	}
	if (count == 0)
		wm_fatal_usage("%s: --tested names nothing", command);
	wm_ran_words_add(&tests, command, words, count, NULL, "test");
	for (size_t i = 0; i < tests.function_count; i++)
		if (tests.functions[i].entered)
			return tests;
	wm_fatal("%s: no path ran in the tests, so every path would be untested; say "
		 "--tested=none if that is meant",
		command);
}

/* Paths that nobody counted are not said to be tested or not. */
static void warn_of_unwatched(
	const char *command, const struct wm_profile *profiles, size_t count)
{
	bool chosen = false;
	uint32_t selected = 0;
	for (size_t i = 0; i < count; i++) {
		for (uint32_t k = 0; k < profiles[i].function_count; k++) {
			const struct wm_profile_function *function = &profiles[i].functions[k];
			chosen |= function->function->flags & WM_DESCRIPTION_CHOSEN;
			selected += wm_path_selection_is_made(function) &&
				    !(function->function->flags & WM_DESCRIPTION_RESIDUAL);
		}
	}
	if (selected > 0)
		wm_warn("%s: in %u function%s of the field only selected paths were counted; "
			"nothing is known of others",
			command, selected, selected == 1 ? "" : "s");
	else if (chosen)
		wm_warn("%s: the build of the field counts chosen functions only; nothing is known "
			"of others",
			command);
}

static void read_field(struct wm_arena *arena, const char *command, char **words, size_t count,
	struct wm_residual_sides *sides)
{
	for (size_t i = 0; i < count; i++)
		if (wm_ran_words_is_set(words[i]))
			wm_fatal_usage("%s: '%s' is a set of paths; of the field name profiles, or "
				       "their folder",
				command, words[i]);
	sides->profile_count = count;
	sides->profiles = wm_ran_words_profiles(
		arena, command, words, &sides->profile_count, sides->binary, "field");
	sides->field = wm_ran_paths_start(arena);
	wm_ran_words_add(&sides->field, command, words, count, sides->binary, "field");
	warn_of_unwatched(command, sides->profiles, sides->profile_count);
}

void wm_residual_sides_read(struct wm_arena *arena, const char *command, char **words,
	size_t count, struct wm_residual_sides *sides, struct wm_residual *residual)
{
	struct wm_error error;
	char *accept = (char *)sides->accept;
	sides->tests = read_tests(arena, command, sides->tested);
	read_field(arena, command, words, count, sides);
	sides->accepted = wm_ran_paths_start(arena);
	if (accept)
		wm_ran_words_add(&sides->accepted, command, &accept, 1, NULL, "test");
	sides->request = (struct wm_residual_request){.tests = &sides->tests,
		.field = &sides->field,
		.accepted = accept ? &sides->accepted : NULL,
		.profiles = sides->profiles,
		.profile_count = sides->profile_count,
		.across_shape = sides->across_shape};
	if (wm_residual_make(arena, &sides->request, residual, &error) < 0)
		wm_fatal("%s: %s", command, error.text);
	if (residual->matched == 0 && residual->changed == 0 && sides->tests.function_count > 0)
		wm_fatal("%s: no function of the tests is in the field's program: '%s' is of "
			 "another program",
			command, sides->tested);
}
