/* Branches as `perf script` prints them: those of Intel PT, and stacks of the last branches (LBR).
 *
 *     perf script --show-mmap-events --itrace=b -F pid,tid,ip,addr,flags      FLAGS FROM => TO
 *     perf script --show-mmap-events -F pid,tid,brstack                       FROM/TO/M/... newest
 * first
 *
 * Other fields may stand before them, and symbols and files beside the addresses. Both list
 * branches that were taken. Those that were not are found by decoding the code from each target to
 * the next branch. Where that fails, and where perf lost data, the stream breaks: nothing is told
 * of what was begun.
 */
#ifndef WM_STREAM_PERF_BRANCHES_H
#define WM_STREAM_PERF_BRANCHES_H

#include <stddef.h>

#include "core/base/arena.h"
#include "core/base/error.h"
#include "stream/stream.h"

/* An instruction. */
struct wm_stream_instruction {
	uint8_t bytes;	 /* 0: none is known there */
	uint8_t kind;	 /* as wm_classify says */
	uint64_t target; /* of a direct branch */
};

/* The code that ran. */
struct wm_stream_code {
	void *context;
	/* A file was mapped for execution; the name is not ended by a zero. */
	void (*map)(void *context, uint64_t start, uint64_t bytes, uint64_t offset,
		const char *name, size_t length);
	struct wm_stream_instruction (*at)(void *context, uint64_t address);
};

struct wm_perf_branches {
	uint64_t taken;	  /* branches that the text tells */
	uint64_t samples; /* stacks of branches; 0: a trace */
	uint64_t lost;	  /* places where perf says that it lost data */
	uint64_t breaks;  /* places where code and branches do not fit, or code is not known */
};

/* Whether a text is of this kind, as far as its first lines show. */
bool wm_perf_branches_known(const char *text, size_t bytes);

/* Reads the text, which is untrusted. WM_ERROR_INPUT names the file, the line, and what is wrong.
 */
int wm_perf_branches_read(struct wm_arena *arena, const char *name, const char *text, size_t bytes,
	const struct wm_stream_code *code, const struct wm_stream_sink *sink,
	struct wm_perf_branches *found, struct wm_error *error);

#endif
