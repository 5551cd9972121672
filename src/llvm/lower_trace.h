/* Lowering of the oracle for paths: the runtime is told of every block. */
#ifndef WM_LLVM_LOWER_TRACE_H
#define WM_LLVM_LOWER_TRACE_H

#include "llvm/lower.h"

/* Inserts the calls; `cut`, by edge, says where paths end. */
void wm_lower_trace(LLVMModuleRef module, const struct wm_lowering *lowering, const bool *cut);

#endif
