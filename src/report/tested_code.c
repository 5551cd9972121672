/* Goes over the paths that tests took, once for each function. */
#include "report/tested_code.h"

#include "core/base/none.h"
#include "names/block_lines.h"

uint64_t wm_tested_line_key(const char *file, uint32_t line)
{
	return wm_key_mix(wm_key_mix_text(1, file), line);
}

void wm_tested_add_lines(struct wm_arena *arena, const struct wm_function *function, uint32_t block,
	struct wm_key_set *keys)
{
	size_t count;
	const struct wm_block_line *lines = wm_block_lines(arena, function, block, &count);
	for (size_t i = 0; i < count; i++)
		if (!lines[i].call)
			wm_key_set_add(
				arena, keys, wm_tested_line_key(lines[i].file, lines[i].line));
}

uint64_t wm_tested_decision_key(const struct wm_path_choice *choice)
{
	uint64_t key =
		wm_key_mix(wm_tested_line_key(choice->condition.file, choice->condition.line),
			(uint64_t)choice->column << 8 | (uint64_t)choice->outcome);
	if (choice->outcome == WM_OUTCOME_CASE)
		key = wm_key_mix(key, (uint64_t)choice->to.line << 32 | choice->to_column);
	return key;
}

bool wm_tested_has_decisions(
	const struct wm_tested_code *tested, const struct wm_choices *choices, uint32_t place)
{
	if (choices->first[place] == choices->first[place + 1])
		return false;
	for (uint32_t i = choices->first[place]; i < choices->first[place + 1]; i++)
		if (!wm_key_set_has(
			    &tested->decisions, wm_tested_decision_key(&choices->choices[i])))
			return false;
	return true;
}

static void add_decisions(struct wm_arena *arena, struct wm_tested_code *tested,
	const struct wm_choices *choices, uint32_t place)
{
	for (uint32_t i = choices->first[place]; i < choices->first[place + 1]; i++)
		wm_key_set_add(
			arena, &tested->decisions, wm_tested_decision_key(&choices->choices[i]));
}

uint32_t wm_tested_edges_of(
	struct wm_arena *scratch, const struct wm_paths *paths, uint64_t id, uint32_t **edges)
{
	*edges = wm_arena_alloc(scratch, paths->graph->vertex_count, sizeof **edges);
	uint32_t count = wm_paths_decode(paths, id, *edges), kept = 0;
	for (uint32_t i = 0; i < count; i++)
		if (paths->kind[(*edges)[i]] != WM_PATH_EDGE_START)
			(*edges)[kept++] = paths->origin[(*edges)[i]];
	return kept;
}

void wm_tested_note_labels(uint32_t *labels, const struct wm_ran_path *path)
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

void wm_tested_add(
	struct wm_arena *arena, struct wm_tested_code *tested, struct wm_residual_function *entry)
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
		uint32_t count = wm_tested_edges_of(
			&scratch, &entry->space.paths, entry->tests->paths[i].id, &edges);
		for (uint32_t k = 0; k < count; k++) {
			seen[function->edge_source[edges[k]]] = true;
			left[function->edge_source[edges[k]]] |=
				!wm_tested_is_abandoned(function, edges[k]);
			entry->tested_edge[edges[k]] = true;
			wm_tested_note_labels(
				entry->edge_labels[edges[k]], &entry->tests->paths[i]);
		}
	}
	for (uint32_t b = 0; b < function->block_count; b++) {
		if (seen[b])
			wm_tested_add_lines(arena, function, b, &tested->lines);
		if (left[b])
			add_decisions(arena, tested, &choices, b);
	}
	for (uint32_t e = 0; e < function->edge_count; e++)
		if (entry->tested_edge[e])
			add_decisions(arena, tested, &choices, function->block_count + e);
	wm_arena_reset(&scratch);
}
