/* The prices of code, in executed instructions: the planners decide by them.
 *
 * Code that a probe or a change of a register needs is priced by the instructions it becomes on
 * x86-64, with counters in the gs segment. What the compiler does in consequence is priced by
 * averages: jumps, and the program's own values that must make room for a register. The model of
 * bench/cost_model prices whole plans in the same way and is compared with measurement.
 */
#ifndef WM_CORE_PRICES_H
#define WM_CORE_PRICES_H

#include <stdbool.h>

/* Executed instructions of each. */
struct wm_prices {
	double increment;
	double in_register; /* to add to a counter that a loop keeps in a register: takes less
			       than half of the time that it takes in memory */
	double flush;	    /* to set such a counter to zero and to add it to memory */
	double by_register;
	double set;		 /* to give the register a value */
	double move;		 /* to add to it */
	double compare;		 /* the target of an indirect jump with the address of a label */
	double outside;		 /* of a loop: to compute its trip count, to widen it, to add it */
	double prehistory_test;	 /* whether there is a prehistory */
	double prehistory_set;	 /* to a constant */
	double prehistory_route; /* to add the route to here */
	double prehistory_times; /* to add the prehistory before, times the routes */
	double table;		 /* to make a key, to call, and to count by it */
	/* Averages. */
	double without_branch; /* a factor for code in a block that ends without a branch: without
				  our code, the compiler often merges it with another */
	double split;  /* the jump of a block put on an edge; layout saves about every second one */
	double save;   /* registers saved, per call of a function that has ours */
	double live;   /* values moved to the frame and back, per block that has ours */
	double upkeep; /* sets, moves, save and live together, per probe that uses the register */
	/* Not executed, but per call of the function: a block put on an edge fills the instruction
	 * cache, and takes the compiler's time. It decides only between cold edges. Where paths are
	 * counted there is more code, and it weighs more. */
	double size;
	double size_among_paths;
};

extern const struct wm_prices wm_prices;

/* Where code for an edge stands. */
enum wm_place {
	WM_PLACE_IN_BLOCK, /* in a block at one of its ends */
	WM_PLACE_SPLIT,	   /* in a block of its own */
	WM_PLACE_COMPARED  /* before the indirect jump that may take it */
};

/* What a planner expects of a plain probe on an edge, but for its size. */
double wm_cost_on_edge(enum wm_place place, double edge_weight, double source_weight);

/* The same of a probe by history, as a multiple of a plain one: whether it tests for a prehistory,
 * and which part of what it counts goes to a table. */
double wm_cost_of_history(bool asks, double in_table);

#endif
