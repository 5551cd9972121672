/* First what the tests did, function by function: paths, edges, lines, decisions. Then each path of
 * the field is looked up, and what no test took gets its kind.
 *
 * Lines and decisions are sets of hashes, of the whole program: code of one line may stand in many
 * functions, and a test of one copy is a test of the line. */
#include "report/residual.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/none.h"
#include "names/block_lines.h"
#include "profile/path_find.h"
#include "report/path_choices.h"

const char *const wm_residual_kind_words[WM_RESIDUAL_KINDS] = {"function", "changed", "code",
	"outcome", "copy", "combination", "early", "uncertain"};

/* Copies are looked for among so many tested paths of a function. */
enum { MAX_COPIES = 4096 };

struct keys {
	size_t count;
	size_t capacity;
	uint64_t *list; /* sorted once all are there */
};

struct comparison {
	struct wm_arena *arena;
	const struct wm_residual_request *request;
	struct wm_residual *result;
	struct keys lines;	 /* that tests ran */
	struct keys decisions;	 /* that they made */
	struct keys field_lines; /* that the field ran */
	size_t row_capacity;
	struct wm_error *error;
};

static uint64_t mix(uint64_t hash, uint64_t number)
{
	hash = (hash ^ number) * 0x9e3779b97f4a7c15u;
	return hash ^ (hash >> 29);
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	return mix(hash, 0);
}

static void add_key(struct comparison *comparison, struct keys *keys, uint64_t key)
{
	keys->list = wm_arena_grow(
		comparison->arena, keys->list, keys->count, &keys->capacity, sizeof key);
	keys->list[keys->count++] = key;
}

static int compare_keys(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;
	return (*a > *b) - (*a < *b);
}

static void sort_keys(struct keys *keys)
{
	size_t kept = 0;
	if (keys->count > 0)
		qsort(keys->list, keys->count, sizeof *keys->list, compare_keys);
	for (size_t i = 0; i < keys->count; i++)
		if (kept == 0 || keys->list[kept - 1] != keys->list[i])
			keys->list[kept++] = keys->list[i];
	keys->count = kept;
}

static bool has_key(const struct keys *keys, uint64_t key)
{
	return keys->count > 0 &&
	       bsearch(&key, keys->list, keys->count, sizeof key, compare_keys) != NULL;
}

static uint64_t line_key(const char *file, uint32_t line)
{
	return mix(mix_text(1, file), line);
}

/* Lines of inlined calls are no code of their own. */
static void add_lines(struct comparison *comparison, const struct wm_function *function,
	uint32_t block, struct keys *keys)
{
	size_t count;
	const struct wm_block_line *lines =
		wm_block_lines(comparison->arena, function, block, &count);
	for (size_t i = 0; i < count; i++)
		if (!lines[i].call)
			add_key(comparison, keys, line_key(lines[i].file, lines[i].line));
}

static uint64_t decision_key(const struct wm_path_choice *choice)
{
	uint64_t key = mix(line_key(choice->condition.file, choice->condition.line),
		(uint64_t)choice->column << 8 | (uint64_t)choice->outcome);
	if (choice->outcome == WM_OUTCOME_CASE)
		key = mix(key, (uint64_t)choice->to.line << 32 | choice->to_column);
	return key;
}

/* Decisions at a place (a block, or block_count plus an edge), or none of them known. */
static bool decisions_tested(
	const struct comparison *comparison, const struct wm_choices *choices, uint32_t place)
{
	if (choices->first[place] == choices->first[place + 1])
		return false;
	for (uint32_t i = choices->first[place]; i < choices->first[place + 1]; i++)
		if (!has_key(&comparison->decisions, decision_key(&choices->choices[i])))
			return false;
	return true;
}

static void add_decisions(
	struct comparison *comparison, const struct wm_choices *choices, uint32_t place)
{
	for (uint32_t i = choices->first[place]; i < choices->first[place + 1]; i++)
		add_key(comparison, &comparison->decisions, decision_key(&choices->choices[i]));
}

/* The edges of a path, in its order, without the one that only stands for a start; returns how
 * many. */
static uint32_t edges_of(struct wm_arena *scratch, const struct wm_paths *paths, uint64_t id,
	uint32_t **edges)
{
	*edges = wm_arena_alloc(scratch, paths->graph->vertex_count, sizeof **edges);
	uint32_t count = wm_paths_decode(paths, id, *edges), kept = 0;
	for (uint32_t i = 0; i < count; i++)
		if (paths->kind[(*edges)[i]] != WM_PATH_EDGE_START)
			(*edges)[kept++] = paths->origin[(*edges)[i]];
	return kept;
}

static bool is_abandoned(const struct wm_function *function, uint32_t edge)
{
	return function->edge_flags[edge] & WM_EDGE_ABANDONED;
}

static void note_labels(uint32_t *labels, const struct wm_ran_path *path)
{
	for (uint8_t i = 0; i < path->label_count; i++)
		for (size_t k = 0; k < WM_RAN_LABELS; k++) {
			if (labels[k] == path->labels[i])
				break;
			if (labels[k] == WM_NONE) {
				labels[k] = path->labels[i];
				break;
			}
		}
}

/* What the tests did in the function: its edges, lines and decisions. */
static void add_tests(struct comparison *comparison, struct wm_residual_function *entry)
{
	struct wm_arena scratch = {0};
	const struct wm_function *function = entry->function->function;
	const struct wm_choices choices = wm_choices_make(&scratch, entry->function);
	bool *seen = wm_arena_alloc(&scratch, function->block_count, sizeof *seen);
	bool *left = wm_arena_alloc(&scratch, function->block_count, sizeof *left);
	for (size_t i = 0; i < entry->tests->count; i++) {
		uint32_t *edges;
		if (wm_ran_path_is_uncertain(&entry->tests->paths[i]))
			continue;
		uint32_t count = edges_of(
			&scratch, &entry->space.paths, entry->tests->paths[i].id, &edges);
		for (uint32_t k = 0; k < count; k++) {
			seen[function->edge_source[edges[k]]] = true;
			left[function->edge_source[edges[k]]] |= !is_abandoned(function, edges[k]);
			entry->tested_edge[edges[k]] = true;
			note_labels(entry->edge_labels[edges[k]], &entry->tests->paths[i]);
		}
	}
	for (uint32_t b = 0; b < function->block_count; b++) {
		if (seen[b])
			add_lines(comparison, function, b, &comparison->lines);
		if (left[b])
			add_decisions(comparison, &choices, b);
	}
	for (uint32_t e = 0; e < function->edge_count; e++)
		if (entry->tested_edge[e])
			add_decisions(comparison, &choices, function->block_count + e);
	wm_arena_reset(&scratch);
}

static int refuse_id(const struct comparison *comparison, const struct wm_ran_function *function)
{
	return wm_error_set(comparison->error, WM_ERROR_INPUT,
		"a set of paths names path %" PRIu64 " of function '%.200s', which has fewer; write "
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
	entry->tested_edge =
		wm_arena_alloc(comparison->arena, function->edge_count, sizeof(bool));
	entry->edge_labels = wm_arena_alloc_unset(
		comparison->arena, function->edge_count, sizeof *entry->edge_labels);
	memset(entry->edge_labels, 0xff, function->edge_count * sizeof *entry->edge_labels);
	if (entry->tests)
		add_tests(comparison, entry);
	return 0;
}

/* A copy's block stands for its original; an edge for all between the same originals. */
static uint32_t original_of(const struct wm_function *function, uint32_t block)
{
	return function->original && block < function->block_count ? function->original[block]
								   : block;
}

static bool is_tested_in_copy(const struct wm_residual_function *entry, uint32_t edge)
{
	const struct wm_function *function = entry->function->function;
	uint32_t source = original_of(function, function->edge_source[edge]);
	uint32_t target = original_of(function, function->edge_target[edge]);
	for (uint32_t e = 0; e < function->edge_count && function->original; e++)
		if (entry->tested_edge[e] &&
			original_of(function, function->edge_source[e]) == source &&
			original_of(function, function->edge_target[e]) == target)
			return true;
	return false;
}

/* What is asked of each path of a function, worked out once: what of its code no test ran, and what
 * its tested paths do in terms of the source. */
struct judged {
	struct wm_arena arena;
	const struct wm_residual_function *entry;
	bool *untested_block; /* by block: it has a line that no test ran */
	bool *untested_edge;  /* by edge: a branch that no test of it took, in any copy */
	bool *secret;	      /* by edge: the code chooses there, and the source does not say how */
	uint64_t *block_key;  /* what the block's lines are; 0: it has none */
	uint64_t *edge_key;   /* the decisions on the edge and in the block before it */
	bool has_copies;
	bool has_traces;
	size_t trace_count;
	uint64_t **traces; /* of the tested paths */
	size_t *lengths;
};

static bool has_untested_line(
	struct comparison *comparison, const struct wm_function *function, uint32_t block)
{
	struct wm_arena scratch = {0};
	size_t count;
	const struct wm_block_line *lines = wm_block_lines(&scratch, function, block, &count);
	bool untested = false;
	for (size_t i = 0; i < count; i++)
		untested |= !lines[i].call && !has_key(&comparison->lines,
						      line_key(lines[i].file, lines[i].line));
	wm_arena_reset(&scratch);
	return untested;
}

static uint64_t key_of_block(const struct wm_function *function, uint32_t block)
{
	const struct wm_block *code = &function->blocks[block];
	uint64_t key = 0;
	for (uint32_t k = 0; k < code->position_count; k++) {
		const struct wm_position *position =
			&function->positions[code->first_position + k];
		if (position->line)
			key = mix(mix_text(key, function->scopes[position->scope].file),
				position->line);
	}
	return key;
}

/* Decisions in the block before the edge, unless a call there did not come back, and on it. */
static uint64_t key_of_edge(const struct wm_function *function, const struct wm_choices *choices,
	uint32_t edge)
{
	const uint32_t places[] = {function->edge_source[edge], function->block_count + edge};
	uint64_t key = 0;
	for (size_t p = is_abandoned(function, edge); p < 2; p++)
		for (uint32_t k = choices->first[places[p]]; k < choices->first[places[p] + 1]; k++)
			key = mix(key, decision_key(&choices->choices[k]));
	return key;
}

static void judge_edges(const struct comparison *comparison, struct judged *judged,
	const struct wm_choices *choices)
{
	const struct wm_function *function = judged->entry->function->function;
	uint32_t *branches =
		wm_arena_alloc(&judged->arena, function->block_count, sizeof *branches);
	for (uint32_t e = 0; e < function->edge_count; e++)
		branches[function->edge_source[e]] += !is_abandoned(function, e);
	for (uint32_t e = 0; e < function->edge_count; e++) {
		uint32_t place = function->block_count + e;
		judged->untested_edge[e] = !judged->entry->tested_edge[e] &&
					   !is_abandoned(function, e) &&
					   !decisions_tested(comparison, choices, place) &&
					   !is_tested_in_copy(judged->entry, e);
		judged->secret[e] = branches[function->edge_source[e]] > 1 &&
				    !is_abandoned(function, e) &&
				    choices->first[place] == choices->first[place + 1];
		judged->edge_key[e] = key_of_edge(function, choices, e);
	}
}

static struct judged judge(
	struct comparison *comparison, const struct wm_residual_function *entry)
{
	const struct wm_function *function = entry->function->function;
	struct judged judged = {.entry = entry};
	struct wm_arena *arena = &judged.arena;
	const struct wm_choices choices = wm_choices_make(arena, entry->function);
	judged.untested_block = wm_arena_alloc(arena, function->block_count, sizeof(bool));
	judged.untested_edge = wm_arena_alloc(arena, function->edge_count, sizeof(bool));
	judged.secret = wm_arena_alloc(arena, function->edge_count, sizeof(bool));
	judged.block_key = wm_arena_alloc(arena, function->block_count, sizeof(uint64_t));
	judged.edge_key = wm_arena_alloc(arena, function->edge_count, sizeof(uint64_t));
	judged.has_copies = (function->original || function->scope_count > 1) && entry->tests &&
			    entry->tests->count <= MAX_COPIES;
	for (uint32_t b = 0; b < function->block_count; b++) {
		judged.untested_block[b] = has_untested_line(comparison, function, b);
		judged.block_key[b] = key_of_block(function, b);
	}
	judge_edges(comparison, &judged, &choices);
	return judged;
}

/* What a path does in terms of the source, block by block: lines, and the decisions behind. Blocks
 * without any leave no trace. */
static uint64_t *trace_of(struct wm_arena *arena, const struct judged *judged,
	const uint32_t *edges, uint32_t count, size_t *length)
{
	const struct wm_function *function = judged->entry->function->function;
	uint64_t *trace = wm_arena_alloc(arena, count, sizeof *trace);
	*length = 0;
	for (uint32_t i = 0; i < count; i++) {
		uint64_t block = judged->block_key[function->edge_source[edges[i]]];
		uint64_t edge = judged->edge_key[edges[i]];
		if (block || edge)
			trace[(*length)++] = mix(block, edge);
	}
	return trace;
}

static void trace_tests(struct judged *judged)
{
	const struct wm_residual_function *entry = judged->entry;
	struct wm_arena *arena = &judged->arena;
	judged->has_traces = true;
	judged->trace_count = entry->tests->count;
	judged->traces = wm_arena_alloc(arena, judged->trace_count, sizeof *judged->traces);
	judged->lengths = wm_arena_alloc(arena, judged->trace_count, sizeof *judged->lengths);
	for (size_t i = 0; i < judged->trace_count; i++) {
		struct wm_arena scratch = {0};
		uint32_t *edges;
		uint32_t count = edges_of(
			&scratch, &entry->space.paths, entry->tests->paths[i].id, &edges);
		judged->traces[i] = trace_of(arena, judged, edges, count, &judged->lengths[i]);
		wm_arena_reset(&scratch);
	}
}

static bool holds(const uint64_t *all, size_t count, const uint64_t *part, size_t length)
{
	for (size_t i = 0; i + length <= count; i++)
		if (all[i] == part[0] && memcmp(all + i, part, length * sizeof *part) == 0)
			return true;
	return false;
}

/* Whether some tested path does the same in another copy of the code. Where a decision is not told
 * by the source, copies cannot be told apart from other code. */
static bool is_copy(struct judged *judged, const uint32_t *edges, uint32_t count)
{
	struct wm_arena scratch = {0};
	size_t length;
	bool told = judged->has_copies, found = false;
	for (uint32_t i = 0; i < count; i++)
		told &= !judged->secret[edges[i]];
	if (!told)
		return false;
	if (!judged->has_traces)
		trace_tests(judged);
	const uint64_t *trace = trace_of(&scratch, judged, edges, count, &length);
	for (size_t i = 0; i < judged->trace_count && length > 0 && !found; i++)
		found = holds(judged->traces[i], judged->lengths[i], trace, length);
	wm_arena_reset(&scratch);
	return found;
}

static enum wm_residual_kind kind_of(struct judged *judged, struct wm_residual_row *row)
{
	struct wm_arena scratch = {0};
	const struct wm_residual_function *entry = judged->entry;
	uint32_t *edges;
	uint32_t count = edges_of(&scratch, &entry->space.paths, row->ran->id, &edges);
	bool untested_line = false, untested_edge = false;
	enum wm_residual_kind kind = WM_RESIDUAL_COMBINATION;
	row->on_tested_edges = entry->tests != NULL;
	for (uint32_t i = 0; i < row->path.block_count; i++)
		untested_line |= judged->untested_block[row->path.blocks[i]];
	for (uint32_t i = 0; i < count; i++) {
		untested_edge |= judged->untested_edge[edges[i]];
		row->on_tested_edges &= entry->tested_edge[edges[i]] ||
					is_abandoned(entry->function->function, edges[i]);
	}
	if (wm_ran_path_is_uncertain(row->ran))
		kind = WM_RESIDUAL_UNCERTAIN;
	else if (entry->fit != WM_RAN_SAME)
		kind = entry->fit == WM_RAN_CHANGED ? WM_RESIDUAL_CHANGED : WM_RESIDUAL_FUNCTION;
	else if (untested_line)
		kind = WM_RESIDUAL_CODE;
	else if (untested_edge)
		kind = WM_RESIDUAL_OUTCOME;
	else if (is_copy(judged, edges, count))
		kind = WM_RESIDUAL_COPY;
	else if (row->ran->partial)
		kind = WM_RESIDUAL_EARLY;
	wm_arena_reset(&scratch);
	return kind;
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
		note_labels(row->labels, path);
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
	const struct wm_ran_function *function = wm_ran_paths_find(
		accepted, &field->key, comparison->request->across_shape, &fit);
	return fit == WM_RAN_SAME && ran_path(function, id);
}

static void add_row(struct comparison *comparison, struct wm_residual_function *entry,
	struct judged *judged, const struct wm_ran_path *path)
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
	row->kind = kind_of(judged, row);
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
		uint32_t count = edges_of(
			&scratch, &entry->space.paths, entry->field->paths[i].id, &edges);
		for (uint32_t k = 0; k < count; k++) {
			taken[edges[k]] = !is_abandoned(function, edges[k]);
			seen[function->edge_source[edges[k]]] = true;
		}
	}
	for (uint32_t e = 0; e < function->edge_count; e++) {
		comparison->result->edges += taken[e];
		entry->untested_edges += taken[e] && !entry->tested_edge[e];
	}
	for (uint32_t b = 0; b < function->block_count; b++)
		if (seen[b])
			add_lines(comparison, function, b, &comparison->field_lines);
	wm_arena_reset(&scratch);
}

static void compare_paths(struct comparison *comparison, struct wm_residual_function *entry)
{
	struct wm_residual *result = comparison->result;
	struct judged judged = {.entry = NULL};
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
			judged = judge(comparison, entry);
		add_row(comparison, entry, &judged, path);
	}
	wm_arena_reset(&judged.arena);
	result->functions_with_paths += entry->untested_paths > 0;
	result->untested_edges += entry->untested_edges;
	result->functions_with_edges += entry->untested_edges > 0;
	if (entry->untested_edges == 0)
		result->hidden_by_function += entry->untested_paths;
}

/* The functions of the field, each once although several builds may have it. */
static size_t list_functions(struct comparison *comparison)
{
	const struct wm_residual_request *request = comparison->request;
	struct wm_residual *result = comparison->result;
	bool *known =
		wm_arena_alloc(comparison->arena, request->field->function_count, sizeof *known);
	result->functions = wm_arena_alloc(comparison->arena, request->field->function_count,
		sizeof *result->functions);
	for (size_t p = 0; p < request->profile_count; p++)
		for (uint32_t i = 0; i < request->profiles[p].function_count; i++) {
			const struct wm_profile_function *function =
				&request->profiles[p].functions[i];
			struct wm_saved_function key = wm_ran_paths_key(function->function);
			const struct wm_ran_function *field =
				wm_ran_paths_get(request->field, &key);
			if (!field || field->count == 0 ||
				known[field - request->field->functions])
				continue;
			known[field - request->field->functions] = true;
			result->functions[result->function_count++] = (struct wm_residual_function){
				.function = function, .field = field};
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
	sort_keys(&comparison->field_lines);
	comparison->result->lines = comparison->field_lines.count;
	for (size_t i = 0; i < comparison->field_lines.count; i++)
		comparison->result->untested_lines +=
			!has_key(&comparison->lines, comparison->field_lines.list[i]);
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
	sort_keys(&comparison.lines);
	sort_keys(&comparison.decisions);
	for (size_t i = 0; i < count; i++)
		compare_paths(&comparison, &residual->functions[i]);
	count_lines(&comparison);
	if (residual->row_count > 0)
		qsort(residual->rows, residual->row_count, sizeof *residual->rows, compare_rows);
	return 0;
}
