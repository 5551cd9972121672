/* Running a command under the profiler's Valgrind tool. */
#ifndef WM_CLI_HPP_RUN_H
#define WM_CLI_HPP_RUN_H

#include "core/base/arena.h"
#include "stream/stream.h"
#include "study/settings.h"

struct wm_hpp_run {
	int status;	  /* exit status of the command, or 128 and its signal */
	const char *file; /* the command's .wmh file, or NULL */
	size_t others;	  /* files of its children */
};

/* Runs the command, whose branches go to the sink as well unless that is NULL. `to` is where its
 * profile goes, or NULL: hpp-NAME-PID.wmh. Ends the tool with one line if it cannot be run under
 * Valgrind; if it could be, but left no profile, one line says why. */
struct wm_hpp_run wm_hpp_run(struct wm_arena *arena, char **words,
	const struct wm_hpp_settings *settings, const char *to, bool children,
	const struct wm_stream_sink *sink);

#endif
