/* What is between two sights of a copy of text.
 *
 * Code without a sight of the copy joins edges into one *stretch*: control enters it behind some
 * sights (departures) and leaves it before others (arrivals). Leaving a copy is an arrival at the
 * EXIT of its text; the start of the function is a departure from before its entry. Control may
 * also end on the way, in a call of text that was inlined: the stretch *leaks*. */
#ifndef WM_LLVM_SOURCE_STRETCHES_H
#define WM_LLVM_SOURCE_STRETCHES_H

#include "core/base/disjoint_sets.h"
#include "llvm/source/endings.h"

enum { WM_STRETCHES_MAX_FOLLOWING = 8, WM_STRETCHES_SEVERAL = -2 };

struct wm_stretch {
	int64_t departure; /* block of text, or WM_STRETCHES_SEVERAL; -1: none yet */
	int64_t arrival;
	bool enters;	/* an arrival at the entry of the text */
	bool leaves;	/* an arrival where the function ends */
	bool starts;	/* the start of the function */
	bool undecided; /* not each departure makes a decision that is known there (arms.h) */
	bool repeats;	/* a sight at one of its ends stands for several iterations at once */
	bool leaks;	/* control may end in it */
};

/* The stretches of one copy at a time. */
struct wm_stretches {
	struct wm_copies *copies;
	struct wm_endings endings;
	const struct wm_capture *capture;
	const struct wm_cfg *cfg;
	uint32_t entry_edge;	      /* stands for the start of the function */
	struct wm_disjoint_sets sets; /* of edges */
	struct wm_stretch *of_edge;   /* by representative edge */
	uint32_t *first_sight;	      /* by block of the code: of the copy at hand, or WM_NONE */
	uint32_t *last_sight;
	uint32_t *visited; /* by block of the code: number of the last visit */
	uint32_t visit;
	uint32_t *stack;
};

/* Without endings, which are found by the caller. */
void wm_stretches_open(
	struct wm_arena *arena, struct wm_copies *copies, struct wm_stretches *stretches);

/* Looks at the sights of the copy, and at none afterwards. */
void wm_stretches_see(struct wm_stretches *stretches, const struct wm_copy *copy);
void wm_stretches_clear(struct wm_stretches *stretches, const struct wm_copy *copy);

/* Requires: the sights of the copy are looked at. */
void wm_stretches_find(struct wm_stretches *stretches, uint32_t copy);

struct wm_stretch *wm_stretches_of(struct wm_stretches *stretches, uint32_t edge);

/* Whether the copy goes on behind the edge. */
bool wm_stretches_follow(const struct wm_stretches *stretches, uint32_t copy, uint32_t edge);

/* Where control has arrived for a copy whose sight is this block of text. Its entry is only arrived
 * at from outside. */
uint32_t wm_stretches_arrival_at(const struct wm_copy *copy, uint32_t block);

/* The block of text that is seen first behind the edge, or last before it; false if none is there.
 */
bool wm_stretches_arrival(
	const struct wm_stretches *stretches, uint32_t copy, uint32_t edge, uint32_t *arrival);
bool wm_stretches_departure(
	const struct wm_stretches *stretches, uint32_t edge, uint32_t *departure);

/* The only block of text that is seen next behind the edge, or a negative number. */
int64_t wm_stretches_first_arrival(const struct wm_stretches *stretches, uint32_t edge);

/* Stores the blocks of text that can be seen next behind the edge, of which there is room for
 * WM_STRETCHES_MAX_FOLLOWING; false if there are more. */
bool wm_stretches_find_following(struct wm_stretches *stretches, uint32_t copy, uint32_t edge,
	uint32_t *following, uint32_t *count);

/* An edge of the stretch that holds the block of the code, in which the copy is not seen. */
uint32_t wm_stretches_edge_at(const struct wm_stretches *stretches, uint32_t copy, uint32_t block);

/* In a stretch outside of an inlined copy, its entry may have been lost: what is seen next may
 * belong to another execution of the copy. */
bool wm_stretches_is_mixed_outside(
	const struct wm_copy *what, uint32_t copy, const struct wm_stretch *stretch);

#endif
