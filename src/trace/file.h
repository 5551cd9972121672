/* A .wmt file as its reader sees it. What it holds is untrusted. */
#ifndef WM_TRACE_FILE_H
#define WM_TRACE_FILE_H

#include <stdbool.h>

#include "core/base/arena.h"
#include "core/base/error.h"
#include "format/trace_file.h"
#include "profile/build_id.h"

struct wm_trace_piece {
	uint64_t number;
	const uint8_t *bytes; /* WM_TRACE_PIECE_BYTES */
};

struct wm_trace_pieces {
	uint32_t count;
	struct wm_trace_piece *piece; /* by rising number */
};

struct wm_trace_thread {
	uint32_t number;
	struct wm_trace_stream control; /* as it was when the file was read */
	struct wm_trace_pieces calls, bits;
};

struct wm_trace_file {
	const char *path;
	const char *object_path;
	struct wm_build_id build_id;
	uint32_t process;
	uint32_t status;   /* enum wm_trace_status */
	uint64_t counters; /* address of the object's counters in the process */
	uint64_t counter_count;
	uint64_t ring; /* pieces that a stream keeps of each kind; 0: all */
	uint32_t thread_count;
	struct wm_trace_thread *threads;
	uint64_t bytes;	    /* of all pieces */
	uint64_t modified;  /* when it was written last, in nanoseconds; 0: not known */
	const char *damage; /* the file ends early or holds what cannot be; or NULL */
};

/* Reads what is in memory, which must stay there. WM_ERROR_INPUT if it is no .wmt file. */
int wm_trace_file_parse(struct wm_arena *arena, const char *path, const uint8_t *bytes,
	uint64_t count, struct wm_trace_file *file, struct wm_error *error);

/* The same of a file, which stays mapped until the process ends. WM_ERROR_SYSTEM. */
int wm_trace_file_open(struct wm_arena *arena, const char *path, struct wm_trace_file *file,
	struct wm_error *error);

/* The piece with the number, or NULL. */
const uint8_t *wm_trace_piece_bytes(const struct wm_trace_pieces *pieces, uint64_t number);

#endif
