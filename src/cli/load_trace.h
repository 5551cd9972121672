/* Opening the trace that a command names. An error ends the tool with one line. */
#ifndef WM_CLI_LOAD_TRACE_H
#define WM_CLI_LOAD_TRACE_H

#include "core/base/arena.h"
#include "trace/regenerate.h"

struct wm_loaded_trace {
	struct wm_trace_file file;
	struct wm_object object;
	struct wm_trace_functions functions;
};

/* The file that the words mean: a .wmt file, a program or a folder (its newest), or none. */
const char *wm_load_trace_find(
	struct wm_arena *arena, const char *command, char **words, int count);

/* Reads it and its object, which `binary` may name. */
void wm_load_trace(struct wm_arena *arena, const char *path, const char *binary,
	struct wm_loaded_trace *loaded);

/* A walk through the thread; that of a forked child goes on where its parent's was. */
struct wm_trace_walk *wm_load_trace_walk(struct wm_arena *arena, struct wm_loaded_trace *loaded,
	const struct wm_trace_thread *thread, const char *binary);

#endif
