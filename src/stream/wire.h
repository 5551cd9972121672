/* Branches out of the Valgrind tool's pipe. */
#ifndef WM_STREAM_WIRE_H
#define WM_STREAM_WIRE_H

#include "core/base/error.h"
#include "stream/stream.h"

/* Reads until nobody writes any more. WM_ERROR_SYSTEM: the pipe broke; WM_ERROR_INPUT: it does not
 * hold what the tool writes. */
int wm_wire_read(int descriptor, const struct wm_stream_sink *sink, struct wm_error *error);

#endif
