/* Loading, matching, and the lines that say what became of it. */
#include "llvm/subject/knowledge.h"

#include <inttypes.h>
#include <stdio.h>

#include "llvm/complain.h"
#include "llvm/tuning.h"

static void complain(const struct wm_knowledge *knowledge, bool fail, const char *text)
{
	wm_complain(
		knowledge->module, fail ? WM_COMPLAINT_ERROR : WM_COMPLAINT_WARNING, "%s", text);
}

static const char *path_option(const struct wm_plugin_options *options)
{
	return options->prefer ? "prefer" : options->select ? "select" : "residual";
}

/* Why the prior tells nothing; false if it does. */
static bool lacks_prior(
	struct wm_arena *arena, struct wm_knowledge *knowledge, struct wm_error *reason)
{
	const struct wm_plugin_options *options = knowledge->options;
	if (!options->prior)
		return wm_error_set(reason, WM_ERROR_INPUT,
			"%.800s is not resolved; compile with waymark cc", options->use);
	if (wm_prior_load(arena, options->prior, &knowledge->prior, reason))
		return true;
	if (knowledge->prior.failure)
		wm_error_set(reason, WM_ERROR_INPUT, "%s", knowledge->prior.failure);
	return knowledge->prior.failure;
}

static void load_prior(struct wm_arena *arena, struct wm_knowledge *knowledge)
{
	const struct wm_plugin_options *options = knowledge->options;
	struct wm_error reason, text;
	knowledge->has_prior = !lacks_prior(arena, knowledge, &reason);
	if (knowledge->has_prior)
		return;
	bool all = knowledge->has_paths && knowledge->paths.needs_profile;
	wm_error_set(&text, 0, "--%s: %.800s%s", options->use_option, reason.text,
		options->strict ? ""
		: all		? "; all paths are counted"
				: "; compiled without it");
	complain(knowledge, options->strict, text.text);
}

static void refuse_paths(struct wm_knowledge *knowledge, const struct wm_error *reason)
{
	const struct wm_plugin_options *options = knowledge->options;
	struct wm_error text;
	wm_error_set(&text, 0, "--%s: %.800s%s", path_option(options), reason->text,
		options->strict ? "" : "; all paths are counted");
	complain(knowledge, options->strict, text.text);
}

static void load_paths(struct wm_arena *arena, struct wm_knowledge *knowledge)
{
	const struct wm_plugin_options *options = knowledge->options;
	const char *list = options->prefer   ? options->prefer
			   : options->select ? options->select
					     : options->residual;
	struct wm_error reason;
	int status = wm_path_set_parse(arena, list, &knowledge->paths, &reason);
	if (!status && knowledge->paths.needs_profile && !options->use)
		status = wm_error_set(&reason, WM_ERROR_INPUT,
			"'%.200s' asks for hot paths, but there is no profile: name one with "
			"--use=FILE.wmk",
			list);
	knowledge->has_paths = !status;
	if (status)
		refuse_paths(knowledge, &reason);
}

/* The paths that the item stands for. */
static void resolve_item(
	struct wm_arena *arena, const struct wm_prior *prior, struct wm_path_item *item)
{
	const struct wm_prior_share *share = prior->shares, *end = share + prior->share_count;
	while (share < end && share->percent != item->percent)
		share++;
	if (share == end)
		return;
	item->names = wm_arena_alloc(arena, share->function_count, sizeof *item->names);
	for (uint32_t i = 0; i < share->function_count; i++) {
		const struct wm_prior_hot_function *hot = &share->functions[i];
		item->names[item->name_count++] = (struct wm_path_name){
			hot->name, hot->cfg_hash, hot->id_count, hot->ids, false};
	}
}

/* Requires paths that need the profile. What kept it from being loaded has been said. */
static void resolve_paths(struct wm_arena *arena, struct wm_knowledge *knowledge)
{
	struct wm_path_set *set = &knowledge->paths;
	struct wm_error reason;
	knowledge->has_paths = knowledge->has_prior && !knowledge->prior.without_hot;
	for (size_t i = 0; knowledge->has_paths && i < set->item_count; i++)
		if (set->items[i].kind == WM_PATH_ITEM_HOT)
			resolve_item(arena, &knowledge->prior, &set->items[i]);
	set->needs_profile = false;
	if (!knowledge->has_prior || knowledge->has_paths)
		return;
	wm_error_set(&reason, WM_ERROR_INPUT, "%s", knowledge->prior.without_hot);
	refuse_paths(knowledge, &reason);
}

void wm_knowledge_open(struct wm_arena *arena, LLVMModuleRef module,
	const struct wm_plugin_options *options, struct wm_knowledge *knowledge)
{
	*knowledge = (struct wm_knowledge){.module = module, .options = options};
	if (options->prefer || options->select || options->residual)
		load_paths(arena, knowledge);
	if (options->use)
		load_prior(arena, knowledge);
	if (knowledge->has_paths && knowledge->paths.needs_profile)
		resolve_paths(arena, knowledge);
}

const struct wm_prior_function *wm_knowledge_of(
	struct wm_arena *arena, struct wm_knowledge *knowledge, const struct wm_function *function)
{
	if (!knowledge->has_prior)
		return NULL;
	const struct wm_prior_function *known = wm_prior_find(arena, &knowledge->prior, function);
	knowledge->asked++;
	knowledge->matched += known != NULL;
	return known;
}

static void check_prior(const struct wm_knowledge *knowledge)
{
	const struct wm_plugin_options *options = knowledge->options;
	struct wm_error text;
	if (knowledge->matched == knowledge->asked ||
		(knowledge->matched && !options->strict && !options->optimize))
		return;
	wm_error_set(&text, 0,
		"--%s=%.600s: %u of %u functions match; the others are %s without it",
		options->use_option, options->use, knowledge->matched, knowledge->asked,
		options->optimize ? "compiled" : "planned");
	complain(knowledge, options->strict && !knowledge->matched, text.text);
}

/* What follows from paths that did not match. */
static const char *outcome(const struct wm_plugin_options *options, bool anything_counted)
{
	if (anything_counted)
		return "";
	if (options->strict)
		return ": nothing would be counted";
	return options->whole ? ": the program counts nothing"
			      : ": nothing of this file is counted";
}

/* False if it had to complain. */
static bool check_paths(const struct wm_knowledge *knowledge, bool anything_counted)
{
	const struct wm_plugin_options *options = knowledge->options;
	struct wm_error reason, text;
	if (!knowledge->has_paths || !wm_path_set_check(&knowledge->paths, options->whole, &reason))
		return true;
	wm_error_set(&text, 0, "--%s: %.900s%s; correct the list, or leave it out",
		path_option(options), reason.text, outcome(options, anything_counted));
	complain(knowledge, options->strict, text.text);
	return false;
}

void wm_knowledge_note_overfull(struct wm_knowledge *knowledge, const char *name, uint64_t paths)
{
	if (knowledge->overfull++)
		return;
	knowledge->first_overfull = name;
	knowledge->first_overfull_paths = paths;
}

/* False if it had to complain. */
static bool check_overfull(const struct wm_knowledge *knowledge)
{
	bool strict = knowledge->options->strict;
	struct wm_error text;
	char more[64] = "";
	if (!knowledge->overfull)
		return true;
	if (knowledge->overfull > 1)
		snprintf(more, sizeof more, ", and in %u more functions too many",
			knowledge->overfull - 1);
	wm_error_set(&text, 0,
		"--select: %" PRIu64 " paths of function '%.200s' are selected, more than %d%s%s; "
		"select fewer of them, or count all paths of some functions with --only=GLOB",
		knowledge->first_overfull_paths, knowledge->first_overfull, WM_MAX_SELECTED_PATHS,
		more, strict ? "" : ": all paths are counted there");
	complain(knowledge, strict, text.text);
	return false;
}

void wm_knowledge_close(const struct wm_knowledge *knowledge, bool anything_counted)
{
	if (check_paths(knowledge, anything_counted) && check_overfull(knowledge))
		check_prior(knowledge);
}
