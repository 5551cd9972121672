/* `.branches`: one retired branch a line, for tests and for anybody's simulator.
 *
 *     begin ADDRESS                    execution begins there, or goes on there after a gap
 *     KIND AT TO [KEY=VALUE...]        call icall ret jmp ijmp, jcc+ taken, jcc- not taken
 *     thread N | signal [ADDRESS] | sigreturn | window
 *     option KEY=VALUE...              before the first branch
 *
 * Keys are after, target, sp (hexadecimal as all addresses), n, e, cycle (decimal). `after` is AT +
 * 4 unless told. # begins a comment.
 */
#ifndef WM_STREAM_BRANCH_TEXT_H
#define WM_STREAM_BRANCH_TEXT_H

#include <stddef.h>

#include "core/base/error.h"
#include "stream/stream.h"

/* Reads the text, which is untrusted. WM_ERROR_INPUT names the file, the line, and what is wrong;
 * what stands before that line has been told. */
int wm_branch_text_read(const char *name, const char *text, size_t bytes,
	const struct wm_stream_sink *sink, struct wm_error *error);

#endif
