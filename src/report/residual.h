/* What the field did and no test has: residual paths.
 *
 * Tests and field are sets of paths (profile/ran_paths.h). A path of the field is untested if no
 * test took it in the same function with the same code. Each gets the first kind that fits, which
 * says what else would have seen it, and its departure from what the tests did. After Vaswani,
 * chapter 3.5; the kinds are ours. */
#ifndef WM_REPORT_RESIDUAL_H
#define WM_REPORT_RESIDUAL_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/path_space.h"
#include "profile/ran_paths.h"

enum wm_residual_kind {
	WM_RESIDUAL_FUNCTION,	 /* no test entered the function */
	WM_RESIDUAL_CHANGED,	 /* tests did, but its code was another */
	WM_RESIDUAL_CODE,	 /* it has a line that no test ran */
	WM_RESIDUAL_OUTCOME,	 /* all lines were tested, but a branch never went that way */
	WM_RESIDUAL_COPY,	 /* tested, in another copy of the same code */
	WM_RESIDUAL_COMBINATION, /* every branch was tested, but not together */
	WM_RESIDUAL_EARLY,	 /* left early where no tested path came */
	WM_RESIDUAL_UNCERTAIN,	 /* it may not have run: a thread was killed while it computed */
	WM_RESIDUAL_KINDS
};

/* As users type them. */
extern const char *const wm_residual_kind_words[WM_RESIDUAL_KINDS];

/* A function of the field with what is known of both sides. */
struct wm_residual_function {
	const struct wm_profile_function *function; /* its description, in one of the profiles */
	const struct wm_ran_function *field;	    /* NULL: it has sentinels */
	const struct wm_ran_function *tests; /* the same function, entered; NULL: there is none */
	enum wm_ran_fit fit;
	struct wm_path_space space;		/* with the tested paths */
	bool *tested_edge;			/* by edge */
	uint32_t (*edge_labels)[WM_RAN_LABELS]; /* by edge: tests that took it; WM_NONE: no more */
	size_t untested_paths;			/* certain ones */
	size_t untested_edges;
};

struct wm_residual_row {
	const struct wm_residual_function *function;
	const struct wm_ran_path *ran;
	struct wm_profile_path path;
	enum wm_residual_kind kind;
	bool on_tested_edges; /* each edge of the path was tested */
	bool departs;	      /* the tests have the function: what follows is known */
	struct wm_departure departure;
	const struct wm_ran_path *nearest; /* of the tests, with the live prefix; or NULL */
	uint32_t labels[WM_RAN_LABELS];	   /* tests with the live prefix; WM_NONE: no more */
};

/* Where a sentinel of the field's build saw the tested paths being left. What came before, in the
 * same run of the function, is known from where routes are numbered anew; what came behind is not
 * known. */
struct wm_residual_departure {
	const struct wm_residual_function *function;
	const struct wm_profile_departure *departure;
	enum wm_residual_kind kind; /* function, changed, code, outcome or combination */
};

struct wm_residual_request {
	const struct wm_ran_paths *tests;
	const struct wm_ran_paths *field;
	const struct wm_ran_paths *accepted; /* paths that are left out; or NULL */
	const struct wm_profile *profiles;   /* of the field: for descriptions */
	size_t profile_count;
	bool across_shape; /* the code of functions may differ */
};

struct wm_residual {
	size_t function_count; /* of the field: some path of them ran */
	struct wm_residual_function *functions;
	size_t row_count;
	struct wm_residual_row *rows; /* by machines, samples and count, falling; uncertain ones
				      last */
	size_t watched; /* functions with sentinels; they have no rows, but departures */
	size_t departure_count;
	struct wm_residual_departure *departures; /* by processes, falling */
	size_t kinds[WM_RESIDUAL_KINDS];	  /* of rows and departures */
	size_t accepted;			  /* paths that were left out */
	size_t matched;	     /* functions of the field that the tests have as they are */
	size_t changed;	     /* that the tests have otherwise */
	size_t paths;	     /* of the field, uncertain ones left aside, and so below */
	uint64_t executions; /* of paths */
	size_t untested;     /* paths */
	uint64_t untested_executions;
	size_t functions_with_paths; /* untested ones */
	size_t edges, untested_edges, functions_with_edges;
	size_t lines, untested_lines;
	size_t hidden_by_function; /* untested paths in functions without an untested edge */
	size_t hidden_by_path;	   /* without one on the path */
};

/* Compares; everything lives in the arena. WM_ERROR_INPUT: a set names a path that its function
 * does not have, or the function has more than 2^63. */
int wm_residual_make(struct wm_arena *arena, const struct wm_residual_request *request,
	struct wm_residual *residual, struct wm_error *error);

#endif
