/* Branches as the Valgrind tool writes them into a pipe: one record each, little endian. */
#ifndef WM_FORMAT_HPP_WIRE_H
#define WM_FORMAT_HPP_WIRE_H

#include "hpp/branch.h"

enum wm_hpp_wire_kind {
	/* Smaller kinds are those of branches. */
	WM_WIRE_BEGIN = 100, /* the thread runs at `at` */
	WM_WIRE_THREAD,	     /* what follows is of thread `at` */
	WM_WIRE_SIGNAL,	     /* a handler begins at `at` */
	WM_WIRE_SIGRETURN,
	WM_WIRE_END_THREAD,
	WM_WIRE_REST /* instructions that no branch followed */
};

struct wm_hpp_wire {
	uint64_t at, after, to, target, stack;
	uint32_t instructions;
	uint8_t kind, taken;
	uint8_t unused[2];
	uint32_t counts[WM_HPP_COUNTS]; /* of every event */
};

#endif
