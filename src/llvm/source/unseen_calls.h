/* Calls of the text of which the code shows nothing: what was called may have been inlined there
 * and run unseen. */
#ifndef WM_LLVM_SOURCE_UNSEEN_CALLS_H
#define WM_LLVM_SOURCE_UNSEEN_CALLS_H

#include "llvm/source/statements.h"

/* For each block of text about which something is stated, and with such a call: at the same place,
 * anything may have happened in the text of what is called. */
void wm_unseen_calls_open(struct wm_copies *copies, struct wm_statements *statements);

#endif
