/* The table of modes. */
#include "llvm/mode/mode.h"

#include <assert.h>

/* Rows that others fall back to come first. */
static const struct wm_mode edges = {
	{WM_QUANTITY_EDGES, WM_PLACEMENT_OPTIMAL}, .functions = &wm_counters_mode};
static const struct wm_mode paths = {{WM_QUANTITY_PATHS, WM_PLACEMENT_OPTIMAL},
	.functions = &wm_paths_mode, .otherwise = &edges};
static const struct wm_mode paths_commit = {
	{WM_QUANTITY_PATHS, WM_PLACEMENT_COMMIT}, .functions = &wm_paths_mode, .otherwise = &edges};
static const struct wm_mode redundant_edges = {{WM_QUANTITY_EDGES, WM_PLACEMENT_REDUNDANT},
	.functions = &wm_counters_mode, .is_oracle = true};
static const struct wm_mode blocks = {
	{WM_QUANTITY_BLOCKS, WM_PLACEMENT_OPTIMAL}, .functions = &wm_counters_mode};
static const struct wm_mode blocks_vertex = {
	{WM_QUANTITY_BLOCKS, WM_PLACEMENT_VERTEX}, .functions = &wm_counters_mode};
static const struct wm_mode redundant_blocks = {{WM_QUANTITY_BLOCKS, WM_PLACEMENT_REDUNDANT},
	.functions = &wm_counters_mode, .is_oracle = true};
static const struct wm_mode redundant_paths = {{WM_QUANTITY_PATHS, WM_PLACEMENT_REDUNDANT},
	.functions = &wm_oracle_mode, .is_oracle = true};

static const struct wm_mode events = {
	{WM_QUANTITY_EVENTS, WM_PLACEMENT_OPTIMAL}, .functions = &wm_events_mode};
static const struct wm_mode redundant_events = {{WM_QUANTITY_EVENTS, WM_PLACEMENT_REDUNDANT},
	.functions = &wm_events_mode, .is_oracle = true};
static const struct wm_mode calls = {
	{WM_QUANTITY_CONTEXT, WM_PLACEMENT_OPTIMAL}, .functions = &wm_calls_mode};

static const struct wm_mode trace = {
	{WM_QUANTITY_TRACE, WM_PLACEMENT_OPTIMAL}, .functions = &wm_trace_mode, .is_oracle = true};
static const struct wm_mode redundant_trace = {{WM_QUANTITY_TRACE, WM_PLACEMENT_REDUNDANT},
	.functions = &wm_trace_mode, .is_oracle = true};

/* By the words of --profile and --placement. */
static const struct wm_mode *const by_words[] = {&edges, &redundant_edges, &blocks, &blocks_vertex,
	&redundant_blocks, &paths, &paths_commit, &redundant_paths, &events, &redundant_events,
	&calls, &trace, &redundant_trace};

/* By --select and --prefer-by=intervals, instead of the row that the words name. */
static const struct wm_mode by_sums[] = {
	{{WM_QUANTITY_PATHS, WM_PLACEMENT_SELECTED}, &wm_sums_mode, .otherwise = &paths},
	{{WM_QUANTITY_PATHS, WM_PLACEMENT_PREFERRED}, &wm_sums_mode, .otherwise = &paths},
	{{WM_QUANTITY_PATHS, WM_PLACEMENT_PREFERRED}, &wm_sums_mode, .otherwise = &paths_commit},
};

/* By --residual-by=sentinel. */
static const struct wm_mode sentinels = {{WM_QUANTITY_PATHS, WM_PLACEMENT_SENTINEL},
	.functions = &wm_sentinels_mode, .otherwise = &paths};

static const struct wm_mode *mode_of_words(struct wm_measure measure)
{
	for (size_t i = 0; i < sizeof by_words / sizeof *by_words; i++)
		if (wm_measure_is(by_words[i]->measure, measure.quantity, measure.placement))
			return by_words[i];
	assert(!"the options name a mode that the plug-in does not have");
	return NULL;
}

const struct wm_mode *wm_mode_of(const struct wm_plugin_options *options)
{
	const struct wm_mode *named = mode_of_words(options->measure);
	if (options->sentinels)
		return &sentinels;
	for (size_t i = 0; i < sizeof by_sums / sizeof *by_sums; i++)
		if (by_sums[i].measure.placement == options->by_sums &&
			by_sums[i].otherwise == named)
			return &by_sums[i];
	return named;
}
