/* The functions of a module, callees before their callers where that is possible. */
#ifndef WM_LLVM_CALLEE_ORDER_H
#define WM_LLVM_CALLEE_ORDER_H

#include <stdbool.h>

#include <llvm-c/Types.h>

#include "core/base/arena.h"

/* All functions of the module, in that order or, unless `callees_first`, in the module's own. */
LLVMValueRef *wm_callee_order(
	struct wm_arena *arena, LLVMModuleRef module, bool callees_first, uint32_t *count);

#endif
