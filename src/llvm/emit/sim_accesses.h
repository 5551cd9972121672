/* Accesses to memory, told to the simulated caches. */
#ifndef WM_LLVM_SIM_ACCESSES_H
#define WM_LLVM_SIM_ACCESSES_H

#include "llvm/subject/subject.h"

/* The loads, stores and copies of the program, while nothing else is in the code. */
struct wm_sim_accesses {
	uint32_t count;
	LLVMValueRef *list;
};

struct wm_sim_accesses wm_sim_accesses_find(const struct wm_subject *subject);

/* Writes the code before each of them. */
void wm_sim_accesses_write(
	const struct wm_subject *subject, const struct wm_sim_accesses *accesses);

/* The word of the thread that counts the misses of this level. */
LLVMValueRef wm_sim_accesses_misses(LLVMModuleRef module, LLVMBuilderRef builder,
	const struct wm_sim_shapes *shapes, uint32_t level);

/* Tells the runtime the caches. */
void wm_sim_accesses_write_shapes(LLVMModuleRef module, const struct wm_sim_shapes *shapes);

#endif
