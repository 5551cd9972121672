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

static bool has_name(struct wm_arena *arena, const char *linker_name, const char *word,
	struct wm_nearest *nearest)
{
	const char *shown = wm_text_name(arena, linker_name);
	const char *plain = without_parameters(arena, shown);
	wm_nearest_offer(nearest, plain);
	return strcmp(word, linker_name) == 0 || strcmp(word, shown) == 0 ||
	       strcmp(word, plain) == 0;
}

const struct wm_profile_function **wm_find_functions(struct wm_arena *arena, const char *command,
	const struct wm_profile *profile, const char *name, size_t *count)
{
	const struct wm_profile_function **found =
		wm_arena_alloc(arena, profile->function_count, sizeof *found);
	struct wm_nearest nearest = {.word = name};
	*count = 0;
	for (uint32_t i = 0; i < profile->function_count; i++)
		if (has_name(arena, profile->functions[i].function->name, name, &nearest))
			found[(*count)++] = &profile->functions[i];
	if (*count > 0)
		return found;
	if (nearest.best)
		wm_fatal("%s: %s has no function %s; did you mean %s?", command,
			profile->object.path, name, nearest.best);
	wm_fatal("%s: %s has no function %s; `waymark report --functions` shows those that ran",
		command, profile->object.path, name);
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
