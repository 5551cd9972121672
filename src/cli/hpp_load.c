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

void wm_hpp_file_stream(
	const char *path, const struct wm_hpp_file *file, const struct wm_stream_sink *sink)
{
	struct wm_error error;
	if (memchr(file->bytes, 0, file->count))
		wm_fatal("hpp: %s: is neither a .wmh file nor a text of branches", path);
	if (wm_branch_text_read(path, file->bytes, file->count, sink, &error))
		wm_fatal("hpp: %s", error.text);
}

void wm_hpp_load(struct wm_arena *arena, const char *path, const struct wm_hpp_settings *settings,
	struct wm_hpp_live *live, struct wm_hpp_profile *profile)
{
	struct wm_hpp_file file = wm_hpp_file_load(path);
	struct wm_error error;
	wm_hpp_live_init(live, settings);
	if (wm_hpp_file_is_profile(&file)) {
		if (wm_hpp_profile_decode(arena, path, file.bytes, file.count, profile, &error))
			wm_fatal("hpp: %s", error.text);
	} else {
		struct wm_stream_sink sink = wm_hpp_live_sink(live);
		wm_hpp_file_stream(path, &file, &sink);
		const char *wrong = wm_hpp_live_finish(live);
		if (wrong)
			wm_fatal("hpp: %s: %s", path, wrong);
		wm_hpp_profile_of(arena, path, &live->profiler, profile);
	}
	free(file.bytes);
}
