/* Lists of what is in all programs, sorted by place, and equal entries added. Pairs of outcomes are
 * bits: those that can follow an edge, by one pass against the flow, and those that did, path by
 * path. */
#include "report/cover.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/none.h"
#include "core/graph/depth_first.h"
#include "profile/lines_sum.h"
#include "profile/source_counts.h"
#include "report/own_sources.h"

const char *const wm_cover_words[WM_COVER_QUANTITIES] = {
	"functions", "lines", "outcomes", "pairs", "paths"};

enum { MAX_OUTCOMES = 4096, LEAST_SAMPLES = 10, WORD = 64 };

struct gathering {
	struct wm_arena *arena;
	const struct wm_cover_request *request;
	const char **roots; /* by profile: of its own sources */
	struct wm_cover *cover;
	struct wm_lines lines; /* of its own sources, once they are known */
	size_t function_count, function_capacity;
	struct wm_cover_function *functions;
	size_t outcome_count, outcome_capacity;
	struct wm_cover_outcome *outcomes;
	struct wm_error *error;
};

/* The path without `.` and `..`, so that a header has one name from wherever it was included. */
static const char *tidy(struct gathering *gathering, const char *path)
{
	if (!strstr(path, "/.") && !strstr(path, "//"))
		return path;
	char *result = wm_arena_alloc(gathering->arena, strlen(path) + 2, 1), *end = result;
	for (const char *part = path; *part;) {
		size_t length = strcspn(part, "/");
		bool up = length == 2 && strncmp(part, "..", 2) == 0;
		char *before = end > result ? strrchr(result, '/') : NULL;
		if (up && before && strcmp(before, "/..") != 0) {
			*(end = before) = '\0';
		} else if (length > 0 && !(length == 1 && *part == '.')) {
			if (end > result || path[0] == '/')
				*end++ = '/';
			memcpy(end, part, length);
			*(end += length) = '\0';
		}
		part += length + (part[length] == '/');
	}
	return result;
}

static int compare_paths(const void *key, const void *element)
{
	return strcmp(key, ((const struct wm_line_file *)element)->path);
}

/* Places of conditions have tidy paths, whatever the line beside them has. */
static bool is_own(struct gathering *gathering, const char *file)
{
	for (size_t i = 0; i < gathering->request->profile_count; i++)
		if (wm_own_sources_have(gathering->roots[i], file))
			return true;
	const struct wm_lines *lines = &gathering->lines;
	return lines->file_count > 0 &&
	       bsearch(tidy(gathering, file), lines->files, lines->file_count,
		       sizeof *lines->files, compare_paths);
}

static bool keeps(struct gathering *gathering, const char *file, uint32_t line)
{
	const struct wm_cover_request *request = gathering->request;
	bool own = is_own(gathering, file);
	return own && file[0] && line &&
	       (!request->keeps ||
		       request->keeps(request->context, tidy(gathering, file), line));
}

static void add_function(struct gathering *gathering, struct wm_cover_function function)
{
	if (!keeps(gathering, function.file, function.line))
		return;
	function.file = tidy(gathering, function.file);
	gathering->functions = wm_arena_grow(gathering->arena, gathering->functions,
		gathering->function_count, &gathering->function_capacity, sizeof function);
	gathering->functions[gathering->function_count++] = function;
}

static void add_outcome(struct gathering *gathering, struct wm_cover_outcome outcome)
{
	if (!keeps(gathering, outcome.file, outcome.line))
		return;
	outcome.file = tidy(gathering, outcome.file);
	gathering->outcomes = wm_arena_grow(gathering->arena, gathering->outcomes,
		gathering->outcome_count, &gathering->outcome_capacity, sizeof outcome);
	gathering->outcomes[gathering->outcome_count++] = outcome;
}

static enum wm_outcome outcome_of(const struct wm_source_arm *arm)
{
	if (arm->outcome == WM_SOURCE_NO || arm->outcome == WM_SOURCE_YES)
		return arm->outcome == WM_SOURCE_NO ? WM_OUTCOME_NO : WM_OUTCOME_YES;
	return arm->place.line ? WM_OUTCOME_CASE : WM_OUTCOME_NO_CASE;
}

/* What the branches of a text can decide. Whether they did is known where all code of the text
 * was counted: none of it ever came to the branch. */
static void add_possible(struct gathering *gathering, const struct wm_source *text,
	const struct wm_source_count *count, bool uncounted)
{
	for (uint32_t i = 0; i < text->branch_count; i++) {
		const struct wm_source_branch *branch = &text->branches[i];
		bool never = count->known && !uncounted && count->block[branch->block].high == 0;
		if (!branch->condition.line)
			continue;
		for (uint32_t k = 0; k < branch->arm_count; k++)
			add_outcome(gathering,
				(struct wm_cover_outcome){
					.file = text->files[branch->condition.file],
					.line = branch->condition.line,
					.column = branch->condition.column,
					.outcome = outcome_of(&branch->arms[k]),
					.to_line = branch->arms[k].place.line,
					.to_column = branch->arms[k].place.column,
					.known = never});
	}
}

static void add_texts(struct gathering *gathering, const struct wm_profile *object,
	const struct wm_source_count *counts)
{
	const struct wm_source_records *records = &object->object.sources;
	for (uint32_t i = 0; i < records->count; i++) {
		const struct wm_source *text = &records->records[i];
		struct wm_interval entries = counts[i].entries;
		if (!text->file_count)
			continue;
		add_function(gathering, (struct wm_cover_function){.file = text->files[0],
						.line = text->line,
						.name = text->name,
						.count = entries.low > 0 ? (uint64_t)entries.low : 0,
						.known = entries.low > 0 || (counts[i].known &&
									     entries.high == 0 &&
									     !records->uncounted[i])});
		add_possible(gathering, text, &counts[i], records->uncounted[i]);
	}
}

static bool chooses(const struct wm_function *function, const uint32_t *branches, uint32_t edge)
{
	return branches[function->edge_source[edge]] > 1 &&
	       !(function->edge_flags[edge] & WM_EDGE_ABANDONED);
}

/* By block: edges that leave it, without those of calls that do not come back. */
static uint32_t *count_branches(struct wm_arena *arena, const struct wm_function *function)
{
	uint32_t *branches = wm_arena_alloc(arena, function->block_count, sizeof *branches);
	for (uint32_t e = 0; e < function->edge_count; e++)
		branches[function->edge_source[e]] +=
			!(function->edge_flags[e] & WM_EDGE_ABANDONED);
	return branches;
}

static struct wm_place last_place(const struct wm_function *function, uint32_t block)
{
	const struct wm_block *code = &function->blocks[block];
	for (uint32_t i = code->position_count; i-- > 0;) {
		const struct wm_position *at = &function->positions[code->first_position + i];
		if (at->line)
			return (struct wm_place){function->scopes[at->scope].file, at->line};
	}
	return (struct wm_place){"", 0};
}

/* Code whose text is not known stands for itself. */
static void add_code(struct gathering *gathering, const struct wm_profile_function *source)
{
	struct wm_arena scratch = {0};
	const struct wm_function *function = source->function;
	const uint32_t *branches = count_branches(&scratch, function);
	gathering->cover->by_code = true;
	add_function(gathering, (struct wm_cover_function){.file = function->scopes[0].file,
					.line = function->scopes[0].line,
					.name = function->name,
					.count = source->calls,
					.known = true});
	for (uint32_t e = 0; e < function->edge_count && source->edge; e++) {
		struct wm_place place = last_place(function, function->edge_source[e]);
		if (chooses(function, branches, e))
			add_outcome(gathering,
				(struct wm_cover_outcome){.file = place.file,
					.line = place.line,
					.to_line = function->edge_source[e],
					.to_column = e,
					.count = (int64_t)source->edge[e] > 0 ? source->edge[e] : 0,
					.stated = true});
	}
	wm_arena_reset(&scratch);
}

/* Decisions that the code is known to stand for, as often as it ran. */
static void add_decisions(struct gathering *gathering, const struct wm_profile_function *source)
{
	struct wm_arena scratch = {0};
	const struct wm_function *function = source->function;
	const struct wm_choices choices = wm_choices_make(&scratch, source);
	uint64_t *left = wm_arena_alloc(&scratch, function->block_count, sizeof *left);
	for (uint32_t e = 0; e < function->edge_count; e++)
		if (!(function->edge_flags[e] & WM_EDGE_ABANDONED))
			left[function->edge_source[e]] += source->edge[e];
	for (uint32_t place = 0; place < function->block_count + function->edge_count; place++)
		for (uint32_t i = choices.first[place]; i < choices.first[place + 1]; i++) {
			const struct wm_path_choice *choice = &choices.choices[i];
			uint64_t count = place < function->block_count
						 ? left[place]
						 : source->edge[place - function->block_count];
			bool labelled = choice->outcome == WM_OUTCOME_CASE;
			if (choice->outcome == WM_OUTCOME_UNKNOWN)
				continue;
			add_outcome(gathering,
				(struct wm_cover_outcome){.file = choice->condition.file,
					.line = choice->condition.line,
					.column = choice->column,
					.outcome = choice->outcome,
					.to_line = labelled ? choice->to.line : 0,
					.to_column = labelled ? choice->to_column : 0,
					.count = (int64_t)count > 0 ? count : 0,
					.stated = true});
		}
	wm_arena_reset(&scratch);
}

static int add_object(struct gathering *gathering, const struct wm_profile *object)
{
	struct wm_arena scratch = {0};
	struct wm_source_count *counts;
	int status = wm_source_counts_make(&scratch, object, &counts, gathering->error);
	if (status == 0)
		add_texts(gathering, object, counts);
	for (uint32_t i = 0; i < object->function_count && status == 0; i++) {
		const struct wm_profile_function *function = &object->functions[i];
		bool text = function->sources && function->sources[0];
		if (!text)
			add_code(gathering, function);
		if (function->edge && function->sources)
			add_decisions(gathering, function);
	}
	wm_arena_reset(&scratch);
	return status;
}

static int compare_functions(const void *left, const void *right)
{
	const struct wm_cover_function *a = left, *b = right;
	int order = strcmp(a->file, b->file);
	if (order == 0)
		order = (a->line > b->line) - (a->line < b->line);
	return order ? order : strcmp(a->name, b->name);
}

static int compare_outcomes(const void *left, const void *right)
{
	const struct wm_cover_outcome *a = left, *b = right;
	const uint32_t numbers[][2] = {{a->line, b->line}, {a->column, b->column},
		{(uint32_t)a->outcome, (uint32_t)b->outcome}, {a->to_line, b->to_line},
		{a->to_column, b->to_column}};
	int order = strcmp(a->file, b->file);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers && order == 0; i++)
		order = (numbers[i][0] > numbers[i][1]) - (numbers[i][0] < numbers[i][1]);
	return order;
}

static void join_functions(struct gathering *gathering)
{
	size_t kept = 0;
	struct wm_cover_function *list = gathering->functions;
	if (gathering->function_count > 0)
		qsort(list, gathering->function_count, sizeof *list, compare_functions);
	for (size_t i = 0; i < gathering->function_count; i++) {
		if (kept == 0 || compare_functions(&list[kept - 1], &list[i]) != 0) {
			list[kept++] = list[i];
			continue;
		}
		struct wm_cover_function *same = &list[kept - 1];
		same->known = same->count + list[i].count > 0 || (same->known && list[i].known);
		same->count += list[i].count;
	}
	gathering->function_count = kept;
}

static void join_outcomes(struct gathering *gathering)
{
	size_t kept = 0;
	struct wm_cover_outcome *list = gathering->outcomes;
	if (gathering->outcome_count > 0)
		qsort(list, gathering->outcome_count, sizeof *list, compare_outcomes);
	for (size_t i = 0; i < gathering->outcome_count; i++) {
		if (kept == 0 || compare_outcomes(&list[kept - 1], &list[i]) != 0) {
			list[kept++] = list[i];
			continue;
		}
		struct wm_cover_outcome *same = &list[kept - 1];
		same->known = (same->known || same->stated) && (list[i].known || list[i].stated);
		same->stated |= list[i].stated;
		same->count += list[i].count;
	}
	for (size_t i = 0; i < kept; i++)
		list[i].known |= list[i].stated;
	gathering->outcome_count = kept;
}

static void count_one(struct wm_cover_amount *amount, bool known, bool covered)
{
	amount->of += known;
	amount->covered += known && covered;
	amount->unknown += !known;
}

static struct wm_line_file keep_lines(
	struct gathering *gathering, const struct wm_line_file *all)
{
	struct wm_line *kept = wm_arena_alloc(gathering->arena, all->line_count, sizeof *kept);
	struct wm_line_file file = {.path = tidy(gathering, all->path), .lines = kept};
	for (size_t i = 0; i < all->line_count; i++)
		if (keeps(gathering, all->path, all->lines[i].line))
			kept[file.line_count++] = all->lines[i];
	return file;
}

/* Files by path, from three sorted lists. */
static void make_files(struct gathering *gathering)
{
	const struct wm_lines *lines = &gathering->lines;
	struct wm_cover *cover = gathering->cover;
	const struct wm_cover_function *function = gathering->functions;
	const struct wm_cover_outcome *outcome = gathering->outcomes;
	const struct wm_cover_function *last_function = function + gathering->function_count;
	const struct wm_cover_outcome *last_outcome = outcome + gathering->outcome_count;
	size_t line_file = 0, max = lines->file_count + gathering->function_count +
				    gathering->outcome_count;
	cover->files = wm_arena_alloc(gathering->arena, max, sizeof *cover->files);
	for (;;) {
		const char *path = line_file < lines->file_count ? lines->files[line_file].path
								 : NULL;
		if (function < last_function && (!path || strcmp(function->file, path) < 0))
			path = function->file;
		if (outcome < last_outcome && (!path || strcmp(outcome->file, path) < 0))
			path = outcome->file;
		if (!path)
			return;
		struct wm_cover_file file = {
			.path = path, .functions = function, .outcomes = outcome};
		if (line_file < lines->file_count &&
			strcmp(lines->files[line_file].path, path) == 0)
			file.lines = lines->files[line_file++];
		for (; function < last_function && strcmp(function->file, path) == 0; function++) {
			file.function_count++;
			count_one(&file.amount[WM_COVER_FUNCTIONS], function->known,
				function->count > 0);
		}
		for (; outcome < last_outcome && strcmp(outcome->file, path) == 0; outcome++) {
			file.outcome_count++;
			count_one(&file.amount[WM_COVER_OUTCOMES], outcome->known,
				outcome->count > 0);
		}
		for (size_t i = 0; i < file.lines.line_count; i++)
			count_one(&file.amount[WM_COVER_LINES],
				file.lines.lines[i].state != WM_LINE_UNKNOWN &&
					(file.lines.lines[i].count > 0 ||
						file.lines.lines[i].state == WM_LINE_EXACT),
				file.lines.lines[i].count > 0);
		if (file.lines.line_count + file.function_count + file.outcome_count == 0)
			continue;
		for (size_t q = 0; q <= WM_COVER_OUTCOMES; q++) {
			cover->total[q].of += file.amount[q].of;
			cover->total[q].covered += file.amount[q].covered;
			cover->total[q].unknown += file.amount[q].unknown;
		}
		cover->files[cover->file_count++] = file;
	}
}

static size_t count_bits(const uint64_t *bits, size_t words)
{
	size_t count = 0;
	for (size_t i = 0; i < words; i++)
		count += (size_t)__builtin_popcountll(bits[i]);
	return count;
}

static void set_bit(uint64_t *bits, uint32_t bit)
{
	bits[bit / WORD] |= (uint64_t)1 << bit % WORD;
}

/* The pairs of outcomes of one function. */
struct pairs {
	struct wm_arena arena;
	const struct wm_path_space *space;
	uint32_t *number; /* by edge of the function: of its outcome, or WM_NONE */
	uint32_t count;
	size_t words; /* of a set of outcomes */
};

static uint32_t number_outcomes(struct pairs *pairs)
{
	const struct wm_function *function = pairs->space->function;
	const uint32_t *branches = count_branches(&pairs->arena, function);
	pairs->number = wm_none_array(&pairs->arena, function->edge_count);
	for (uint32_t e = 0; e < function->edge_count; e++)
		if (chooses(function, branches, e))
			pairs->number[e] = pairs->count++;
	pairs->words = (pairs->count + WORD - 1) / WORD;
	return pairs->count;
}

/* Of each outcome, those that can come behind it on a path. */
static uint64_t possible_pairs(struct pairs *pairs)
{
	const struct wm_paths *paths = &pairs->space->paths;
	const struct wm_cfg *graph = paths->graph;
	struct wm_depth_first order = wm_depth_first_search(&pairs->arena, graph);
	uint64_t *behind = wm_arena_alloc(
		&pairs->arena, (size_t)graph->vertex_count * pairs->words, sizeof *behind);
	uint64_t possible = 0;
	for (uint32_t i = 0; i < graph->vertex_count; i++) {
		uint32_t v = order.postorder[i];
		uint64_t *own = behind + v * pairs->words;
		for (uint32_t k = graph->out_start[v]; k < graph->out_start[v + 1] && v != graph->exit;
			k++) {
			uint32_t e = graph->out_edge[k], target = graph->target[e];
			if (e == wm_cfg_closing_edge(graph) ||
				paths->kind[e] == WM_PATH_EDGE_START)
				continue;
			const uint64_t *next = behind + target * pairs->words;
			for (size_t w = 0; w < pairs->words; w++)
				own[w] |= next[w];
			uint32_t number = pairs->number[paths->origin[e]];
			if (number == WM_NONE)
				continue;
			set_bit(own, number);
			if (target != graph->exit)
				possible += count_bits(next, pairs->words);
		}
	}
	return possible;
}

/* Pairs and outcomes of the paths that ran. */
static void ran_pairs(struct pairs *pairs, struct wm_cover_code *code)
{
	const struct wm_path_space *space = pairs->space;
	uint32_t *edges =
		wm_arena_alloc(&pairs->arena, space->paths.graph->vertex_count, sizeof *edges);
	uint64_t *taken = wm_arena_alloc(&pairs->arena, pairs->words, sizeof *taken);
	uint64_t *ran = wm_arena_alloc(
		&pairs->arena, (size_t)pairs->count * pairs->words, sizeof *ran);
	for (size_t i = 0; i < space->ran_count; i++) {
		uint32_t count = wm_paths_decode(&space->paths, space->ran[i], edges), kept = 0;
		for (uint32_t k = 0; k < count; k++)
			if (space->paths.kind[edges[k]] != WM_PATH_EDGE_START &&
				pairs->number[space->paths.origin[edges[k]]] != WM_NONE)
				edges[kept++] = pairs->number[space->paths.origin[edges[k]]];
		for (uint32_t k = 0; k < kept; k++) {
			set_bit(taken, edges[k]);
			for (uint32_t m = k + 1; m < kept; m++)
				set_bit(ran + edges[k] * pairs->words, edges[m]);
		}
	}
	code->outcomes.covered = count_bits(taken, pairs->words);
	code->pairs.covered = count_bits(ran, (size_t)pairs->count * pairs->words);
}

static void count_pairs(const struct wm_path_space *space, struct wm_cover_code *code)
{
	struct pairs pairs = {.space = space};
	code->outcomes.of = number_outcomes(&pairs);
	if (pairs.count > MAX_OUTCOMES) {
		code->pairs.unknown = 1;
	} else if (pairs.count > 0) {
		code->pairs.of = possible_pairs(&pairs);
		ran_pairs(&pairs, code);
	}
	wm_arena_reset(&pairs.arena);
}

static int add_code_paths(struct gathering *gathering, const struct wm_profile_function *function,
	const struct wm_ran_function *ran)
{
	struct wm_arena scratch = {0};
	struct wm_path_space space;
	size_t count = 0;
	const uint64_t *ids = ran ? wm_ran_function_ids(&scratch, ran, &count) : NULL;
	struct wm_cover_code *code = &gathering->cover->code[gathering->cover->code_count++];
	*code = (struct wm_cover_code){.function = function, .ran = ran};
	int status = wm_path_space_make(
		&scratch, function->function, ids, count, &space, gathering->error);
	if (status < 0)
		return status;
	code->complete = wm_path_space_complete(&space);
	for (size_t i = 0; ran && i < ran->count; i++)
		code->covered_paths += !ran->paths[i].partial &&
				       !wm_ran_path_is_uncertain(&ran->paths[i]);
	count_pairs(&space, code);
	struct wm_cover_amount *total = gathering->cover->total;
	total[WM_COVER_PAIRS].of += code->pairs.of;
	total[WM_COVER_PAIRS].covered += code->pairs.covered;
	total[WM_COVER_PAIRS].unknown += code->pairs.unknown;
	if (code->complete <= WM_COVER_SMALL) {
		total[WM_COVER_PATHS].of += code->complete;
		total[WM_COVER_PATHS].covered += code->covered_paths;
	}
	gathering->cover->covered_paths += code->covered_paths;
	wm_arena_reset(&scratch);
	return 0;
}

double wm_cover_chance(uint64_t n, uint64_t once, uint64_t twice, uint64_t all)
{
	double factor = (double)(n - 1) * (double)once;
	if (once == 0 || all == 0)
		return 0;
	return (double)once / (double)all * factor / (factor + 2 * (double)twice);
}

static void estimate(struct wm_cover *cover, const struct wm_ran_paths *ran)
{
	uint64_t once = 0, twice = 0, all = 0;
	for (size_t i = 0; i < ran->function_count; i++)
		for (size_t k = 0; k < ran->functions[i].count; k++) {
			const struct wm_ran_path *path = &ran->functions[i].paths[k];
			if (wm_ran_path_is_uncertain(path))
				continue;
			once += path->samples == 1;
			twice += path->samples == 2;
			all += path->samples;
		}
	cover->single = once;
	if (ran->samples >= LEAST_SAMPLES && all > 0)
		cover->chance = wm_cover_chance(ran->samples, once, twice, all);
}

/* Functions of the code, each once although several programs may have it. */
static int add_paths(struct gathering *gathering)
{
	const struct wm_cover_request *request = gathering->request;
	const struct wm_ran_paths *ran = request->ran;
	bool *known = wm_arena_alloc(gathering->arena, ran->function_count, sizeof *known);
	gathering->cover->code = wm_arena_alloc(
		gathering->arena, ran->function_count, sizeof *gathering->cover->code);
	estimate(gathering->cover, ran);
	for (size_t p = 0; p < request->profile_count; p++)
		for (uint32_t i = 0; i < request->profiles[p].function_count; i++) {
			const struct wm_profile_function *function =
				&request->profiles[p].functions[i];
			struct wm_saved_function key = wm_ran_paths_key(function->function);
			const struct wm_ran_function *its = wm_ran_paths_get(ran, &key);
			if (!its || known[its - ran->functions] ||
				!keeps(gathering, key.file, function->function->scopes[0].line))
				continue;
			known[its - ran->functions] = true;
			int status = add_code_paths(gathering, function, its);
			if (status < 0)
				return status;
		}
	return 0;
}

static int compare_files(const void *left, const void *right)
{
	return strcmp(((const struct wm_line_file *)left)->path,
		((const struct wm_line_file *)right)->path);
}

/* Files of one path become one. */
static struct wm_lines join_files(
	struct gathering *gathering, struct wm_line_file *files, size_t count)
{
	struct wm_lines *parts = wm_arena_alloc(gathering->arena, count, sizeof *parts);
	struct wm_lines joined = {.files = files};
	if (count > 0)
		qsort(files, count, sizeof *files, compare_files);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i; end < count && strcmp(files[end].path, files[i].path) == 0; end++)
			parts[end - i] = (struct wm_lines){1, &files[end]};
		struct wm_line_file sum = wm_lines_sum(gathering->arena, parts, end - i).files[0];
		joined.files[joined.file_count++] = sum;
	}
	return joined;
}

static int count_lines(struct gathering *gathering)
{
	const struct wm_cover_request *request = gathering->request;
	struct wm_line_file *files = NULL;
	size_t count = 0, capacity = 0;
	for (size_t i = 0; i < request->profile_count; i++) {
		struct wm_lines all;
		int status = wm_lines_count(
			gathering->arena, &request->profiles[i], &all, gathering->error);
		if (status < 0)
			return status;
		for (size_t k = 0; k < all.file_count; k++) {
			files = wm_arena_grow(
				gathering->arena, files, count, &capacity, sizeof *files);
			files[count] = keep_lines(gathering, &all.files[k]);
			count += files[count].line_count > 0;
		}
	}
	gathering->lines = join_files(gathering, files, count);
	return 0;
}

int wm_cover_make(struct wm_arena *arena, const struct wm_cover_request *request,
	struct wm_cover *cover, struct wm_error *error)
{
	struct gathering gathering = {
		.arena = arena, .request = request, .cover = cover, .error = error};
	*cover = (struct wm_cover){.chance = -1};
	gathering.roots = wm_arena_alloc(arena, request->profile_count, sizeof *gathering.roots);
	for (size_t i = 0; i < request->profile_count; i++)
		gathering.roots[i] = wm_own_sources_root(arena, &request->profiles[i]);
	int status = count_lines(&gathering);
	for (size_t i = 0; i < request->profile_count && status == 0; i++) {
		const struct wm_profile *profile = &request->profiles[i];
		if (profile->part_count <= 1)
			status = add_object(&gathering, profile);
		for (uint32_t k = 0; profile->part_count > 1 && k < profile->part_count && !status;
			k++)
			status = add_object(&gathering, &profile->parts[k]);
	}
	if (status < 0)
		return status;
	join_functions(&gathering);
	join_outcomes(&gathering);
	make_files(&gathering);
	return request->ran ? add_paths(&gathering) : 0;
}
