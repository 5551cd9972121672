/* The document `hpp`; docs/schemas/hpp.schema.json says what its members mean. */
#include <inttypes.h>

#include "profile/hpp_words.h"
#include "report/hpp_view.h"
#include "report/json.h"

static void put_hex(struct wm_json *json, const char *key, uint64_t number)
{
	char text[32];
	snprintf(text, sizeof text, "0x%" PRIx64, number);
	wm_json_text(json, key, text);
}

static void put_text(struct wm_json *json, const char *key, const char *text)
{
	if (text)
		wm_json_text(json, key, text);
	else
		wm_json_null(json, key);
}

static void put_callers(
	const struct wm_hpp_view *view, const struct wm_exact_path *path, struct wm_json *json)
{
	wm_json_begin_array(json, "callers");
	for (int i = 0; i < WM_PATH_CALLERS; i++) {
		if (!path->caller[i].count)
			continue;
		wm_json_begin_object(json, NULL);
		wm_json_text(json, "place", wm_hpp_place_text(view, path->caller[i].return_address));
		wm_json_number(json, "count", path->caller[i].count);
		wm_json_end_object(json);
	}
	wm_json_end_array(json);
}

static void put_events(
	const struct wm_hpp_view *view, const struct wm_exact_path *path, struct wm_json *json)
{
	bool modelled = view->profile->head.flags & WM_HPP_MODELLED;
	wm_json_begin_object(json, "events");
	for (int i = WM_HPP_EVENT_LOADS; modelled && i <= WM_HPP_EVENT_POWER_CYCLE; i++)
		wm_json_number(json, wm_hpp_event_names[i], path->sum[i]);
	wm_json_end_object(json);
}

static void put_endings(const struct wm_exact_path *path, struct wm_json *json)
{
	wm_json_begin_object(json, "endings");
	for (int i = 0; i < WM_ENDINGS; i++)
		if (path->ending[i])
			wm_json_number(json, wm_ending_names[i], path->ending[i]);
	wm_json_end_object(json);
}

static void put_path(const struct wm_hpp_view *view, const struct wm_hot_table *table,
	const struct wm_exact_path *path, double total, struct wm_json *json)
{
	struct wm_code_place place = wm_code_lines_at(view->lines, path->start);
	const struct wm_hot_cell *cell = wm_hot_table_find(table, path->start, path->rest);
	uint64_t weight = wm_hpp_weight(view->profile, path);
	char outcomes[WM_OUTCOMES_TEXT];
	wm_hpp_outcomes_text(path->rest, outcomes);
	wm_json_begin_object(json, NULL);
	wm_json_text(json, "name", wm_hpp_path_name(view, path));
	put_hex(json, "start", path->start);
	wm_json_number(json, "length", path->rest >> 32);
	wm_json_text(json, "outcomes", outcomes);
	wm_json_number(json, "count", path->count);
	wm_json_number(json, "weight", weight);
	wm_json_real(json, "share", total > 0 ? (double)weight / total : 0);
	wm_json_number(json, "instructions", path->sum[WM_HPP_EVENT_INSTRUCTIONS]);
	if (cell)
		wm_json_number(json, "in_table", cell->weight);
	else
		wm_json_null(json, "in_table");
	wm_json_flag(json, "partial", path->flags & WM_ENTRY_PARTIAL);
	put_text(json, "object", place.object);
	put_text(json, "function", place.function);
	put_text(json, "source", place.file ? wm_hpp_path_text(view, path) : NULL);
	put_endings(path, json);
	put_events(view, path, json);
	put_callers(view, path, json);
	wm_json_end_object(json);
}

static void put_table(const struct wm_hpp_view *view, struct wm_json *json)
{
	const struct wm_hpp_head *head = &view->profile->head;
	struct wm_hpp_overlap overlap = wm_hpp_overlap(view->profile);
	char text[64];
	wm_hpp_table_text(&head->table, text, sizeof text);
	wm_json_begin_object(json, "table");
	wm_json_text(json, "shape", text);
	wm_json_number(json, "bytes", wm_hot_hardware_bytes(&head->table));
	wm_json_number(json, "hits", head->hits);
	wm_json_number(json, "misses", head->misses);
	wm_json_number(json, "evictions", head->evictions);
	wm_json_real(json, "overlap", overlap.share);
	wm_json_real(json, "caught", overlap.caught_weight);
	wm_json_number(json, "heavy_paths", overlap.heavy);
	wm_json_number(json, "heavy_paths_caught", overlap.heavy_caught);
	wm_json_end_object(json);
}

static void put_stack(const struct wm_hpp_head *head, struct wm_json *json)
{
	const struct wm_path_stack_figures *stack = &head->stack;
	wm_json_begin_object(json, "stack");
	wm_json_number(json, "depth", head->depth);
	wm_json_number(json, "deepest", stack->deepest);
	wm_json_number(json, "dropped", stack->dropped);
	wm_json_number(json, "underflows", stack->underflows);
	wm_json_number(json, "repairs", stack->repairs);
	wm_json_number(json, "splits", stack->splits);
	wm_json_number(json, "saturated", stack->saturated);
	wm_json_number(json, "spills", stack->spills);
	wm_json_number(json, "refills", stack->refills);
	wm_json_end_object(json);
}

static void put_queue(const struct wm_hpp_head *head, struct wm_json *json)
{
	wm_json_begin_array(json, "queue");
	for (int speed = 0; head->flags & WM_HPP_QUEUES && speed < WM_QUEUE_SPEEDS; speed++) {
		uint64_t cycles = wm_queue_speed[speed] ? head->instructions * wm_queue_speed[speed]
							: head->cycles * WM_QUEUE_UNIT;
		for (int size = 0; cycles && size < WM_QUEUE_SIZES; size++) {
			wm_json_begin_object(json, NULL);
			if (wm_queue_speed[speed])
				wm_json_real(json, "ipc", 12.0 / wm_queue_speed[speed]);
			else
				wm_json_real(json, "ipc",
					(double)head->instructions / (double)head->cycles);
			wm_json_flag(json, "of_model", !wm_queue_speed[speed]);
			wm_json_number(json, "slots", wm_queue_slots[size]);
			wm_json_real(json, "overhead",
				(double)head->stall[speed][size] / (double)cycles);
			wm_json_end_object(json);
		}
	}
	wm_json_end_array(json);
}

static void put_totals(const struct wm_hpp_view *view, struct wm_json *json)
{
	const struct wm_hpp_profile *profile = view->profile;
	const struct wm_hpp_head *head = &profile->head;
	char kind[100];
	wm_hpp_paths_text(&profile->control, kind, sizeof kind);
	wm_json_text(json, "program", profile->program ? profile->program : profile->name);
	put_hex(json, "control", head->control);
	wm_json_text(json, "paths_are", kind);
	wm_json_text(json, "event", wm_hpp_event_names[profile->control.event]);
	wm_json_number(json, "instructions", head->instructions);
	wm_json_number(json, "branches", head->branches);
	wm_json_number(json, "paths", head->stack.emitted);
	wm_json_number(json, "distinct_paths", profile->paths);
	wm_json_number(json, "beyond_limit", head->beyond_limit);
	wm_json_flag(json, "complete", !(head->flags & WM_HPP_NO_MEMORY));
	wm_json_number(json, "threads", head->threads);
	wm_json_number(json, "cycles", head->cycles);
	wm_json_number(json, "service", head->service);
	wm_json_begin_object(json, "kinds");
	for (int i = 0; i < WM_BRANCH_KINDS; i++)
		wm_json_number(json, wm_branch_kind_names[i], head->kind[i]);
	wm_json_end_object(json);
}

static void put_caches(const struct wm_hpp_head *head, struct wm_json *json)
{
	static const char *const names[] = {"l1i", "l1d", "l2"};
	wm_json_begin_object(json, "caches");
	for (int i = 0; head->flags & WM_HPP_MODELLED && i < 3; i++) {
		wm_json_begin_object(json, names[i]);
		wm_json_number(json, "accesses", head->accesses[i]);
		wm_json_number(json, "misses", head->cache_misses[i]);
		wm_json_end_object(json);
	}
	wm_json_end_object(json);
	wm_json_number(json, "mispredictions", head->mispredictions);
}

void wm_hpp_view_json(const struct wm_hpp_view *view, FILE *out)
{
	const struct wm_hpp_profile *profile = view->profile;
	struct wm_json json = {.out = out};
	struct wm_hot_table table = {.shape = profile->head.table};
	double total = 0;
	table.sets = table.shape.entries / table.shape.ways;
	while (table.sets >> table.set_bits > 1)
		table.set_bits++;
	table.cell = (struct wm_hot_cell *)profile->cell;
	for (uint64_t i = 0; i < profile->paths; i++)
		total += (double)wm_hpp_weight(profile, &profile->path[i]);
	wm_json_begin_document(&json, "hpp");
	put_totals(view, &json);
	put_table(view, &json);
	put_stack(&profile->head, &json);
	put_caches(&profile->head, &json);
	put_queue(&profile->head, &json);
	wm_json_begin_array(&json, "hot_paths");
	for (uint64_t i = 0; i < profile->paths && i < view->top; i++)
		put_path(view, &table, &profile->path[i], total, &json);
	wm_json_end_array(&json);
	wm_json_end_object(&json);
	fputc('\n', out);
}
