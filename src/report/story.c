/* Every position of the code has a chain: the function's own line, and under it, for each inlined
 * call of the program's code, a line of that. Chains are gathered until a branch comes, sorted, and
 * emitted; a chain that starts like the one before it goes on under the same lines. */
#define _GNU_SOURCE
#include "report/story.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/none.h"
#include "report/own_sources.h"
#include "report/text.h"

/* A line in one scope. */
struct link {
	uint32_t scope;
	uint32_t line;
	size_t shown; /* of the open chain: which line of the story it is */
};

struct chain {
	size_t depth; /* links, outermost first */
	struct link *links;
	bool folded; /* the code itself is under the last link, in a library */
};

struct teller {
	struct wm_arena *arena;
	const struct wm_path_map *map;
	bool *own;	    /* by scope: its file is one of the program's */
	const char **files; /* by scope: the shortest path of its file */
	struct wm_story story;
	size_t capacity;
	struct chain *segment;
	size_t segment_count;
	size_t segment_capacity;
	struct chain open;  /* the chain that was told last */
	struct chain *told; /* every one, once */
	size_t told_count;
	size_t told_capacity;
};

/* The path without what does not change which file it names: `.`, `..` behind a folder. Include
 * paths such as -I../src give headers another path in the debug information than clang's own tables
 * have. */
static const char *normal(struct wm_arena *arena, const char *path)
{
	char *copy = wm_arena_copy_text(arena, path), *end = copy;
	const char *from = path;
	if (*from == '/')
		*end++ = *from++;
	char *start = end;
	while (*from) {
		size_t length = strcspn(from, "/");
		bool up = length == 2 && strncmp(from, "..", 2) == 0 && end > start;
		char *slash = up ? memrchr(start, '/', (size_t)(end - 1 - start)) : NULL;
		if (up)
			end = slash ? slash + 1 : start;
		else if (length > 0 && !(length == 1 && *from == '.'))
			end = (char *)mempcpy(end, from, length + (from[length] == '/'));
		from += length + (from[length] == '/');
	}
	*end = '\0';
	return copy;
}

static void find_own(struct teller *teller, const char *root)
{
	const struct wm_function *function = teller->map->function;
	teller->own = wm_arena_alloc(teller->arena, function->scope_count, sizeof *teller->own);
	teller->files = wm_arena_alloc(teller->arena, function->scope_count, sizeof *teller->files);
	for (uint32_t i = 0; i < function->scope_count; i++) {
		const char *file = function->scopes[i].file;
		teller->files[i] = normal(teller->arena, file);
		teller->own[i] = file[0] && (strcmp(file, function->scopes[0].file) == 0 ||
						    wm_own_sources_have(root, file));
	}
}

static size_t count_around(const struct wm_function *function, uint32_t scope)
{
	size_t count = 1;
	for (; scope != 0; scope = function->scopes[scope].parent)
		count++;
	return count;
}

/* The chain of a line in a scope. Its links are the program's own lines that are known. */
static struct chain make_chain(const struct teller *teller, uint32_t scope, uint32_t line)
{
	const struct wm_function *function = teller->map->function;
	size_t room = count_around(function, scope), left = room;
	struct chain chain = {.links = wm_arena_alloc(teller->arena, room, sizeof *chain.links)};
	for (;;) {
		bool shown = teller->own[scope] && line;
		if (shown)
			chain.links[--left] = (struct link){scope, line, 0};
		else if (left == room)
			chain.folded = true;
		if (scope == 0)
			break;
		line = function->scopes[scope].call_line;
		scope = function->scopes[scope].parent;
	}
	chain.links += left;
	chain.depth = room - left;
	return chain;
}

static int compare_links(const struct link *a, const struct link *b)
{
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return (a->scope > b->scope) - (a->scope < b->scope);
}

static int compare_chains(const void *left, const void *right)
{
	const struct chain *a = left, *b = right;
	for (size_t i = 0; i < a->depth && i < b->depth; i++) {
		int order = compare_links(&a->links[i], &b->links[i]);
		if (order != 0)
			return order;
	}
	return (a->depth > b->depth) - (a->depth < b->depth);
}

static void gather(struct teller *teller, struct chain chain)
{
	if (chain.depth == 0)
		return;
	teller->segment = wm_arena_grow(teller->arena, teller->segment, teller->segment_count,
		&teller->segment_capacity, sizeof *teller->segment);
	teller->segment[teller->segment_count++] = chain;
}

static struct wm_story_line *add_line(struct teller *teller, struct wm_story_line line)
{
	struct wm_story *story = &teller->story;
	story->lines = wm_arena_grow(
		teller->arena, story->lines, story->count, &teller->capacity, sizeof *story->lines);
	story->lines[story->count] = line;
	return &story->lines[story->count++];
}

/* How many links at its start the chain has in common with the open one. */
static size_t count_common(const struct teller *teller, const struct chain *chain)
{
	size_t common = 0;
	while (common < chain->depth && common < teller->open.depth &&
		compare_links(&chain->links[common], &teller->open.links[common]) == 0)
		common++;
	return common;
}

static bool is_new_call(const struct teller *teller, const struct chain *chain, size_t level)
{
	return level > 0 && (level > teller->open.depth - (teller->open.depth > 0) ||
				    teller->open.links[level].scope != chain->links[level].scope);
}

/* Tells those lines of the chain that are not told yet; its last line then is the index. */
static size_t tell(struct teller *teller, struct chain *chain)
{
	const struct wm_function *function = teller->map->function;
	size_t common = count_common(teller, chain);
	for (size_t i = 0; i < common; i++)
		chain->links[i].shown = teller->open.links[i].shown;
	for (size_t i = common; i < chain->depth; i++) {
		const struct wm_scope *scope = &function->scopes[chain->links[i].scope];
		bool starts = i > common || is_new_call(teller, chain, i);
		chain->links[i].shown = teller->story.count;
		add_line(teller,
			(struct wm_story_line){.file = scope->file,
				.line = chain->links[i].line,
				.depth = (uint32_t)i,
				.function = i > 0 && starts ? wm_text_short_name(teller->arena,
								      scope->function)
							    : NULL});
		struct chain prefix = {.depth = i + 1, .links = chain->links};
		teller->told = wm_arena_grow(teller->arena, teller->told, teller->told_count,
			&teller->told_capacity, sizeof *teller->told);
		teller->told[teller->told_count++] = prefix;
	}
	if (common < chain->depth || chain->depth < teller->open.depth)
		teller->open = *chain;
	return chain->links[chain->depth - 1].shown;
}

/* A path runs through each line of the text once; code of it may stand in several places. */
static bool is_told(const struct teller *teller, const struct chain *chain)
{
	for (size_t i = teller->told_count; i-- > 0;)
		if (compare_chains(&teller->told[i], chain) == 0)
			return true;
	return false;
}

static void tell_segment(struct teller *teller)
{
	if (teller->segment_count > 1)
		qsort(teller->segment, teller->segment_count, sizeof *teller->segment,
			compare_chains);
	for (size_t i = 0; i < teller->segment_count; i++)
		if (!is_told(teller, &teller->segment[i]))
			tell(teller, &teller->segment[i]);
	teller->segment_count = 0;
}

/* The line of a branch is told with it. */
static void take_out(struct teller *teller, const struct chain *chain)
{
	size_t kept = 0;
	for (size_t i = 0; i < teller->segment_count; i++)
		if (compare_chains(&teller->segment[i], chain) != 0)
			teller->segment[kept++] = teller->segment[i];
	teller->segment_count = kept;
}

/* How well a line of a scope fits the place of a condition: 0, not at all. */
static int fit(const struct teller *teller, uint32_t scope, uint32_t line, const char *file,
	const struct wm_path_choice *choice)
{
	const struct wm_function *function = teller->map->function;
	if (strcmp(teller->files[scope], file) != 0)
		return 0;
	if (line == choice->condition.line)
		return 3;
	bool is_named =
		choice->function && strcmp(function->scopes[scope].function, choice->function) == 0;
	return is_named ? 2 : 1;
}

/* The scope of a condition: that of code of the block, or of a call around it, on its line, or else
 * one of its function, or of its file; WM_NONE if there is none. */
static uint32_t scope_of(
	const struct teller *teller, uint32_t block, const struct wm_path_choice *choice)
{
	const struct wm_function *function = teller->map->function;
	const struct wm_block *source = &function->blocks[block];
	const char *file = normal(teller->arena, choice->condition.file);
	uint32_t found = WM_NONE;
	int best = 0;
	for (uint32_t i = source->position_count; i-- > 0;) {
		const struct wm_position *at = &function->positions[source->first_position + i];
		for (uint32_t scope = at->scope, line = at->line;;
			line = function->scopes[scope].call_line,
			      scope = function->scopes[scope].parent) {
			int now = fit(teller, scope, line, file, choice);
			found = now > best ? scope : found;
			best = now > best ? now : best;
			if (scope == 0)
				break;
		}
	}
	for (uint32_t i = 0; i < function->scope_count && best < 2; i++) {
		int now = fit(teller, i, 0, file, choice);
		found = now > best ? i : found;
		best = now > best ? now : best;
	}
	return found;
}

/* The last known position of the block. */
static struct chain chain_of_jump(const struct teller *teller, uint32_t block)
{
	const struct wm_function *function = teller->map->function;
	const struct wm_block *source = &function->blocks[block];
	for (uint32_t i = source->position_count; i-- > 0;) {
		const struct wm_position *at = &function->positions[source->first_position + i];
		if (at->line && function->scopes[at->scope].file[0])
			return make_chain(teller, at->scope, at->line);
	}
	return (struct chain){.depth = 0};
}

static void add_outcome(
	struct teller *teller, size_t line, const struct wm_path_choice *choice, const char *text)
{
	struct wm_story_line *shown = &teller->story.lines[line];
	shown->outcomes = wm_arena_grow(teller->arena, shown->outcomes, shown->outcome_count,
		&shown->outcome_capacity, sizeof *shown->outcomes);
	shown->outcomes[shown->outcome_count++] =
		(struct wm_story_outcome){text, choice->chosen, choice->decided};
}

static void tell_text(struct teller *teller, const char *text)
{
	if (text[0])
		add_line(teller, (struct wm_story_line){.file = "", .text = text});
}

/* A condition of which nobody knows how it came into the function. */
static size_t tell_stranger(struct teller *teller, const struct wm_path_choice *choice)
{
	tell_segment(teller);
	add_line(teller, (struct wm_story_line){.file = choice->condition.file,
				 .line = choice->condition.line,
				 .function = wm_place_text(teller->arena,
					 (struct wm_place){choice->condition.file, 0})});
	teller->open.depth = 0;
	return teller->story.count - 1;
}

static void tell_choice(struct teller *teller, uint32_t block, const struct wm_path_choice *choice)
{
	bool known = choice->to_vertex == WM_NONE && choice->condition.line;
	const char *text = wm_path_outcome(teller->arena, teller->map, choice);
	uint32_t scope = known ? scope_of(teller, block, choice) : WM_NONE;
	if (known && scope == WM_NONE) {
		add_outcome(teller, tell_stranger(teller, choice), choice, text);
		return;
	}
	struct chain chain = known ? make_chain(teller, scope, choice->condition.line)
				   : chain_of_jump(teller, block);
	if (chain.depth > 0)
		take_out(teller, &chain);
	tell_segment(teller);
	if (chain.depth == 0) {
		tell_text(teller, text);
		return;
	}
	size_t line = tell(teller, &chain);
	if (chain.folded)
		teller->story.lines[line].folded++;
	else
		add_outcome(teller, line, choice, text);
}

static void tell_block(struct teller *teller, uint32_t block)
{
	const struct wm_function *function = teller->map->function;
	const struct wm_block *source = &function->blocks[block];
	for (uint32_t i = 0; i < source->position_count; i++) {
		const struct wm_position *at = &function->positions[source->first_position + i];
		gather(teller, make_chain(teller, at->scope, at->line));
	}
}

static void tell_path(struct teller *teller, const struct wm_profile_path *path, bool goes_on)
{
	const struct wm_path_step *steps = wm_path_steps(teller->arena, teller->map, path);
	for (uint32_t i = 0; i < path->block_count; i++) {
		size_t count;
		const struct wm_path_choice *choices =
			wm_path_choices(teller->arena, teller->map, &steps[i], &count);
		tell_block(teller, path->blocks[i]);
		for (size_t k = 0; k < count; k++)
			tell_choice(teller, path->blocks[i], &choices[k]);
	}
	tell_segment(teller);
	tell_text(teller, wm_path_ending(teller->arena, teller->map, path, goes_on));
}

struct wm_story wm_story_make(struct wm_arena *arena, const struct wm_path_map *map,
	const char *root, const struct wm_profile_path *const *pieces, size_t piece_count)
{
	struct teller teller = {.arena = arena, .map = map};
	if (!map->function->scopes[0].file[0]) {
		tell_text(&teller, wm_path_form(arena, map, pieces, piece_count, ", "));
		return teller.story;
	}
	find_own(&teller, root);
	for (size_t i = 0; i < piece_count; i++)
		tell_path(&teller, pieces[i], i + 1 < piece_count);
	return teller.story;
}
