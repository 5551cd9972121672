/* Each function is asked whether one of its names is the word; if none is, all are offered as what
 * was meant. */
#include "cli/find_function.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/fatal.h"
#include "cli/load.h"
#include "cli/nearest.h"
#include "report/text.h"

/* The first function into which the one of this name was inlined, or NULL. */
static const struct wm_function *find_host(const struct wm_profile *profile, const char *word)
{
	for (uint32_t i = 0; i < profile->function_count; i++) {
		const struct wm_function *function = profile->functions[i].function;
		for (uint32_t k = 1; k < function->scope_count; k++)
			if (wm_text_name_fit(word, function->scopes[k].function))
				return function;
	}
	return NULL;
}

_Noreturn static void refuse(struct wm_arena *arena, const char *command,
	const struct wm_profile *profile, const struct wm_nearest *nearest)
{
	const struct wm_function *host = find_host(profile, nearest->word);
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

/* Offers the name in short, and its last part. */
static void offer(struct wm_arena *arena, const char *linker_name, struct wm_nearest *nearest)
{
	const char *name = wm_text_short_name(arena, linker_name);
	wm_nearest_offer(nearest, name);
	for (const char *part = name; (part = strstr(part, "::"));)
		wm_nearest_offer(nearest, part += 2);
}

static void offer_all(
	struct wm_arena *arena, const struct wm_profile *profile, struct wm_nearest *nearest)
{
	for (uint32_t i = 0; i < profile->function_count; i++)
		offer(arena, profile->functions[i].function->name, nearest);
}

/* Keeps only the best fits. */
static const struct wm_profile_function **find_fitting(struct wm_arena *arena,
	const struct wm_profile *profile, const char *word, enum wm_text_name_fit *best,
	size_t *count)
{
	const struct wm_profile_function **found =
		wm_arena_alloc(arena, profile->function_count, sizeof *found);
	*count = 0;
	*best = WM_TEXT_NAME_PART;
	for (uint32_t i = 0; i < profile->function_count; i++) {
		enum wm_text_name_fit fit =
			wm_text_name_fit(word, profile->functions[i].function->name);
		if (fit > *best)
			*count = 0;
		if (fit < *best)
			continue;
		*best = fit;
		found[(*count)++] = &profile->functions[i];
	}
	return found;
}

void wm_find_refuse_unless_one(
	const char *command, const char *word, const char *const *names, size_t count)
{
	enum { MAX_NAMES = 6 };
	char *list = NULL;
	size_t bytes, different = 0;
	FILE *text = open_memstream(&list, &bytes);
	for (size_t i = 0; i < count; i++) {
		size_t same = 0;
		while (strcmp(names[i], names[same]) != 0)
			same++;
		if (same == i && different++ < MAX_NAMES)
			fprintf(text, "%s%s", different > 1 ? ", " : "", names[i]);
	}
	if (different > MAX_NAMES)
		fprintf(text, " and %zu more", different - MAX_NAMES);
	fclose(text);
	if (different > 1)
		wm_fatal("%s: '%s' may be any of %s: name one of them", command, word, list);
	free(list);
}

/* The last part of a name may be that of several functions: the user has to choose. */
static void refuse_several_parts(struct wm_arena *arena, const char *command, const char *word,
	const struct wm_profile_function *const *found, size_t count)
{
	const char **names = wm_arena_alloc(arena, count, sizeof *names);
	for (size_t i = 0; i < count; i++)
		names[i] = wm_text_short_name(arena, found[i]->function->name);
	wm_find_refuse_unless_one(command, word, names, count);
}

static const struct wm_profile_function **find_matching(
	struct wm_arena *arena, const struct wm_profile *profile, const char *glob, size_t *count)
{
	const struct wm_profile_function **found =
		wm_arena_alloc(arena, profile->function_count, sizeof *found);
	*count = 0;
	for (uint32_t i = 0; i < profile->function_count; i++)
		if (wm_text_name_matches(glob, profile->functions[i].function->name))
			found[(*count)++] = &profile->functions[i];
	return found;
}

const struct wm_profile_function **wm_find_functions(struct wm_arena *arena, const char *command,
	const struct wm_profile *profile, const char *name, size_t *count)
{
	enum wm_text_name_fit fit;
	const struct wm_profile_function **found = find_fitting(arena, profile, name, &fit, count);
	if (fit == WM_TEXT_NAME_PART)
		refuse_several_parts(arena, command, name, found, *count);
	if (*count == 0 && strpbrk(name, "*?["))
		found = find_matching(arena, profile, name, count);
	if (*count > 0)
		return found;
	struct wm_nearest nearest = {.word = name};
	offer_all(arena, profile, &nearest);
	refuse(arena, command, profile, &nearest);
}

/* The functions whose names have that end: three dots stand for the rest. */
static const struct wm_profile_function **find_cut(struct wm_arena *arena, const char *command,
	const struct wm_profile *profile, const struct wm_path_name *name, size_t *count)
{
	const struct wm_profile_function **found =
		wm_arena_alloc(arena, profile->function_count, sizeof *found);
	*count = 0;
	for (uint32_t i = 0; i < profile->function_count; i++)
		if (wm_path_name_is_of(name, profile->functions[i].function))
			found[(*count)++] = &profile->functions[i];
	if (*count == 0)
		refuse(arena, command, profile, &(struct wm_nearest){.word = name->function});
	return found;
}

const struct wm_profile_function **wm_find_path_functions(struct wm_arena *arena,
	const char *command, const struct wm_profile *profile, const struct wm_path_name *name,
	size_t *count)
{
	return strncmp(name->function, "...", 3) == 0
		       ? find_cut(arena, command, profile, name, count)
		       : wm_find_functions(arena, command, profile, name->function, count);
}

struct callees {
	struct wm_arena *arena;
	const char *word;
	enum wm_text_name_fit fit; /* of all names found */
	const char **names;
	size_t count, capacity;
};

/* Keeps only the best fits, each once. */
static void add_callee(struct callees *callees, const char *linker_name)
{
	for (size_t i = 0; i < callees->count; i++)
		if (strcmp(callees->names[i], linker_name) == 0)
			return;
	enum wm_text_name_fit fit = wm_text_name_fit(callees->word, linker_name);
	if (fit == WM_TEXT_NAME_NONE || fit < callees->fit)
		return;
	if (fit > callees->fit)
		callees->count = 0;
	callees->fit = fit;
	callees->names = wm_arena_grow(callees->arena, callees->names, callees->count,
		&callees->capacity, sizeof *callees->names);
	callees->names[callees->count++] = linker_name;
}

static void add_callees_of(struct callees *callees, const struct wm_profile *profile)
{
	for (uint32_t i = 0; i < profile->function_count; i++) {
		const struct wm_function *function = profile->functions[i].function;
		add_callee(callees, function->name);
		for (uint32_t k = 0; k < function->call_count; k++)
			add_callee(callees, function->calls[k].callee);
	}
}

const char **wm_find_callees(struct wm_arena *arena, const char *command,
	const struct wm_profile *profiles, size_t profile_count, const char *name, size_t *count)
{
	struct callees callees = {.arena = arena, .word = name};
	struct wm_nearest nearest = {.word = name};
	for (size_t i = 0; i < profile_count; i++)
		add_callees_of(&callees, &profiles[i]);
	*count = callees.count;
	if (callees.count)
		return callees.names;
	for (size_t i = 0; i < profile_count; i++)
		offer_all(arena, &profiles[i], &nearest);
	if (nearest.best)
		wm_fatal("%s: the program neither has nor calls a function '%s'; did you mean %s?",
			command, name, nearest.best);
	wm_fatal("%s: the program neither has nor calls a function '%s'", command, name);
}

struct wm_profile *wm_find_profile(struct wm_arena *arena, const char *command, char **paths,
	size_t path_count, const char *binary, const char *object)
{
	size_t count = path_count;
	struct wm_profile *profiles = wm_load_profiles(arena, command, paths, binary, &count);
	if (count > 1)
		wm_fatal_usage(
			"%s: the files are of %zu programs; name those of one", command, count);
	wm_load_choose_object(arena, command, profiles, object);
	return profiles;
}
