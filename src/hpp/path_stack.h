/* The path detector: retired branches in, paths out.
 *
 * A path is (start, length, outcomes): where it starts, and one bit per branch along it. Each active
 * procedure has one entry, because calls push and returns pop. The thesis, section 5.2, gives the
 * operations. Where its text would break the stack (a path that ends inside an extended callee) the
 * callers get entries of their own, which start at the return addresses. So
 *     sum over the entries of 1 + extended calls = active frames.
 * Exceptions and longjmp are repaired by return addresses and, where known, stack pointers.
 */
#ifndef WM_HPP_PATH_STACK_H
#define WM_HPP_PATH_STACK_H

#include <stddef.h>

#include "hpp/control.h"

enum wm_path_ending {
	WM_ENDING_RETURN,
	WM_ENDING_BACKWARD,
	WM_ENDING_INDIRECT,
	WM_ENDING_CALL,
	WM_ENDING_SPLIT,     /* it had the maximum length */
	WM_ENDING_ABANDONED, /* its frame was left without a return, or the run ended */
	WM_ENDING_FORWARD,   /* only with control words that end paths there */
	WM_ENDINGS
};

enum {
	WM_ENTRY_PARTIAL = 1,	 /* its start is not where a path starts */
	WM_ENTRY_STUCK = 2,	 /* the event counter reached its top */
	WM_ENTRY_HAS_RETURN = 4, /* where its frame returns to is known */
	WM_ENTRY_SIGNAL = 8,	 /* its frame is that of a signal's handler */
	WM_ENTRY_COUNTED = 16	 /* counts of all events are there, not of instructions only */
};

struct wm_path_entry {
	uint64_t start;
	uint32_t outcomes; /* the first branch in bit 0 */
	uint8_t length;
	uint8_t extension;
	uint8_t flags;
	uint64_t events;	/* the hardware's counter */
	uint64_t frame_return;	/* where the frame returns to */
	uint64_t frame_stack;	/* stack pointer where the frame was entered; 0: unknown */
	uint32_t count[WM_HPP_COUNTS];	/* of every event; not in hardware. */
};

/* What the operations of one branch cost. */
struct wm_path_work {
	uint32_t pushes, pops, updates, update_counts;
};

struct wm_path_stack_figures {
	uint64_t emitted, dropped, underflows, saturated, repairs, splits, spills, refills, deepest;
};

struct wm_path_stack;
typedef void (*wm_path_sink)(
	void *context, const struct wm_path_entry *path, enum wm_path_ending ending);

struct wm_path_stack {
	struct wm_control control;
	uint64_t event_top;  /* of the event counter */
	uint32_t depth;	     /* entries in hardware */
	bool spill;	     /* beyond: to memory, instead of dropping the oldest */
	bool as_published;   /* the thesis' rule for paths across calls, to show that it fails */
	struct wm_path_entry *entry; /* a ring */
	uint64_t *returns;	     /* `maximum` for each entry */
	uint32_t capacity;	     /* a power of two */
	uint32_t first, entries;
	wm_path_sink sink;
	void *context;
	struct wm_path_work work; /* of the last branch */
	struct wm_path_stack_figures figures;
};

/* Bytes of memory for a stack; the capacity is a power of two. */
size_t wm_path_stack_bytes(uint32_t capacity, const struct wm_control *control);

/* Empty, with a depth of 32, and an event counter of 8 bits. The memory is the caller's. */
void wm_path_stack_init(struct wm_path_stack *stack, const struct wm_control *control, void *memory,
	uint32_t capacity);

/* The event counter's width: 1 .. 32 bits, or 0 for no limit. */
void wm_path_stack_counter_bits(struct wm_path_stack *stack, unsigned bits);

/* Whether the next branch might need more room than there is; only stacks that spill want it.
 * Without more room, the oldest entries are dropped. */
bool wm_path_stack_is_full(const struct wm_path_stack *stack);

/* Moves the entries to larger memory; the old is the caller's again. */
void wm_path_stack_move(struct wm_path_stack *stack, void *memory, uint32_t capacity);

/* A new frame of which nothing is known, and a partial path at the address. */
void wm_path_stack_begin(struct wm_path_stack *stack, uint64_t address);

/* One branch. There must be an entry. */
void wm_path_stack_step(struct wm_path_stack *stack, const struct wm_branch *branch);

/* Instructions that retired without a branch behind them (the last ones of a run). */
void wm_path_stack_count(struct wm_path_stack *stack, const struct wm_branch *branch);

/* A signal's handler begins at the address; it ends, whichever frames it was in. */
void wm_path_stack_signal(struct wm_path_stack *stack, uint64_t address);
void wm_path_stack_sigreturn(struct wm_path_stack *stack);

/* Emits all entries as abandoned. */
void wm_path_stack_finish(struct wm_path_stack *stack);

/* Another control word, for the next branch. Room for return addresses is not moved: the maximum
 * may not grow. Turned on, profiling starts with an empty stack and a partial path. */
void wm_path_stack_control(
	struct wm_path_stack *stack, const struct wm_control *control, uint64_t address);

/* Entry 0 is the top. */
struct wm_path_entry *wm_path_stack_entry(const struct wm_path_stack *stack, uint32_t below);

#endif
