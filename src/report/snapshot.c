/* A snapshot of a profile at hand. */
#include "report/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "names/path_name.h"
#include "report/choice_text.h"
#include "report/path_form.h"
#include "report/place.h"
#include "report/text.h"

size_t wm_snapshot_kind(const struct wm_snapshot *snapshot, const char *name)
{
	for (size_t k = 0; k < snapshot->kinds.count; k++)
		if (strcmp(snapshot->kinds.kinds[k].name, name) == 0)
			return k;
	return WM_NO_KIND;
}

/* A text that grows. */
struct words {
	struct wm_arena *arena;
	char *text;
	size_t length;
	size_t capacity;
};

static void append(struct words *words, const char *text)
{
	size_t bytes = strlen(text);
	if (words->length + bytes + 1 > words->capacity) {
		size_t capacity = 2 * (words->length + bytes) + 64;
		char *larger = wm_arena_alloc(words->arena, capacity, 1);
		if (words->length)
			memcpy(larger, words->text, words->length);
		words->text = larger;
		words->capacity = capacity;
	}
	memcpy(words->text + words->length, text, bytes + 1);
	words->length += bytes;
}

static void append_line(struct words *words, struct wm_sources *sources, struct wm_place place)
{
	struct wm_arena scratch = {0};
	const char *line = place.line ? wm_sources_line(sources, place.file, place.line) : "";
	line = wm_text_clean(&scratch, line);
	append(words, line[0] ? line : wm_place_text(&scratch, place));
	wm_arena_reset(&scratch);
}

/* Without numbers of lines, where the text is at hand: they change with each edit. */
static void append_choice(
	struct words *words, struct wm_sources *sources, const struct wm_path_choice *choice)
{
	const char *condition = wm_choice_condition(words->arena, sources, choice);
	const char *outcome = wm_choice_outcome(words->arena, sources, choice);
	if (words->length)
		append(words, ", ");
	if (condition[0])
		append(words, condition);
	else
		append_line(words, sources, choice->condition);
	append(words, " → ");
	if (outcome[0])
		append(words, outcome);
	else
		append_line(words, sources, choice->to);
}

static const char *decisions_of(struct wm_arena *arena, const struct wm_path_map *map,
	const struct wm_profile_path *path, struct wm_sources *sources)
{
	struct words words = {.arena = arena};
	const struct wm_path_step *steps = wm_path_steps(arena, map, path);
	for (uint32_t i = 0; i < path->block_count; i++) {
		size_t count;
		const struct wm_path_choice *choices =
			wm_path_choices(arena, map, &steps[i], &count);
		for (size_t c = 0; c < count; c++)
			append_choice(&words, sources, &choices[c]);
	}
	for (uint32_t i = 0; !words.length && i < path->block_count; i++) {
		struct wm_place place = wm_place_of_block(map->function, path->blocks[i]);
		if (place.line)
			append_line(&words, sources, place);
	}
	return words.length ? words.text : "";
}

static uint64_t *amounts_of_path(struct wm_arena *arena, const struct wm_snapshot *snapshot,
	const uint32_t *amounts, const struct wm_profile_path *path)
{
	size_t count = snapshot->kinds.count;
	uint64_t *each = wm_arena_alloc(arena, count, sizeof *each);
	for (uint32_t i = 0; i < path->block_count; i++)
		for (size_t k = 0; k < count; k++)
			each[k] += amounts[path->blocks[i] * count + k];
	return each;
}

/* A path and what it did, for finding those that did most. */
struct ranked {
	const struct wm_profile_path *path;
	uint64_t work;
};

static int by_work(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;
	if (a->work != b->work)
		return a->work > b->work ? -1 : 1;
	return (a->path->id > b->path->id) - (a->path->id < b->path->id);
}

static struct ranked *rank(
	struct wm_arena *arena, const struct wm_profile_function *live, size_t *count)
{
	struct ranked *ranked = wm_arena_alloc(arena, live->path_count, sizeof *ranked);
	*count = 0;
	for (uint32_t i = 0; i < live->path_count; i++) {
		const struct wm_profile_path *path = &live->paths[i];
		uint64_t each = 0;
		for (uint32_t b = 0; b < path->block_count; b++)
			each += live->function->blocks[path->blocks[b]].instructions;
		if ((int64_t)path->count > 0)
			ranked[(*count)++] = (struct ranked){path, each * path->count};
	}
	if (*count > 0)
		qsort(ranked, *count, sizeof *ranked, by_work);
	return ranked;
}

void wm_snapshot_add_paths(struct wm_arena *arena, const struct wm_snapshot *snapshot,
	struct wm_snapshot_function *function, struct wm_sources *sources)
{
	struct wm_arena scratch = {0};
	const struct wm_profile_function *live = function->live;
	size_t count;
	if (!live->paths || function->path_count)
		return;
	const struct ranked *ranked = rank(&scratch, live, &count);
	const uint32_t *amounts = wm_tally_blocks(&scratch, &snapshot->kinds, live->function);
	struct wm_path_map map = wm_path_map_make(&scratch, live, sources);
	function->has_more_paths = count > WM_SNAPSHOT_PATHS;
	function->path_count = function->has_more_paths ? WM_SNAPSHOT_PATHS : count;
	function->paths = wm_arena_alloc(arena, function->path_count, sizeof *function->paths);
	for (size_t i = 0; i < function->path_count; i++) {
		const struct wm_profile_path *path = ranked[i].path;
		function->paths[i] = (struct wm_snapshot_path){.id = path->id,
			.count = path->count,
			.each = amounts_of_path(arena, snapshot, amounts, path),
			.decisions = decisions_of(arena, &map, path, sources),
			.source = wm_arena_copy_text(
				arena, wm_path_form(&scratch, &map, &path, 1, ", "))};
	}
	wm_arena_reset(&scratch);
}

static struct wm_snapshot_function take(struct wm_arena *arena, const struct wm_profile *profile,
	const struct wm_event_kinds *kinds, const struct wm_profile_function *live)
{
	struct wm_place place = wm_place_of_function(live->function);
	return (struct wm_snapshot_function){.name = live->function->name,
		.file = place.file,
		.line = place.line,
		.shape = wm_path_cfg_hash(live->function),
		.code = live->function->code,
		.entered = live->block ? live->calls : 0,
		.counts = wm_tally_function(arena, profile, kinds, live),
		.has_paths = live->paths != NULL,
		.live = live};
}

void wm_snapshot_make(struct wm_arena *arena, const struct wm_profile *profile,
	const struct wm_event_kinds *kinds, struct wm_sources *sources, bool paths,
	struct wm_snapshot *snapshot)
{
	*snapshot = (struct wm_snapshot){.program = profile->object.path,
		.build_id =
			wm_arena_copy_text(arena, wm_build_id_text(&profile->file.build_id).text),
		.runs = profile->file.runs,
		.kinds = *kinds,
		.totals = wm_arena_alloc(arena, kinds->count, sizeof *snapshot->totals),
		.function_count = profile->function_count,
		.functions = wm_arena_alloc(
			arena, profile->function_count, sizeof *snapshot->functions)};
	snapshot->sums_only = wm_tally_is_sums(profile);
	if (snapshot->sums_only)
		snapshot->totals = wm_tally_sums(arena, profile, kinds);
	snapshot->inclusive = wm_inclusive_calls(arena, profile, kinds, &snapshot->inclusive_count);
	for (uint32_t i = 0; i < profile->function_count; i++) {
		struct wm_snapshot_function *function = &snapshot->functions[i];
		*function = take(arena, profile, kinds, &profile->functions[i]);
		bool known = function->live->block != NULL;
		snapshot->unknown_count += !known && !snapshot->sums_only;
		for (size_t k = 0; known && k < kinds->count; k++)
			snapshot->totals[k] =
				wm_interval_add(snapshot->totals[k], function->counts[k]);
		if (paths)
			wm_snapshot_add_paths(arena, snapshot, function, sources);
	}
}
