/* What texts can decide, and what their code did: functions, outcomes of branches. Code whose text
 * is not known stands for itself. */
#include "report/cover_gathering.h"

#include "profile/source_counts.h"

static void add_function(struct wm_cover_gathering *gathering, struct wm_cover_function function)
{
	if (!wm_cover_keeps(gathering, function.file, function.line))
		return;
	function.file = wm_cover_tidy(gathering, function.file);
	gathering->functions = wm_arena_grow(gathering->arena, gathering->functions,
		gathering->function_count, &gathering->function_capacity, sizeof function);
	gathering->functions[gathering->function_count++] = function;
}

static void add_outcome(struct wm_cover_gathering *gathering, struct wm_cover_outcome outcome)
{
	if (!wm_cover_keeps(gathering, outcome.file, outcome.line))
		return;
	outcome.file = wm_cover_tidy(gathering, outcome.file);
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
static void add_possible(struct wm_cover_gathering *gathering, const struct wm_source *text,
	const struct wm_source_count *count, bool uncounted)
{
	for (uint32_t i = 0; i < text->branch_count; i++) {
		const struct wm_source_branch *branch = &text->branches[i];
		bool never = count->known && !uncounted && count->block[branch->block].high == 0;
		if (!branch->condition.line)
			continue;
		for (uint32_t k = 0; k < branch->arm_count; k++)
			add_outcome(gathering, (struct wm_cover_outcome){
						       .file = text->files[branch->condition.file],
						       .line = branch->condition.line,
						       .column = branch->condition.column,
						       .outcome = outcome_of(&branch->arms[k]),
						       .to_line = branch->arms[k].place.line,
						       .to_column = branch->arms[k].place.column,
						       .known = never});
	}
}

static void add_texts(struct wm_cover_gathering *gathering, const struct wm_profile *object,
	const struct wm_source_count *counts)
{
	const struct wm_source_records *records = &object->object.sources;
	for (uint32_t i = 0; i < records->count; i++) {
		const struct wm_source *text = &records->records[i];
		struct wm_interval entries = counts[i].entries;
		if (!text->file_count)
			continue;
		add_function(gathering,
			(struct wm_cover_function){.file = text->files[0],
				.line = text->line,
				.name = text->name,
				.count = entries.low > 0 ? (uint64_t)entries.low : 0,
				.known = entries.low > 0 || (counts[i].known && entries.high == 0 &&
								    !records->uncounted[i])});
		add_possible(gathering, text, &counts[i], records->uncounted[i]);
	}
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
static void add_code(struct wm_cover_gathering *gathering, const struct wm_profile_function *source)
{
	struct wm_arena scratch = {0};
	const struct wm_function *function = source->function;
	const uint32_t *branches = wm_cover_count_branches(&scratch, function);
	gathering->cover->by_code = true;
	add_function(gathering, (struct wm_cover_function){.file = function->scopes[0].file,
					.line = function->scopes[0].line,
					.name = function->name,
					.count = source->calls,
					.known = true});
	for (uint32_t e = 0; e < function->edge_count && source->edge; e++) {
		struct wm_place place = last_place(function, function->edge_source[e]);
		if (wm_cover_chooses(function, branches, e))
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
static void add_decisions(
	struct wm_cover_gathering *gathering, const struct wm_profile_function *source)
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
			add_outcome(
				gathering, (struct wm_cover_outcome){.file = choice->condition.file,
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

int wm_cover_add_object(struct wm_cover_gathering *gathering, const struct wm_profile *object)
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
