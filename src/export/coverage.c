/* Conditions are runs of outcomes with one place; code without text has one for each of its blocks. */
#include "export/coverage.h"

#include <string.h>

static bool one_condition(const struct wm_cover_outcome *a, const struct wm_cover_outcome *b)
{
	bool code = a->outcome == WM_OUTCOME_UNKNOWN || b->outcome == WM_OUTCOME_UNKNOWN;
	return a->line == b->line && a->column == b->column &&
	       (!code || (a->outcome == b->outcome && a->to_line == b->to_line));
}

size_t wm_coverage_condition_end(const struct wm_cover_file *file, size_t at)
{
	size_t end = at + 1;
	while (end < file->outcome_count &&
		one_condition(&file->outcomes[at], &file->outcomes[end]))
		end++;
	return end;
}

size_t wm_coverage_block(const struct wm_cover_file *file, size_t at)
{
	size_t block = 0;
	for (size_t i = at; i > 0 && file->outcomes[i - 1].line == file->outcomes[at].line; i--)
		block += !one_condition(&file->outcomes[i - 1], &file->outcomes[i]);
	return block;
}

const char *wm_coverage_root(struct wm_arena *arena, const struct wm_cover *cover)
{
	char *root = wm_arena_copy_text(arena, cover->file_count ? cover->files[0].path : "");
	size_t same = strlen(root);
	for (size_t i = 0; i < cover->file_count; i++)
		while (same > 0 && (root[same - 1] != '/' ||
					   strncmp(cover->files[i].path, root, same) != 0))
			same--;
	root[same] = '\0';
	return root;
}
