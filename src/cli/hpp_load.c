#include "cli/hpp_load.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/fatal.h"
#include "stream/branch_text.h"

static void read_all(const char *path, FILE *in, struct wm_hpp_file *file)
{
	size_t capacity = 0;
	for (;;) {
		if (file->count + 1 >= capacity) {
			capacity = capacity ? 2 * capacity : 1 << 16;
			file->bytes = realloc(file->bytes, capacity);
			if (!file->bytes)
				wm_fatal("hpp: %s: does not fit into memory", path);
		}
		size_t got = fread(file->bytes + file->count, 1, capacity - file->count - 1, in);
		file->count += got;
		if (got == 0)
			break;
	}
	if (ferror(in))
		wm_fatal("hpp: cannot read '%s': %s", path, strerror(errno));
}

struct wm_hpp_file wm_hpp_file_load(const char *path)
{
	struct wm_hpp_file file = {NULL, 0};
	FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
	if (!in)
		wm_fatal("hpp: cannot read '%s': %s", path, strerror(errno));
	read_all(path, in, &file);
	if (in != stdin)
		fclose(in);
	if (file.count == 0)
		wm_fatal("hpp: %s: is empty", path);
	return file;
}

bool wm_hpp_file_is_profile(const struct wm_hpp_file *file)
{
	return file->count >= 5 && memcmp(file->bytes, WM_HPP_MAGIC, 5) == 0;
}

/* What the reader must know of branches that perf recorded: they are samples, or not all are there.
 */
static void tell_of(const char *path, const struct wm_perf_branches *found)
{
	if (found->samples)
		fprintf(stderr,
			"waymark: hpp: %s: %llu samples of the last branches: only paths that lie "
			"in one of "
			"them as a whole are counted\n",
			path, (unsigned long long)found->samples);
	if (found->lost)
		wm_warn("hpp: %s: perf lost data in %llu places; paths that were begun there are "
			"missing",
			path, (unsigned long long)found->lost);
	if (found->breaks)
		wm_warn("hpp: %s: in %llu places the files do not hold the code that ran; paths "
			"that were "
			"begun there are missing",
			path, (unsigned long long)found->breaks);
}

static void stream_perf(struct wm_arena *arena, const char *path, const struct wm_hpp_file *file,
	const struct wm_stream_sink *sink, struct wm_mapped_code *map)
{
	struct wm_stream_code code = wm_mapped_code_open(map, arena);
	struct wm_perf_branches found;
	struct wm_error error;
	const char *wrong;
	if (wm_perf_branches_read(
		    arena, path, file->bytes, file->count, &code, sink, &found, &error))
		wm_fatal("hpp: %s", error.text);
	wrong = wm_mapped_code_wrong(map);
	if (wrong)
		wm_fatal("hpp: %s: %s", path, wrong);
	tell_of(path, &found);
}

void wm_hpp_file_stream(struct wm_arena *arena, const char *path, const struct wm_hpp_file *file,
	const struct wm_stream_sink *sink, struct wm_mapped_code *map)
{
	struct wm_error error;
	*map = (struct wm_mapped_code){.files = 0};
	if (memchr(file->bytes, 0, file->count))
		wm_fatal("hpp: %s: is neither a .wmh file nor a text of branches", path);
	if (wm_perf_branches_known(file->bytes, file->count))
		stream_perf(arena, path, file, sink, map);
	else if (wm_branch_text_read(path, file->bytes, file->count, sink, &error))
		wm_fatal("hpp: %s", error.text);
}

void wm_hpp_load(struct wm_arena *arena, const char *path, const struct wm_hpp_settings *settings,
	struct wm_hpp_live *live, struct wm_hpp_profile *profile)
{
	struct wm_hpp_file file = wm_hpp_file_load(path);
	struct wm_mapped_code map;
	struct wm_error error;
	wm_hpp_live_init(live, settings);
	if (wm_hpp_file_is_profile(&file)) {
		if (wm_hpp_profile_decode(arena, path, file.bytes, file.count, profile, &error))
			wm_fatal("hpp: %s", error.text);
	} else {
		struct wm_stream_sink sink = wm_hpp_live_sink(live);
		wm_hpp_file_stream(arena, path, &file, &sink, &map);
		const char *wrong = wm_hpp_live_finish(live);
		if (wrong)
			wm_fatal("hpp: %s: %s", path, wrong);
		wm_hpp_profile_of(arena, path, &live->profiler, profile);
		if (map.files)
			wm_mapped_code_name(&map, profile);
		wm_mapped_code_close(&map);
	}
	free(file.bytes);
}
