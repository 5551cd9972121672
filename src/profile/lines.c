/* Line counts by sorting: paths to numbers first, then the places of one function at a time, then
 * those of all functions. n log n in the number of positions; no table is searched per line.
 */
#include "profile/lines.h"

#include <stdlib.h>
#include <string.h>

/* A line of an instance; `file` is the scope inside one function, the path's number afterwards. */
struct place {
	uint32_t file;
	uint32_t line;
	uint64_t count;
};

struct scope_file {
	const char *path;
	uint32_t *number; /* where the path's number goes */
};

struct counter {
	struct wm_arena *arena;
	const struct wm_profile *profile;
	struct wm_arena scratch;
	uint32_t *file_number; /* by scope, all functions' scopes one after another */
	const char **path;     /* by number */
	size_t file_count;
	struct place *places;
	size_t place_count;
};

static int compare_paths(const void *left, const void *right)
{
	const struct scope_file *a = left, *b = right;
	return strcmp(a->path, b->path);
}

static int compare_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;
	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	return (a->line > b->line) - (a->line < b->line);
}

static size_t count_scopes(const struct wm_profile *profile)
{
	size_t count = 0;
	for (uint32_t i = 0; i < profile->function_count; i++)
		count += profile->functions[i].function->scope_count;
	return count;
}

static size_t count_positions(const struct wm_profile *profile)
{
	size_t count = 0;
	for (uint32_t i = 0; i < profile->function_count; i++)
		count += profile->functions[i].function->position_count;
	return count;
}

static void number_files(struct counter *counter)
{
	size_t count = count_scopes(counter->profile), next = 0;
	struct scope_file *scopes = wm_arena_alloc(&counter->scratch, count, sizeof *scopes);
	counter->file_number = wm_arena_alloc(&counter->scratch, count, sizeof(uint32_t));
	counter->path = wm_arena_alloc(&counter->scratch, count, sizeof(char *));
	for (uint32_t i = 0; i < counter->profile->function_count; i++) {
		const struct wm_function *function = counter->profile->functions[i].function;
		for (uint32_t k = 0; k < function->scope_count; k++, next++)
			scopes[next] = (struct scope_file){
				function->scopes[k].file, &counter->file_number[next]};
	}
	qsort(scopes, count, sizeof *scopes, compare_paths);
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || compare_paths(&scopes[i - 1], &scopes[i]) != 0)
			counter->path[counter->file_count++] = scopes[i].path;
		*scopes[i].number = (uint32_t)(counter->file_count - 1);
	}
}

/* Keeps the largest count of each place within one function. */
static size_t join_instances(struct place *places, size_t count)
{
	size_t kept = 0;
	qsort(places, count, sizeof *places, compare_places);
	for (size_t i = 0; i < count; i++) {
		if (kept > 0 && compare_places(&places[kept - 1], &places[i]) == 0) {
			if (places[i].count > places[kept - 1].count)
				places[kept - 1].count = places[i].count;
		} else {
			places[kept++] = places[i];
		}
	}
	return kept;
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
			places[count++] =
				(struct place){scope->parent, scope->call_line, executed[first[i]]};
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
				places[count++] = (struct place){
					position[k].scope, position[k].line, executed[i]};
	}
	count += add_inlined_calls(&counter->scratch, function, executed, places + count);
	count = join_instances(places, count);
	for (size_t i = 0; i < count; i++)
		places[i].file = file_number[places[i].file];
	counter->place_count += count;
}

static void add_functions(struct counter *counter)
{
	const struct wm_profile *profile = counter->profile;
	const uint32_t *file_number = counter->file_number;
	counter->places = wm_arena_alloc(&counter->scratch,
		count_positions(profile) + count_scopes(profile), sizeof *counter->places);
	for (uint32_t i = 0; i < profile->function_count; i++) {
		if (profile->functions[i].block)
			add_function(counter, &profile->functions[i], file_number);
		file_number += profile->functions[i].function->scope_count;
	}
	qsort(counter->places, counter->place_count, sizeof *counter->places, compare_places);
}

static void gather(struct counter *counter, struct wm_lines *result)
{
	struct wm_line *lines = wm_arena_alloc(counter->arena, counter->place_count, sizeof *lines);
	result->files = wm_arena_alloc(counter->arena, counter->file_count, sizeof *result->files);
	for (size_t i = 0; i < counter->place_count; i++) {
		const struct place *place = &counter->places[i];
		bool same_file = i > 0 && place[-1].file == place->file;
		if (!same_file)
			result->files[result->file_count++] = (struct wm_line_file){
				.path = counter->path[place->file], .lines = lines};
		struct wm_line_file *file = &result->files[result->file_count - 1];
		if (same_file && place[-1].line == place->line) {
			lines[-1].count += place->count;
			continue;
		}
		*lines++ = (struct wm_line){.line = place->line, .count = place->count};
		file->line_count++;
	}
}

void wm_lines_count(
	struct wm_arena *arena, const struct wm_profile *profile, struct wm_lines *lines)
{
	struct counter counter = {.arena = arena, .profile = profile};
	*lines = (struct wm_lines){0};
	number_files(&counter);
	add_functions(&counter);
	gather(&counter, lines);
	wm_arena_reset(&counter.scratch);
}
