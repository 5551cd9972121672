#include "study/phases.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WINDOWS = 400, FIRST_WIDTH = 10000 };

static void *more(void *array, size_t count, size_t bytes)
{
	void *larger = realloc(array, count * bytes);
	if (!larger)
		abort();
	return larger;
}

static void add(struct wm_windows *windows, uint32_t number, uint64_t instructions)
{
	if (number >= windows->capacity) {
		uint32_t capacity = windows->capacity ? windows->capacity : 1024;
		while (capacity <= number)
			capacity *= 2;
		windows->now = more(windows->now, capacity, sizeof *windows->now);
		memset(windows->now + windows->capacity, 0,
			(capacity - windows->capacity) * sizeof *windows->now);
		windows->capacity = capacity;
	}
	if (number >= windows->numbers)
		windows->numbers = number + 1;
	if (!windows->now[number] && instructions) {
		if (windows->touched_count == windows->touched_capacity) {
			windows->touched_capacity = 2 * windows->touched_capacity + 256;
			windows->touched = more(windows->touched, windows->touched_capacity,
				sizeof *windows->touched);
		}
		windows->touched[windows->touched_count++] = number;
	}
	windows->now[number] += instructions;
}

static int by_number(const void *left, const void *right)
{
	const struct wm_vector_item *a = left, *b = right;
	return a->number < b->number ? -1 : a->number > b->number;
}

static void end_window(struct wm_windows *windows)
{
	uint32_t count = windows->touched_count;
	if (windows->windows == windows->window_capacity) {
		windows->window_capacity = 2 * windows->window_capacity + 64;
		windows->window = more(
			windows->window, windows->window_capacity, sizeof *windows->window);
	}
	struct wm_vector_item *item = more(NULL, (size_t)count + 1, sizeof *item);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t number = windows->touched[i];
		item[i] = (struct wm_vector_item){number, windows->now[number]};
		windows->now[number] = 0;
	}
	if (count > 0)
		qsort(item, count, sizeof *item, by_number);
	windows->window[windows->windows].item = item;
	windows->window[windows->windows++].items = count;
	windows->touched_count = 0;
}

/* Each two windows become one. */
static void join_pairs(struct wm_windows *windows)
{
	uint32_t joined = 0;
	for (uint32_t i = 0; i + 1 < windows->windows; i += 2) {
		for (uint32_t k = i; k < i + 2; k++) {
			for (uint32_t n = 0; n < windows->window[k].items; n++)
				add(windows, windows->window[k].item[n].number,
					windows->window[k].item[n].instructions);
			free(windows->window[k].item);
		}
		uint32_t kept = windows->windows;
		windows->windows = joined++;
		end_window(windows);
		windows->windows = kept;
	}
	windows->windows = joined;
}

static void maybe_end_window(struct wm_phases *phases)
{
	if (phases->in_window < phases->width)
		return;
	phases->in_window = 0;
	end_window(&phases->by_path);
	end_window(&phases->by_block);
	if (phases->fixed || phases->by_path.windows < MAX_WINDOWS)
		return;
	join_pairs(&phases->by_path);
	join_pairs(&phases->by_block);
	phases->width *= 2;
}

static void take_path(
	void *context, uint32_t number, const struct wm_path_entry *path, uint32_t weight)
{
	struct wm_phases *phases = context;
	(void)weight;
	if (number != UINT32_MAX)
		add(&phases->by_path, number, path->count[WM_HPP_EVENT_INSTRUCTIONS]);
}

static uint32_t slot_of(const struct wm_phases *phases, uint64_t key)
{
	uint32_t slot = (uint32_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (phases->block_slots - 1);
	while (phases->block_number[slot] && phases->block_key[slot] != key)
		slot = (slot + 1) & (phases->block_slots - 1);
	return slot;
}

static void grow_blocks(struct wm_phases *phases)
{
	uint64_t *keys = phases->block_key;
	uint32_t *numbers = phases->block_number, old = phases->block_slots;
	phases->block_slots = old ? 2 * old : 4096;
	phases->block_key = more(NULL, phases->block_slots, sizeof *keys);
	phases->block_number = calloc(phases->block_slots, sizeof *numbers);
	if (!phases->block_number)
		abort();
	for (uint32_t i = 0; i < old; i++) {
		if (!numbers[i])
			continue;
		uint32_t slot = slot_of(phases, keys[i]);
		phases->block_key[slot] = keys[i];
		phases->block_number[slot] = numbers[i];
	}
	free(keys);
	free(numbers);
}

static uint32_t block_of(struct wm_phases *phases, uint64_t key)
{
	if (2 * phases->blocks >= phases->block_slots)
		grow_blocks(phases);
	uint32_t slot = slot_of(phases, key);
	if (!phases->block_number[slot]) {
		phases->block_key[slot] = key;
		phases->block_number[slot] = ++phases->blocks;
	}
	return phases->block_number[slot] - 1;
}

static void take_branch(void *context, const struct wm_stream_branch *told)
{
	struct wm_phases *phases = context;
	add(&phases->by_block, block_of(phases, told->branch.at), told->branch.instructions);
	phases->inner.branch(phases->inner.context, told);
	phases->in_window += told->branch.instructions;
	maybe_end_window(phases);
}

#define PASS_ON(name, ...)                                                                         \
	struct wm_phases *phases = context;                                                        \
	phases->inner.name(phases->inner.context __VA_OPT__(, ) __VA_ARGS__)

static void take_begin(void *context, uint64_t address)
{
	PASS_ON(begin, address);
}

static void take_thread(void *context, uint64_t number)
{
	PASS_ON(thread, number);
}

static void take_signal(void *context, uint64_t address)
{
	PASS_ON(signal, address);
}

static void take_sigreturn(void *context)
{
	PASS_ON(sigreturn);
}

static void take_end_thread(void *context)
{
	PASS_ON(end_thread);
}

static void take_rest(void *context, const struct wm_branch *rest)
{
	PASS_ON(rest, rest);
}

static void take_gap(void *context)
{
	PASS_ON(gap);
}

void wm_phases_init(struct wm_phases *phases, const struct wm_hpp_settings *settings)
{
	memset(phases, 0, sizeof *phases);
	wm_hpp_live_init(&phases->live, settings);
	phases->live.consumer = take_path;
	phases->live.consumer_context = phases;
	phases->fixed = settings->window != 0;
	phases->width = phases->fixed ? settings->window : FIRST_WIDTH;
}

struct wm_stream_sink wm_phases_sink(struct wm_phases *phases)
{
	phases->inner = wm_hpp_live_sink(&phases->live);
	struct wm_stream_sink sink = phases->inner;
	sink.context = phases;
	sink.option = NULL;
	sink.begin = take_begin;
	sink.branch = take_branch;
	sink.thread = take_thread;
	sink.signal = take_signal;
	sink.sigreturn = take_sigreturn;
	sink.end_thread = take_end_thread;
	sink.rest = take_rest;
	sink.gap = take_gap;
	return sink;
}

static double total(const struct wm_windows *windows, uint32_t window)
{
	double sum = 0;
	for (uint32_t i = 0; i < windows->window[window].items; i++)
		sum += (double)windows->window[window].item[i].instructions;
	return sum > 0 ? sum : 1;
}

double wm_windows_distance(const struct wm_windows *windows, uint32_t left, uint32_t right)
{
	double all_left = total(windows, left), all_right = total(windows, right), distance = 0;
	uint32_t i = 0, k = 0;
	while (i < windows->window[left].items || k < windows->window[right].items) {
		const struct wm_vector_item *a = &windows->window[left].item[i],
					    *b = &windows->window[right].item[k];
		bool has_a = i < windows->window[left].items, has_b = k < windows->window[right].items;
		bool take_a = has_a && (!has_b || a->number <= b->number);
		bool take_b = has_b && (!has_a || b->number <= a->number);
		distance += fabs((take_a ? (double)a->instructions / all_left : 0) -
				 (take_b ? (double)b->instructions / all_right : 0));
		i += take_a;
		k += take_b;
	}
	return distance;
}

/* The distance of a window to a centroid, which is dense. */
static double distance_to(
	const struct wm_windows *windows, uint32_t window, const double *centroid, double weight)
{
	double distance = weight, all = total(windows, window);
	for (uint32_t i = 0; i < windows->window[window].items; i++) {
		const struct wm_vector_item *item = &windows->window[window].item[i];
		double share = (double)item->instructions / all, there = centroid[item->number];
		distance += fabs(share - there) - there;
	}
	return distance;
}

static void move_to(const struct wm_windows *windows, uint32_t window, double *centroid, double part)
{
	double all = total(windows, window);
	for (uint32_t i = 0; i < windows->numbers; i++)
		centroid[i] *= 1 - part;
	for (uint32_t i = 0; i < windows->window[window].items; i++)
		centroid[windows->window[window].item[i].number] +=
			part * (double)windows->window[window].item[i].instructions / all;
}

static void classify(struct wm_windows *windows)
{
	enum { MAX_PHASES = 64 };
	double *centroid[MAX_PHASES];
	windows->phase = calloc((size_t)windows->windows + 1, sizeof *windows->phase);
	if (!windows->phase)
		abort();
	for (uint32_t i = 0; i < windows->windows; i++) {
		uint32_t nearest = 0;
		double least = 3;
		for (uint32_t k = 0; k < windows->phases; k++) {
			double distance = distance_to(windows, i, centroid[k], 1);
			if (distance < least) {
				least = distance;
				nearest = k;
			}
		}
		if (least >= 0.5 && windows->phases < MAX_PHASES) {
			nearest = windows->phases++;
			centroid[nearest] = calloc((size_t)windows->numbers + 1, sizeof(double));
			if (!centroid[nearest])
				abort();
			move_to(windows, i, centroid[nearest], 1);
		} else {
			move_to(windows, i, centroid[nearest], 0.125);
		}
		windows->phase[i] = nearest;
	}
	for (uint32_t k = 0; k < windows->phases; k++)
		free(centroid[k]);
}

const char *wm_phases_finish(struct wm_phases *phases)
{
	const char *wrong = wm_hpp_live_finish(&phases->live);
	bool rest = phases->in_window * 2 >= phases->width || phases->by_path.windows == 0;
	if (rest && phases->by_path.touched_count) {
		end_window(&phases->by_path);
		end_window(&phases->by_block);
	}
	classify(&phases->by_path);
	classify(&phases->by_block);
	return wrong;
}

uint32_t wm_phases_seen_by_paths_only(const struct wm_phases *phases)
{
	uint32_t seen = 0;
	for (uint32_t i = 1; i < phases->by_path.windows; i++)
		seen += phases->by_path.phase[i] != phases->by_path.phase[i - 1] &&
			phases->by_block.phase[i] == phases->by_block.phase[i - 1];
	return seen;
}

void wm_windows_write_simpoint(const struct wm_windows *windows, FILE *out)
{
	for (uint32_t i = 0; i < windows->windows; i++) {
		fputc('T', out);
		for (uint32_t k = 0; k < windows->window[i].items; k++)
			fprintf(out, ":%" PRIu32 ":%" PRIu64 " ", windows->window[i].item[k].number + 1,
				windows->window[i].item[k].instructions);
		fputc('\n', out);
	}
}

static void free_windows(struct wm_windows *windows)
{
	for (uint32_t i = 0; i < windows->windows; i++)
		free(windows->window[i].item);
	free(windows->window);
	free(windows->now);
	free(windows->touched);
	free(windows->phase);
}

void wm_phases_free(struct wm_phases *phases)
{
	wm_hpp_live_free(&phases->live);
	free_windows(&phases->by_path);
	free_windows(&phases->by_block);
	free(phases->block_key);
	free(phases->block_number);
}
