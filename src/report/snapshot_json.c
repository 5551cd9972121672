/* Snapshots as JSON, writer and reader side by side. A count is a number or, where only bounds are
 * known, an array of two, null for what is not known. */
#include <inttypes.h>
#include <string.h>

#include "report/json.h"
#include "report/json_read.h"
#include "report/snapshot.h"
#include "report/text.h"

static void write_bound(struct wm_json *json, int64_t bound, int64_t none)
{
	if (bound == none)
		wm_json_null(json, NULL);
	else
		wm_json_signed(json, NULL, bound);
}

static void write_counts(struct wm_json *json, const char *key, const struct wm_interval *counts,
	const struct wm_event_kinds *kinds)
{
	wm_json_begin_array(json, key);
	for (size_t k = 0; k < kinds->count; k++) {
		if (wm_interval_is_exact(counts[k])) {
			wm_json_signed(json, NULL, counts[k].low);
			continue;
		}
		wm_json_begin_array(json, NULL);
		write_bound(json, counts[k].low, WM_NO_LOW);
		write_bound(json, counts[k].high, WM_NO_HIGH);
		wm_json_end_array(json);
	}
	wm_json_end_array(json);
}

static void write_path(struct wm_json *json, const struct wm_snapshot_path *path,
	const struct wm_event_kinds *kinds)
{
	wm_json_begin_object(json, NULL);
	wm_json_number(json, "id", path->id);
	wm_json_number(json, "count", path->count);
	wm_json_begin_array(json, "each");
	for (size_t k = 0; k < kinds->count; k++)
		wm_json_number(json, NULL, path->each[k]);
	wm_json_end_array(json);
	wm_json_text(json, "decisions", path->decisions);
	wm_json_end_object(json);
}

/* As text: not every reader of JSON has whole numbers of 64 bits. */
static struct wm_text code_text(uint64_t code)
{
	struct wm_text text = {""};
	if (code)
		snprintf(text.text, sizeof text.text, "%016" PRIx64, code);
	return text;
}

static uint64_t read_code(const char *text)
{
	uint64_t code = 0;
	return strlen(text) == 16 && sscanf(text, "%16" SCNx64, &code) == 1 ? code : 0;
}

static void write_function(struct wm_json *json, const struct wm_snapshot_function *function,
	const struct wm_event_kinds *kinds)
{
	wm_json_begin_object(json, NULL);
	wm_json_text(json, "name", function->name);
	wm_json_text(json, "file", function->file);
	wm_json_number(json, "line", function->line);
	wm_json_number(json, "shape", function->shape);
	wm_json_text(json, "code", code_text(function->code).text);
	wm_json_number(json, "entered", function->entered);
	write_counts(json, "counts", function->counts, kinds);
	wm_json_flag(json, "varies", function->varies);
	wm_json_flag(json, "paths_known", function->has_paths);
	wm_json_flag(json, "more_paths", function->has_more_paths);
	wm_json_begin_array(json, "paths");
	for (size_t i = 0; i < function->path_count; i++)
		write_path(json, &function->paths[i], kinds);
	wm_json_end_array(json);
	wm_json_end_object(json);
}

static void write_inclusive(struct wm_json *json, const struct wm_inclusive_call *call,
	const struct wm_event_kinds *kinds)
{
	wm_json_begin_object(json, NULL);
	wm_json_text(json, "caller", call->caller);
	wm_json_text(json, "callee", call->callee);
	wm_json_text(json, "file", call->file);
	wm_json_number(json, "line", call->line);
	wm_json_flag(json, "recursive", call->recursive);
	wm_json_number(json, "calls", call->made);
	if (call->seen)
		wm_json_number(json, "came_back", call->came_back);
	else
		wm_json_null(json, "came_back");
	write_counts(json, "counts", call->counts, kinds);
	wm_json_end_object(json);
}

void wm_snapshot_write(const struct wm_snapshot *snapshot, FILE *out)
{
	struct wm_json json = {.out = out};
	const struct wm_event_kinds *kinds = &snapshot->kinds;
	wm_json_begin_document(&json, "counts");
	wm_json_text(&json, "program", snapshot->program);
	wm_json_text(&json, "build_id", snapshot->build_id);
	wm_json_number(&json, "runs", snapshot->runs);
	wm_json_begin_array(&json, "kinds");
	for (size_t k = 0; k < kinds->count; k++)
		wm_json_text(&json, NULL, kinds->kinds[k].name);
	wm_json_end_array(&json);
	write_counts(&json, "totals", snapshot->totals, kinds);
	wm_json_begin_array(&json, "functions");
	for (size_t i = 0; i < snapshot->function_count; i++)
		write_function(&json, &snapshot->functions[i], kinds);
	wm_json_end_array(&json);
	if (snapshot->inclusive_count) {
		wm_json_begin_array(&json, "inclusive");
		for (size_t i = 0; i < snapshot->inclusive_count; i++)
			write_inclusive(&json, &snapshot->inclusive[i], kinds);
		wm_json_end_array(&json);
	}
	wm_json_end_object(&json);
}

struct reader {
	struct wm_arena *arena;
	struct wm_snapshot *snapshot;
	const char *missing; /* the first member that is missing or of another type */
};

static size_t count_items(const struct wm_json_value *item)
{
	size_t count = 0;
	for (; item; item = item->next)
		count++;
	return count;
}

static int64_t read_bound(const struct wm_json_value *value, int64_t none)
{
	return value && value->type == WM_JSON_WHOLE && value->number < INT64_MAX
		       ? (int64_t)value->number
		       : none;
}

/* A negative number, which a fork can leave behind, is as good as none. */
static struct wm_interval read_count(const struct wm_json_value *value)
{
	bool bounds = value->type == WM_JSON_ARRAY && value->first;
	const struct wm_json_value *low = bounds ? value->first : value;
	const struct wm_json_value *high = bounds ? value->first->next : value;
	struct wm_interval count = {read_bound(low, WM_NO_LOW), read_bound(high, WM_NO_HIGH)};
	return count;
}

static struct wm_interval *read_counts(
	struct reader *reader, const struct wm_json_value *object, const char *key)
{
	size_t kinds = reader->snapshot->kinds.count, k = 0;
	struct wm_interval *counts = wm_arena_alloc(reader->arena, kinds, sizeof *counts);
	const struct wm_json_value *item = wm_json_member_items(object, key);
	if (count_items(item) != kinds)
		reader->missing = key;
	for (; item && k < kinds; item = item->next)
		counts[k++] = read_count(item);
	return counts;
}

static const char *need_text(
	struct reader *reader, const struct wm_json_value *object, const char *key)
{
	const char *text = wm_json_member_text(object, key, NULL);
	if (!text)
		reader->missing = key;
	return text ? text : "";
}

static struct wm_snapshot_path read_path(struct reader *reader, const struct wm_json_value *object)
{
	size_t kinds = reader->snapshot->kinds.count, k = 0;
	uint64_t *each = wm_arena_alloc(reader->arena, kinds, sizeof *each);
	const struct wm_json_value *item = wm_json_member_items(object, "each");
	if (count_items(item) != kinds)
		reader->missing = "each";
	for (; item && k < kinds; item = item->next)
		each[k++] = item->type == WM_JSON_WHOLE ? item->number : 0;
	return (struct wm_snapshot_path){.id = wm_json_member_number(object, "id", 0),
		.count = wm_json_member_number(object, "count", 0),
		.each = each,
		.decisions = need_text(reader, object, "decisions")};
}

static struct wm_snapshot_function read_function(
	struct reader *reader, const struct wm_json_value *object)
{
	const struct wm_json_value *item = wm_json_member_items(object, "paths");
	struct wm_snapshot_function function = {.name = need_text(reader, object, "name"),
		.file = need_text(reader, object, "file"),
		.line = (uint32_t)wm_json_member_number(object, "line", 0),
		.shape = (uint32_t)wm_json_member_number(object, "shape", 0),
		.code = read_code(wm_json_member_text(object, "code", "")),
		.entered = wm_json_member_number(object, "entered", 0),
		.counts = read_counts(reader, object, "counts"),
		.has_paths = wm_json_member_flag(object, "paths_known"),
		.has_more_paths = wm_json_member_flag(object, "more_paths"),
		.varies = wm_json_member_flag(object, "varies")};
	function.paths = wm_arena_alloc(reader->arena, count_items(item), sizeof *function.paths);
	for (; item; item = item->next)
		function.paths[function.path_count++] = read_path(reader, item);
	return function;
}

static void read_kinds(struct reader *reader, const struct wm_json_value *document)
{
	const struct wm_json_value *item = wm_json_member_items(document, "kinds");
	struct wm_event_kinds *kinds = &reader->snapshot->kinds;
	kinds->kinds = wm_arena_alloc(reader->arena, count_items(item), sizeof *kinds->kinds);
	if (!item)
		reader->missing = "kinds";
	for (; item; item = item->next)
		if (item->type != WM_JSON_TEXT || !wm_event_kind_parse(reader->arena, item->text,
							  &kinds->kinds[kinds->count++]))
			reader->missing = "kinds";
}

int wm_snapshot_read(struct wm_arena *arena, const char *path, const char *text, size_t bytes,
	struct wm_snapshot *snapshot, struct wm_error *error)
{
	struct reader reader = {.arena = arena, .snapshot = snapshot};
	const struct wm_json_value *document;
	struct wm_error reason;
	*snapshot = (struct wm_snapshot){.runs = 0};
	if (wm_json_read(arena, text, bytes, &document, &reason) < 0)
		return wm_error_set(
			error, WM_ERROR_INPUT, "'%s' is not JSON: %s", path, reason.text);
	if (strcmp(wm_json_member_text(document, "schema", ""), "counts") != 0)
		return wm_error_set(error, WM_ERROR_INPUT,
			"'%s' is no base: make one with waymark count --save=FILE", path);
	if (wm_json_member_number(document, "version", 0) != WM_JSON_VERSION)
		return wm_error_set(error, WM_ERROR_INPUT,
			"'%s' is of another version of Waymark: make it again with waymark count "
			"--save",
			path);
	read_kinds(&reader, document);
	snapshot->program = need_text(&reader, document, "program");
	snapshot->build_id = need_text(&reader, document, "build_id");
	snapshot->runs = wm_json_member_number(document, "runs", 0);
	snapshot->totals = read_counts(&reader, document, "totals");
	const struct wm_json_value *item = wm_json_member_items(document, "functions");
	snapshot->functions = wm_arena_alloc(arena, count_items(item), sizeof *snapshot->functions);
	for (; item; item = item->next)
		snapshot->functions[snapshot->function_count++] = read_function(&reader, item);
	if (reader.missing)
		return wm_error_set(error, WM_ERROR_INPUT,
			"'%s' is damaged: its '%s' is not there, or not as long as its 'kinds'",
			path, reader.missing);
	return 0;
}
