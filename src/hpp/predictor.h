/* The branch predictor of the thesis' table 5.3: a bimodal and a gshare predictor, a third that
 * chooses between them, a table of targets, a stack of return addresses. Counters have two bits and
 * start at 1; 2 and 3 mean taken, or gshare. */
#ifndef WM_HPP_PREDICTOR_H
#define WM_HPP_PREDICTOR_H

#include "hpp/branch.h"

enum { WM_PREDICTOR_SIZE = 8192, WM_PREDICTOR_META = 1024, WM_TARGET_SETS = 512, WM_TARGET_WAYS = 4, WM_RETURN_STACK = 32 };

struct wm_predictor {
	bool small; /* the low alternative of table 5.4: gshare of 2048 with 11 bits of history, alone */
	uint8_t bimodal[WM_PREDICTOR_SIZE], gshare[WM_PREDICTOR_SIZE], meta[WM_PREDICTOR_META];
	uint32_t history;
	struct {
		uint64_t at, to;
	} target[WM_TARGET_SETS][WM_TARGET_WAYS]; /* of each set, the last used first */
	uint64_t returns[WM_RETURN_STACK];
	uint32_t calls;
	uint64_t branches, mispredictions;
};

void wm_predictor_init(struct wm_predictor *predictor, bool small);

/* Whether the branch was mispredicted: its direction, or the target of an indirect one or of a
 * return. Learns from it. */
bool wm_predictor_branch(struct wm_predictor *predictor, const struct wm_branch *branch);

#endif
