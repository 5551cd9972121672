#include "study/live.h"

#include <stdlib.h>
#include <string.h>

void *wm_hpp_resize(void *old, size_t old_bytes, size_t bytes)
{
	(void)old_bytes;
	if (bytes)
		return realloc(old, bytes);
	free(old);
	return NULL;
}

void wm_hpp_live_init(struct wm_hpp_live *live, const struct wm_hpp_settings *settings)
{
	*live = (struct wm_hpp_live){.settings = *settings};
}

static bool prepare(struct wm_hpp_live *live)
{
	struct wm_profiler_options *options = &live->settings.profiler;
	struct wm_control checked;
	if (live->ready || live->wrong)
		return live->ready;
	live->wrong = wm_control_decode(wm_control_encode(&options->control), &checked);
	if (!live->wrong)
		live->wrong = wm_hot_shape_check(&options->table);
	if (live->wrong)
		return false;
	live->machine_memory = malloc(wm_machine_bytes(&live->settings.machine));
	if (!live->machine_memory || !wm_profiler_init(&live->profiler, options, wm_hpp_resize)) {
		live->wrong = "there is not enough memory";
		return false;
	}
	wm_machine_init(&live->machine, &live->settings.machine, live->machine_memory);
	live->profiler.consumer = live->consumer;
	live->profiler.context = live->consumer_context;
	live->ready = true;
	return true;
}

static const char *take_option(void *context, const char *key, const char *value)
{
	struct wm_hpp_live *live = context;
	return wm_hpp_set_by_text(&live->settings, key, value);
}

static void take_begin(void *context, uint64_t address)
{
	struct wm_hpp_live *live = context;
	if (prepare(live))
		wm_profiler_begin(&live->profiler, address);
}

static void take_branch(void *context, const struct wm_stream_branch *told)
{
	struct wm_hpp_live *live = context;
	struct wm_branch branch = told->branch;
	uint32_t counts[WM_HPP_COUNTS] = {0};
	unsigned event = live->settings.profiler.control.event;
	if (!prepare(live))
		return;
	if (branch.counts)
		memcpy(counts, branch.counts, sizeof counts);
	if (!live->settings.modelled || !branch.counts)
		wm_machine_branch(&live->machine, &branch, counts);
	if (told->has_misprediction)
		counts[WM_HPP_EVENT_MISPREDICTIONS] = told->mispredicted;
	if (told->has_cycle) {
		counts[WM_HPP_EVENT_CYCLES] = (uint32_t)(told->cycle - live->last_cycle);
		live->last_cycle = told->cycle;
	}
	if (!told->has_events)
		branch.events = event == WM_HPP_EVENT_FREQUENCY ? 0 : counts[event];
	else if (event != WM_HPP_EVENT_FREQUENCY)
		counts[event] = branch.events;
	branch.counts = counts;
	wm_profiler_branch(&live->profiler, &branch, counts[WM_HPP_EVENT_CYCLES]);
}

static void take_thread(void *context, uint64_t number)
{
	struct wm_hpp_live *live = context;
	if (prepare(live))
		wm_profiler_thread(&live->profiler, number);
}

static void take_signal(void *context, uint64_t address)
{
	struct wm_hpp_live *live = context;
	if (prepare(live))
		wm_profiler_signal(&live->profiler, address);
}

static void take_sigreturn(void *context)
{
	struct wm_hpp_live *live = context;
	if (prepare(live))
		wm_profiler_sigreturn(&live->profiler);
}

static void take_rest(void *context, const struct wm_branch *told)
{
	struct wm_hpp_live *live = context;
	struct wm_branch rest = *told;
	unsigned event = live->settings.profiler.control.event;
	if (!prepare(live))
		return;
	if (!live->settings.modelled)
		rest.counts = NULL;
	if (event != WM_HPP_EVENT_FREQUENCY && rest.counts)
		rest.events = rest.counts[event];
	else if (event == WM_HPP_EVENT_INSTRUCTIONS)
		rest.events = rest.instructions;
	wm_profiler_count(&live->profiler, &rest);
}

static void take_end_thread(void *context)
{
	struct wm_hpp_live *live = context;
	if (prepare(live))
		wm_profiler_end_thread(&live->profiler);
}

static void take_fragments(void *context)
{
	struct wm_hpp_live *live = context;
	live->settings.profiler.complete_only = true;
}

/* What was begun is incomplete, and no part of it is told. */
static void take_gap(void *context)
{
	struct wm_hpp_live *live = context;
	if (!prepare(live) || !live->profiler.current)
		return;
	live->gaps++;
	live->profiler.current->stack.entries = 0;
}

struct wm_stream_sink wm_hpp_live_sink(struct wm_hpp_live *live)
{
	return (struct wm_stream_sink){.context = live,
		.option = take_option,
		.begin = take_begin,
		.branch = take_branch,
		.thread = take_thread,
		.signal = take_signal,
		.sigreturn = take_sigreturn,
		.end_thread = take_end_thread,
		.rest = take_rest,
		.fragments = take_fragments,
		.gap = take_gap};
}

const char *wm_hpp_live_finish(struct wm_hpp_live *live)
{
	if (prepare(live))
		wm_profiler_finish(&live->profiler);
	return live->wrong;
}

void wm_hpp_live_free(struct wm_hpp_live *live)
{
	if (live->ready)
		wm_profiler_free(&live->profiler);
	free(live->machine_memory);
	live->machine_memory = NULL;
	live->ready = false;
}
