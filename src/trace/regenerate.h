/* Regeneration: what a thread executed, told from its bits and calls and from the graphs of its
 * functions, step by step. The memory that this needs grows with the stack of calls only.
 *
 * The walk goes along edges that the code leaves no choice for, takes the next bits at each branch,
 * and the next unit at each call that is told. A handler of signals starts at some point near where
 * the running sum of bits says that it started: bits that are not zero show on which side. */
#ifndef WM_TRACE_REGENERATE_H
#define WM_TRACE_REGENERATE_H

#include "trace/functions.h"

enum wm_trace_step_kind {
	WM_TRACE_STEP_ENTER, /* a function was called */
	WM_TRACE_STEP_BLOCK, /* a block was entered, along `edge` or behind ENTER or LAND */
	WM_TRACE_STEP_CALL,  /* the block made the call */
	WM_TRACE_STEP_BACK,  /* the call came back */
	WM_TRACE_STEP_LAND,  /* an exception landed in the function */
	WM_TRACE_STEP_AGAIN, /* control came back to an earlier call of the function */
	WM_TRACE_STEP_LEAVE, /* the function returned, or was left */
	WM_TRACE_STEP_NOTE,  /* the program told a number */
	WM_TRACE_STEP_END    /* nothing more is known */
};

enum wm_trace_left {
	WM_TRACE_LEFT_RETURN,
	WM_TRACE_LEFT_TAIL,   /* for a call in tail position */
	WM_TRACE_LEFT_RESUME, /* the exception goes on */
	WM_TRACE_LEFT_EARLY   /* by a jump or an exception */
};

enum wm_trace_end {
	WM_TRACE_END_RETURNED, /* the thread's first function returned */
	WM_TRACE_END_IN_CALL,  /* the thread ended, or is, in a call that is not traced further */
	WM_TRACE_END_IN_CODE,  /* it was killed, or is running; the last steps are uncertain */
	WM_TRACE_END_FULL,     /* there was no room for more */
	WM_TRACE_END_DAMAGED   /* the text says why */
};

struct wm_trace_step {
	enum wm_trace_step_kind kind;
	const struct wm_traced_function *function;
	uint32_t depth; /* of the function's frame, from 0 */
	uint32_t block;
	uint32_t edge;	 /* BLOCK, LAND, LEAVE: of the description; WM_NONE if it is none */
	uint32_t call;	 /* CALL, BACK, AGAIN: of the description */
	bool is_handler; /* ENTER: as a handler of signals */
	uint64_t note;	 /* NOTE */
	enum wm_trace_left left;
	enum wm_trace_end end;
};

struct wm_trace_walk;

/* Starts a walk through the thread, in the arena. `parent` is the walk of the thread that forked,
 * and which has come to that place, or NULL. */
struct wm_trace_walk *wm_trace_walk_start(struct wm_arena *arena,
	struct wm_trace_functions *functions, const struct wm_trace_file *file,
	const struct wm_trace_thread *thread, const struct wm_trace_walk *parent);

/* Lets a walk go on that has ended, or has not begun: the same trace was read again. Unless all
 * is certain, it ends again before what a thread that computes may not have done yet. What is read
 * must stay until the next time. */
void wm_trace_walk_extend(struct wm_trace_walk *walk, const struct wm_trace_file *file,
	const struct wm_trace_thread *thread, bool certain);

/* The next step. Behind the end it is the end again. */
const struct wm_trace_step *wm_trace_walk_next(struct wm_trace_walk *walk);

/* Functions of the object. */
uint32_t wm_trace_walk_function_count(const struct wm_trace_walk *walk);

/* The frames that there are now, and the function of one, the outermost first. */
uint32_t wm_trace_walk_depth(const struct wm_trace_walk *walk);
const struct wm_traced_function *wm_trace_walk_function(
	const struct wm_trace_walk *walk, uint32_t frame);

/* Where the walk is: bits and bytes of calls before it. */
uint64_t wm_trace_walk_bits(const struct wm_trace_walk *walk);
uint64_t wm_trace_walk_calls(const struct wm_trace_walk *walk);

/* Whether it is in the call in which the child was made. */
bool wm_trace_walk_is_at_fork(
	const struct wm_trace_walk *walk, const struct wm_trace_stream *child);

/* Why it ended damaged. */
const char *wm_trace_walk_reason(const struct wm_trace_walk *walk);

#endif
