/* Line counts by sorting: paths to numbers first, then the places of one text or function at a
 * time, then those of all. n log n in the number of places; no table is searched per line.
 */
#include "profile/lines.h"

#include <stdlib.h>
#include <string.h>

#include "profile/interval.h"
#include "profile/lines_sum.h"
#include "profile/source_counts.h"

/* A line of an instance. `file` is at first that of the text, or the scope of the function; the
 * path's number afterwards. */
struct place {
	uint32_t file;
	uint32_t line;
	bool of_code; /* the count is that of code whose text is not known */
	struct wm_interval count;
};

struct named_file {
	const char *path;
	uint32_t *number; /* where the path's number goes */
};

struct counter {
	struct wm_arena *arena;
	const struct wm_profile *profile;
	struct wm_source_count *texts; /* by source record */
	struct wm_arena scratch;
	uint32_t *file_number; /* those of all texts, then the scopes of all functions */
	const char **path;     /* by number */
	size_t file_count;
	struct place *places;
	size_t place_count;
};

static int compare_paths(const void *left, const void *right)
{
	const struct named_file *a = left, *b = right;
	return strcmp(a->path, b->path);
}

static int compare_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;
	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	return (a->line > b->line) - (a->line < b->line);
}

/* Functions whose text is not known. */
static bool counts_by_code(const struct wm_profile_function *source)
{
	return source->block && (!source->sources || !source->sources[0]);
}

static size_t count_files(const struct wm_profile *profile)
{
	size_t count = 0;
	for (uint32_t i = 0; i < profile->object.sources.count; i++)
		count += profile->object.sources.records[i].file_count;
	for (uint32_t i = 0; i < profile->function_count; i++)
		count += profile->functions[i].function->scope_count;
	return count;
}

static size_t count_places(const struct wm_profile *profile)
{
	size_t count = 0;
	for (uint32_t i = 0; i < profile->object.sources.count; i++)
		count += profile->object.sources.records[i].line_count + 1;
	for (uint32_t i = 0; i < profile->function_count; i++)
		if (counts_by_code(&profile->functions[i]))
			count += profile->functions[i].function->position_count +
				 profile->functions[i].function->scope_count;
	return count;
}

static size_t list_files(struct counter *counter, struct named_file *files)
{
	const struct wm_source_records *sources = &counter->profile->object.sources;
	size_t count = 0;
	for (uint32_t i = 0; i < sources->count; i++)
		for (uint32_t k = 0; k < sources->records[i].file_count; k++, count++)
			files[count] = (struct named_file){
				sources->records[i].files[k], &counter->file_number[count]};
	for (uint32_t i = 0; i < counter->profile->function_count; i++) {
		const struct wm_function *function = counter->profile->functions[i].function;
		for (uint32_t k = 0; k < function->scope_count; k++, count++)
			files[count] = (struct named_file){
				function->scopes[k].file, &counter->file_number[count]};
	}
	return count;
}

static void number_files(struct counter *counter)
{
	size_t count = count_files(counter->profile);
	struct named_file *files = wm_arena_alloc(&counter->scratch, count, sizeof *files);
	counter->file_number = wm_arena_alloc(&counter->scratch, count, sizeof(uint32_t));
	counter->path = wm_arena_alloc(&counter->scratch, count, sizeof(char *));
	list_files(counter, files);
	if (count)
		qsort(files, count, sizeof *files, compare_paths);
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || compare_paths(&files[i - 1], &files[i]) != 0)
			counter->path[counter->file_count++] = files[i].path;
		*files[i].number = (uint32_t)(counter->file_count - 1);
	}
}

/* Keeps the largest count of each place within one text or function. */
static size_t join_instances(struct place *places, size_t count)
{
	size_t kept = 0;
	if (count)
		qsort(places, count, sizeof *places, compare_places);
	for (size_t i = 0; i < count; i++) {
		if (kept > 0 && compare_places(&places[kept - 1], &places[i]) == 0)
			places[kept - 1].count =
				wm_interval_max(places[kept - 1].count, places[i].count);
		else
			places[kept++] = places[i];
	}
	return kept;
}

/* How often control came to a line of the block: some that came in may have left in a call. */
static struct wm_interval count_of_part(
	const struct wm_source_count *count, uint32_t block, enum wm_source_part part)
{
	static const struct wm_interval zero = {0, 0};
	struct wm_interval left = count->left[block], entered = count->block[block];
	if (part == WM_SOURCE_AMONG_CALLS)
		left = wm_interval_join(zero, left);
	if (part != WM_SOURCE_BEFORE_CALLS)
		entered = wm_interval_subtract(entered, left);
	return wm_interval_meet(entered, wm_interval_from(0));
}

static void add_text(struct counter *counter, const struct wm_source *source,
	const struct wm_source_count *count, const uint32_t *file_number)
{
	struct place *places = counter->places + counter->place_count;
	size_t place_count = 0;
	if (source->line && source->file_count)
		places[place_count++] = (struct place){0, source->line, false, count->entries};
	for (uint32_t b = 0; b < source->block_count; b++) {
		const struct wm_source_block *block = &source->blocks[b];
		const struct wm_source_line *line = source->lines + block->first_line;
		for (uint32_t k = 0; k < block->line_count; k++)
			places[place_count++] = (struct place){line[k].file, line[k].line, false,
				count_of_part(count, b, line[k].part)};
	}
	place_count = join_instances(places, place_count);
	for (size_t i = 0; i < place_count; i++)
		places[i].file = file_number[places[i].file];
	counter->place_count += place_count;
}

/* By block: how often its original code ran, in it and in its copies. */
static const uint64_t *add_up_copies(
	struct wm_arena *scratch, const struct wm_profile_function *source)
{
	const struct wm_function *function = source->function;
	if (!function->original)
		return source->block;
	uint64_t *sum = wm_arena_alloc(scratch, function->block_count, sizeof *sum);
	for (uint32_t i = 0; i < function->block_count; i++)
		sum[function->original[i]] += source->block[i];
	for (uint32_t i = 0; i < function->block_count; i++)
		sum[i] = sum[function->original[i]];
	return sum;
}

/* The call of an inlined function has no code of its own: it runs as often as the first block that
 * holds some of what it called. A scope stands behind its parent, so one pass backwards is enough.
 */
static size_t add_inlined_calls(struct wm_arena *scratch, const struct wm_function *function,
	const uint64_t *executed, struct place *places)
{
	uint32_t *first = wm_arena_alloc(scratch, function->scope_count, sizeof *first);
	size_t count = 0;
	for (uint32_t i = 0; i < function->scope_count; i++)
		first[i] = UINT32_MAX;
	for (uint32_t i = function->block_count; i-- > 0;) {
		const struct wm_block *block = &function->blocks[i];
		for (uint32_t k = 0; k < block->position_count; k++)
			first[function->positions[block->first_position + k].scope] = i;
	}
	for (uint32_t i = function->scope_count; i-- > 1;) {
		const struct wm_scope *scope = &function->scopes[i];
		if (first[i] < first[scope->parent])
			first[scope->parent] = first[i];
		if (first[i] != UINT32_MAX && scope->call_line &&
			function->scopes[scope->parent].file[0])
			places[count++] = (struct place){scope->parent, scope->call_line,
				!(function->flags & WM_DESCRIPTION_EARLY),
				wm_interval_of((int64_t)executed[first[i]])};
	}
	return count;
}

static void add_function(struct counter *counter, const struct wm_profile_function *source,
	const uint32_t *file_number)
{
	const struct wm_function *function = source->function;
	const uint64_t *executed = add_up_copies(&counter->scratch, source);
	struct place *places = counter->places + counter->place_count;
	size_t count = 0;
	for (uint32_t i = 0; i < function->block_count; i++) {
		const struct wm_block *block = &function->blocks[i];
		const struct wm_position *position = &function->positions[block->first_position];
		for (uint32_t k = 0; k < block->position_count; k++)
			if (position[k].line && function->scopes[position[k].scope].file[0])
				places[count++] = (struct place){position[k].scope,
					position[k].line, !(function->flags & WM_DESCRIPTION_EARLY),
					wm_interval_of((int64_t)executed[i])};
	}
	count += add_inlined_calls(&counter->scratch, function, executed, places + count);
	count = join_instances(places, count);
	for (size_t i = 0; i < count; i++)
		places[i].file = file_number[places[i].file];
	counter->place_count += count;
}

static void add_all(struct counter *counter)
{
	const struct wm_profile *profile = counter->profile;
	const struct wm_source_records *sources = &profile->object.sources;
	const uint32_t *file_number = counter->file_number;
	counter->places =
		wm_arena_alloc(&counter->scratch, count_places(profile), sizeof *counter->places);
	for (uint32_t i = 0; i < sources->count; i++) {
		add_text(counter, &sources->records[i], &counter->texts[i], file_number);
		file_number += sources->records[i].file_count;
	}
	for (uint32_t i = 0; i < profile->function_count; i++) {
		if (counts_by_code(&profile->functions[i]))
			add_function(counter, &profile->functions[i], file_number);
		file_number += profile->functions[i].function->scope_count;
	}
	if (counter->place_count)
		qsort(counter->places, counter->place_count, sizeof *counter->places,
			compare_places);
}

static struct wm_line line_of(const struct place *place)
{
	struct wm_interval count = place->count;
	struct wm_line line = {.line = place->line,
		.state = WM_LINE_BOUND,
		.count = (uint64_t)(count.low > 0 ? count.low : 0),
		.max = count.high == WM_NO_HIGH ? UINT64_MAX : (uint64_t)count.high};
	if (wm_interval_is_exact(count) && !place->of_code)
		line.state = WM_LINE_EXACT;
	else if (count.low <= 0)
		line.state = WM_LINE_UNKNOWN;
	return line;
}

/* The same line of several texts, one behind the other. */
static struct place add_up(const struct place *place, size_t count)
{
	struct place sum = place[0];
	for (size_t i = 1; i < count; i++) {
		sum.count = wm_interval_add(sum.count, place[i].count);
		sum.of_code |= place[i].of_code;
	}
	return sum;
}

static void gather(struct counter *counter, struct wm_lines *result)
{
	struct wm_line *lines = wm_arena_alloc(counter->arena, counter->place_count, sizeof *lines);
	const struct place *place = counter->places, *end = place + counter->place_count;
	result->files = wm_arena_alloc(counter->arena, counter->file_count, sizeof *result->files);
	while (place < end) {
		struct wm_line_file *file = &result->files[result->file_count];
		uint32_t number = place->file;
		bool known = false;
		*file = (struct wm_line_file){.path = counter->path[number], .lines = lines};
		while (place < end && place->file == number) {
			size_t same = 1;
			while (place + same < end && compare_places(place, place + same) == 0)
				same++;
			struct place sum = add_up(place, same);
			*lines = line_of(&sum);
			known |= lines->state != WM_LINE_UNKNOWN;
			lines++;
			file->line_count++;
			place += same;
		}
		result->file_count += known && file->path[0];
	}
}

static int count_object(struct wm_arena *arena, const struct wm_profile *profile,
	struct wm_lines *lines, struct wm_error *error)
{
	struct counter counter = {.arena = arena, .profile = profile};
	*lines = (struct wm_lines){0};
	int status = wm_source_counts_make(&counter.scratch, profile, &counter.texts, error);
	if (status == 0) {
		number_files(&counter);
		add_all(&counter);
		gather(&counter, lines);
	}
	wm_arena_reset(&counter.scratch);
	return status;
}

int wm_lines_count(struct wm_arena *arena, const struct wm_profile *profile, struct wm_lines *lines,
	struct wm_error *error)
{
	if (profile->part_count <= 1)
		return count_object(arena, profile, lines, error);
	struct wm_lines *parts = wm_arena_alloc(arena, profile->part_count, sizeof *parts);
	int status = 0;
	for (uint32_t i = 0; i < profile->part_count && status == 0; i++)
		status = count_object(arena, &profile->parts[i], &parts[i], error);
	*lines = status == 0 ? wm_lines_sum(arena, parts, profile->part_count)
			     : (struct wm_lines){0};
	return status;
}
