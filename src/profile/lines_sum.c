/* Sorted lists are merged, two at a time. Of a line that two objects have, a header's, both counts
 * are added: what is a bound in one of them is a bound in all. */
#include "profile/lines_sum.h"

#include <stdbool.h>
#include <string.h>

static uint64_t add_limits(uint64_t left, uint64_t right)
{
	return left > UINT64_MAX - right ? UINT64_MAX : left + right;
}

static struct wm_line add_line(const struct wm_line *left, const struct wm_line *right)
{
	struct wm_line sum = {.line = left->line,
		.state = WM_LINE_BOUND,
		.count = left->count + right->count,
		.max = add_limits(left->max, right->max)};
	if (left->state == WM_LINE_EXACT && right->state == WM_LINE_EXACT)
		sum.state = WM_LINE_EXACT;
	else if (sum.count == 0)
		sum.state = WM_LINE_UNKNOWN;
	return sum;
}

static struct wm_line_file add_file(
	struct wm_arena *arena, const struct wm_line_file *left, const struct wm_line_file *right)
{
	struct wm_line *lines =
		wm_arena_alloc(arena, left->line_count + right->line_count, sizeof *lines);
	size_t i = 0, k = 0, count = 0;
	while (i < left->line_count || k < right->line_count) {
		const struct wm_line *a = i < left->line_count ? &left->lines[i] : NULL;
		const struct wm_line *b = k < right->line_count ? &right->lines[k] : NULL;
		bool takes_left = a && (!b || a->line <= b->line);
		bool takes_right = b && (!a || b->line <= a->line);
		lines[count++] = takes_left && takes_right ? add_line(a, b) : takes_left ? *a : *b;
		i += takes_left;
		k += takes_right;
	}
	return (struct wm_line_file){.path = left->path, .line_count = count, .lines = lines};
}

static struct wm_lines add(
	struct wm_arena *arena, const struct wm_lines *left, const struct wm_lines *right)
{
	struct wm_lines sum = {.files = wm_arena_alloc(arena, left->file_count + right->file_count,
				       sizeof *sum.files)};
	size_t i = 0, k = 0;
	while (i < left->file_count || k < right->file_count) {
		const struct wm_line_file *a = i < left->file_count ? &left->files[i] : NULL;
		const struct wm_line_file *b = k < right->file_count ? &right->files[k] : NULL;
		int order = !b ? -1 : !a ? 1 : strcmp(a->path, b->path);
		sum.files[sum.file_count++] = order == 0  ? add_file(arena, a, b)
					      : order < 0 ? *a
							  : *b;
		i += order <= 0;
		k += order >= 0;
	}
	return sum;
}

struct wm_lines wm_lines_sum(struct wm_arena *arena, const struct wm_lines *parts, size_t count)
{
	struct wm_lines sum = parts[0];
	for (size_t i = 1; i < count; i++)
		sum = add(arena, &sum, &parts[i]);
	return sum;
}
