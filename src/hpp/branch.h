/* A retired branch: all that the profiler sees of a program.
 *
 * System calls, interrupts, repeated string instructions (one instruction, however often they
 * repeat) and conditional moves are no branches.
 */
#ifndef WM_HPP_BRANCH_H
#define WM_HPP_BRANCH_H

#include <stdbool.h>
#include <stdint.h>

enum wm_branch_kind {
	WM_BRANCH_CALL,
	WM_BRANCH_CALL_INDIRECT,
	WM_BRANCH_RETURN,
	WM_BRANCH_JUMP,
	WM_BRANCH_JUMP_INDIRECT,
	WM_BRANCH_CONDITIONAL,
	WM_BRANCH_KINDS
};

/* What can be counted along a path. The numbers are those of the control word's field. */
enum wm_hpp_event {
	WM_HPP_EVENT_FREQUENCY,
	WM_HPP_EVENT_INSTRUCTIONS,
	WM_HPP_EVENT_BRANCHES,
	WM_HPP_EVENT_LOADS,
	WM_HPP_EVENT_STORES,
	WM_HPP_EVENT_L1I,
	WM_HPP_EVENT_L1D,
	WM_HPP_EVENT_L2,
	WM_HPP_EVENT_MISPREDICTIONS,
	WM_HPP_EVENT_CYCLES,
	WM_HPP_EVENT_POWER,
	WM_HPP_EVENT_POWER_CYCLE, /* in halves of the unit, so that nothing is rounded */
	WM_HPP_EVENT_CALLS,
	WM_HPP_EVENTS,
	/* Beside them, for studies: misses in other second-level caches, and those of another predictor. */
	WM_HPP_OTHER_L2 = WM_HPP_EVENTS,
	WM_HPP_OTHERS = 3,
	WM_HPP_OTHER_PREDICTOR = WM_HPP_OTHER_L2 + WM_HPP_OTHERS,
	WM_HPP_COUNTS
};

struct wm_branch {
	uint64_t at;	       /* address of the branch */
	uint64_t after;	       /* address of the instruction behind it */
	uint64_t to;	       /* address of the instruction that ran next */
	uint64_t target;       /* where it goes if taken; `to` where that is not known */
	uint64_t stack;	       /* stack pointer behind it; 0: unknown */
	uint32_t instructions; /* retired since the branch before this one, this one included */
	uint32_t events;       /* of the selected kind, by those instructions */
	uint8_t kind;
	bool taken;		/* true for all but conditionals that fell through */
	const uint32_t *counts; /* WM_HPP_COUNTS of them, of every kind; NULL: not modelled */
};

#endif
