/* Counting calls by context, beside what the mode counts. */
#ifndef WM_LLVM_CONTEXTS_H
#define WM_LLVM_CONTEXTS_H

#include "llvm/subject/subject.h"

/* A call that passes a link in r10 if its callee turns out to take one. */
struct wm_context_call {
	LLVMValueRef call;
	LLVMValueRef callee;
	LLVMValueRef link;
};

/* A function that counts contexts. */
struct wm_context_function {
	LLVMValueRef function;
	LLVMValueRef counters; /* the last one names its table */
	LLVMValueRef own_link; /* the call that stands for the link it gets, or NULL */
	LLVMValueRef layout;
	uint32_t slot_count;
	uint32_t *sites;       /* by slot: the number of the call in the description */
	LLVMValueRef *callees; /* by slot: whose calls are counted here, or NULL */
	bool is_split;	       /* it gets a second entry; else it finds its link itself */
};

/* What is collected function by function, for when all of them are known. */
struct wm_context_module {
	struct wm_arena *arena;
	struct wm_context_call *calls;
	struct wm_context_function *functions;
	uint32_t call_count, function_count;
	size_t call_capacity, function_capacity;
};

/* Adds a counter, whose table has the counts. */
void wm_contexts_describe(struct wm_function *described);

/* Lets the function find its record on its way to its calls, count those calls, and say where it
 * calls. Comes after the probes. */
void wm_contexts_write(const struct wm_subject *subject, LLVMValueRef counters,
	struct wm_context_module *collected);

/* When all functions of the module are written: gives them their entries, and each call its link.
 */
void wm_contexts_finish(LLVMModuleRef module, struct wm_context_module *collected);

#endif
