/* Paths counted where they end, by the sum of increments on their edges.
 *
 * Selected: a few paths; all others are counted together. A register sums up the increments that
 * core/chosen/select.h puts on the edges. At the end of a path the sum says which selected path it
 * was, if it was one: no other has the same sum. Small sums are numbers of counters; for large ones
 * a scaled hash finds the counter.
 *
 * Preferred: all paths, some of them fast (Vaswani 2007). The register has two fields, which are
 * summed up together: above, the Ball-Larus number that tells all paths apart; below, the values of
 * core/chosen/prefer.h, whose last bits are the slot of a preferred path. A path that is not in its
 * slot goes to a table. */
#ifndef WM_LLVM_SUMS_H
#define WM_LLVM_SUMS_H

#include "core/chosen/probe_keys.h"
#include "llvm/mode/mode.h"

struct wm_sums {
	uint64_t *end;	   /* by edge: added to the sum of the path that ends with it */
	bool *end_matters; /* by edge: a path that is known by its sum ends with it */
	uint64_t *inner;   /* by edge: added where the path goes on */
	uint64_t *start;   /* by vertex: the sum of a path that starts there */
	const bool *cut;   /* by edge: a path ends with it */
	const struct wm_probe_keys *keys; /* NULL: the sum is the number of the counter */
	uint32_t others; /* counter of what is not known by its sum, or the name of its table */
	bool in_table;	 /* the latter */
};

/* The edge to EXIT of a return that cannot hold a probe, shared by tail calls; or WM_NONE. A path
 * that reaches such a block has ended. */
uint32_t wm_sums_return_behind(const struct wm_capture *capture, uint32_t vertex);

/* Adds the steps. */
void wm_sums_add_steps(struct wm_lowerer *lowerer, const struct wm_sums *sums);

#endif
