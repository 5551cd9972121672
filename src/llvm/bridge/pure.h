/* Functions that only compute: the optimiser may delete calls of them, or share their results. */
#ifndef WM_LLVM_BRIDGE_PURE_H
#define WM_LLVM_BRIDGE_PURE_H

#include <stdbool.h>
#include <stddef.h>

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Lets the module know early what LLVM knows of the C library. To be called before the others. */
void wm_pure_infer(LLVMModuleRef module);

/* Whether the call stays in the code whatever is inlined: it has an effect, and its function is
 * elsewhere. */
bool wm_pure_lasts(LLVMValueRef call);

/* Sets pure[i] if functions[i], which has code, may turn out to have no effect but its result. */
void wm_pure_find(const LLVMValueRef *functions, size_t count, bool *pure);

/* Whether the function may be called otherwise than by its name in code with counters. */
bool wm_pure_is_called_otherwise(LLVMValueRef function, bool for_library);

#ifdef __cplusplus
}
#endif

#endif
