/* The state of a walk, for those who move it: regenerate.c along the code, walk_units.c by what is
 * told. A frame is in front of a call, waits in it, or has none left in its block. */
#ifndef WM_TRACE_WALK_H
#define WM_TRACE_WALK_H

#include "core/base/none.h"
#include "trace/regenerate.h"
#include "trace/streams.h"

enum wm_trace_frame_state { WM_FRAME_IN_BLOCK, WM_FRAME_WAITING };

struct wm_trace_frame {
	const struct wm_traced_function *function;
	uint32_t block;
	uint32_t call; /* of the description: the next one, or the one it waits in */
	enum wm_trace_frame_state state;
	uint64_t idle_since; /* readings so far when it began to run without any */
	uint32_t idle;	     /* blocks left since then */
	uint32_t again;	     /* what tells the frame in units AGAIN; 0: not known yet */
	bool is_handler;
	bool resumed;	   /* what it called was left by an exception, which goes on */
	uint64_t position; /* of a handler: what the bits of the interrupted code were at */
	uint64_t started;  /* the running sum where it started */
};

struct wm_trace_walk {
	struct wm_arena *arena;
	struct wm_trace_functions *functions;
	const struct wm_trace_thread *thread;
	struct wm_trace_frame *frames;
	uint32_t depth;
	size_t capacity;
	struct wm_trace_bits bits;
	struct wm_trace_units units;
	uint64_t position; /* in bits */
	uint64_t limit;	   /* bits from here on are not known */
	uint64_t first;	   /* nor are those before here, of a ring */
	uint64_t ring;	   /* as of the file */
	uint64_t readings; /* of bits and units, so far */
	uint32_t least;	   /* the fewest frames since the last one */
	struct wm_trace_step step;
	bool started, ended, full;
	uint32_t lowest;	 /* the fewest frames since the last waypoint */
	uint32_t pending_passed; /* a block to be told before a tail call leaves; or WM_NONE */
	const struct wm_traced_function *pending_entry; /* what a known call enters next, or NULL */
	struct wm_error error;
};

static inline struct wm_trace_frame *wm_walk_top(struct wm_trace_walk *walk)
{
	return &walk->frames[walk->depth - 1];
}

static inline enum wm_call_class wm_walk_class(const struct wm_trace_frame *frame)
{
	return frame->function->call_class[frame->call];
}

/* Bits or units were read: control cannot be in an endless loop. */
static inline void wm_walk_note_reading(struct wm_trace_walk *walk)
{
	walk->readings++;
	walk->least = walk->depth;
}

static inline void wm_walk_come_to_block(struct wm_trace_frame *frame, uint32_t block)
{
	frame->block = block;
	frame->call = frame->function->graph.first_call[block];
	frame->state = WM_FRAME_IN_BLOCK;
}

static inline void wm_walk_go_on_behind_call(struct wm_trace_frame *frame)
{
	frame->call++;
	frame->state = WM_FRAME_IN_BLOCK;
}

static inline const struct wm_trace_step *wm_walk_tell(
	struct wm_trace_walk *walk, enum wm_trace_step_kind kind)
{
	const struct wm_trace_frame *top = walk->depth ? wm_walk_top(walk) : NULL;
	walk->step = (struct wm_trace_step){.kind = kind,
		.function = top ? top->function : NULL,
		.depth = walk->depth ? walk->depth - 1 : 0,
		.block = top ? top->block : 0,
		.edge = WM_NONE,
		.call = top ? top->call : 0};
	return &walk->step;
}

/* Frames, and the steps that end them (walk_frames.c). */
struct wm_trace_frame *wm_walk_push(
	struct wm_trace_walk *walk, const struct wm_traced_function *function);
const struct wm_trace_step *wm_walk_leave(
	struct wm_trace_walk *walk, enum wm_trace_left left, uint32_t edge);
const struct wm_trace_step *wm_walk_end(struct wm_trace_walk *walk, enum wm_trace_end end);
const struct wm_trace_step *wm_walk_damaged(struct wm_trace_walk *walk, const char *reason);

/* The next unit, which is not taken; those behind it, by their distance; and taking it. */
uint32_t wm_walk_peek(struct wm_trace_walk *walk);
uint32_t wm_walk_unit(struct wm_trace_walk *walk, uint32_t distance);
uint32_t wm_walk_word(struct wm_trace_walk *walk, uint32_t distance);
uint64_t wm_walk_long(struct wm_trace_walk *walk, uint32_t distance);
void wm_walk_take(struct wm_trace_walk *walk, uint32_t unit);

/* What is told next happens: a frame waits in a call, or there is none. */
const struct wm_trace_step *wm_walk_take_unit(struct wm_trace_walk *walk);

/* A handler of signals starts, which the unit tells, and returns along the edge. */
const struct wm_trace_step *wm_walk_start_handler(struct wm_trace_walk *walk, uint32_t unit);
const struct wm_trace_step *wm_walk_end_handler(struct wm_trace_walk *walk, uint32_t edge);

#endif
