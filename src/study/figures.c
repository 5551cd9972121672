#include "study/figures.h"

#include <string.h>

/* The thesis names 512 x 4; which the other three of its figures 5.7 and 5.8 are is our guess. */
const struct wm_hot_shape wm_figure_shapes[WM_FIGURE_SHAPES] = {
	{256, 2, WM_INDEX_FOLD, WM_POLICY_LFU, 0, false},
	{256, 4, WM_INDEX_FOLD, WM_POLICY_LFU, 0, false},
	{512, 2, WM_INDEX_FOLD, WM_POLICY_LFU, 0, false},
	{512, 4, WM_INDEX_FOLD, WM_POLICY_LFU, 0, false}};
const unsigned wm_figure_metrics[WM_FIGURE_METRICS] = {
	WM_HPP_EVENT_FREQUENCY, WM_HPP_EVENT_L2, WM_HPP_EVENT_MISPREDICTIONS};
const uint32_t wm_figure_sizes[WM_FIGURE_SIZES] = {128, 256, 512, 1024, 2048};

static void start(struct wm_hpp_live *live, const struct wm_hpp_settings *settings,
	struct wm_study *study, unsigned extension)
{
	struct wm_hpp_settings own = *settings;
	own.profiler.control.extension = (uint8_t)extension;
	own.profiler.control.maximum = extension != WM_EXTEND_NONE;
	own.profiler.queues = true;
	own.profiler.counter_bits = 0;
	wm_hpp_live_init(live, &own);
	live->consumer = wm_study_take;
	live->consumer_context = study;
}

void wm_figures_init(struct wm_figures *figures, const struct wm_hpp_settings *settings)
{
	memset(figures, 0, sizeof *figures);
	start(&figures->plain, settings, &figures->study, WM_EXTEND_NONE);
	start(&figures->loops, settings, &figures->loops_study, WM_EXTEND_LOOPS);
	start(&figures->calls, settings, &figures->calls_study, WM_EXTEND_CALLS);
	figures->study.window = settings->window ? settings->window : 10000000;
	for (int shape = 0; shape < WM_FIGURE_SHAPES; shape++)
		for (int metric = 0; metric < WM_FIGURE_METRICS; metric++) {
			figures->complete[shape][metric] = wm_study_add(&figures->study,
				&wm_figure_shapes[shape], wm_figure_metrics[metric], false);
			figures->dynamic[shape][metric] = wm_study_add(&figures->study,
				&wm_figure_shapes[shape], wm_figure_metrics[metric], true);
		}
	figures->power = wm_study_add(
		&figures->study, &wm_figure_shapes[3], WM_HPP_EVENT_POWER, false);
	for (int policy = 0; policy < WM_HOT_POLICIES; policy++)
		for (int size = 0; size < WM_FIGURE_SIZES; size++) {
			const struct wm_hot_shape shape = {wm_figure_sizes[size], 4, WM_INDEX_FOLD,
				(uint8_t)policy, 0, false};
			figures->policy[policy][size] = wm_study_add(
				&figures->study, &shape, WM_HPP_EVENT_FREQUENCY, false);
		}
	wm_study_add(&figures->loops_study, &wm_figure_shapes[3], WM_HPP_EVENT_FREQUENCY, false);
	wm_study_add(&figures->calls_study, &wm_figure_shapes[3], WM_HPP_EVENT_FREQUENCY, false);
}

#define TELL_ALL(name, ...)                                                                        \
	struct wm_figures *figures = context;                                                      \
	for (int i = 0; i < 3; i++)                                                                \
	figures->inner[i].name(figures->inner[i].context __VA_OPT__(, ) __VA_ARGS__)

static void take_begin(void *context, uint64_t address)
{
	TELL_ALL(begin, address);
}

static void take_branch(void *context, const struct wm_stream_branch *branch)
{
	TELL_ALL(branch, branch);
}

static void take_thread(void *context, uint64_t number)
{
	TELL_ALL(thread, number);
}

static void take_signal(void *context, uint64_t address)
{
	TELL_ALL(signal, address);
}

static void take_sigreturn(void *context)
{
	TELL_ALL(sigreturn);
}

static void take_end_thread(void *context)
{
	TELL_ALL(end_thread);
}

static void take_rest(void *context, const struct wm_branch *rest)
{
	TELL_ALL(rest, rest);
}

static void take_gap(void *context)
{
	TELL_ALL(gap);
}

struct wm_stream_sink wm_figures_sink(struct wm_figures *figures)
{
	figures->inner[0] = wm_hpp_live_sink(&figures->plain);
	figures->inner[1] = wm_hpp_live_sink(&figures->loops);
	figures->inner[2] = wm_hpp_live_sink(&figures->calls);
	return (struct wm_stream_sink){.context = figures,
		.begin = take_begin,
		.branch = take_branch,
		.thread = take_thread,
		.signal = take_signal,
		.sigreturn = take_sigreturn,
		.end_thread = take_end_thread,
		.rest = take_rest,
		.gap = take_gap};
}

const char *wm_figures_finish(struct wm_figures *figures)
{
	const char *wrong = wm_hpp_live_finish(&figures->plain);
	if (!wrong)
		wrong = wm_hpp_live_finish(&figures->loops);
	if (!wrong)
		wrong = wm_hpp_live_finish(&figures->calls);
	wm_study_finish(&figures->study);
	wm_study_finish(&figures->loops_study);
	wm_study_finish(&figures->calls_study);
	return wrong;
}

void wm_figures_free(struct wm_figures *figures)
{
	wm_hpp_live_free(&figures->plain);
	wm_hpp_live_free(&figures->loops);
	wm_hpp_live_free(&figures->calls);
	wm_study_free(&figures->study);
	wm_study_free(&figures->loops_study);
	wm_study_free(&figures->calls_study);
}
