/* The whole profiler: a path stack per thread, all paths, one hot path table, the queue before it.
 *
 * Whoever has branches gives them here: the Valgrind tool, and `waymark` for texts. Memory comes
 * from the caller's function. If it has none left, profiling stops, and `failed` says so.
 */
#ifndef WM_HPP_PROFILER_H
#define WM_HPP_PROFILER_H

#include "hpp/commit_queue.h"
#include "hpp/exact_table.h"
#include "hpp/hot_table.h"
#include "hpp/path_stack.h"

/* Like realloc; NULL if there is no memory, and then `old` is as it was. Zero bytes: free it. */
typedef void *(*wm_resize)(void *old, size_t old_bytes, size_t bytes);

enum { WM_QUEUE_SIZES = 6, WM_QUEUE_SPEEDS = 6, WM_QUEUE_UNIT = 12 };

extern const uint8_t wm_queue_slots[WM_QUEUE_SIZES];

/* Of each speed the time of an instruction, in twelfths of a cycle; 0: as the machine says. */
extern const uint8_t wm_queue_speed[WM_QUEUE_SPEEDS];

struct wm_profiler_options {
	struct wm_control control;
	uint32_t depth;
	bool spill;
	bool as_published;
	bool complete_only; /* paths of which the start was not seen do not count */
	uint8_t counter_bits;
	bool queues; /* model the queue at all sizes and speeds */
	struct wm_hot_shape table;
	uint32_t limit; /* distinct paths; beyond them a hot path table of this size takes their
			   place */
};

/* 512 x 4, folded, least frequently used, Ball-Larus paths by frequency. */
extern const struct wm_profiler_options wm_profiler_defaults;

/* Told of each path; `number` is that of the exact table, UINT32_MAX beyond the limit. */
typedef void (*wm_profiler_consumer)(
	void *context, uint32_t number, const struct wm_path_entry *path, uint32_t weight);

struct wm_profiler_thread {
	uint64_t number;
	struct wm_path_stack stack;
	void *memory;
	size_t bytes;
};

struct wm_profiler {
	struct wm_profiler_options options;
	wm_resize resize;
	struct wm_profiler_thread *thread;
	uint32_t threads, thread_capacity;
	struct wm_profiler_thread *current;
	struct wm_exact_table exact;
	struct wm_hot_table table, sketch; /* the sketch is without cells until it is needed */
	struct wm_latencies latencies;
	uint32_t presented, missed; /* to and in the table, by the current branch */
	uint64_t instructions, branches, kind[WM_BRANCH_KINDS], cycles, service, beyond_limit,
		switches;
	struct wm_commit_queue queue[WM_QUEUE_SPEEDS][WM_QUEUE_SIZES];
	wm_profiler_consumer consumer;
	void *context;
	bool failed;
};

/* False if there is no memory. */
bool wm_profiler_init(
	struct wm_profiler *profiler, const struct wm_profiler_options *options, wm_resize resize);

void wm_profiler_free(struct wm_profiler *profiler);

/* The thread that the next branches belong to. */
void wm_profiler_thread(struct wm_profiler *profiler, uint64_t number);

/* The current thread runs at this address, of which nothing is known before. */
void wm_profiler_begin(struct wm_profiler *profiler, uint64_t address);

/* `cycles`: what the machine took since the branch before, if it is modelled. A thread that has not
 * begun does so at the branch. */
void wm_profiler_branch(
	struct wm_profiler *profiler, const struct wm_branch *branch, uint32_t cycles);

/* A path that has run before, from behind a backward branch to a backward branch of the same frame.
 */
struct wm_path_again {
	uint32_t number; /* in the exact table */
	uint32_t instructions;
	uint8_t conditionals, jumps; /* all its branches */
};

/* Whether the current thread's path begins here, and counts nothing but instructions and outcomes.
 */
bool wm_profiler_begins(const struct wm_profiler *profiler, uint64_t address);

/* The path that begins here runs again, as many times as told, and the next begins at `to`. The
 * same as wm_profiler_branch for each of its branches, but for the models of events and queues. */
void wm_profiler_again(struct wm_profiler *profiler, const struct wm_path_again *again,
	uint64_t times, uint64_t to);

/* Instructions without a branch behind them. */
void wm_profiler_count(struct wm_profiler *profiler, const struct wm_branch *rest);

void wm_profiler_signal(struct wm_profiler *profiler, uint64_t address);
void wm_profiler_sigreturn(struct wm_profiler *profiler);

/* The current thread is over; or all are. */
void wm_profiler_end_thread(struct wm_profiler *profiler);
void wm_profiler_finish(struct wm_profiler *profiler);

/* Forgets all paths and counts, but not where the threads are: a process that was just forked. */
void wm_profiler_clear(struct wm_profiler *profiler);

/* The path stacks' figures, of all threads; `deepest` is the maximum. */
struct wm_path_stack_figures wm_profiler_figures(const struct wm_profiler *profiler);

#endif
