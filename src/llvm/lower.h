/* Lowering: the probes of a plan become increments in the code. */
#ifndef WM_LLVM_LOWER_H
#define WM_LLVM_LOWER_H

#include <llvm-c/Core.h>

#include "core/path_plan.h"
#include "core/plan.h"
#include "core/probe_keys.h"
#include "llvm/capture.h"

struct wm_lowering {
	struct wm_arena *arena;
	struct wm_bridge *bridge;
	const struct wm_capture *capture;
	const double *edge_weight;   /* by edge: expected executions per call */
	const double *vertex_weight; /* by vertex, likewise */
	bool measured;		     /* these were measured in an earlier build */
	LLVMValueRef counters;	     /* this function's counters, an array of i64 */
	bool in_segment;	     /* they are addressed relative to the gs register */
	LLVMValueRef delta;	     /* thread-local: the thread's counters minus the static ones */
	LLVMValueRef attach;	     /* returns the delta of a thread that has none yet */
	LLVMValueRef count;	     /* counts a key in a table; only where there are tables */
	const struct wm_probe_keys **known; /* by probe: see core/probe_keys.h; or NULL */
	bool optimise;			    /* whether counters may leave loops */
	bool opaque; /* an increment must be written as the one instruction that it should become */
};

/* True if the trip count of a loop gives this edge's count outside of the loop; then stores what
 * computing and adding it costs per call of the function. */
bool wm_lower_cost_outside(const struct wm_lowering *lowering, uint32_t edge, double *cost);

/* What counting so often costs in a loop, or, if it is NULL, in none. */
double wm_lower_cost_in_loop(const struct wm_lowering *lowering, wm_loop_ref loop, double weight);

/* Inserts the increments of all probes. The control-flow graph changes by new blocks on edges. */
void wm_lower_probes(const struct wm_lowering *lowering, const struct wm_plan *plan);

/* The same for a plan for paths, with the register that holds the history. */
void wm_lower_paths(const struct wm_lowering *lowering, const struct wm_path_plan *plan);

#endif
