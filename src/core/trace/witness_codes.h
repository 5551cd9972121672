/* Codes of witnesses, and the table by which a reader follows them.
 *
 * Two witnesses may share a code unless some predicate has to tell them apart: unless one comes
 * next on one of its out-edges and the other on another. Codes are given by falling weight, the
 * smallest first, straight into the reader's table: predicate and code give the out-edge. An entry
 * that would be needed twice for one witness shows that the witnesses solve nothing, so that making
 * the table also checks a placement that comes from elsewhere.
 */
#ifndef WM_CORE_WITNESS_CODES_H
#define WM_CORE_WITNESS_CODES_H

#include "core/trace/witnesses.h"

enum {
	WM_WITNESS_END = 0, /* the code that follows the last: the trace has ended */
	WM_WITNESS_MAX_CODE = 255
};

struct wm_witness_codes {
	uint8_t *code;	   /* by edge; 0 for a free one */
	uint32_t max_code; /* the largest in use */
	uint32_t *row;	   /* by vertex: its row in the table; WM_NONE unless a predicate */
	uint32_t *next;	   /* by row and code, WM_WITNESS_MAX_CODE + 1 entries each: the
			      out-edge, or WM_NONE */
};

/* WM_ERROR_UNSOLVABLE, with the vertex where control could not be followed, if the witnesses are
 * not a solution, or if they need more codes than there are. */
int wm_witness_codes_make(struct wm_arena *arena, const struct wm_trace_problem *problem,
	const bool *witness, struct wm_witness_codes *codes, struct wm_error *error);

/* The edge along which control leaves a predicate if this code comes next; WM_NONE if none does. */
static inline uint32_t wm_witness_next(
	const struct wm_witness_codes *codes, uint32_t predicate, uint8_t code)
{
	return codes->next[(size_t)codes->row[predicate] * (WM_WITNESS_MAX_CODE + 1) + code];
}

/* The edges of one execution of the function, from its entry to EXIT, told from the codes that it
 * wrote. WM_ERROR_INPUT, with the place in the sequence, if it does not fit. */
int wm_witnesses_regenerate(struct wm_arena *arena, const struct wm_trace_problem *problem,
	const struct wm_witness_codes *codes, const uint8_t *sequence, size_t length,
	uint32_t **edges, size_t *edge_count, struct wm_error *error);

#endif
