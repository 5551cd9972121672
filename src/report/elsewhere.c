/* Paths from the same start have some blocks in common, and part behind the last of these. Those
 * that part there by the same edge are one row. A path that parted earlier is in another row, so
 * that the counts of all rows and that of the path itself add up to all executions from this start.
 */
#include "report/elsewhere.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/none.h"
#include "report/listing.h"
#include "report/paint.h"
#include "report/text.h"

enum { MAX_ROWS = 12 };

struct parting {
	uint32_t at;			    /* index of the last common block */
	uint32_t edge;			    /* the other's, behind it */
	bool partial;			    /* the other was left there */
	const struct wm_profile_path *path; /* the other one, or the hottest of them */
	uint64_t count;
	size_t paths;
};

static uint32_t count_common(const struct wm_profile_path *a, const struct wm_profile_path *b)
{
	uint32_t common = 0;
	while (common < a->block_count && common < b->block_count &&
		a->blocks[common] == b->blocks[common])
		common++;
	return common;
}

static bool parts(const struct wm_path_map *map, const struct wm_profile_path *path,
	const struct wm_profile_path *other, struct parting *parting)
{
	struct wm_arena scratch = {0};
	uint32_t common = count_common(path, other);
	if (other->id == path->id || (int64_t)other->count <= 0 || common == 0)
		return false;
	bool ends = common == other->block_count;
	*parting = (struct parting){.at = common - 1,
		.edge = wm_path_steps(&scratch, map, other)[common - 1].edge,
		.partial = ends && other->partial,
		.path = other,
		.count = other->count,
		.paths = 1};
	wm_arena_reset(&scratch);
	return true;
}

static int compare_partings(const void *left, const void *right)
{
	const struct parting *a = left, *b = right;
	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	if (a->partial != b->partial)
		return a->partial - b->partial;
	if (a->edge != b->edge)
		return a->edge < b->edge ? -1 : 1;
	if (a->path->count != b->path->count)
		return a->path->count > b->path->count ? -1 : 1;
	return (a->path->id > b->path->id) - (a->path->id < b->path->id);
}

static int compare_counts(const void *left, const void *right)
{
	const struct parting *a = left, *b = right;
	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return compare_partings(a, b);
}

static int compare_places(const void *left, const void *right)
{
	const struct parting *a = left, *b = right;
	return a->at != b->at ? (a->at < b->at ? -1 : 1) : compare_counts(a, b);
}

/* One row for those that part by one edge. */
static size_t unite(struct parting *partings, size_t count)
{
	size_t kept = 0;
	if (count > 0)
		qsort(partings, count, sizeof *partings, compare_partings);
	for (size_t i = 0; i < count; i++) {
		struct parting *last = kept ? &partings[kept - 1] : NULL;
		if (last && last->at == partings[i].at && last->edge == partings[i].edge &&
			last->partial == partings[i].partial) {
			last->count += partings[i].count;
			last->paths++;
		} else {
			partings[kept++] = partings[i];
		}
	}
	return kept;
}

static struct parting *find(struct wm_arena *arena, const struct wm_path_map *map,
	const struct wm_profile_path *path, size_t *count)
{
	const struct wm_profile_function *source = map->source;
	struct parting *partings = wm_arena_alloc(arena, source->path_count, sizeof *partings);
	*count = 0;
	for (uint32_t i = 0; i < source->path_count; i++)
		*count += parts(map, path, &source->paths[i], &partings[*count]);
	*count = unite(partings, *count);
	return partings;
}

static bool is_same_choice(const struct wm_path_choice *a, const struct wm_path_choice *b)
{
	return a->outcome == b->outcome && a->condition.line == b->condition.line &&
	       a->column == b->column && a->to.line == b->to.line && a->to_vertex == b->to_vertex &&
	       strcmp(a->condition.file, b->condition.file) == 0;
}

static bool is_among(
	const struct wm_path_choice *choice, const struct wm_path_choice *others, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (is_same_choice(choice, &others[i]))
			return true;
	return false;
}

static const char *append(
	struct wm_arena *arena, const char *text, const char *between, const char *more)
{
	size_t bytes = strlen(text) + strlen(between) + strlen(more) + 1;
	char *joined = wm_arena_alloc(arena, bytes, 1);
	snprintf(joined, bytes, "%s%s%s", text, text[0] ? between : "", more);
	return joined;
}

/* With the line where control chose, also where nothing but its target is known. */
static const char *choice_text(
	struct wm_arena *arena, const struct wm_path_map *map, const struct wm_path_choice *choice)
{
	const char *text = wm_path_choice_text(arena, map, choice);
	if (choice->to_vertex == WM_NONE || !choice->condition.line)
		return text;
	char line[16];
	snprintf(line, sizeof line, "%" PRIu32, choice->condition.line);
	return append(arena, line, " ", text);
}

/* The choices that the other path made where they part, and this one did not. */
static const char *describe(struct wm_arena *arena, const struct wm_path_map *map,
	const struct wm_profile_path *path, const struct parting *parting)
{
	size_t count, own_count;
	const struct wm_path_step *own = wm_path_steps(arena, map, path);
	const struct wm_path_step *other = wm_path_steps(arena, map, parting->path);
	const struct wm_path_choice *own_choices =
		wm_path_choices(arena, map, &own[parting->at], &own_count);
	const struct wm_path_choice *choices =
		wm_path_choices(arena, map, &other[parting->at], &count);
	const char *text = "";
	for (size_t i = 0; i < count; i++)
		if (!is_among(&choices[i], own_choices, own_count))
			text = append(arena, text, ", ", choice_text(arena, map, &choices[i]));
	bool ends = parting->at + 1 == parting->path->block_count;
	if (ends || !text[0])
		text = append(arena, text, ", ", wm_path_ending(arena, map, parting->path, false));
	return text;
}

static void add_row(struct wm_listing *listing, const struct wm_path_map *map,
	const struct wm_short_names *names, const struct wm_profile_path *path,
	const struct parting *parting)
{
	struct wm_arena *arena = listing->arena;
	const char *name = wm_short_names_path(arena, names, map->source, &parting->path->id, 1);
	const char *short_id = strrchr(name, '#');
	wm_listing_add(listing, "%s", wm_text_count(parting->count).text);
	if (parting->paths > 1)
		wm_listing_add(listing, "%s and %s more", short_id ? short_id : name,
			wm_text_count(parting->paths - 1).text);
	else
		wm_listing_add(listing, "%s", short_id ? short_id : name);
	wm_listing_add(listing, "%s", describe(arena, map, path, parting));
}

void wm_elsewhere_print(const struct wm_path_map *map, const struct wm_short_names *names,
	const struct wm_profile_path *path, bool colour, FILE *out)
{
	static const struct wm_column columns[] = {
		{.title = "times", .right = true}, {.title = "path"}, {.title = "went"}};
	struct wm_arena arena = {0};
	struct wm_listing listing = {.arena = &arena, .columns = columns, .column_count = 3};
	size_t count;
	struct parting *partings = find(&arena, map, path, &count);
	size_t shown = count < MAX_ROWS ? count : MAX_ROWS;
	if (count > 0) {
		qsort(partings, count, sizeof *partings, compare_counts);
		qsort(partings, shown, sizeof *partings, compare_places);
		for (size_t i = 0; i < shown; i++)
			add_row(&listing, map, names, path, &partings[i]);
		wm_paint_title(out, colour, "Instead, from the same start");
		wm_listing_print(&listing, out, colour);
		if (count > shown)
			fprintf(out, "  and %s more\n", wm_text_count(count - shown).text);
	}
	wm_arena_reset(&arena);
}
