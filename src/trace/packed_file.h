/* Packed traces: the same pieces, compressed by zstd. Up to 16 pieces that follow each other in a
 * stream are one frame, so a reader keeps a frame of bits and one of calls in memory, and can start
 * anywhere.
 *
 * The header page of the trace, with another magic; entries, up to one of kind WM_TRACE_FREE;
 * control pages as they were, and frames. */
#ifndef WM_TRACE_PACKED_FILE_H
#define WM_TRACE_PACKED_FILE_H

#include "trace/file.h"

#define WM_TRACE_PACKED_MAGIC "WMTPACK1"

enum { WM_TRACE_FRAME_PIECES = 16 };

struct wm_packed_entry {
	uint32_t stream, kind; /* as of struct wm_trace_entry */
	uint64_t number;
	uint64_t offset; /* of the frame, or of a control page */
	uint32_t bytes;	 /* of the frame */
	uint32_t within; /* the piece's place in the frame */
};

struct wm_packed_sizes {
	uint64_t before, after;
};

/* Puts a packed trace in the place of the file, with its time, after all of it was read back and
 * compared. On any error the file is as it was. WM_ERROR_MISMATCH: the process still writes it, or
 * it is packed already, or damaged. */
int wm_trace_pack(const char *path, struct wm_packed_sizes *sizes, struct wm_error *error);

#endif
