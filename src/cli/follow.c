/* The file is read again and again, and each walk goes on. While a thread computes, its number of
 * bits may be off; so only what lies safely before it is shown. A thread that sleeps in the system,
 * and has told nothing since the last look, is inside a call that is not traced: there the number
 * is exact. */
#include "cli/follow.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/fatal.h"
#include "report/paint.h"

enum { PAUSE = 100 * 1000 * 1000 }; /* ns between two looks */

struct followed {
	uint32_t number; /* of the stream */
	uint64_t position, cursor;
	bool slept; /* at the last look */
	struct wm_trace_lines lines;
	struct wm_trace_line before;
	bool has_before;
};

struct follower {
	struct wm_arena *arena;
	struct wm_loaded_trace *loaded;
	const struct wm_trace_view *view;
	uint64_t thread, last;
	struct followed *threads;
	size_t count, capacity;
	uint32_t shown; /* the thread that was printed last */
	bool gone;
};

/* What the system says of a process or thread. False if there is none. */
static bool read_state(const char *path, char *state, long *threads)
{
	char line[1024] = "";
	FILE *file = fopen(path, "r");
	if (!file)
		return false;
	bool read = fgets(line, sizeof line, file);
	fclose(file);
	const char *end = read ? strrchr(line, ')') : NULL; /* of the name, which may be anything */
	return end && sscanf(end + 1,
			      " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
			      "%ld",
			      state, threads) == 2;
}

static bool sleeps(const struct follower *follower, uint32_t thread)
{
	char path[64], state;
	long threads;
	snprintf(path, sizeof path, "/proc/%" PRIu32 "/task/%" PRIu32 "/stat",
		follower->loaded->file.process, thread);
	return read_state(path, &state, &threads) && state == 'S';
}

/* One that nobody has waited for is gone as well, unless its other threads go on. */
static bool is_gone(uint32_t process)
{
	char path[64], state;
	long threads;
	snprintf(path, sizeof path, "/proc/%" PRIu32 "/stat", process);
	return !read_state(path, &state, &threads) ||
	       ((state == 'Z' || state == 'X') && threads <= 1);
}

/* Whether all that the thread has told is certain. */
static bool is_certain(const struct follower *follower, struct followed *followed,
	const struct wm_trace_stream *control)
{
	bool same = followed->position == control->position && followed->cursor == control->cursor;
	bool slept = followed->slept;
	followed->slept = sleeps(follower, control->thread);
	followed->position = control->position;
	followed->cursor = control->cursor;
	return follower->gone || (same && slept && followed->slept);
}

static void print(struct follower *follower, struct followed *followed, uint32_t thread,
	const struct wm_trace_line *line)
{
	const struct wm_trace_view *view = follower->view;
	if (follower->shown != thread && (follower->count > 1 || follower->shown))
		fprintf(view->out, "%sthread %" PRIu32 "%s\n",
			wm_paint(view->colour, WM_PAINT_TITLE), thread,
			wm_paint(view->colour, WM_PAINT_PLAIN));
	wm_trace_view_line(view, line,
		followed->has_before && follower->shown == thread ? &followed->before : NULL);
	follower->shown = thread;
	followed->before = *line;
	followed->has_before = true;
}

/* Of what there is at the first look, the last lines. */
static void print_last(struct follower *follower, struct followed *followed, uint32_t thread)
{
	struct wm_arena arena = {0};
	struct wm_trace_line line, *ring = wm_arena_alloc(&arena, follower->last, sizeof *ring);
	uint64_t used = 0;
	while (wm_trace_lines_next(&followed->lines, &line))
		ring[used++ % follower->last] = line;
	for (uint64_t i = used > follower->last ? used - follower->last : 0; i < used; i++)
		print(follower, followed, thread, &ring[i % follower->last]);
	wm_arena_reset(&arena);
}

static void print_new(struct follower *follower, struct followed *followed, uint32_t thread)
{
	struct wm_trace_line line;
	while (wm_trace_lines_next(&followed->lines, &line))
		print(follower, followed, thread, &line);
}

static struct followed *find(struct follower *follower, uint32_t number)
{
	for (size_t i = 0; i < follower->count; i++)
		if (follower->threads[i].number == number)
			return &follower->threads[i];
	return NULL;
}

static struct followed *start(struct follower *follower, const struct wm_trace_file *file,
	const struct wm_trace_thread *thread)
{
	if (thread->control.parent_process)
		wm_fatal("%s: --follow does not follow children of fork", file->path);
	follower->threads = wm_arena_grow(follower->arena, follower->threads, follower->count,
		&follower->capacity, sizeof *follower->threads);
	struct followed *followed = &follower->threads[follower->count++];
	*followed = (struct followed){.number = thread->number,
		.lines.walk = wm_trace_walk_start(
			follower->arena, &follower->loaded->functions, file, thread, NULL)};
	return followed;
}

static void look_at(struct follower *follower, const struct wm_trace_file *file,
	const struct wm_trace_thread *thread)
{
	struct followed *followed = find(follower, thread->number);
	bool is_new = !followed;
	if (is_new)
		followed = start(follower, file, thread);
	bool certain = is_certain(follower, followed, &thread->control);
	wm_trace_walk_extend(followed->lines.walk, file, thread, certain);
	if (is_new)
		print_last(follower, followed, thread->control.thread);
	else
		print_new(follower, followed, thread->control.thread);
	if (follower->gone)
		fprintf(follower->view->out, "%s%s%s\n",
			wm_paint(follower->view->colour, WM_PAINT_FAINT),
			wm_trace_end_text(followed->lines.step->end),
			wm_paint(follower->view->colour, WM_PAINT_PLAIN));
	if (followed->lines.step->end == WM_TRACE_END_DAMAGED)
		wm_fatal("%s: %s", file->path, wm_trace_walk_reason(followed->lines.walk));
}

static void look(struct follower *follower, const struct wm_trace_file *file)
{
	for (uint32_t i = 0; i < file->thread_count; i++)
		if (!follower->thread || follower->thread == file->threads[i].control.thread)
			look_at(follower, file, &file->threads[i]);
	if (fflush(follower->view->out) != 0)
		wm_fatal("cannot write the trace: %s", strerror(errno));
}

/* What was read last stays mapped until the walks have what follows it. */
void wm_follow(struct wm_arena *arena, struct wm_loaded_trace *loaded,
	const struct wm_trace_view *view, uint64_t thread, uint64_t last)
{
	struct follower follower = {
		.arena = arena, .loaded = loaded, .view = view, .thread = thread, .last = last};
	struct wm_arena arenas[2] = {{0}, {0}};
	struct wm_trace_file files[2] = {0};
	struct wm_error error;
	if (loaded->file.ring)
		wm_fatal("%s: --follow needs a trace of all, without --trace-last",
			loaded->file.path);
	for (unsigned now = 0; !follower.gone; now ^= 1) {
		follower.gone = is_gone(loaded->file.process);
		if (files[now].content)
			wm_trace_file_close(&files[now]);
		wm_arena_reset(&arenas[now]);
		if (wm_trace_file_open(&arenas[now], loaded->file.path, &files[now], &error))
			wm_fatal("%s", error.text);
		look(&follower, &files[now]);
		if (!follower.gone)
			nanosleep(&(struct timespec){.tv_nsec = PAUSE}, NULL);
	}
}
