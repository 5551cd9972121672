#include "cli/in_contexts.h"

#include <inttypes.h>

#include "cli/fatal.h"
#include "cli/find_context.h"
#include "profile/context_selection.h"

/* Lines and paths of such functions are not known in a context. */
static void warn_of_others(const char *command, const struct wm_profile *profile)
{
	uint32_t others = 0;
	for (uint32_t i = 0; i < profile->function_count; i++)
		others += profile->functions[i].calls &&
			  !wm_profile_contexts_count(profile->functions[i].function);
	if (others == profile->function_count)
		wm_fatal("%s: %s has no counts of code by context; build with "
			 "--profile=edges+context",
			command, profile->file.path);
	if (others)
		wm_warn("%s: %" PRIu32 " function%s counted for all contexts together and left out",
			command, others, others == 1 ? " is" : "s are");
}

void wm_in_contexts(
	struct wm_arena *arena, const char *command, const char *name, struct wm_profile *profile)
{
	const struct wm_profile *part = profile->parts;
	const struct wm_profile_contexts contexts = wm_profile_contexts_find(arena, part);
	struct wm_profile result;
	struct wm_error error;
	if (!contexts.counted)
		wm_fatal("%s: contexts were not counted in %s; build with --profile=edges+context",
			command, part->file.path);
	warn_of_others(command, part);
	const struct wm_tree tree = wm_tree_make(arena, part, &contexts, false);
	const bool *chosen = wm_contexts_with_below(
		arena, &contexts.tree, wm_find_contexts(arena, command, &tree, name));
	if (wm_profile_of_contexts(arena, part, &contexts, chosen, &result, &error) < 0)
		wm_fatal("%s: %s", command, error.text);
	*profile = result;
}
