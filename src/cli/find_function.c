/* Each function is asked whether one of its names is the word, and offered as what was meant. */
#include "cli/find_function.h"

#include <stdbool.h>
#include <string.h>

#include "cli/fatal.h"
#include "cli/load.h"
#include "cli/nearest.h"
#include "report/text.h"

/* The name up to its parameters, in the arena. */
static const char *without_parameters(struct wm_arena *arena, const char *name)
{
	char *copy = wm_arena_copy_text(arena, name);
	copy[strcspn(copy, "(")] = '\0';
	return copy;
}

/* Offers the name as the source has it; true if the word is one of its forms. */
static bool has_name(struct wm_arena *arena, const char *linker_name, struct wm_nearest *nearest)
{
	const char *shown = wm_text_name(arena, linker_name);
	const char *plain = without_parameters(arena, shown);
	wm_nearest_offer(nearest, plain);
	return strcmp(nearest->word, linker_name) == 0 || strcmp(nearest->word, shown) == 0 ||
	       strcmp(nearest->word, plain) == 0;
}

/* The first function into which the one of this name was inlined, or NULL. */
static const struct wm_function *find_host(
	struct wm_arena *arena, const struct wm_profile *profile, const char *name)
{
	struct wm_nearest ignored = {.word = name};
	for (uint32_t i = 0; i < profile->function_count; i++) {
		const struct wm_function *function = profile->functions[i].function;
		for (uint32_t k = 1; k < function->scope_count; k++)
			if (has_name(arena, function->scopes[k].function, &ignored))
				return function;
	}
	return NULL;
}

_Noreturn static void refuse(struct wm_arena *arena, const char *command,
	const struct wm_profile *profile, const struct wm_nearest *nearest)
{
	const struct wm_function *host = find_host(arena, profile, nearest->word);
	if (host)
		wm_fatal("%s: '%s' is not a function of %s any more: it was inlined, for example "
			 "into %s",
			command, nearest->word, profile->object.path,
			wm_text_name(arena, host->name));
	if (nearest->best)
		wm_fatal(
			"%s: %s has no function '%s', or it was compiled without counters; did you "
			"mean %s?",
			command, profile->object.path, nearest->word, nearest->best);
	wm_fatal(
		"%s: %s has no function '%s', or it was compiled without counters (--only, --skip, "
		"--prefer and --select choose functions); `waymark report --functions` shows "
		"those that ran",
		command, profile->object.path, nearest->word);
}

const struct wm_profile_function **wm_find_functions(struct wm_arena *arena, const char *command,
	const struct wm_profile *profile, const char *name, size_t *count)
{
	return wm_find_path_functions(
		arena, command, profile, &(struct wm_path_name){.function = name}, count);
}

const struct wm_profile_function **wm_find_path_functions(struct wm_arena *arena,
	const char *command, const struct wm_profile *profile, const struct wm_path_name *name,
	size_t *count)
{
	const struct wm_profile_function **found =
		wm_arena_alloc(arena, profile->function_count, sizeof *found);
	struct wm_nearest nearest = {.word = name->function};
	*count = 0;
	for (uint32_t i = 0; i < profile->function_count; i++) {
		const struct wm_function *function = profile->functions[i].function;
		if (wm_path_name_is_of(name, function) || has_name(arena, function->name, &nearest))
			found[(*count)++] = &profile->functions[i];
	}
	if (*count == 0)
		refuse(arena, command, profile, &nearest);
	return found;
}

struct wm_profile *wm_find_profile(struct wm_arena *arena, const char *command, char **paths,
	size_t path_count, const char *binary)
{
	size_t count = path_count;
	struct wm_profile *profiles = wm_load_profiles(arena, command, paths, binary, &count);
	if (count > 1)
		wm_fatal_usage(
			"%s: the files are of %zu programs; name those of one", command, count);
	return profiles;
}
