/* Where copies of text end otherwise than by their last statement: control is left in a call that
 * does not come back, or an exception passes. */
#ifndef WM_LLVM_SOURCE_ENDINGS_H
#define WM_LLVM_SOURCE_ENDINGS_H

#include "llvm/source/statements.h"

/* Copies that an edge of the code ends so. */
struct wm_endings {
	size_t count, capacity;
	struct wm_ending {
		uint32_t edge;
		uint32_t copy;
		uint32_t block; /* of the text, which is left; WM_NONE: not known */
	} *endings;		/* by edge, then by copy */
};

/* States that blocks were left there, and lists the edges that may end copies so. */
void wm_endings_find(
	struct wm_copies *copies, struct wm_statements *statements, struct wm_endings *endings);

bool wm_endings_has(const struct wm_endings *endings, uint32_t edge, uint32_t copy);

#endif
