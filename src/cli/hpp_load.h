/* What `waymark hpp --read=FILE` reads, whichever of its forms the file has. */
#ifndef WM_CLI_HPP_LOAD_H
#define WM_CLI_HPP_LOAD_H

#include "profile/hpp_profile.h"
#include "study/live.h"
#include "study/mapped_code.h"

struct wm_hpp_file {
	char *bytes; /* of the whole file */
	size_t count;
};

/* The whole file. Ends the tool with one line if it cannot be read. */
struct wm_hpp_file wm_hpp_file_load(const char *path);

bool wm_hpp_file_is_profile(const struct wm_hpp_file *file);

/* Sends the branches of a file to the sink. Ends the tool with one line if the file is wrong. If it
 * is text of perf's, the map has the files that it names until wm_mapped_code_close; otherwise
 * none. */
void wm_hpp_file_stream(struct wm_arena *arena, const char *path, const struct wm_hpp_file *file,
	const struct wm_stream_sink *sink, struct wm_mapped_code *map);

/* A profile of the file: as it is kept in it, or of its branches by these settings. The live
 * profiler must outlive the profile. */
void wm_hpp_load(struct wm_arena *arena, const char *path, const struct wm_hpp_settings *settings,
	struct wm_hpp_live *live, struct wm_hpp_profile *profile);

#endif
