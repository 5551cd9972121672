#include "report/hpp_study_view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "profile/hpp_words.h"
#include "report/json.h"
#include "report/text.h"

static const size_t tops[] = {1, 10, 50, 100, 500, 1000};
static const unsigned lengths[] = {1, 2, 4, 8, 16, 24, 32};

/* What figures 5.2 and 5.3 are of. */
static const unsigned kinds[] = {WM_HPP_EVENT_INSTRUCTIONS, WM_HPP_EVENT_FREQUENCY,
	WM_HPP_EVENT_L2, WM_HPP_EVENT_MISPREDICTIONS};
enum { KINDS = sizeof kinds / sizeof *kinds, TOPS = sizeof tops / sizeof *tops,
	LENGTHS = sizeof lengths / sizeof *lengths };

static double complete(const struct wm_figures *figures, size_t table)
{
	return 100 * figures->study.table[table].complete;
}

static double dynamic(const struct wm_figures *figures, size_t table)
{
	return 100 * wm_study_dynamic(&figures->study, &figures->study.table[table]);
}

static double overhead(const struct wm_hpp_live *live, int speed, int size)
{
	const struct wm_profiler *profiler = &live->profiler;
	uint64_t time = wm_queue_speed[speed] ? profiler->instructions * wm_queue_speed[speed]
					      : profiler->cycles * WM_QUEUE_UNIT;
	return time ? 100 * (double)profiler->queue[speed][size].stall / (double)time : 0;
}

static double speed_of(const struct wm_hpp_live *live, int speed)
{
	const struct wm_profiler *profiler = &live->profiler;
	if (wm_queue_speed[speed])
		return 12.0 / wm_queue_speed[speed];
	return profiler->cycles ? (double)profiler->instructions / (double)profiler->cycles : 0;
}

static void print_shares(const struct wm_figures *figures, FILE *out)
{
	fprintf(out, "Share of the hottest paths (figure 5.2)\n  paths  ");
	for (int i = 0; i < KINDS; i++)
		fprintf(out, "%16s", wm_hpp_event_names[kinds[i]]);
	for (int top = 0; top < TOPS; top++) {
		fprintf(out, "\n  %5zu  ", tops[top]);
		for (int i = 0; i < KINDS; i++)
			fprintf(out, "%15.1f%%",
				100 * wm_study_top(&figures->study, kinds[i], tops[top]));
	}
	fprintf(out, "\n\nInstructions along paths of at most so many branches (figure 5.3)\n ");
	for (int i = 0; i < LENGTHS; i++)
		fprintf(out, " %7u", lengths[i]);
	fprintf(out, "\n ");
	for (int i = 0; i < LENGTHS; i++)
		fprintf(out, " %6.1f%%", 100 * wm_study_by_length(&figures->study,
							WM_HPP_EVENT_INSTRUCTIONS, lengths[i]));
	fprintf(out, "\n\n");
}

static void print_overlaps(const struct wm_figures *figures, FILE *out)
{
	fprintf(out, "Overlap, complete / dynamic over %u windows (figures 5.7 and 5.8)\n  table   ",
		figures->study.windows);
	for (int i = 0; i < WM_FIGURE_METRICS; i++)
		fprintf(out, "%18s", wm_hpp_event_names[wm_figure_metrics[i]]);
	for (int shape = 0; shape < WM_FIGURE_SHAPES; shape++) {
		fprintf(out, "\n  %ux%-5u", wm_figure_shapes[shape].entries,
			wm_figure_shapes[shape].ways);
		for (int i = 0; i < WM_FIGURE_METRICS; i++)
			fprintf(out, "   %5.1f%% /%5.1f%%",
				complete(figures, figures->complete[shape][i]),
				dynamic(figures, figures->dynamic[shape][i]));
	}
	fprintf(out, "\n\nExtended across one back edge %.1f%%, one call %.1f%% (figure 5.10); power "
		     "%.1f%% (5.11)\n",
		100 * figures->loops_study.table[0].complete,
		100 * figures->calls_study.table[0].complete, complete(figures, figures->power));
	fprintf(out, "In common with frequency: L2 misses %.1f%%, mispredictions %.1f%%, power %.1f%%\n",
		100 * wm_study_metrics_overlap(&figures->study, 0, WM_HPP_EVENT_L2),
		100 * wm_study_metrics_overlap(&figures->study, 0, WM_HPP_EVENT_MISPREDICTIONS),
		100 * wm_study_metrics_overlap(&figures->study, 0, WM_HPP_EVENT_POWER));
	fprintf(out, "Order of the 100 hottest by both models of power: %.3f (Kendall's tau)\n\n",
		wm_study_rank_correlation(
			&figures->study, WM_HPP_EVENT_POWER, WM_HPP_EVENT_POWER_CYCLE, 100));
}

static void print_policies(const struct wm_figures *figures, FILE *out)
{
	fprintf(out, "Complete overlap by frequency, 4 ways, folded\n  policy         ");
	for (int size = 0; size < WM_FIGURE_SIZES; size++)
		fprintf(out, "%8u", wm_figure_sizes[size]);
	for (int policy = 0; policy < WM_HOT_POLICIES; policy++) {
		fprintf(out, "\n  %-14s ", wm_hot_policy_names[policy]);
		for (int size = 0; size < WM_FIGURE_SIZES; size++)
			fprintf(out, " %6.1f%%", complete(figures, figures->policy[policy][size]));
	}
	fprintf(out, "\n\n");
}

static void print_queue(const struct wm_figures *figures, FILE *out)
{
	const struct wm_profiler *profiler = &figures->plain.profiler;
	double service = profiler->branches
				 ? (double)profiler->service / (double)profiler->branches
				 : 0;
	double between = profiler->branches
				 ? (double)profiler->instructions / (double)profiler->branches
				 : 0;
	fprintf(out, "Cycles that commit stalls, by entries of the queue (figure 5.12)\n      ipc  "
		     "utilisation");
	for (int size = 0; size < WM_QUEUE_SIZES; size++)
		fprintf(out, "%9u", wm_queue_slots[size]);
	for (int speed = 0; speed < WM_QUEUE_SPEEDS; speed++) {
		double ipc = speed_of(&figures->plain, speed);
		fprintf(out, "\n  %s%5.2f        %5.2f", speed ? "  " : "* ", ipc,
			between > 0 ? service * ipc / between : 0);
		for (int size = 0; size < WM_QUEUE_SIZES; size++)
			fprintf(out, " %7.2f%%", overhead(&figures->plain, speed, size));
	}
	fprintf(out, "\n  * as fast as the modelled machine. Above a utilisation of 1 no queue helps.\n");
}

void wm_figures_print(const struct wm_figures *figures, FILE *out)
{
	const struct wm_profiler *profiler = &figures->plain.profiler;
	fprintf(out, "%s instructions, %s branches, %s paths of %s kinds\n\n",
		wm_text_count(profiler->instructions).text, wm_text_count(profiler->branches).text,
		wm_text_count(wm_profiler_figures(profiler).emitted).text,
		wm_text_count(profiler->exact.paths).text);
	print_shares(figures, out);
	print_overlaps(figures, out);
	print_policies(figures, out);
	print_queue(figures, out);
}

static void put_overlaps(const struct wm_figures *figures, struct wm_json *json)
{
	wm_json_begin_array(json, "overlaps");
	for (int shape = 0; shape < WM_FIGURE_SHAPES; shape++)
		for (int i = 0; i < WM_FIGURE_METRICS; i++) {
			char text[64];
			wm_hpp_table_text(&wm_figure_shapes[shape], text, sizeof text);
			wm_json_begin_object(json, NULL);
			wm_json_text(json, "table", text);
			wm_json_text(json, "metric", wm_hpp_event_names[wm_figure_metrics[i]]);
			wm_json_real(json, "complete", complete(figures, figures->complete[shape][i]));
			wm_json_real(json, "dynamic", dynamic(figures, figures->dynamic[shape][i]));
			wm_json_end_object(json);
		}
	wm_json_end_array(json);
}

static void put_shares(const struct wm_figures *figures, struct wm_json *json)
{
	wm_json_begin_array(json, "hottest");
	for (int top = 0; top < TOPS; top++) {
		wm_json_begin_object(json, NULL);
		wm_json_number(json, "paths", tops[top]);
		for (int i = 0; i < KINDS; i++)
			wm_json_real(json, wm_hpp_event_names[kinds[i]],
				100 * wm_study_top(&figures->study, kinds[i], tops[top]));
		wm_json_end_object(json);
	}
	wm_json_end_array(json);
	wm_json_begin_array(json, "lengths");
	for (int i = 0; i < LENGTHS; i++) {
		wm_json_begin_object(json, NULL);
		wm_json_number(json, "branches", lengths[i]);
		wm_json_real(json, "instructions",
			100 * wm_study_by_length(
				      &figures->study, WM_HPP_EVENT_INSTRUCTIONS, lengths[i]));
		wm_json_end_object(json);
	}
	wm_json_end_array(json);
}

static void put_policies(const struct wm_figures *figures, struct wm_json *json)
{
	wm_json_begin_array(json, "policies");
	for (int policy = 0; policy < WM_HOT_POLICIES; policy++)
		for (int size = 0; size < WM_FIGURE_SIZES; size++) {
			wm_json_begin_object(json, NULL);
			wm_json_text(json, "policy", wm_hot_policy_names[policy]);
			wm_json_number(json, "entries", wm_figure_sizes[size]);
			wm_json_real(json, "complete",
				complete(figures, figures->policy[policy][size]));
			wm_json_end_object(json);
		}
	wm_json_end_array(json);
}

static void put_queue(const struct wm_figures *figures, struct wm_json *json)
{
	wm_json_begin_array(json, "queue");
	for (int speed = 0; speed < WM_QUEUE_SPEEDS; speed++)
		for (int size = 0; size < WM_QUEUE_SIZES; size++) {
			wm_json_begin_object(json, NULL);
			wm_json_real(json, "ipc", speed_of(&figures->plain, speed));
			wm_json_flag(json, "of_model", speed == 0);
			wm_json_number(json, "slots", wm_queue_slots[size]);
			wm_json_real(json, "overhead", overhead(&figures->plain, speed, size));
			wm_json_end_object(json);
		}
	wm_json_end_array(json);
}

void wm_figures_json(const struct wm_figures *figures, const char *program, FILE *out)
{
	const struct wm_profiler *profiler = &figures->plain.profiler;
	struct wm_json json = {.out = out};
	wm_json_begin_document(&json, "hpp-figures");
	wm_json_text(&json, "program", program);
	wm_json_number(&json, "instructions", profiler->instructions);
	wm_json_number(&json, "branches", profiler->branches);
	wm_json_number(&json, "paths", wm_profiler_figures(profiler).emitted);
	wm_json_number(&json, "distinct_paths", profiler->exact.paths);
	wm_json_number(&json, "service", profiler->service);
	wm_json_number(&json, "windows", figures->study.windows);
	put_shares(figures, &json);
	put_overlaps(figures, &json);
	wm_json_real(&json, "extended_by_a_loop", 100 * figures->loops_study.table[0].complete);
	wm_json_real(&json, "extended_by_a_call", 100 * figures->calls_study.table[0].complete);
	wm_json_real(&json, "power", complete(figures, figures->power));
	wm_json_real(&json, "l2_as_frequency",
		100 * wm_study_metrics_overlap(&figures->study, 0, WM_HPP_EVENT_L2));
	wm_json_real(&json, "mispredictions_as_frequency",
		100 * wm_study_metrics_overlap(&figures->study, 0, WM_HPP_EVENT_MISPREDICTIONS));
	wm_json_real(&json, "power_as_frequency",
		100 * wm_study_metrics_overlap(&figures->study, 0, WM_HPP_EVENT_POWER));
	wm_json_real(&json, "power_rank_correlation",
		wm_study_rank_correlation(
			&figures->study, WM_HPP_EVENT_POWER, WM_HPP_EVENT_POWER_CYCLE, 100));
	put_policies(figures, &json);
	put_queue(figures, &json);
	wm_json_end_object(&json);
	fputc('\n', out);
}

static void effects_of(const struct wm_sweep *sweep, int metric, double effect[WM_FACTORS])
{
	double response[WM_DESIGN_ROWS];
	for (int row = 0; row < WM_DESIGN_ROWS; row++)
		response[row] = 100 * sweep->study.table[sweep->run[row][metric]].complete;
	wm_plackett_burman_effects(response, effect);
	for (int i = 0; i < WM_FACTORS; i++)
		effect[i] /= WM_DESIGN_ROWS / 2; /* from low to high, in points of overlap */
}

static double size_of(double number)
{
	return number < 0 ? -number : number;
}

static unsigned rank_of(const double *effect, int factor)
{
	unsigned rank = 1;
	for (int i = 0; i < WM_FACTORS; i++)
		rank += size_of(effect[i]) > size_of(effect[factor]);
	return rank;
}

struct row {
	const struct wm_study_table *table;
};

static int by_overlap(const void *left, const void *right)
{
	double a = ((const struct row *)left)->table->complete;
	double b = ((const struct row *)right)->table->complete;
	return a < b ? 1 : a > b ? -1 : 0;
}

static void print_factorial(const struct wm_sweep *sweep, FILE *out)
{
	struct row *rows = calloc(sweep->study.tables + 1, sizeof *rows);
	size_t shown = 0;
	uint32_t smallest = UINT32_MAX;
	if (!rows)
		return;
	for (size_t i = 0; i < sweep->study.tables; i++)
		rows[i].table = &sweep->study.table[i];
	qsort(rows, sweep->study.tables, sizeof *rows, by_overlap);
	fprintf(out, "%zu tables; the best of each size\n  overlap  table\n", sweep->study.tables);
	for (size_t i = 0; i < sweep->study.tables; i++) {
		const struct wm_hot_shape *shape = &rows[i].table->table.shape;
		char text[64];
		if (shape->entries >= smallest)
			continue;
		smallest = shape->entries;
		wm_hpp_table_text(shape, text, sizeof text);
		fprintf(out, "  %6.2f%%  %s, %.1f KB\n", 100 * rows[i].table->complete, text,
			(double)wm_hot_hardware_bytes(shape) / 1024);
		shown++;
	}
	free(rows);
}

void wm_sweep_print(const struct wm_sweep *sweep, FILE *out)
{
	if (sweep->factorial) {
		print_factorial(sweep, out);
		return;
	}
	fprintf(out, "Plackett-Burman, folded: points of overlap from low to high, and rank\n  factor   ");
	for (int metric = 0; metric < WM_FIGURE_METRICS; metric++)
		fprintf(out, "%20s", wm_hpp_event_names[wm_figure_metrics[metric]]);
	for (int factor = 0; factor < WM_FACTORS; factor++) {
		fprintf(out, "\n  %-10s", wm_factor_names[factor]);
		for (int metric = 0; metric < WM_FIGURE_METRICS; metric++) {
			double effect[WM_FACTORS];
			effects_of(sweep, metric, effect);
			fprintf(out, "       %+7.2f (%u.)", effect[factor], rank_of(effect, factor));
		}
	}
	fprintf(out, "\n");
}

static void put_tables(const struct wm_sweep *sweep, struct wm_json *json)
{
	wm_json_begin_array(json, "tables");
	for (size_t i = 0; sweep->factorial && i < sweep->study.tables; i++) {
		char text[64];
		wm_hpp_table_text(&sweep->study.table[i].table.shape, text, sizeof text);
		wm_json_begin_object(json, NULL);
		wm_json_text(json, "table", text);
		wm_json_real(json, "complete", 100 * sweep->study.table[i].complete);
		wm_json_end_object(json);
	}
	wm_json_end_array(json);
}

void wm_sweep_json(const struct wm_sweep *sweep, const char *program, FILE *out)
{
	struct wm_json json = {.out = out};
	wm_json_begin_document(&json, "hpp-sweep");
	wm_json_text(&json, "program", program);
	wm_json_text(&json, "design", sweep->factorial ? "factorial" : "plackett-burman");
	put_tables(sweep, &json);
	wm_json_begin_array(&json, "effects");
	for (int metric = 0; !sweep->factorial && metric < WM_FIGURE_METRICS; metric++) {
		double effect[WM_FACTORS];
		effects_of(sweep, metric, effect);
		for (int factor = 0; factor < WM_FACTORS; factor++) {
			wm_json_begin_object(&json, NULL);
			wm_json_text(&json, "metric", wm_hpp_event_names[wm_figure_metrics[metric]]);
			wm_json_text(&json, "factor", wm_factor_names[factor]);
			wm_json_real(&json, "effect", effect[factor]);
			wm_json_number(&json, "rank", rank_of(effect, factor));
			wm_json_end_object(&json);
		}
	}
	wm_json_end_array(&json);
	wm_json_end_object(&json);
	fputc('\n', out);
}

static void print_letters(const struct wm_windows *windows, const char *what, FILE *out)
{
	fprintf(out, "%s: %u phases\n  ", what, windows->phases);
	for (uint32_t i = 0; i < windows->windows; i++) {
		uint32_t phase = windows->phase[i];
		fputc(phase < 26 ? 'A' + (int)phase : phase < 52 ? 'a' + (int)phase - 26 : '*', out);
		if (i % 80 == 79 && i + 1 < windows->windows)
			fprintf(out, "\n  ");
	}
	fputc('\n', out);
}

void wm_phases_print(const struct wm_phases *phases, FILE *out)
{
	uint32_t seen = wm_phases_seen_by_paths_only(phases);
	fprintf(out, "%u windows of %s instructions; a letter is a phase\n", phases->by_path.windows,
		wm_text_count(phases->width).text);
	print_letters(&phases->by_path, "By paths", out);
	print_letters(&phases->by_block, "By blocks", out);
	fprintf(out, "%u changes that paths see and blocks do not\n", seen);
}

void wm_superblocks_print(const struct wm_hpp_view *view, const struct wm_superblock *candidates,
	size_t count, FILE *out)
{
	uint64_t all = view->profile->head.instructions;
	fprintf(out, "  run  completion  by edges  instr  bytes         entered  superblock\n");
	for (size_t i = 0; i < count; i++) {
		const struct wm_superblock *one = &candidates[i];
		double entered = one->entered ? (double)one->entered : 1;
		fprintf(out, "%4.1f%%      %5.1f%%  %3.0f-%3.0f%%  %5u  %5u  %14s  %s  %s%s\n",
			all ? 100 * (double)one->completed * one->instructions / (double)all : 0,
			100 * (double)one->completed / entered,
			100 * (double)one->edges_least / entered,
			100 * (double)one->edges_most / entered, one->instructions, one->bytes,
			wm_text_count(one->entered).text,
			wm_hpp_place_text(view, one->path->start), wm_hpp_path_text(view, one->path),
			one->loop ? " (loop)" : "");
	}
	if (count == 0)
		fprintf(out, "none: no block leads to another often enough\n");
}
