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
	uint32_t counter_count; /* of those that its records have cells for */
	uint32_t call_count;	/* of those that its records have links for */
	uint32_t *sites;	/* by link: the number of the call in the description */
	LLVMValueRef *callees;	/* by link: whose calls are counted here, or NULL */
	bool is_split;		/* it gets a second entry; else it finds its link itself */
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

/* Whether each record of a function with that many counters has a cell for each. */
bool wm_contexts_have_cells(uint32_t counter_count);

/* The function's record, as the probes need it: a value at the function's beginning, which
 * wm_contexts_write defines. */
LLVMValueRef wm_contexts_record(const struct wm_subject *subject);

/* Lets the function find its record on its way to its calls, count those calls, and say where it
 * calls. Comes after the probes. `counters`, of which the first `counter_count` are counted beside
 * the record, which is NULL if there are none. */
void wm_contexts_write(const struct wm_subject *subject, LLVMValueRef counters,
	uint32_t counter_count, LLVMValueRef record, struct wm_context_module *collected);

/* When all functions of the module are written: gives them their entries, and each call its link.
 */
void wm_contexts_finish(LLVMModuleRef module, struct wm_context_module *collected);

#endif
