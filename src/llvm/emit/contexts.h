/* Counting calls by context, beside what the mode counts. */
#ifndef WM_LLVM_CONTEXTS_H
#define WM_LLVM_CONTEXTS_H

#include "llvm/subject/subject.h"

/* Adds a counter, whose table has the counts. */
void wm_contexts_describe(struct wm_function *described);

/* Lets the function find its record when it is entered, and tell each function that it calls where
 * it is called. Comes after the probes. */
void wm_contexts_write(const struct wm_subject *subject, LLVMValueRef counter);

#endif
