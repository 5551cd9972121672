/* Options of the plug-in: a table of names and values. */
#include "format/plugin_options.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "format/segment_sites.h"
#include "format/trace_file.h"

static const char *const weightings[] = {"compiler", "heuristic", "goldberg"};

static int choose_weighting(
	const char *name, struct wm_plugin_options *options, struct wm_error *error)
{
	for (size_t i = 0; i < sizeof(weightings) / sizeof(weightings[0]); i++) {
		if (!strcmp(weightings[i], name)) {
			options->weighting = (enum wm_weighting)i;
			return 0;
		}
	}
	return wm_error_set(error, WM_ERROR_INPUT,
		"--weights='%s' is unknown: use compiler, heuristic or goldberg", name);
}

static int choose_point(const char *name, struct wm_plugin_options *options, struct wm_error *error)
{
	options->early = !strcmp(name, "early");
	if (options->early || !strcmp(name, "late"))
		return 0;
	return wm_error_set(error, WM_ERROR_INPUT, "--at='%s' is unknown: use late or early", name);
}

static int choose_base(const char *name, struct wm_plugin_options *options, struct wm_error *error)
{
	options->segment = !strcmp(name, "register");
	if (options->segment || !strcmp(name, "memory"))
		return 0;
	return wm_error_set(
		error, WM_ERROR_INPUT, "--base='%s' is unknown: use register or memory", name);
}

static int choose_paths(const char *name, struct wm_plugin_options *options, struct wm_error *error)
{
	options->classic_paths = !strcmp(name, "classic");
	if (options->classic_paths || !strcmp(name, "auto"))
		return 0;
	return wm_error_set(
		error, WM_ERROR_INPUT, "--paths='%s' is unknown: use auto or classic", name);
}

static void add_pattern(
	struct wm_arena *arena, struct wm_plugin_options *options, const char *glob, bool skip)
{
	struct wm_pattern *pattern = wm_arena_alloc(arena, 1, sizeof(*pattern));
	*pattern = (struct wm_pattern){glob, skip, options->patterns};
	options->patterns = pattern;
}

static int choose_yes(const char *option, const char *value, bool *chosen, struct wm_error *error)
{
	*chosen = value != NULL;
	if (!value || !strcmp(value, "yes"))
		return 0;
	return wm_error_set(error, WM_ERROR_INPUT, "%s='%s': use yes", option, value);
}

bool wm_plugin_options_is_file(const char *paths)
{
	static const char suffix[] = ".wmk";
	size_t bytes = strlen(paths);
	return bytes >= sizeof suffix && !strcmp(paths + bytes - (sizeof suffix - 1), suffix) &&
	       !strpbrk(paths, ",:");
}

/* What can be chosen by a word. */
struct words {
	const char *context_limit, *profile, *placement, *weights, *at, *base, *paths, *prefer,
		*prefer_by, *strict, *whole, *text, *events, *events_fresh, *events_stop,
		*inclusive, *residual, *residual_by, *trace, *trace_last, *segments_growth, *sim,
		*at_link;
};

static bool counts_named_paths(const struct wm_plugin_options *options)
{
	return wm_measure_is(options->measure, WM_QUANTITY_PATHS, WM_PLACEMENT_OPTIMAL) ||
	       (!options->select &&
		       wm_measure_is(options->measure, WM_QUANTITY_PATHS, WM_PLACEMENT_COMMIT));
}

/* How paths are found that no test took. */
static int choose_residual(
	const struct words *words, struct wm_plugin_options *options, struct wm_error *error)
{
	const char *by = words->residual_by ? words->residual_by : "history";
	bool intervals = !strcmp(by, "intervals");
	options->residual = words->residual;
	options->residual_selects = !strcmp(by, "select");
	options->sentinels = !strcmp(by, "sentinel");
	if (!intervals && !options->residual_selects && !options->sentinels &&
		strcmp(by, "history"))
		return wm_error_set(error, WM_ERROR_INPUT,
			"--residual-by='%s' is unknown: use history, intervals, select or sentinel",
			by);
	if (!options->residual)
		return words->residual_by ? wm_error_set(error, WM_ERROR_INPUT,
						    "--residual-by needs --residual=@TESTED.wmp")
					  : 0;
	if (options->prefer || options->select)
		return wm_error_set(error, WM_ERROR_INPUT,
			"--residual and --%s exclude each other: give one of them",
			options->prefer ? "prefer" : "select");
	if (!wm_measure_is(options->measure, WM_QUANTITY_PATHS, WM_PLACEMENT_OPTIMAL) &&
		(!intervals ||
			!wm_measure_is(options->measure, WM_QUANTITY_PATHS, WM_PLACEMENT_COMMIT)))
		return wm_error_set(error, WM_ERROR_INPUT,
			"--residual needs --profile=paths and --placement=optimal%s",
			intervals ? " or commit" : "");
	if (options->sentinels && (options->early || options->classic_paths || options->contexts))
		return wm_error_set(error, WM_ERROR_INPUT,
			"--residual-by=sentinel goes with --at=late, --paths=auto and "
			"--profile=paths only");
	options->by_sums = intervals		       ? WM_PLACEMENT_PREFERRED
			   : options->residual_selects ? WM_PLACEMENT_SELECTED
						       : 0;
	return 0;
}

static int choose_known_paths(
	const struct words *words, struct wm_plugin_options *options, struct wm_error *error)
{
	bool by_intervals = words->prefer_by && !strcmp(words->prefer_by, "intervals");
	options->prefer = words->prefer;
	options->use_option = "use";
	if (words->prefer_by && !by_intervals && strcmp(words->prefer_by, "hash"))
		return wm_error_set(error, WM_ERROR_INPUT,
			"--prefer-by='%s' is unknown: use hash or intervals", words->prefer_by);
	if (words->prefer && wm_plugin_options_is_file(words->prefer)) {
		options->use = words->prefer;
		options->use_option = "prefer";
		options->prefer = "hot:90%";
	}
	if (options->optimize && (options->use || options->prefer || options->select))
		return wm_error_set(error, WM_ERROR_INPUT,
			"--optimize counts nothing: leave out --use, --prefer and --select");
	if (options->optimize && options->early)
		return wm_error_set(error, WM_ERROR_INPUT,
			"--optimize takes the counts of optimised code: leave out --at=early");
	if (options->optimize) {
		options->use = options->optimize;
		options->use_option = "optimize";
	}
	if (options->prefer && options->select)
		return wm_error_set(error, WM_ERROR_INPUT,
			"--select and --prefer exclude each other: give one of them");
	if ((options->prefer || options->select) && !counts_named_paths(options))
		return wm_error_set(error, WM_ERROR_INPUT,
			"--%s needs --profile=paths and --placement=optimal%s",
			options->select ? "select" : "prefer", options->select ? "" : " or commit");
	options->by_sums = options->select		     ? WM_PLACEMENT_SELECTED
			   : options->prefer && by_intervals ? WM_PLACEMENT_PREFERRED
							     : 0;
	return choose_residual(words, options, error);
}

/* What stands before +context, which is cut off, or `context` alone. */
static const char *take_contexts(
	struct wm_arena *arena, const char *profile, struct wm_plugin_options *options)
{
	static const char suffix[] = "+context";
	size_t bytes = strlen(profile), suffix_bytes = sizeof suffix - 1;
	if (!strcmp(profile, suffix + 1)) {
		options->contexts = true;
		return profile;
	}
	options->contexts = bytes > suffix_bytes && !strcmp(profile + bytes - suffix_bytes, suffix);
	if (!options->contexts)
		return profile;
	char *quantity = wm_arena_copy_text(arena, profile);
	quantity[bytes - suffix_bytes] = '\0';
	return quantity;
}

/* What stands before +metric:, which is cut off. */
static int take_meters(struct wm_arena *arena, const char **profile, const char **placement,
	struct wm_plugin_options *options, struct wm_error *error)
{
	static const char mark[] = "+metric:";
	const char *found = strstr(*profile, mark);
	if (!found)
		return 0;
	size_t bytes = (size_t)(found - *profile);
	char *quantity = wm_arena_alloc(arena, bytes + 1, 1);
	memcpy(quantity, *profile, bytes);
	if (strcmp(quantity, "paths"))
		return wm_error_set(error, WM_ERROR_INPUT,
			"--profile='%s': metrics are read where paths end; use paths+metric:%s",
			*profile, found + sizeof mark - 1);
	*profile = quantity;
	if (!strcmp(*placement, "optimal"))
		*placement = "commit";
	if (strcmp(*placement, "commit"))
		return wm_error_set(error, WM_ERROR_INPUT,
			"metrics are read where paths end: leave out --placement=%s", *placement);
	return wm_meters_parse(arena, found + sizeof mark - 1, &options->meters, error);
}

/* Options that count elsewhere than where paths end, or not all paths. */
static int check_meters(const struct wm_plugin_options *options, struct wm_error *error)
{
	const char *refused = options->classic_paths ? "paths=classic"
			      : options->early	     ? "at=early"
			      : options->select	     ? "select"
			      : options->prefer	     ? "prefer"
			      : options->residual    ? "residual"
						     : NULL;
	if (!options->meters.count || !refused)
		return 0;
	return wm_error_set(error, WM_ERROR_INPUT,
		"--%s does not go with metrics, which are read where each path of optimised code "
		"ends",
		refused);
}

/* Kinds go with running sums, and only with these. */
static int choose_events(struct wm_arena *arena, const struct words *words,
	struct wm_plugin_options *options, struct wm_error *error)
{
	bool sums = options->measure.quantity == WM_QUANTITY_EVENTS;
	const char *only_there = words->events	       ? "events"
				 : words->events_fresh ? "events-fresh"
				 : words->events_stop  ? "events-stop"
				 : words->inclusive    ? "inclusive"
						       : NULL;
	if (!sums && only_there)
		return wm_error_set(
			error, WM_ERROR_INPUT, "--%s needs --profile=events", only_there);
	if (options->stops && options->inclusive)
		return wm_error_set(error, WM_ERROR_INPUT,
			"--inclusive does not go with --events-stop: make two builds");
	if (sums && options->contexts)
		return wm_error_set(
			error, WM_ERROR_INPUT, "--profile=events does not go with +context");
	if (!sums)
		return 0;
	options->event_words = words->events	? words->events
			       : options->stops ? "steps"
						: "instructions";
	return wm_summed_kinds_parse(arena, options->event_words, &options->events, error);
}

static int choose_context_limit(
	const char *value, struct wm_plugin_options *options, struct wm_error *error)
{
	enum { MOST_DIGITS = 9 };
	size_t digits = value ? strspn(value, "0123456789") : 0;
	if (!value)
		return 0;
	options->context_limit = strtoull(value, NULL, 10);
	if (!options->context_limit || value[digits] || digits > MOST_DIGITS)
		return wm_error_set(error, WM_ERROR_INPUT,
			"--context-limit='%s' is no number of records from 1 to 999999999", value);
	if (!options->contexts)
		return wm_error_set(error, WM_ERROR_INPUT,
			"--context-limit needs --profile=context, or one that ends in +context");
	return 0;
}

/* Every branch is written where it is taken, or only what cannot be told otherwise. */
static int choose_trace(
	const char *encoding, struct wm_plugin_options *options, struct wm_error *error)
{
	if (!encoding)
		return 0;
	if (options->measure.quantity != WM_QUANTITY_TRACE)
		return wm_error_set(
			error, WM_ERROR_INPUT, "--trace=%s needs --profile=trace", encoding);
	if (strcmp(encoding, "bits") && strcmp(encoding, "every"))
		return wm_error_set(error, WM_ERROR_INPUT,
			"--trace='%s' is unknown: use bits or every", encoding);
	options->measure.placement =
		encoding[0] == 'e' ? WM_PLACEMENT_REDUNDANT : WM_PLACEMENT_OPTIMAL;
	return 0;
}

/* 16M is half for calls and half for bits, in pieces. */
static int choose_ring(const char *size, struct wm_plugin_options *options, struct wm_error *error)
{
	static const char units[] = "KMG";
	const uint64_t piece = 2 * WM_TRACE_PIECE_BYTES;
	char *end;
	if (!size)
		return 0;
	if (options->measure.quantity != WM_QUANTITY_TRACE)
		return wm_error_set(
			error, WM_ERROR_INPUT, "--trace-last=%s needs --profile=trace", size);
	unsigned long long number = strtoull(size, &end, 10);
	const char *unit = *end ? strchr(units, *end) : NULL;
	if (size[0] < '0' || size[0] > '9' || (*end && (!unit || end[1])) || number > UINT32_MAX)
		return wm_error_set(error, WM_ERROR_INPUT,
			"--trace-last='%s' is no size: give one such as 16M", size);
	uint64_t bytes = number << (unit ? 10 * (unit - units + 1) : 0);
	options->trace_ring = bytes / piece;
	if (options->trace_ring < WM_TRACE_MIN_RING || options->trace_ring > WM_TRACE_MAX_RING)
		return wm_error_set(error, WM_ERROR_INPUT,
			"--trace-last=%s: give 512K to 40M; each thread keeps that much", size);
	return 0;
}

static int choose_growth(
	const char *percent, struct wm_plugin_options *options, struct wm_error *error)
{
	enum { DEFAULT_PERCENT = 50, MAX_PERCENT = 10000, MAX_DIGITS = 5 };
	size_t digits = percent ? strspn(percent, "0123456789") : 0;
	options->segments_growth = percent ? (unsigned)strtoul(percent, NULL, 10) : DEFAULT_PERCENT;
	if (!percent)
		return 0;
	bool ends = !percent[digits] || strcmp(percent + digits, "%") == 0;
	if (!digits || digits > MAX_DIGITS || !ends || options->segments_growth > MAX_PERCENT)
		return wm_error_set(error, WM_ERROR_INPUT,
			"--segments-growth='%s' is no percentage from 0 to %d", percent,
			MAX_PERCENT);
	if (!options->segments)
		return wm_error_set(error, WM_ERROR_INPUT,
			"--segments-growth needs --segments=K: nothing else grows");
	return 0;
}

static int choose_segments(
	struct wm_arena *arena, const struct wm_plugin_options *options, struct wm_error *error)
{
	struct wm_segment_sites sites;
	if (options->early)
		return wm_error_set(error, WM_ERROR_INPUT,
			"--segments needs --at=late: it lets paths cross calls of the optimised "
			"code");
	if (options->contexts || options->measure.quantity == WM_QUANTITY_TRACE ||
		options->measure.quantity == WM_QUANTITY_EVENTS)
		return wm_error_set(error, WM_ERROR_INPUT,
			"--segments goes with --profile=paths, edges or blocks only");
	return wm_segment_sites_parse(arena, options->segments, &sites, error);
}

static int choose(struct wm_arena *arena, const struct words *words,
	struct wm_plugin_options *options, struct wm_error *error)
{
	const char *profile = words->profile, *placement = words->placement;
	int status = take_meters(arena, &profile, &placement, options, error);
	if (status)
		return status;
	const char *quantity = take_contexts(arena, profile, options);
	status = wm_measure_choose(quantity, placement, &options->measure, error);
	if (!status)
		status = choose_yes("events-fresh", words->events_fresh, &options->fresh, error);
	if (!status)
		status = choose_yes("events-stop", words->events_stop, &options->stops, error);
	if (!status)
		status = choose_yes("inclusive", words->inclusive, &options->inclusive, error);
	if (!status)
		status = choose_events(arena, words, options, error);
	if (!status)
		status = choose_context_limit(words->context_limit, options, error);
	if (!status)
		status = choose_trace(words->trace, options, error);
	if (!status)
		status = choose_ring(words->trace_last, options, error);
	if (!status && options->contexts && options->measure.quantity == WM_QUANTITY_TRACE)
		status = wm_error_set(error, WM_ERROR_INPUT,
			"--profile=trace tells of all callers: leave out +context");
	if (!status)
		status = choose_weighting(words->weights, options, error);
	if (!status)
		status = choose_point(words->at, options, error);
	if (!status)
		status = choose_paths(words->paths, options, error);
	if (!status)
		status = choose_base(words->base, options, error);
	if (!status)
		status = choose_yes("strict", words->strict, &options->strict, error);
	if (!status)
		status = choose_yes("whole", words->whole, &options->whole, error);
	if (!status)
		status = choose_yes("text", words->text, &options->text, error);
	if (!status)
		status = choose_yes("at-link", words->at_link, &options->at_link, error);
	if (!status)
		status = choose_growth(words->segments_growth, options, error);
	if (!status && options->segments)
		status = choose_segments(arena, options, error);
	if (!status)
		status = choose_known_paths(words, options, error);
	if (!status)
		status = check_meters(options, error);
	if (!status && words->sim && !wm_meters_have(&options->meters, WM_METER_SIM))
		status = wm_error_set(error, WM_ERROR_INPUT,
			"--sim=%s needs a metric that it is for, such as "
			"--profile=paths+metric:sim:l1d",
			words->sim);
	return status ? status : wm_sim_shapes_parse(arena, words->sim, &options->sim, error);
}

int wm_plugin_options_parse(struct wm_arena *arena, const char *text,
	struct wm_plugin_options *options, struct wm_error *error)
{
	struct words words = {.profile = "paths",
		.placement = "optimal",
		.weights = "compiler",
		.at = "late",
		.base = "register",
		.paths = "auto"};
	const struct {
		const char *name;
		const char **value;
	} names[] = {{"context-limit", &words.context_limit}, {"profile", &words.profile},
		{"placement", &words.placement}, {"weights", &words.weights}, {"at", &words.at},
		{"base", &words.base}, {"paths", &words.paths}, {"prefer", &words.prefer},
		{"prefer-by", &words.prefer_by}, {"strict", &words.strict}, {"whole", &words.whole},
		{"text", &words.text}, {"events", &words.events},
		{"events-fresh", &words.events_fresh}, {"events-stop", &words.events_stop},
		{"inclusive", &words.inclusive}, {"file", &options->file}, {"use", &options->use},
		{"optimize", &options->optimize}, {"prior", &options->prior},
		{"binary", &options->binary}, {"select", &options->select},
		{"residual", &words.residual}, {"residual-by", &words.residual_by},
		{"trace", &words.trace}, {"sim", &words.sim}, {"trace-last", &words.trace_last},
		{"segments", &options->segments}, {"segments-growth", &words.segments_growth},
		{"at-link", &words.at_link}};
	enum { NAME_COUNT = sizeof names / sizeof *names };
	char *state = NULL;
	char *copy = wm_arena_copy_text(arena, text ? text : "");
	memset(options, 0, sizeof(*options));
	for (char *line = strtok_r(copy, "\n", &state); line; line = strtok_r(NULL, "\n", &state)) {
		char *value = strchr(line, '=');
		size_t i = 0;
		if (!value)
			return wm_error_set(
				error, WM_ERROR_INPUT, "WAYMARK_OPTIONS: '%s' has no value", line);
		*value++ = 0;
		while (i < NAME_COUNT && strcmp(line, names[i].name))
			i++;
		if (i < NAME_COUNT)
			*names[i].value = value;
		else if (!strcmp(line, "only") || !strcmp(line, "skip"))
			add_pattern(arena, options, value, line[0] == 's');
		else
			return wm_error_set(
				error, WM_ERROR_INPUT, "WAYMARK_OPTIONS: '%s' is unknown", line);
	}
	return choose(arena, &words, options, error);
}

bool wm_plugin_options_select(const struct wm_plugin_options *options, const char *function)
{
	bool any_only = false, matched_only = false;
	for (const struct wm_pattern *p = options->patterns; p; p = p->next) {
		bool matched = !fnmatch(p->glob, function, 0);
		if (p->skip && matched)
			return false;
		any_only |= !p->skip;
		matched_only |= !p->skip && matched;
	}
	return !any_only || matched_only;
}
