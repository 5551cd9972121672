/* The cost model: how many instructions a plan adds to a run, from how often edges and vertices
 * run, at the prices of core/cost/prices.h. bench/cost_model compares it with measurement. */
#ifndef WM_TESTS_COST_MODEL_H
#define WM_TESTS_COST_MODEL_H

#include "core/cost/prices.h"
#include "core/paths/path_plan.h"

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
	double prehistory_tests;
	double prehistory_sets;
	double prehistory_routes;
	double prehistory_times;
	double table_counts;
	double splits;
	double saves;
	double live;
	double total; /* instructions */
};

/* Where code for an edge stands if no indirect jump leads along it. */
enum wm_place wm_cost_usual_place(const struct wm_cfg *cfg, uint32_t edge);

/* A plan of counters for edges and blocks. */
struct wm_cost wm_cost_of_plan(struct wm_arena *scratch, const struct wm_plan *plan,
	const struct wm_cost_weights *weights);

/* A plan for paths that knows its registers. */
struct wm_cost wm_cost_of_path_plan(struct wm_arena *scratch, const struct wm_path_plan *plan,
	const struct wm_cost_weights *weights);

#endif
