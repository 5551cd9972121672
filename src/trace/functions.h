/* The functions of a traced object, as the regeneration follows them. */
#ifndef WM_TRACE_FUNCTIONS_H
#define WM_TRACE_FUNCTIONS_H

#include "format/trace_graph.h"
#include "profile/object.h"
#include "trace/file.h"

/* A function that was entered once: its graph, and what each branch's code means. */
struct wm_traced_function {
	const struct wm_function *function;
	uint32_t number; /* among the object's functions */
	struct wm_trace_graph graph;
	uint32_t *first_code;	/* by vertex: into `edge_of_code`; of a block that is no branch,
				   the place of its only edge */
	uint32_t *edge_of_code; /* edges of the graph; WM_NONE: no edge has the code */
	uint16_t *mark;		/* by call */
	uint32_t *lines;	/* by block: how many lines of it are shown */
	uint8_t *call_class;	/* by call: enum wm_call_class, but known or open where the linker
				   decided that */
	uint32_t *callee;	/* by call: the number of a function, if the call is known */
	bool shares_name;	/* other functions have its name */
};

struct wm_trace_functions {
	struct wm_arena *arena;
	const struct wm_object *object;
	uint64_t counters;    /* where they were in the process */
	uint32_t *by_counter; /* functions by their first counter */
	uint32_t *by_hash;    /* by the hash of their description */
	uint32_t *by_name;    /* those that other files may enter inside, by name */
	uint32_t inner_count;
	struct wm_traced_function **made; /* by function, or NULL */
};

/* WM_ERROR_MISMATCH if the file is not of this object, or none of its functions was traced. */
int wm_trace_functions_make(struct wm_arena *arena, const struct wm_trace_file *file,
	const struct wm_object *object, struct wm_trace_functions *functions,
	struct wm_error *error);

/* What the known call enters; NULL, with the reason in *error, if it cannot be read. */
const struct wm_traced_function *wm_trace_function_callee(struct wm_trace_functions *functions,
	const struct wm_traced_function *caller, uint32_t call, struct wm_error *error);

/* The function whose counters have an address with these low bits; NULL, with the reason in *error,
 * if there is none. */
const struct wm_traced_function *wm_trace_function_at(
	struct wm_trace_functions *functions, uint32_t address, struct wm_error *error);

#endif
