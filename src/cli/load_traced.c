/* All threads are walked through. */
#include "cli/load_traced.h"

#include <string.h>

#include "cli/fatal.h"
#include "cli/load_trace.h"
#include "trace/derive.h"

static bool is_trace(const char *word)
{
	size_t length = strlen(word);
	return length > 4 && strcmp(word + length - 4, ".wmt") == 0;
}

/* Counts of a part of a run would be taken for those of a run. */
static void refuse_parts(const struct wm_trace_file *file)
{
	if (file->ring)
		wm_fatal("%s: is a flight recorder, which holds the end only: counts need a trace "
			 "of all, without --trace-last",
			file->path);
	for (uint32_t i = 0; i < file->thread_count; i++)
		if (file->threads[i].control.parent_process)
			wm_fatal("%s: is the trace of a child of fork, which starts in the middle: "
				 "`waymark trace` shows it",
				file->path);
}

static struct wm_profile *derive(struct wm_arena *arena, struct wm_loaded_trace *loaded)
{
	struct wm_profile *profile = wm_arena_alloc(arena, 1, sizeof *profile);
	struct wm_known_counts *counts = wm_trace_counts_start(arena, &loaded->object);
	const struct wm_trace_file *trace = &loaded->file;
	for (uint32_t i = 0; i < trace->thread_count; i++) {
		struct wm_trace_walk *walk =
			wm_load_trace_walk(arena, loaded, &trace->threads[i], NULL);
		wm_trace_counts_add(walk, counts);
		if (wm_trace_walk_reason(walk)[0])
			wm_warn("%s: %s; what is counted ends there", trace->path,
				wm_trace_walk_reason(walk));
	}
	const struct wm_file file = {.path = trace->path,
		.object_path = trace->object_path,
		.build_id = trace->build_id,
		.modified = (time_t)(trace->modified / 1000000000u),
		.file_count = 1,
		.runs = 1,
		.arena = arena};
	wm_profile_make_of_counts(arena, &file, &loaded->object, counts, profile);
	return profile;
}

struct wm_profile *wm_load_traced(
	struct wm_arena *arena, const char *command, char **words, size_t count, const char *binary)
{
	struct wm_loaded_trace *loaded = wm_arena_alloc(arena, 1, sizeof *loaded);
	size_t traces = 0;
	for (size_t i = 0; i < count; i++)
		traces += is_trace(words[i]);
	if (!traces)
		return NULL;
	if (count > 1)
		wm_fatal_usage("%s: name one trace, and nothing else", command);
	wm_load_trace(arena, words[0], binary, loaded);
	refuse_parts(&loaded->file);
	if (loaded->file.damage)
		wm_warn("%s: %s; what is counted may end early", words[0], loaded->file.damage);
	return derive(arena, loaded);
}
