/* Which arm of a decision of the text control takes by an edge of the code. */
#ifndef WM_LLVM_SOURCE_ARMS_H
#define WM_LLVM_SOURCE_ARMS_H

#include "llvm/source/stretches.h"

/* Whether the code at the start of the edge makes the decision of that block of text, and the edges
 * there lead to different sights by different arms. Where two edges lead by one arm, a loss went
 * unnoticed. */
bool wm_arms_is_decided(
	struct wm_stretches *stretches, uint32_t edge, uint32_t copy, uint32_t from);

/* The decision that is known at the start of the edge; false if none is. */
bool wm_arms_decides(struct wm_stretches *stretches, uint32_t copy, uint32_t edge,
	struct wm_hidden_decision *decision);

/* Notes stretches in which not each departure makes a decision that is known. */
void wm_arms_note_undecided(struct wm_stretches *stretches, uint32_t copy);

#endif
