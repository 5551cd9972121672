/* Code with `asm goto`: which functions can be counted, and where no register of ours may merge. */
#ifndef WM_LLVM_ASM_GOTO_H
#define WM_LLVM_ASM_GOTO_H

#include <stdbool.h>

#include <llvm-c/Core.h>

#include "llvm/subject/capture.h"

/* Marks the functions of the module that must stay as they are. Before the optimiser (`early`) it
 * also keeps code with probes from being inlined into them, and them into code with probes. Returns
 * whether there are such functions. */
bool wm_asm_goto_mark(LLVMModuleRef module, bool early);

/* Whether the function was marked. */
bool wm_asm_goto_is_left_alone(LLVMValueRef function);

/* Whether the function holds an `asm goto`. */
bool wm_asm_goto_is_in(LLVMValueRef function);

/* Sets merges[v] for each block v that is, or that the code generator may make, a label of an
 * `asm goto` with several predecessors. */
void wm_asm_goto_find_merges(const struct wm_capture *capture, bool *merges);

#endif
