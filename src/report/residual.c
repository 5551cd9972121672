/* First what the tests did, function by function (tested_code.h). Then each path of the field is
 * looked up, and what no test took gets its kind (residual_kind.h). */
#include "report/residual.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/none.h"
#include "profile/path_find.h"
#include "report/residual_departures.h"
#include "report/residual_kind.h"

const char *const wm_residual_kind_words[WM_RESIDUAL_KINDS] = {
	"function", "changed", "code", "outcome", "copy", "combination", "early", "uncertain"};

struct comparison {
	struct wm_arena *arena;
	const struct wm_residual_request *request;
	struct wm_residual *result;
	struct wm_tested_code tested;
	struct wm_key_set field_lines; /* that the field ran */
	size_t row_capacity;
	struct wm_error *error;
};

static int refuse_id(const struct comparison *comparison, const struct wm_ran_function *function)
{
	return wm_error_set(comparison->error, WM_ERROR_INPUT,
		"a set of paths names path %" PRIu64
		" of function '%.200s', which has fewer; write "
		"the set again with waymark paths --save",
		function->paths[function->count - 1].id, function->key.name);
}

static int match_function(struct comparison *comparison, struct wm_residual_function *entry)
{
	const struct wm_residual_request *request = comparison->request;
	const struct wm_function *function = entry->function->function;
	struct wm_saved_function key = wm_ran_paths_key(function);
	const struct wm_ran_function *tests =
		wm_ran_paths_find(request->tests, &key, request->across_shape, &entry->fit);
	comparison->result->matched += entry->fit == WM_RAN_SAME;
	if (tests && !tests->entered)
		entry->fit = WM_RAN_NONE;
	comparison->result->changed += entry->fit == WM_RAN_CHANGED;
	entry->tests = entry->fit == WM_RAN_SAME ? tests : NULL;
	size_t count = 0;
	const uint64_t *ids =
		entry->tests ? wm_ran_function_ids(comparison->arena, tests, &count) : NULL;
	int status = wm_path_space_make(
		comparison->arena, function, ids, count, &entry->space, comparison->error);
	if (status < 0)
		return status;
	uint64_t possible = entry->space.paths.count;
	const struct wm_ran_function *sides[] = {entry->tests, entry->field};
	for (size_t i = 0; i < 2; i++)
		if (sides[i] && sides[i]->count &&
			sides[i]->paths[sides[i]->count - 1].id >= possible)
			return refuse_id(comparison, sides[i]);
	entry->tested_edge = wm_arena_alloc(comparison->arena, function->edge_count, sizeof(bool));
	entry->edge_labels = wm_arena_alloc_unset(
		comparison->arena, function->edge_count, sizeof *entry->edge_labels);
	memset(entry->edge_labels, 0xff, function->edge_count * sizeof *entry->edge_labels);
	if (entry->tests)
		wm_tested_add(comparison->arena, &comparison->tested, entry);
	return 0;
}

static const struct wm_ran_path *ran_path(const struct wm_ran_function *function, uint64_t id)
{
	size_t low = 0, high = function->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (function->paths[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < function->count && function->paths[low].id == id ? &function->paths[low]
								      : NULL;
}

/* The departure, and which tests came so far. Of their paths the one that runs on most often, and
 * to its end, is the nearest. */
static void find_nearest(const struct wm_residual_function *entry, struct wm_residual_row *row)
{
	size_t at;
	row->departs = true;
	row->departure = wm_path_space_departure(&entry->space, row->ran->id);
	if (row->departure.block == WM_NONE)
		return;
	size_t count = wm_path_space_ran_among(
		&entry->space, row->departure.live_first, row->departure.live_ids, &at);
	for (size_t i = at; i < at + count; i++) {
		const struct wm_ran_path *path = ran_path(entry->tests, entry->space.ran[i]);
		const struct wm_ran_path *best = row->nearest;
		wm_tested_note_labels(row->labels, path);
		if (!best || (best->partial && !path->partial) ||
			(best->partial == path->partial && path->count > best->count))
			row->nearest = path;
	}
}

static bool is_tested(const struct wm_residual_function *entry, const struct wm_ran_path *path)
{
	if (!entry->tests)
		return false;
	return path->partial ? wm_path_space_began(&entry->space, path->id)
			     : wm_path_space_ran(&entry->space, path->id);
}

static bool is_accepted(
	const struct comparison *comparison, const struct wm_ran_function *field, uint64_t id)
{
	const struct wm_ran_paths *accepted = comparison->request->accepted;
	enum wm_ran_fit fit;
	if (!accepted)
		return false;
	const struct wm_ran_function *function =
		wm_ran_paths_find(accepted, &field->key, comparison->request->across_shape, &fit);
	return fit == WM_RAN_SAME && ran_path(function, id);
}

static void add_row(struct comparison *comparison, struct wm_residual_function *entry,
	struct wm_judged *judged, const struct wm_ran_path *path)
{
	struct wm_residual *result = comparison->result;
	result->rows = wm_arena_grow(comparison->arena, result->rows, result->row_count,
		&comparison->row_capacity, sizeof *result->rows);
	struct wm_residual_row *row = &result->rows[result->row_count];
	*row = (struct wm_residual_row){
		.function = entry, .ran = path, .labels = {WM_NONE, WM_NONE, WM_NONE}};
	wm_path_decode(comparison->arena, entry->function->function, &entry->space.paths, path->id,
		&row->path);
	row->path.count = path->count;
	row->kind = wm_judged_kind(judged, row);
	if (row->kind != WM_RESIDUAL_UNCERTAIN && is_accepted(comparison, entry->field, path->id)) {
		result->accepted++;
		return;
	}
	if (entry->tests)
		find_nearest(entry, row);
	result->row_count++;
	result->kinds[row->kind]++;
	if (row->kind == WM_RESIDUAL_UNCERTAIN)
		return;
	result->untested++;
	result->untested_executions += path->count;
	result->hidden_by_path += row->on_tested_edges;
	entry->untested_paths++;
}

/* Edges that the field took, and those of them that no test did. */
static void compare_edges(struct comparison *comparison, struct wm_residual_function *entry)
{
	struct wm_arena scratch = {0};
	const struct wm_function *function = entry->function->function;
	bool *taken = wm_arena_alloc(&scratch, function->edge_count, sizeof *taken);
	bool *seen = wm_arena_alloc(&scratch, function->block_count, sizeof *seen);
	for (size_t i = 0; i < entry->field->count; i++) {
		uint32_t *edges;
		if (wm_ran_path_is_uncertain(&entry->field->paths[i]))
			continue;
		uint32_t count = wm_tested_edges_of(
			&scratch, &entry->space.paths, entry->field->paths[i].id, &edges);
		for (uint32_t k = 0; k < count; k++) {
			taken[edges[k]] = !wm_tested_is_abandoned(function, edges[k]);
			seen[function->edge_source[edges[k]]] = true;
		}
	}
	for (uint32_t e = 0; e < function->edge_count; e++) {
		comparison->result->edges += taken[e];
		entry->untested_edges += taken[e] && !entry->tested_edge[e];
	}
	for (uint32_t b = 0; b < function->block_count; b++)
		if (seen[b])
			wm_tested_add_lines(
				comparison->arena, function, b, &comparison->field_lines);
	wm_arena_reset(&scratch);
}

static void compare_paths(struct comparison *comparison, struct wm_residual_function *entry)
{
	struct wm_residual *result = comparison->result;
	struct wm_judged judged = {.entry = NULL};
	compare_edges(comparison, entry);
	for (size_t i = 0; i < entry->field->count; i++) {
		const struct wm_ran_path *path = &entry->field->paths[i];
		if (!wm_ran_path_is_uncertain(path)) {
			result->paths++;
			result->executions += path->count;
		}
		if (is_tested(entry, path))
			continue;
		if (!judged.entry)
			judged = wm_judge(&comparison->tested, entry);
		add_row(comparison, entry, &judged, path);
	}
	wm_arena_reset(&judged.arena);
	result->functions_with_paths += entry->untested_paths > 0;
	result->untested_edges += entry->untested_edges;
	result->functions_with_edges += entry->untested_edges > 0;
	if (entry->untested_edges == 0)
		result->hidden_by_function += entry->untested_paths;
}

static size_t count_watched(const struct wm_residual_request *request)
{
	size_t watched = 0;
	for (size_t p = 0; p < request->profile_count; p++)
		for (uint32_t i = 0; i < request->profiles[p].function_count; i++)
			watched += request->profiles[p].functions[i].function->sentinels != NULL;
	return watched;
}

/* The functions of the field, each once although several builds may have it. */
static size_t list_functions(struct comparison *comparison)
{
	const struct wm_residual_request *request = comparison->request;
	struct wm_residual *result = comparison->result;
	result->watched = count_watched(request);
	bool *known =
		wm_arena_alloc(comparison->arena, request->field->function_count, sizeof *known);
	result->functions = wm_arena_alloc(comparison->arena,
		request->field->function_count + result->watched, sizeof *result->functions);
	for (size_t p = 0; p < request->profile_count; p++)
		for (uint32_t i = 0; i < request->profiles[p].function_count; i++) {
			const struct wm_profile_function *function =
				&request->profiles[p].functions[i];
			struct wm_saved_function key = wm_ran_paths_key(function->function);
			const struct wm_ran_function *field =
				wm_ran_paths_get(request->field, &key);
			if (function->function->sentinels)
				result->functions[result->function_count++] =
					(struct wm_residual_function){.function = function};
			if (!field || field->count == 0 || known[field - request->field->functions])
				continue;
			known[field - request->field->functions] = true;
			result->functions[result->function_count++] =
				(struct wm_residual_function){.function = function, .field = field};
		}
	return result->function_count;
}

static int compare_rows(const void *left, const void *right)
{
	const struct wm_residual_row *a = left, *b = right;
	bool a_last = a->kind == WM_RESIDUAL_UNCERTAIN, b_last = b->kind == WM_RESIDUAL_UNCERTAIN;
	if (a_last != b_last)
		return a_last ? 1 : -1;
	if (a->ran->machines != b->ran->machines)
		return a->ran->machines > b->ran->machines ? -1 : 1;
	if (a->ran->samples != b->ran->samples)
		return a->ran->samples > b->ran->samples ? -1 : 1;
	if (a->ran->count != b->ran->count)
		return a->ran->count > b->ran->count ? -1 : 1;
	int order = wm_saved_function_compare(&a->function->field->key, &b->function->field->key);
	return order ? order : (a->ran->id > b->ran->id) - (a->ran->id < b->ran->id);
}

static void count_lines(struct comparison *comparison)
{
	wm_key_set_sort(&comparison->field_lines);
	comparison->result->lines = comparison->field_lines.count;
	for (size_t i = 0; i < comparison->field_lines.count; i++)
		comparison->result->untested_lines +=
			!wm_key_set_has(&comparison->tested.lines, comparison->field_lines.list[i]);
}

int wm_residual_make(struct wm_arena *arena, const struct wm_residual_request *request,
	struct wm_residual *residual, struct wm_error *error)
{
	struct comparison comparison = {
		.arena = arena, .request = request, .result = residual, .error = error};
	*residual = (struct wm_residual){0};
	size_t count = list_functions(&comparison);
	for (size_t i = 0; i < count; i++) {
		int status = match_function(&comparison, &residual->functions[i]);
		if (status < 0)
			return status;
	}
	wm_key_set_sort(&comparison.tested.lines);
	wm_key_set_sort(&comparison.tested.decisions);
	for (size_t i = 0; i < count; i++)
		if (residual->functions[i].field)
			compare_paths(&comparison, &residual->functions[i]);
	wm_residual_departures(arena, &comparison.tested, residual);
	count_lines(&comparison);
	if (residual->row_count > 0)
		qsort(residual->rows, residual->row_count, sizeof *residual->rows, compare_rows);
	return 0;
}
