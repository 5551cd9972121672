#include "study/tables.h"

#include <stdlib.h>
#include <string.h>

static void *more(void *array, size_t count, size_t bytes)
{
	void *larger = realloc(array, count * bytes);
	if (!larger)
		abort();
	return larger;
}

size_t wm_study_add(
	struct wm_study *study, const struct wm_hot_shape *shape, unsigned metric, bool windowed)
{
	if (study->tables == study->capacity) {
		study->capacity = 2 * study->capacity + 16;
		study->table = more(study->table, study->capacity, sizeof *study->table);
	}
	struct wm_study_table *table = &study->table[study->tables];
	*table = (struct wm_study_table){.metric = metric, .windowed = windowed};
	wm_hot_table_init(&table->table, shape, more(NULL, shape->entries, sizeof(struct wm_hot_cell)));
	study->metric_used[metric] = true;
	return study->tables++;
}

static void grow_paths(struct wm_study *study, uint32_t number)
{
	uint32_t old = study->path_capacity, capacity = old ? old : 1024;
	while (capacity <= number)
		capacity *= 2;
	study->start = more(study->start, capacity, sizeof *study->start);
	study->rest = more(study->rest, capacity, sizeof *study->rest);
	for (int i = 0; i < WM_HPP_COUNTS; i++) {
		study->exact[i] = more(study->exact[i], capacity, sizeof *study->exact[i]);
		study->in_window[i] = more(study->in_window[i], capacity, sizeof *study->in_window[i]);
		memset(study->exact[i] + old, 0, (capacity - old) * sizeof *study->exact[i]);
		memset(study->in_window[i] + old, 0, (capacity - old) * sizeof *study->in_window[i]);
	}
	study->path_capacity = capacity;
}

/* The metrics that the study keeps of all paths, whether a table is of them or not. */
static uint32_t value_of(const struct wm_path_entry *path, unsigned metric)
{
	return metric == WM_HPP_EVENT_FREQUENCY ? 1 : path->count[metric];
}

static void note(struct wm_study *study, uint32_t number, const struct wm_path_entry *path)
{
	if (number >= study->path_capacity)
		grow_paths(study, number);
	if (number >= study->paths)
		study->paths = number + 1;
	study->start[number] = path->start;
	study->rest[number] = (uint64_t)path->length << 32 | path->outcomes;
	if (!study->in_window[0][number]) {
		if (study->touched_count == study->touched_capacity) {
			study->touched_capacity = 2 * study->touched_capacity + 256;
			study->touched = more(
				study->touched, study->touched_capacity, sizeof *study->touched);
		}
		study->touched[study->touched_count++] = number;
	}
	for (unsigned i = 0; i < WM_HPP_COUNTS; i++) {
		study->exact[i][number] += value_of(path, i);
		study->in_window[i][number] += value_of(path, i);
	}
}

static double table_sum(const struct wm_hot_table *table)
{
	double sum = 0;
	for (uint32_t i = 0; i < table->shape.entries; i++)
		sum += table->cell[i].used ? (double)table->cell[i].weight : 0;
	return sum;
}

static double smaller(double left, double right)
{
	return left < right ? left : right;
}

/* The overlap with these counts of the paths that are listed (NULL: all). */
static double overlap(const struct wm_study *study, const struct wm_hot_table *table,
	const uint64_t *count, const uint32_t *list, uint32_t paths)
{
	double all = 0, told = table_sum(table), share = 0;
	for (uint32_t i = 0; i < paths; i++)
		all += (double)count[list ? list[i] : i];
	if (all == 0 || told == 0)
		return all == told;
	for (uint32_t i = 0; i < paths; i++) {
		uint32_t path = list ? list[i] : i;
		const struct wm_hot_cell *cell =
			count[path] ? wm_hot_table_find(
					      table, study->start[path], study->rest[path])
				    : NULL;
		if (cell)
			share += smaller((double)count[path] / all, (double)cell->weight / told);
	}
	return share;
}

static void end_window(struct wm_study *study)
{
	for (size_t i = 0; i < study->tables; i++) {
		struct wm_study_table *table = &study->table[i];
		if (!table->windowed)
			continue;
		table->window_sum += overlap(study, &table->table, study->in_window[table->metric],
			study->touched, study->touched_count);
		wm_hot_table_clear(&table->table);
	}
	for (uint32_t i = 0; i < study->touched_count; i++)
		for (int metric = 0; metric < WM_HPP_COUNTS; metric++)
			study->in_window[metric][study->touched[i]] = 0;
	study->touched_count = 0;
	study->windows++;
}

void wm_study_take(void *context, uint32_t number, const struct wm_path_entry *path, uint32_t weight)
{
	struct wm_study *study = context;
	uint64_t rest = (uint64_t)path->length << 32 | path->outcomes;
	(void)weight;
	if (number == UINT32_MAX)
		return;
	note(study, number, path);
	for (size_t i = 0; i < study->tables; i++)
		wm_hot_table_add(&study->table[i].table, path->start, rest,
			value_of(path, study->table[i].metric));
	study->instructions += path->count[WM_HPP_EVENT_INSTRUCTIONS];
	if (!study->window || study->instructions < study->next_window + study->window)
		return;
	study->next_window += study->window;
	end_window(study);
}

void wm_study_finish(struct wm_study *study)
{
	if (study->windows == 0)
		end_window(study);
	for (size_t i = 0; i < study->tables; i++) {
		struct wm_study_table *table = &study->table[i];
		if (!table->windowed)
			table->complete = overlap(study, &table->table,
				study->exact[table->metric], NULL, study->paths);
	}
}

void wm_study_free(struct wm_study *study)
{
	for (size_t i = 0; i < study->tables; i++)
		free(study->table[i].table.cell);
	for (int i = 0; i < WM_HPP_COUNTS; i++) {
		free(study->exact[i]);
		free(study->in_window[i]);
	}
	free(study->table);
	free(study->start);
	free(study->rest);
	free(study->touched);
	*study = (struct wm_study){0};
}

double wm_study_dynamic(const struct wm_study *study, const struct wm_study_table *table)
{
	return study->windows ? table->window_sum / study->windows : 0;
}

static double sum_of(const struct wm_study *study, unsigned metric)
{
	double sum = 0;
	for (uint32_t i = 0; i < study->paths; i++)
		sum += (double)study->exact[metric][i];
	return sum;
}

double wm_study_metrics_overlap(const struct wm_study *study, unsigned left, unsigned right)
{
	double all_left = sum_of(study, left), all_right = sum_of(study, right), share = 0;
	if (all_left == 0 || all_right == 0)
		return all_left == all_right;
	for (uint32_t i = 0; i < study->paths; i++)
		share += smaller((double)study->exact[left][i] / all_left,
			(double)study->exact[right][i] / all_right);
	return share;
}

static int falling(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
	return a < b ? 1 : a > b ? -1 : 0;
}

double wm_study_top(const struct wm_study *study, unsigned metric, size_t top)
{
	double all = sum_of(study, metric), sum = 0;
	uint64_t *sorted = more(NULL, (size_t)study->paths + 1, sizeof *sorted);
	memcpy(sorted, study->exact[metric], study->paths * sizeof *sorted);
	if (study->paths > 0)
		qsort(sorted, study->paths, sizeof *sorted, falling);
	for (size_t i = 0; i < top && i < study->paths; i++)
		sum += (double)sorted[i];
	free(sorted);
	return all > 0 ? sum / all : 0;
}

double wm_study_by_length(const struct wm_study *study, unsigned metric, unsigned length)
{
	double all = sum_of(study, metric), sum = 0;
	for (uint32_t i = 0; i < study->paths; i++)
		sum += study->rest[i] >> 32 <= length ? (double)study->exact[metric][i] : 0;
	return all > 0 ? sum / all : 0;
}

struct pair {
	uint64_t left, right;
};

static int falling_left(const void *left, const void *right)
{
	return falling(&((const struct pair *)left)->left, &((const struct pair *)right)->left);
}

double wm_study_rank_correlation(
	const struct wm_study *study, unsigned left, unsigned right, size_t top)
{
	struct pair *pairs = more(NULL, (size_t)study->paths + 1, sizeof *pairs);
	double agree = 0, all = 0;
	for (uint32_t i = 0; i < study->paths; i++)
		pairs[i] = (struct pair){study->exact[left][i], study->exact[right][i]};
	if (study->paths > 0)
		qsort(pairs, study->paths, sizeof *pairs, falling_left);
	top = top < study->paths ? top : study->paths;
	for (size_t i = 0; i < top; i++)
		for (size_t k = i + 1; k < top; k++) {
			if (pairs[i].left == pairs[k].left || pairs[i].right == pairs[k].right)
				continue;
			all++;
			agree += pairs[i].right > pairs[k].right ? 1 : -1;
		}
	free(pairs);
	return all > 0 ? agree / all : 1;
}
