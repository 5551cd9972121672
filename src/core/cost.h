/* The cost model: how many instructions a plan adds to a run, from how often edges and vertices
 * run.
 *
 * Code that a probe or a change of a register needs is priced by the instructions it becomes on
 * x86-64, with counters in the gs segment. What the compiler does in consequence, jumps and the
 * program's own values that must make room for a register, is priced by averages: bench/cost_model
 * sets the model beside measurement. The same prices drive the planners, which must decide before
 * all is known.
 */
#ifndef WM_CORE_COST_H
#define WM_CORE_COST_H

#include "core/path_plan.h"

/* Executed instructions of each. */
struct wm_prices {
	double increment;
	double in_register; /* to add to a counter that a loop keeps in a register: takes less
			       than half of the time that it takes in memory */
	double flush;	    /* to set such a counter to zero and to add it to memory */
	double by_register;
	double set;	      /* to give the register a value */
	double move;	      /* to add to it */
	double compare;	      /* the target of an indirect jump with the address of a label */
	double outside;	      /* of a loop: to compute its trip count, to widen it, to add it */
	double context_test;  /* whether there is a context */
	double context_set;   /* to a constant */
	double context_way;   /* to add the way to here */
	double context_times; /* to add the context before, times the ways */
	double table;	      /* to make a key, to call, and to count by it */
	/* Averages. */
	double without_branch; /* a factor for code in a block that ends without a branch: empty of
				  ours, the compiler often merges it with another */
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

/* A run, or what is expected of one. */
struct wm_cost_weights {
	const struct wm_cfg *cfg;
	const double *edge;    /* by edge: how often it runs */
	const double *vertex;  /* by vertex but EXIT */
	const uint8_t *place;  /* by edge: enum wm_place */
	const double *outside; /* by edge, or NULL: if its plain counter is computed outside of its
				  loop, how often the loop is entered; negative if it is not */
};

/* Executions of each, and the sum of all at their prices. */
struct wm_cost {
	double increments;
	double by_register;
	double sets;
	double moves;
	double compares;
	double outside;
	double context_tests;
	double context_sets;
	double context_ways;
	double context_times;
	double table_counts;
	double splits;
	double saves;
	double live;
	double total; /* instructions */
};

/* Where code for an edge stands if no indirect jump leads along it. */
enum wm_place wm_cost_usual_place(const struct wm_cfg *cfg, uint32_t edge);

/* What a planner expects of a plain probe on an edge, but for its size. */
double wm_cost_on_edge(enum wm_place place, double edge_weight, double source_weight);

/* The same of a probe by history, as a multiple of a plain one: whether it asks for a context, and
 * which part of what it counts goes to a table. */
double wm_cost_of_history(bool asks, double in_table);

/* A plan of counters for edges and blocks. */
struct wm_cost wm_cost_of_plan(struct wm_arena *scratch, const struct wm_plan *plan,
	const struct wm_cost_weights *weights);

/* A plan for paths that knows its registers. */
struct wm_cost wm_cost_of_path_plan(struct wm_arena *scratch, const struct wm_path_plan *plan,
	const struct wm_cost_weights *weights);

#endif
