/* Terms: what probes cost in a subject and what is in their way, for the planners of core. */
#ifndef WM_LLVM_MODE_TERMS_H
#define WM_LLVM_MODE_TERMS_H

#include "llvm/subject/subject.h"

struct wm_terms {
	double *edge_cost; /* by edge: of a probe in its place */
	double *vertex_cost;
	double *plain_cost; /* by edge: where a loop may help */
	double *plain_vertex_cost;
	bool *uncountable; /* by edge */
	bool *uncountable_vertex;
	bool *still;	     /* by edge: a register can go along it, but not change */
	bool *must_start;    /* by vertex: paths start there, whatever else is decided */
	bool *no_prehistory; /* by vertex: no path goes on there with a prehistory */
};

struct wm_terms wm_terms_make(const struct wm_subject *subject);

#endif
