/* Functions are decoded when they are entered for the first time. */
#include "trace/functions.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/none.h"
#include "trace/lines.h"

static const struct wm_object *sorted_object; /* for the comparison below */

static int by_counter(const void *left, const void *right)
{
	uint64_t a = sorted_object->functions[*(const uint32_t *)left].first_counter;
	uint64_t b = sorted_object->functions[*(const uint32_t *)right].first_counter;
	return (a > b) - (a < b);
}

static int by_hash(const void *left, const void *right)
{
	uint64_t a = sorted_object->functions[*(const uint32_t *)left].function.hash;
	uint64_t b = sorted_object->functions[*(const uint32_t *)right].function.hash;
	return (a > b) - (a < b);
}

static const char *name_of(uint32_t number)
{
	return sorted_object->functions[number].function.name;
}

static int by_name(const void *left, const void *right)
{
	return strcmp(name_of(*(const uint32_t *)left), name_of(*(const uint32_t *)right));
}

static void sort(uint32_t *functions, uint32_t count, int (*compare)(const void *, const void *))
{
	if (count > 0)
		qsort(functions, count, sizeof *functions, compare);
}

static bool is_inner(const struct wm_object *object, uint32_t number)
{
	const struct wm_trace_section *trace = object->functions[number].function.trace;
	return trace && trace->is_inner;
}

/* The orders in which functions are looked up. */
static void sort_functions(struct wm_trace_functions *functions)
{
	uint32_t count = functions->object->function_count;
	for (uint32_t i = 0; i < count; i++) {
		functions->by_counter[i] = functions->by_hash[i] = i;
		if (is_inner(functions->object, i))
			functions->by_name[functions->inner_count++] = i;
	}
	sorted_object = functions->object;
	sort(functions->by_counter, count, by_counter);
	sort(functions->by_hash, count, by_hash);
	sort(functions->by_name, functions->inner_count, by_name);
}

int wm_trace_functions_make(struct wm_arena *arena, const struct wm_trace_file *file,
	const struct wm_object *object, struct wm_trace_functions *functions,
	struct wm_error *error)
{
	bool traced = false;
	uint32_t count = object->function_count;
	if (!wm_build_id_equal(&file->build_id, &object->build_id))
		return wm_error_set(error, WM_ERROR_MISMATCH,
			"%s is of build-id %s, but %s is of build-id %s", file->path,
			wm_build_id_text(&file->build_id).text, object->path,
			wm_build_id_text(&object->build_id).text);
	*functions = (struct wm_trace_functions){.arena = arena,
		.object = object,
		.counters = file->counters,
		.by_counter = wm_arena_alloc(arena, count, sizeof(uint32_t)),
		.by_hash = wm_arena_alloc(arena, count, sizeof(uint32_t)),
		.by_name = wm_arena_alloc(arena, count, sizeof(uint32_t)),
		.made = wm_arena_alloc(arena, count, sizeof(void *))};
	for (uint32_t i = 0; i < count; i++)
		traced |= object->functions[i].function.trace != NULL;
	sort_functions(functions);
	if (!traced)
		return wm_error_set(error, WM_ERROR_MISMATCH,
			"%s: was not built with --profile=trace", object->path);
	return 0;
}

static void make_codes(struct wm_arena *arena, struct wm_traced_function *made)
{
	const struct wm_trace_graph *graph = &made->graph;
	const struct wm_cfg *cfg = graph->cfg;
	uint32_t used = 0;
	made->first_code = wm_arena_alloc(arena, cfg->vertex_count, sizeof(uint32_t));
	for (uint32_t v = 0; v < cfg->vertex_count; v++) {
		made->first_code[v] = used;
		used += (uint32_t)1 << graph->bits[v];
	}
	made->edge_of_code = wm_none_array(arena, used);
	for (uint32_t e = 0; e < cfg->edge_count; e++) {
		uint32_t source = cfg->source[e];
		uint32_t code =
			graph->bits[source] ? made->function->trace->code[graph->edge[e]] : 0;
		made->edge_of_code[made->first_code[source] + code] = e;
	}
}

static bool shares_name(const struct wm_object *object, uint32_t number)
{
	const char *name = object->functions[number].function.name;
	for (uint32_t i = 0; i < object->function_count; i++)
		if (i != number && strcmp(object->functions[i].function.name, name) == 0)
			return true;
	return false;
}

static uint32_t find_by_hash(const struct wm_trace_functions *functions, uint64_t hash)
{
	uint32_t low = 0, high = functions->object->function_count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		uint32_t number = functions->by_hash[middle];
		uint64_t there = functions->object->functions[number].function.hash;
		if (there == hash)
			return number;
		if (there < hash)
			low = middle + 1;
		else
			high = middle;
	}
	return WM_NONE;
}

static uint32_t find_by_name(const struct wm_trace_functions *functions, const char *name)
{
	uint32_t low = 0, high = functions->inner_count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		uint32_t number = functions->by_name[middle];
		int order = strcmp(functions->object->functions[number].function.name, name);
		if (order == 0)
			return number;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return WM_NONE;
}

/* What the linker decided of a call into another file, or the compiler of one in its own. */
static void find_callee(
	const struct wm_trace_functions *functions, struct wm_traced_function *made, uint32_t call)
{
	const struct wm_trace_section *trace = made->function->trace;
	const enum wm_call_class class = trace->call_class[call];
	const bool is_tail = class == WM_CALL_TAIL_LINKED;
	made->call_class[call] = (uint8_t)class;
	made->callee[call] = WM_NONE;
	if (class == WM_CALL_KNOWN || class == WM_CALL_TAIL_KNOWN)
		made->callee[call] = trace->callee[call]
					     ? find_by_hash(functions, trace->callee[call])
					     : made->number;
	if (class != WM_CALL_LINKED && !is_tail)
		return;
	made->callee[call] = find_by_name(functions, made->function->calls[call].callee);
	if (made->callee[call] == WM_NONE)
		made->call_class[call] = is_tail ? WM_CALL_TAIL_OPEN : WM_CALL_OPEN;
	else
		made->call_class[call] = is_tail ? WM_CALL_TAIL_KNOWN : WM_CALL_KNOWN;
}

static struct wm_traced_function *make(
	struct wm_trace_functions *functions, uint32_t number, struct wm_error *error)
{
	struct wm_arena *arena = functions->arena;
	const struct wm_function *function = &functions->object->functions[number].function;
	struct wm_traced_function *made = wm_arena_alloc(arena, 1, sizeof *made);
	*made = (struct wm_traced_function){.function = function,
		.number = number,
		.shares_name = shares_name(functions->object, number)};
	if (wm_trace_graph_make(arena, function, &made->graph, error) ||
		wm_trace_graph_check_codes(arena, function, &made->graph, error))
		return NULL;
	make_codes(arena, made);
	made->mark = wm_arena_alloc(arena, function->call_count, sizeof *made->mark);
	made->call_class = wm_arena_alloc(arena, function->call_count, sizeof *made->call_class);
	made->callee = wm_arena_alloc(arena, function->call_count, sizeof *made->callee);
	for (uint32_t i = 0; i < function->call_count; i++) {
		made->mark[i] = wm_trace_mark(function->name, i);
		find_callee(functions, made, i);
	}
	made->lines = wm_arena_alloc(arena, function->block_count, sizeof *made->lines);
	for (uint32_t v = 0; v < function->block_count; v++)
		made->lines[v] = wm_trace_lines_of_block(function, v);
	functions->made[number] = made;
	return made;
}

static uint32_t find(const struct wm_trace_functions *functions, uint64_t counter)
{
	uint32_t low = 0, high = functions->object->function_count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		uint32_t number = functions->by_counter[middle];
		uint64_t there = functions->object->functions[number].first_counter;
		if (there == counter && functions->object->functions[number].function.trace)
			return number;
		if (there < counter)
			low = middle + 1;
		else
			high = middle;
	}
	return WM_NONE;
}

static const struct wm_traced_function *made_function(
	struct wm_trace_functions *functions, uint32_t number, struct wm_error *error)
{
	return functions->made[number] ? functions->made[number] : make(functions, number, error);
}

const struct wm_traced_function *wm_trace_function_at(
	struct wm_trace_functions *functions, uint32_t address, struct wm_error *error)
{
	uint32_t distance = address - (uint32_t)functions->counters;
	uint32_t number = distance % 8 ? WM_NONE : find(functions, distance / 8);
	if (number == WM_NONE) {
		wm_error_set(error, WM_ERROR_INPUT, "it names a function that the object lacks");
		return NULL;
	}
	return made_function(functions, number, error);
}

const struct wm_traced_function *wm_trace_function_callee(struct wm_trace_functions *functions,
	const struct wm_traced_function *caller, uint32_t call, struct wm_error *error)
{
	uint32_t number = caller->callee[call];
	if (number == WM_NONE || !functions->object->functions[number].function.trace) {
		wm_error_set(
			error, WM_ERROR_INPUT, "a call enters a function that the object lacks");
		return NULL;
	}
	return made_function(functions, number, error);
}
