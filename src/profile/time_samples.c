/* Samples of one place are found by sorting; each place is looked up once. */
#define _GNU_SOURCE /* qsort_r, realpath */
#include "profile/time_samples.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "profile/code_lines.h"
#include "profile/code_symbols.h"
#include "profile/objects.h"

/* An object of the profile. */
struct part {
	const struct wm_profile *profile;
	uint32_t first; /* of its functions among all */
	struct wm_code_symbols symbols;
	struct wm_code_lines *lines;
	const uint32_t *by_name; /* its functions */
	bool used;		 /* samples are in it: symbols are read */
};

struct layer {
	struct wm_arena *arena;
	struct wm_time *time;
	const struct wm_profile *profile;
	struct part *parts;
	struct wm_perf_word *commands; /* that ran the program */
	size_t command_count;
	bool has_periods; /* all samples */
	size_t outside_capacity, line_capacity;
};

static void tell(struct wm_time_tally *tally, double weight)
{
	tally->samples++;
	tally->weight += weight;
	tally->squares += weight * weight;
}

double wm_time_share(const struct wm_time *time, const struct wm_time_tally *tally)
{
	return time->all.weight > 0 ? tally->weight / time->all.weight : 0;
}

/* The estimate is a quotient of two sums over the samples. Where all or none are in, that says
 * nothing; then it is the largest share that leaves one chance in twenty (rule of three). */
double wm_time_share_error(const struct wm_time *time, const struct wm_time_tally *tally)
{
	double share = wm_time_share(time, tally), error;
	if (time->all.samples == 0)
		return 1;
	if (tally->samples == 0 || tally->samples == time->all.samples)
		error = 3.0 / (double)time->all.samples;
	else
		error = 1.96 *
			sqrt((1 - share) * (1 - share) * tally->squares +
				share * share * (time->all.squares - tally->squares)) /
			time->all.weight;
	return error < 1 ? error : 1;
}

static int compare_words(const void *left, const void *right)
{
	const struct wm_perf_word *a = left, *b = right;
	size_t least = a->length < b->length ? a->length : b->length;
	int order = least ? memcmp(a->text, b->text, least) : 0;
	return order ? order : (a->length > b->length) - (a->length < b->length);
}

/* By place: those of one place become neighbours. */
static int compare_samples(const void *left, const void *right)
{
	const struct wm_perf_sample *a = left, *b = right;
	int order = compare_words(&a->object, &b->object);
	if (order == 0)
		order = compare_words(&a->symbol, &b->symbol);
	if (order == 0 && a->has_offset != b->has_offset)
		order = a->has_offset ? 1 : -1;
	if (order == 0 && a->offset != b->offset)
		order = a->offset < b->offset ? -1 : 1;
	if (order == 0 && a->address != b->address)
		order = a->address < b->address ? -1 : 1;
	if (order == 0 && a->object_offset != b->object_offset)
		order = a->object_offset < b->object_offset ? -1 : 1;
	return order;
}

static bool begins(struct wm_perf_word word, const char *start)
{
	return word.length >= strlen(start) && memcmp(word.text, start, strlen(start)) == 0;
}

/* Events that tell time, the best first. */
static int event_rank(struct wm_perf_word event)
{
	if (begins(event, "task-clock"))
		return 3;
	if (begins(event, "cpu-clock"))
		return 2;
	return begins(event, "cycles") || begins(event, "cpu-cycles") ||
	       begins(event, "cpu_core/cycles");
}

static char *copy_word(struct wm_arena *arena, struct wm_perf_word word)
{
	char *text = wm_arena_alloc(arena, word.length + 1, 1);
	if (word.length)
		memcpy(text, word.text, word.length);
	return text;
}

/* Keeps the samples of one event; returns how many. */
static size_t choose_event(struct layer *layer, struct wm_perf_sample *list, size_t count)
{
	struct wm_perf_word event = list[0].event;
	size_t kept = 0;
	for (size_t i = 1; i < count; i++)
		if (event_rank(list[i].event) > event_rank(event))
			event = list[i].event;
	layer->has_periods = true;
	for (size_t i = 0; i < count; i++) {
		if (!wm_perf_word_equal(list[i].event, event))
			continue;
		layer->has_periods &= list[i].period > 0;
		list[kept++] = list[i];
	}
	layer->time->event = copy_word(layer->arena, event);
	layer->time->other_events = count - kept;
	layer->time->nanoseconds = layer->has_periods && event_rank(event) >= 2;
	return kept;
}

static struct wm_perf_word without_folders(struct wm_perf_word path)
{
	for (size_t i = path.length; i > 0; i--)
		if (path.text[i - 1] == '/')
			return (struct wm_perf_word){path.text + i, path.length - i};
	return path;
}

/* perf writes it behind the path of a file that is gone. */
static struct wm_perf_word without_deleted(struct wm_perf_word path)
{
	static const char deleted[] = " (deleted)";
	size_t length = sizeof deleted - 1;
	if (path.length > length && memcmp(path.text + path.length - length, deleted, length) == 0)
		path.length -= length;
	return path;
}

/* The part that the sample is in: by its path, or its name if it has moved; NULL: outside. */
static struct part *part_of(struct layer *layer, const struct wm_perf_sample *sample)
{
	struct wm_perf_word path = without_deleted(sample->object), name = without_folders(path);
	for (uint32_t i = 0; i < layer->profile->part_count; i++) {
		const char *own = layer->parts[i].profile->object.path;
		const char *ran = layer->parts[i].profile->file.object_path;
		const char *own_name = wm_profile_object_name(own);
		const char *ran_name = ran ? wm_profile_object_name(ran) : own_name;
		if (path.length == 0)
			continue;
		if ((name.length == strlen(own_name) &&
			    memcmp(name.text, own_name, name.length) == 0) ||
			(name.length == strlen(ran_name) &&
				memcmp(name.text, ran_name, name.length) == 0))
			return &layer->parts[i];
	}
	return NULL;
}

/* Samples of commands that never were in the program are of other programs (perf record -a). */
static size_t drop_other_programs(struct layer *layer, struct wm_perf_sample *list, size_t count)
{
	size_t kept = 0;
	layer->commands = wm_arena_alloc(layer->arena, count, sizeof *layer->commands);
	for (size_t i = 0; i < count; i++)
		if (part_of(layer, &list[i]))
			layer->commands[layer->command_count++] = list[i].command;
	if (layer->command_count == 0)
		return 0;
	qsort(layer->commands, layer->command_count, sizeof *layer->commands, compare_words);
	for (size_t i = 0; i < count; i++)
		if (bsearch(&list[i].command, layer->commands, layer->command_count,
			    sizeof *layer->commands, compare_words))
			list[kept++] = list[i];
	layer->time->other_programs = count - kept;
	return kept;
}

static int compare_functions(const void *left, const void *right, void *context)
{
	const struct wm_profile_function *functions = context;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	int order = strcmp(functions[a].function->name, functions[b].function->name);
	return order ? order : (a > b) - (a < b);
}

static void sort_functions(struct layer *layer, struct part *part)
{
	uint32_t count = part->profile->function_count;
	uint32_t *order = wm_arena_alloc(layer->arena, count, sizeof *order);
	for (uint32_t i = 0; i < count; i++)
		order[i] = i;
	if (count)
		qsort_r(order, count, sizeof *order, compare_functions, part->profile->functions);
	part->by_name = order;
}

/* The lines of the object as it is in its file: all addresses are its own. */
static struct wm_code_lines *open_lines(struct layer *layer, const struct wm_profile *part)
{
	struct wm_hpp_profile *profile = wm_arena_alloc(layer->arena, 1, sizeof *profile);
	struct wm_hpp_object *object = wm_arena_alloc(layer->arena, 1, sizeof *object);
	char *path = realpath(part->object.path, NULL);
	profile->text = wm_arena_copy_text(layer->arena, path ? path : part->object.path);
	free(path);
	object->end = UINT64_MAX;
	if (part->object.build_id.bytes <= sizeof object->id) {
		object->id_bytes = part->object.build_id.bytes;
		memcpy(object->id, part->object.build_id.byte, object->id_bytes);
	}
	profile->objects = 1;
	profile->object = object;
	return wm_code_lines_open(layer->arena, profile);
}

static int use_part(struct layer *layer, struct part *part, struct wm_error *error)
{
	const struct wm_object *object = &part->profile->object;
	if (part->used)
		return 0;
	int status = wm_code_symbols_read(
		layer->arena, object->path, &object->build_id, &part->symbols, error);
	if (status)
		return status;
	part->used = true;
	part->lines = open_lines(layer, part->profile);
	sort_functions(layer, part);
	return 0;
}

/* The first of the functions with that name; *count is how many there are. */
static size_t named(const struct part *part, const char *name, size_t length, size_t *count)
{
	size_t low = 0, high = part->profile->function_count, all = high;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const char *other = part->profile->functions[part->by_name[middle]].function->name;
		int order = strncmp(other, name, length);
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (*count = 0; low + *count < all; (*count)++) {
		const char *other =
			part->profile->functions[part->by_name[low + *count]].function->name;
		if (strncmp(other, name, length) != 0 || other[length])
			break;
	}
	return low;
}

/* Of several functions of a name, static ones of several files, the one of the symbol's file; -1:
 * that is not exactly one. */
static int64_t tell_apart(
	const struct part *part, size_t first, size_t count, const struct wm_code_symbol *symbol)
{
	struct wm_code_place place = wm_code_lines_at(part->lines, symbol->start);
	int64_t found = -1;
	if (count == 1)
		return part->by_name[first];
	for (size_t i = first; i < first + count && place.file; i++) {
		const char *file =
			part->profile->functions[part->by_name[i]].function->scopes[0].file;
		if (strcmp(wm_profile_object_name(file), place.file) != 0)
			continue;
		if (found >= 0)
			return -1;
		found = part->by_name[i];
	}
	return found;
}

/* The function that the symbol is of, or is a part of (`parse.cold`); -1: none that was counted. */
static int64_t function_of(
	const struct part *part, const struct wm_code_symbol *symbol, bool *is_counted)
{
	const char *name = symbol->linker;
	for (size_t length = strlen(name); length > 0;) {
		size_t count, first = named(part, name, length, &count);
		*is_counted = count > 0;
		if (count > 0)
			return tell_apart(part, first, count, symbol);
		while (length > 0 && name[length - 1] != '.')
			length--;
		length -= length > 0;
	}
	*is_counted = false;
	return -1;
}

static struct wm_time_place *add_line(
	struct layer *layer, const struct part *part, const char *function, uint64_t address)
{
	struct wm_time *time = layer->time;
	struct wm_code_place place = {.file = NULL};
	if (address != UINT64_MAX)
		place = wm_code_lines_at(part->lines, address);
	if (!place.file || !place.line)
		return NULL;
	time->lines = wm_arena_grow(layer->arena, time->lines, time->line_count,
		&layer->line_capacity, sizeof *time->lines);
	time->lines[time->line_count] = (struct wm_time_place){
		wm_arena_copy_text(layer->arena, place.file), place.line, function, {0, 0, 0}};
	return &time->lines[time->line_count++];
}

/* Samples of one place in an object of the profile. */
static void lay_inside(struct layer *layer, struct part *part, const struct wm_perf_sample *list,
	size_t count, const double *weights)
{
	struct wm_time *time = layer->time;
	struct wm_time_tally *to = &time->unplaced, *line = NULL;
	uint64_t address = UINT64_MAX;
	const struct wm_code_symbol *symbol =
		wm_code_symbols_find(&part->symbols, &list[0], &address);
	if (symbol) {
		bool is_counted;
		int64_t index = function_of(part, symbol, &is_counted);
		struct wm_time_place *place = add_line(layer, part, symbol->linker, address);
		line = place ? &place->time : &time->without_line;
		if (index >= 0)
			to = &time->function[part->first + (uint32_t)index];
		else if (!is_counted)
			to = &time->other_code;
	}
	for (size_t i = 0; i < count; i++) {
		tell(&time->program, weights[i]);
		tell(to, weights[i]);
		if (line)
			tell(line, weights[i]);
	}
}

static void lay_outside(
	struct layer *layer, const struct wm_perf_sample *list, size_t count, const double *weights)
{
	struct wm_time *time = layer->time;
	struct wm_perf_word path = list[0].object;
	time->outside = wm_arena_grow(layer->arena, time->outside, time->outside_count,
		&layer->outside_capacity, sizeof *time->outside);
	struct wm_time_place *place = &time->outside[time->outside_count++];
	*place = (struct wm_time_place){.name = "code that perf does not know"};
	if (path.length > 0)
		place->name =
			copy_word(layer->arena, path.text[0] == '[' ? path : without_folders(path));
	for (size_t i = 0; i < count; i++)
		tell(&place->time, weights[i]);
}

static int lay_all(struct layer *layer, const struct wm_perf_sample *list, size_t count,
	struct wm_error *error)
{
	double *weights = wm_arena_alloc(layer->arena, count, sizeof *weights);
	for (size_t i = 0; i < count; i++) {
		weights[i] = layer->has_periods ? (double)list[i].period : 1;
		tell(&layer->time->all, weights[i]);
	}
	for (size_t i = 0, end; i < count; i = end) {
		struct part *part = part_of(layer, &list[i]);
		for (end = i + 1; end < count; end++)
			if (part ? compare_samples(&list[i], &list[end]) != 0
				 : !wm_perf_word_equal(list[i].object, list[end].object))
				break;
		if (!part) {
			lay_outside(layer, &list[i], end - i, &weights[i]);
			continue;
		}
		int status = use_part(layer, part, error);
		if (status)
			return status;
		lay_inside(layer, part, &list[i], end - i, &weights[i]);
	}
	return 0;
}

static int by_place(const void *left, const void *right)
{
	const struct wm_time_place *a = left, *b = right;
	int order = strcmp(a->name, b->name);
	if (order == 0 && a->line != b->line)
		order = a->line < b->line ? -1 : 1;
	if (order == 0 && a->function)
		order = strcmp(a->function, b->function);
	return order;
}

static int by_weight(const void *left, const void *right)
{
	const struct wm_time_place *a = left, *b = right;
	if (a->time.weight > b->time.weight || a->time.weight < b->time.weight)
		return a->time.weight > b->time.weight ? -1 : 1;
	return by_place(left, right);
}

/* Addresses of one line become one row, the heaviest row the first. */
static size_t merge(struct wm_time_place *list, size_t count)
{
	size_t used = 0;
	if (count == 0)
		return 0;
	qsort(list, count, sizeof *list, by_place);
	for (size_t i = 1; i < count; i++) {
		if (by_place(&list[used], &list[i]) != 0) {
			list[++used] = list[i];
			continue;
		}
		list[used].time.samples += list[i].time.samples;
		list[used].time.weight += list[i].time.weight;
		list[used].time.squares += list[i].time.squares;
	}
	qsort(list, used + 1, sizeof *list, by_weight);
	return used + 1;
}

static void find_parts(struct layer *layer)
{
	const struct wm_profile *profile = layer->profile;
	uint32_t first = 0;
	layer->parts = wm_arena_alloc(layer->arena, profile->part_count, sizeof *layer->parts);
	for (uint32_t i = 0; i < profile->part_count; i++) {
		layer->parts[i].profile = &profile->parts[i];
		layer->parts[i].first = first;
		first += profile->parts[i].function_count;
	}
}

static int check(const struct layer *layer, const char *name, struct wm_error *error)
{
	const struct wm_time *time = layer->time;
	if (time->program.samples > time->unplaced.samples)
		return 0;
	return wm_error_set(error, WM_ERROR_MISMATCH,
		"%s: no sample in %s fits a symbol there: it was recorded with another build, or "
		"perf had no symbols; record this one",
		name, layer->profile->object.path);
}

int wm_time_lay(struct wm_arena *arena, const char *name, const struct wm_perf_samples *samples,
	const struct wm_profile *profile, struct wm_time *time, struct wm_error *error)
{
	struct layer layer = {.arena = arena, .time = time, .profile = profile};
	struct wm_perf_sample *list = wm_arena_alloc(arena, samples->count, sizeof *list);
	*time = (struct wm_time){.event = ""};
	time->function = wm_arena_alloc(arena, profile->function_count, sizeof *time->function);
	memcpy(list, samples->list, samples->count * sizeof *list);
	find_parts(&layer);
	size_t count = choose_event(&layer, list, samples->count);
	count = drop_other_programs(&layer, list, count);
	if (count == 0)
		return wm_error_set(error, WM_ERROR_MISMATCH,
			"%s: none of its %zu samples is in %s: it was recorded of another program",
			name, samples->count, profile->object.path);
	qsort(list, count, sizeof *list, compare_samples);
	int status = lay_all(&layer, list, count, error);
	for (uint32_t i = 0; i < profile->part_count; i++)
		if (layer.parts[i].used)
			wm_code_lines_close(layer.parts[i].lines);
	if (status)
		return status;
	time->line_count = merge(time->lines, time->line_count);
	time->outside_count = merge(time->outside, time->outside_count);
	return check(&layer, name, error);
}
