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
	const uint8_t *bytes; /* of the piece, or of its frame; NULL: the file ends before it */
	uint32_t packed;      /* bytes of the frame, in which it is packed; 0: it is not */
	uint32_t within;      /* its place in its frame, in pieces */
};

struct wm_trace_pieces {
	uint32_t count;
	bool truncated;		      /* one that is not there may be lost */
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
	const uint8_t *content;
	uint64_t content_bytes;
	uint64_t bytes;	    /* of all pieces */
	uint64_t modified;  /* when it was written last, in nanoseconds; 0: not known */
	bool packed;	    /* by waymark trace --pack */
	bool truncated;	    /* pieces that nothing tells of may be missing */
	const char *damage; /* the file ends early or holds what cannot be; or NULL */
};

/* Reads what is in memory, which must stay there. WM_ERROR_INPUT if it is no .wmt file. */
int wm_trace_file_parse(struct wm_arena *arena, const char *path, const uint8_t *bytes,
	uint64_t count, struct wm_trace_file *file, struct wm_error *error);

/* The same of a file, which is mapped until it is closed. WM_ERROR_SYSTEM. */
int wm_trace_file_open(struct wm_arena *arena, const char *path, struct wm_trace_file *file,
	struct wm_error *error);
void wm_trace_file_close(struct wm_trace_file *file);

/* Where a reader of pieces keeps what it has unpacked. */
struct wm_trace_unpacked {
	uint8_t *bytes;	      /* room for a frame; NULL: the file is not packed */
	const uint8_t *frame; /* what they were packed in; NULL: nothing is there yet */
	size_t held;	      /* how many bytes are there */
	bool damaged;	      /* a piece that was asked for is lost, or could not be unpacked */
};

/* For the pieces of the file, in the arena. */
struct wm_trace_unpacked wm_trace_unpacked_for(
	struct wm_arena *arena, const struct wm_trace_file *file);

/* The bytes of a piece, until the next one is asked for; NULL if it is damaged. */
const uint8_t *wm_trace_piece_unpack(
	const struct wm_trace_piece *piece, struct wm_trace_unpacked *unpacked);

/* The same of the piece with the number, or NULL: there is none, or it is damaged. */
const uint8_t *wm_trace_piece_bytes(
	const struct wm_trace_pieces *pieces, uint64_t number, struct wm_trace_unpacked *unpacked);

#endif
