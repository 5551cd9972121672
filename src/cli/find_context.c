/* A chain is compared from its end, step by step with the records above. */
#include "cli/find_context.h"

#include <stdlib.h>
#include <string.h>

#include "cli/fatal.h"
#include "cli/find_function.h"
#include "cli/nearest.h"
#include "core/base/none.h"
#include "names/path_name.h"
#include "report/context_name.h"

struct finder {
	struct wm_arena *arena;
	const char *command;
	const struct wm_tree *tree;
	const char *word;
	size_t step_count;
	struct wm_context_step *steps;
	const bool **fits;	/* by step and function */
	const char *first_word; /* in brackets in front of the first function, or NULL */
	bool *found;
	size_t count;
};

static void add(struct finder *finder, uint32_t record)
{
	finder->count += !finder->found[record];
	finder->found[record] = true;
}

/* Takes `:1f2e3d4c` off the end: the hash that tells functions of one name apart. */
static bool take_hash(char *function, uint32_t *hash)
{
	enum { DIGITS = 8 };
	char *colon = strrchr(function, ':'), *end;
	if (!colon || strlen(colon + 1) != DIGITS)
		return false;
	*hash = (uint32_t)strtoul(colon + 1, &end, 16);
	if (*end)
		return false;
	*colon = '\0';
	return true;
}

static const bool *find_functions(struct finder *finder, const struct wm_context_step *step)
{
	const struct wm_profile *profile = finder->tree->profile;
	size_t count;
	uint32_t hash = 0;
	bool *fits = wm_arena_alloc(finder->arena, profile->function_count, sizeof *fits);
	bool has_hash = take_hash(step->function, &hash);
	const struct wm_profile_function **found =
		wm_find_functions(finder->arena, finder->command, profile, step->function, &count);
	for (size_t i = 0; i < count; i++)
		fits[found[i] - profile->functions] =
			!has_hash || wm_path_cfg_hash(found[i]->function) == hash;
	return fits;
}

/* [signal] in front stands for callers that are no function. */
static void take_first_word(struct finder *finder)
{
	char *first = finder->steps[0].function;
	size_t length = strlen(first);
	if (finder->step_count == 1 || first[0] != '[' || first[length - 1] != ']')
		return;
	for (uint32_t site = 0; site <= WM_CONTEXT_SITE_UNKNOWN; site++) {
		const char *word = wm_context_name_outside(site);
		if (word[0] && strlen(word) == length - 2 &&
			strncmp(first + 1, word, length - 2) == 0)
			finder->first_word = word;
	}
	if (!finder->first_word)
		return;
	finder->steps++;
	finder->step_count--;
}

static void read_steps(struct finder *finder)
{
	if (!wm_context_name_parse(
		    finder->arena, finder->word, &finder->step_count, &finder->steps))
		wm_fatal_usage("%s: '%s' is no context: name the functions of its chain, the "
			       "outermost first, as in main/parse/lex",
			finder->command, finder->word);
	take_first_word(finder);
	finder->fits = wm_arena_alloc(finder->arena, finder->step_count, sizeof *finder->fits);
	for (size_t i = 0; i < finder->step_count; i++)
		finder->fits[i] = find_functions(finder, &finder->steps[i]);
}

static bool starts_there(const struct finder *finder, uint32_t record)
{
	const struct wm_context_record *each = &finder->tree->contexts.records[record];
	return !finder->first_word ||
	       (each->parent == WM_CONTEXT_OUTSIDE &&
		       strcmp(wm_context_name_outside(each->site), finder->first_word) == 0);
}

static bool ends_in_steps(const struct finder *finder, uint32_t record)
{
	const struct wm_context_record *records = finder->tree->contexts.records;
	for (size_t i = finder->step_count; i-- > 0;) {
		if (record == WM_CONTEXT_OUTSIDE || !finder->fits[i][records[record].function])
			return false;
		if (i == 0)
			break;
		const struct wm_context_step *above = &finder->steps[i - 1];
		if (above->has_site && above->site != records[record].site)
			return false;
		record = records[record].parent;
	}
	return starts_there(finder, record);
}

/* One of those that were found may have exactly this name. */
static void keep_whole_name(struct finder *finder)
{
	uint32_t count = finder->tree->contexts.record_count, whole = WM_NONE;
	for (uint32_t i = 1; i < count && whole == WM_NONE; i++)
		if (finder->found[i] &&
			strcmp(wm_context_name(finder->arena, finder->tree, i), finder->word) == 0)
			whole = i;
	for (uint32_t i = 1; whole != WM_NONE && i < count; i++)
		finder->found[i] = i == whole;
}

static void find_by_steps(struct finder *finder)
{
	read_steps(finder);
	for (uint32_t i = 1; i < finder->tree->contexts.record_count; i++)
		if (ends_in_steps(finder, i))
			add(finder, i);
	if (strchr(finder->word, '/'))
		keep_whole_name(finder);
}

/* Three dots, which stand for the start. */
static void find_by_end(struct finder *finder)
{
	const char *end = finder->word + strlen("...");
	for (uint32_t i = 1; i < finder->tree->contexts.record_count; i++) {
		struct wm_arena scratch = {0};
		const char *name = wm_context_name(&scratch, finder->tree, i);
		size_t all = strlen(name), wanted = strlen(end);
		if (all >= wanted && strcmp(name + all - wanted, end) == 0)
			add(finder, i);
		wm_arena_reset(&scratch);
	}
}

static bool is_short_name(const char *word)
{
	enum { MIN_LETTERS = 4 };
	const char *at = strrchr(word, '@');
	return at && at > word && strlen(at + 1) >= MIN_LETTERS &&
	       at[1 + strspn(at + 1, "abcdefghijklmnopqrstuvwxyz234567")] == '\0';
}

static void find_by_short_name(struct finder *finder)
{
	for (uint32_t i = 1; i < finder->tree->contexts.record_count; i++) {
		struct wm_arena scratch = {0};
		const char *name = wm_context_short_name(
			&scratch, finder->tree, i, wm_context_name(&scratch, finder->tree, i));
		if (strncmp(name, finder->word, strlen(finder->word)) == 0)
			add(finder, i);
		wm_arena_reset(&scratch);
	}
	if (finder->count > 1)
		wm_fatal("%s: '%s' may be any of %zu contexts: give more letters", finder->command,
			finder->word, finder->count);
}

/* Of the contexts of the last function, the one whose name is nearest; else the busiest. */
static uint32_t find_nearest(const struct finder *finder)
{
	const struct wm_tree *tree = finder->tree;
	struct wm_nearest nearest = {.word = finder->word};
	uint32_t best = WM_NONE, busiest = WM_NONE;
	for (uint32_t i = 1; i < tree->contexts.record_count; i++) {
		if (finder->step_count &&
			!finder->fits[finder->step_count - 1][tree->contexts.records[i].function])
			continue;
		const char *known = nearest.best;
		wm_nearest_offer(&nearest, wm_context_name(finder->arena, tree, i));
		best = nearest.best != known ? i : best;
		if (busiest == WM_NONE || tree->own[i] > tree->own[busiest])
			busiest = i;
	}
	return best == WM_NONE ? busiest : best;
}

_Noreturn static void refuse(const struct finder *finder)
{
	uint32_t nearest = find_nearest(finder);
	const char *path = finder->tree->profile->file.path;
	if (nearest == WM_NONE)
		wm_fatal("%s: '%s' was called in no context that %s has", finder->command,
			finder->word, path);
	wm_fatal("%s: %s has no context '%s'; did you mean %s?", finder->command, path,
		finder->word, wm_context_name(finder->arena, finder->tree, nearest));
}

const bool *wm_find_contexts(
	struct wm_arena *arena, const char *command, const struct wm_tree *tree, const char *word)
{
	struct finder finder = {.arena = arena,
		.command = command,
		.tree = tree,
		.word = word,
		.found = wm_arena_alloc(arena, tree->contexts.record_count, sizeof(bool))};
	if (strncmp(word, "...", 3) == 0)
		find_by_end(&finder);
	else if (is_short_name(word))
		find_by_short_name(&finder);
	else
		find_by_steps(&finder);
	if (finder.count == 0)
		refuse(&finder);
	return finder.found;
}
