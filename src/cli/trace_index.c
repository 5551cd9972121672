/* The file is a cache: that it cannot be written (a folder that is somebody else's) is no failure.
 */
#include "cli/trace_index.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "trace/waypoint_file.h"

enum { LARGE = 1 << 24 }; /* in blocks; fewer take less than a second */

void wm_trace_index_start(struct wm_arena *arena, struct wm_loaded_trace *loaded,
	const char *binary, struct wm_trace_index *index)
{
	const struct wm_trace_file *file = &loaded->file;
	*index = (struct wm_trace_index){.arena = arena,
		.loaded = loaded,
		.binary = binary,
		.made = wm_arena_alloc(arena, file->thread_count, sizeof *index->made),
		.threads = wm_waypoint_file_read(
			arena, wm_waypoint_file_name(arena, file), file, &loaded->functions)};
	index->from_file = index->threads != NULL;
	if (!index->from_file)
		index->threads = wm_arena_alloc(arena, file->thread_count, sizeof *index->threads);
}

struct progress {
	struct timespec started;
	bool shown;
};

static void tell(void *context, uint64_t blocks)
{
	struct progress *progress = context;
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (now.tv_sec < progress->started.tv_sec + 2 || !isatty(STDERR_FILENO))
		return;
	progress->shown = true;
	fprintf(stderr, "\rreading the trace: %" PRIu64 " million blocks", blocks / 1000000);
}

static void make(struct wm_trace_index *index, uint32_t thread, struct wm_trace_walk *walk)
{
	struct progress progress = {.shown = false};
	clock_gettime(CLOCK_MONOTONIC, &progress.started);
	wm_waypoints_make(index->arena, walk, WM_WAYPOINT_SPACING, UINT64_MAX,
		&(struct wm_waypoint_progress){tell, &progress}, &index->threads[thread]);
	index->made[thread] = true;
	if (progress.shown)
		fprintf(stderr, "\r\033[K");
}

struct wm_trace_reading *wm_trace_index_read(
	struct wm_trace_index *index, uint32_t thread, struct wm_trace_walk **walk)
{
	struct wm_loaded_trace *loaded = index->loaded;
	const struct wm_trace_thread *of = &loaded->file.threads[thread];
	if (index->from_file) {
		*walk = wm_trace_walk_start(
			index->arena, &loaded->functions, &loaded->file, of, NULL);
	} else {
		*walk = wm_load_trace_walk(index->arena, loaded, of, index->binary);
		make(index, thread, *walk);
	}
	return wm_trace_reading_start(index->arena, *walk, &index->threads[thread]);
}

void wm_trace_index_keep(const struct wm_trace_index *index)
{
	struct wm_error error;
	const struct wm_trace_file *file = &index->loaded->file;
	bool is_large = false, is_whole = !index->from_file && !file->ring && !file->damage;
	for (uint32_t i = 0; i < file->thread_count; i++) {
		is_large |= index->threads[i].blocks >= LARGE;
		is_whole &= index->made[i];
	}
	if (is_large && is_whole)
		wm_waypoint_file_write(
			wm_waypoint_file_name(index->arena, file), file, index->threads, &error);
}
