/* Plackett and Burman, "The design of optimum multifactorial experiments", 1946: eight runs tell the
 * main effects of up to seven factors; eight more with all signs turned keep interactions of two
 * factors out of them. */
#include <string.h>

#include "study/figures.h"

const char *const wm_factor_names[WM_FACTORS] = {
	"entries", "ways", "index", "L2 size", "L2 ways", "predictor"};

void wm_plackett_burman(int8_t design[WM_DESIGN_ROWS][WM_FACTORS])
{
	static const int8_t first[7] = {1, 1, 1, -1, 1, -1, -1};
	for (int row = 0; row < WM_DESIGN_ROWS / 2; row++)
		for (int factor = 0; factor < WM_FACTORS; factor++) {
			int8_t sign = row < 7 ? first[(factor - row + 7) % 7] : -1;
			design[row][factor] = sign;
			design[row + WM_DESIGN_ROWS / 2][factor] = (int8_t)-sign;
		}
}

void wm_plackett_burman_effects(const double response[WM_DESIGN_ROWS], double effect[WM_FACTORS])
{
	int8_t design[WM_DESIGN_ROWS][WM_FACTORS];
	wm_plackett_burman(design);
	for (int factor = 0; factor < WM_FACTORS; factor++) {
		effect[factor] = 0;
		for (int row = 0; row < WM_DESIGN_ROWS; row++)
			effect[factor] += design[row][factor] * response[row];
	}
}

/* The machine's own second level is small with one way; the others follow. */
void wm_sweep_settings(struct wm_hpp_settings *settings)
{
	settings->modelled = true;
	settings->machine.l2 = (struct wm_cache_shape){256 << 10, 1, 64};
	settings->machine.other[0] = (struct wm_cache_shape){256 << 10, 8, 64};
	settings->machine.other[1] = (struct wm_cache_shape){2048 << 10, 1, 64};
	settings->machine.other[2] = (struct wm_cache_shape){2048 << 10, 8, 64};
	settings->machine.others = WM_HPP_OTHERS;
}

static unsigned metric_of(int metric, const int8_t *row)
{
	int cache = (row[3] > 0) * 2 + (row[4] > 0);
	if (wm_figure_metrics[metric] == WM_HPP_EVENT_L2)
		return cache ? WM_HPP_OTHER_L2 + (unsigned)cache - 1 : WM_HPP_EVENT_L2;
	if (wm_figure_metrics[metric] == WM_HPP_EVENT_MISPREDICTIONS)
		return row[5] > 0 ? WM_HPP_EVENT_MISPREDICTIONS : WM_HPP_OTHER_PREDICTOR;
	return WM_HPP_EVENT_FREQUENCY;
}

static void add_design(struct wm_sweep *sweep)
{
	int8_t design[WM_DESIGN_ROWS][WM_FACTORS];
	wm_plackett_burman(design);
	for (int row = 0; row < WM_DESIGN_ROWS; row++)
		for (int metric = 0; metric < WM_FIGURE_METRICS; metric++) {
			const struct wm_hot_shape shape = {design[row][0] > 0 ? 2048 : 128,
				design[row][1] > 0 ? 32 : 2,
				design[row][2] > 0 ? WM_INDEX_FOLD : WM_INDEX_ADDRESS,
				WM_POLICY_LFU, 0, false};
			sweep->run[row][metric] = wm_study_add(
				&sweep->study, &shape, metric_of(metric, design[row]), false);
		}
}

static void add_factorial(struct wm_sweep *sweep)
{
	for (uint32_t entries = 128; entries <= 4096; entries *= 2)
		for (uint32_t ways = 1; ways <= 32; ways *= 2)
			for (uint8_t index = 0; index < WM_HOT_INDEXES; index++)
				for (uint8_t policy = 0; policy < WM_HOT_POLICIES; policy++) {
					const struct wm_hot_shape shape = {
						entries, ways, index, policy, 0, false};
					wm_study_add(&sweep->study, &shape,
						sweep->live.settings.profiler.control.event,
						false);
				}
}

void wm_sweep_init(struct wm_sweep *sweep, const struct wm_hpp_settings *settings, bool factorial)
{
	struct wm_hpp_settings own = *settings;
	memset(sweep, 0, sizeof *sweep);
	own.profiler.counter_bits = 0;
	sweep->factorial = factorial;
	wm_hpp_live_init(&sweep->live, &own);
	wm_predictor_init(&sweep->low, true);
	sweep->live.consumer = wm_study_take;
	sweep->live.consumer_context = &sweep->study;
	if (factorial)
		add_factorial(sweep);
	else
		add_design(sweep);
}

/* The second predictor sees the same branches. */
static void take_branch(void *context, const struct wm_stream_branch *told)
{
	struct wm_sweep *sweep = context;
	struct wm_stream_branch branch = *told;
	uint32_t counts[WM_HPP_COUNTS] = {0};
	if (told->branch.counts)
		memcpy(counts, told->branch.counts, sizeof counts);
	counts[WM_HPP_OTHER_PREDICTOR] = wm_predictor_branch(&sweep->low, &told->branch);
	if (told->branch.counts)
		branch.branch.counts = counts;
	sweep->inner.branch(sweep->inner.context, &branch);
}

#define PASS_ON(name, ...)                                                                         \
	struct wm_sweep *sweep = context;                                                          \
	sweep->inner.name(sweep->inner.context __VA_OPT__(, ) __VA_ARGS__)

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

struct wm_stream_sink wm_sweep_sink(struct wm_sweep *sweep)
{
	sweep->inner = wm_hpp_live_sink(&sweep->live);
	return (struct wm_stream_sink){.context = sweep,
		.begin = take_begin,
		.branch = take_branch,
		.thread = take_thread,
		.signal = take_signal,
		.sigreturn = take_sigreturn,
		.end_thread = take_end_thread,
		.rest = take_rest,
		.gap = take_gap};
}

const char *wm_sweep_finish(struct wm_sweep *sweep)
{
	const char *wrong = wm_hpp_live_finish(&sweep->live);
	wm_study_finish(&sweep->study);
	return wrong;
}

void wm_sweep_free(struct wm_sweep *sweep)
{
	wm_hpp_live_free(&sweep->live);
	wm_study_free(&sweep->study);
}
