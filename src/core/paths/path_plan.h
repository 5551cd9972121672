/* The plan of a function's path profile: cuts, probes, where their counters stand, and how a
 * register carries the history from probe to probe.
 *
 * Probes are chosen in the split graph (core/graph/split_graph.h), so they stand on edges or in
 * blocks. The register holds the history minus a potential of the vertex, so that most edges, and
 * the busiest of them, leave it as it is. Where there is one history only, there is no register.
 */
#ifndef WM_CORE_PATH_PLAN_H
#define WM_CORE_PATH_PLAN_H

#include "core/counters/plan.h"
#include "core/graph/split_graph.h"
#include "core/paths/histories.h"

struct wm_path_request {
	struct wm_regions_request cuts;
	const double *edge_cost;	 /* by edge: of a probe there */
	const double *vertex_cost;	 /* by vertex */
	const double *plain_cost;	 /* by edge: of a probe that needs no history */
	const double *plain_vertex_cost; /* by vertex: likewise */
	const double *edge_weight;	 /* by edge: how often it is expected to run */
	const double *vertex_weight;
	const bool *uncountable; /* by edge */
	const bool *still; /* by edge: a register cannot change there; no cycle of such edges; their
			      targets are among cuts.no_prehistory */
	const bool *uncountable_vertex; /* by vertex */
	bool at_ends;			/* count at the ends of paths */
	uint32_t
		array_limit; /* maximum of histories with an array of counters; more have a table */
};

struct wm_path_plan {
	const struct wm_cfg *function;
	struct wm_regions regions; /* of the split graph */
	struct wm_histories histories;
	const bool *cut;  /* by edge of the function, closing edge included */
	const bool *soft; /* likewise */
	uint32_t probe_count;
	struct wm_probe *probes;
	uint64_t *first_counter; /* by probe */
	uint64_t counter_count;
	uint32_t array_limit;
	/* By vertex of the function; only a plan that was made has them. */
	bool *has_register; /* several histories lead there, and a probe behind it tells them apart
			     */
	uint64_t *potential;
	bool *has_prehistory; /* a probe behind it tells prehistories apart, and there are some;
				 or a still edge leads from there to such a vertex */
};

/* Makes the plan of a function whose EXIT is the last vertex. WM_ERROR_UNSOLVABLE as for
 * wm_histories_plan; WM_ERROR_INPUT if there would be more than 2^31 counters. */
int wm_path_plan_make(struct wm_arena *arena, const struct wm_cfg *function,
	const struct wm_path_request *request, struct wm_path_plan *plan, struct wm_error *error);

/* Makes it again from what a description holds: cuts and soft edges, closing edge included, and
 * probes. WM_ERROR_INPUT if these do not belong together. */
int wm_path_plan_restore(struct wm_arena *arena, const struct wm_cfg *function, const bool *cut,
	const bool *soft, const struct wm_probe *probes, uint32_t probe_count, uint32_t array_limit,
	struct wm_path_plan *plan, struct wm_error *error);

/* A plan of these probes alone, which need not determine any counts. No edge is soft; whoever makes
 * code of it asks wm_path_plan_carry for registers. WM_ERROR_INPUT as for wm_path_plan_make. */
int wm_path_plan_of_probes(struct wm_arena *arena, const struct wm_cfg *function, const bool *cut,
	const struct wm_probe *probes, uint32_t probe_count, uint32_t array_limit,
	struct wm_path_plan *plan, struct wm_error *error);

/* Finds what the registers do, which a restored plan does not say: the same as in the plan that was
 * made, if weights and still of the request are the same. The rest of the request does not matter.
 */
void wm_path_plan_carry(
	struct wm_arena *arena, struct wm_path_plan *plan, const struct wm_path_request *request);

/* How many routes lead to the vertex of the function. */
static inline uint64_t wm_path_plan_histories(const struct wm_path_plan *plan, uint32_t vertex)
{
	return plan->regions.route_count[wm_split_arrival(vertex)];
}

/* Whether the probe counts in a table what comes with a prehistory. */
bool wm_path_plan_probe_has_prehistories(
	const struct wm_path_plan *plan, const struct wm_probe *probe);

/* Whether the probe has counters for what comes without. If not, all goes to the table. */
bool wm_path_plan_probe_has_array(const struct wm_path_plan *plan, const struct wm_probe *probe);

/* By vertex of the split graph: the expected part of its executions that come with a prehistory.
 * The estimate takes branches to be independent of what came before. */
double *wm_path_plan_prehistory_shares(struct wm_arena *arena, const struct wm_path_plan *plan,
	const double *edge_weight, const double *vertex_weight);

/* Histories of a probe without prehistory: at the source of its edge, or at its vertex. 1 for a
 * plain one. */
uint64_t wm_path_plan_probe_histories(
	const struct wm_path_plan *plan, const struct wm_probe *probe);

/* The edge of the split graph that the probe counts, and where it starts: the vertex whose
 * histories it tells apart. */
uint32_t wm_path_plan_probe_edge(const struct wm_path_plan *plan, const struct wm_probe *probe);
uint32_t wm_path_plan_probe_vertex(const struct wm_path_plan *plan, const struct wm_probe *probe);

#endif
